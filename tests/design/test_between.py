"""Systems between participants: who sees which system, recounted."""

from __future__ import annotations

from collections import Counter

import pytest

from textassay.design.assignment import Cell
from textassay.design.between import Between
from textassay.seeds import Stream

CELLS = [Cell(item, system) for item in "ijklmn" for system in "ABC"]


@pytest.mark.parametrize(("slots", "size"), [(12, None), (13, None), (9, 4), (18, 4), (7, 1)])
def test_each_participant_sees_one_system_and_all_get_equally_many(slots: int, size: int | None) -> None:
    hands = Between(CELLS, size).assign(slots, Stream(3, "test"))
    assert [len({cell.condition for cell in hand}) for hand in hands] == [1] * slots
    assert [len({cell.item for cell in hand}) for hand in hands] == [size or 6] * slots
    for first in range(slots + 1):  # whoever comes first: the numbers never differ by more than one
        people = Counter(dict.fromkeys("ABC", 0))
        people.update(hand[0].condition for hand in hands[:first])
        assert max(people.values()) - min(people.values()) <= 1
    for system in "ABC":
        seen = Counter(dict.fromkeys("ijklmn", 0))
        seen.update(cell.item for hand in hands for cell in hand if cell.condition == system)
        assert max(seen.values()) - min(seen.values()) <= 1


@pytest.mark.parametrize(("slots", "size"), [(13, None), (10, 4)])
def test_its_remedies_make_it_exact(slots: int, size: int | None) -> None:
    scheme = Between(CELLS, size)
    balance = scheme.balance(scheme.assign(slots, Stream(1, "test")))
    assert not balance.exact
    assert [remedy.numbers.slots for remedy in balance.remedies] == ([12, 15] if size is None else [9, 18])
    for remedy in balance.remedies:
        assert scheme.balance(scheme.assign(remedy.numbers.slots, Stream(1, "test"))).exact


@pytest.mark.parametrize(
    ("cells", "slots", "size", "name", "words"),
    [
        (
            CELLS,
            12,
            None,
            "system",
            (
                "12 participants, 4 for each of 3 systems: each sees the 6 texts of one system, so systems are "
                "compared between people"
            ),
        ),
        (
            CELLS[:-1],
            13,
            4,
            "pair of systems",
            (
                "13 participants, 4 or 5 for each of 3 pairs of systems: each sees 4 of the 5 to 6 comparisons of one "
                "pair of systems, so pairs of systems are compared between people"
            ),
        ),
        (CELLS[:1], 2, None, "system", "2 participants: each sees the one text of the one system"),
    ],
)
def test_it_is_told_in_words(cells: list[Cell[str]], slots: int, size: int | None, name: str, words: str) -> None:
    assert Between(cells, size).in_words(slots, name) == words
