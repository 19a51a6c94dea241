"""The kinds of design by themselves; whole studies with them are in `tests/study`."""

from __future__ import annotations

from collections import Counter

import pytest

from textassay.design.assignment import Cell
from textassay.design.schemes import Dealing, Everyone, GroupRotation, Rotation, Scheme
from textassay.seeds import Stream

CELLS = [Cell(item, system) for item in "ijklmn" for system in "AB"]
SCHEMES: list[tuple[Scheme[str], int]] = [
    (Rotation("ijklmn", "AB", 6), 4),
    (GroupRotation({"g": "ijk", "h": "lmn"}, "AB"), 4),
    (Everyone(CELLS), 3),
    (Everyone(CELLS[1:]), 3),
    (Dealing(CELLS, 2, 4), 6),
]


@pytest.mark.parametrize(("scheme", "slots"), SCHEMES)
def test_no_scheme_gives_anybody_more_than_it_says_or_a_text_twice(scheme: Scheme[str], slots: int) -> None:
    hands = scheme.assign(slots, Stream(1, "test"))
    assert len(hands) == slots
    assert scheme.participants in (None, slots)
    assert max(map(len, hands)) == scheme.per_participant
    assert all(len(set(hand)) == len(hand) for hand in hands)


@pytest.mark.parametrize(("scheme", "slots"), SCHEMES)
def test_balance_is_counted_for_the_texts_that_there_are(scheme: Scheme[str], slots: int) -> None:
    hands = scheme.assign(slots, Stream(1, "test"))
    lines = {line.what: line for line in scheme.balance(hands).lines}
    counts = Counter(cell for hand in hands for cell in hand).values()
    cells = lines["an item × system, over participants"]
    assert (cells.least, cells.most) == (min(counts), max(counts))


@pytest.mark.parametrize(
    ("scheme", "slots", "name", "words"),
    [
        (Everyone(CELLS), 1, "system", "the one participant sees all 12 texts (6 items × 2 systems)"),
        (Everyone(CELLS[1:]), 3, "system", "each of 3 participants sees all 11 texts of 6 items"),
        (
            Everyone(CELLS),
            2,
            "pair of systems",
            "each of 2 participants sees all 12 comparisons (6 items × 2 pairs of systems)",
        ),
        (
            Dealing(CELLS, 1, 12),
            1,
            "pair of systems",
            "1 person × 12 comparisons = 12 judgements: each of the 12 comparisons gets 1",
        ),
    ],
)
def test_plans_in_words(scheme: Scheme[str], slots: int, name: str, words: str) -> None:
    assert scheme.in_words(slots, name) == words
