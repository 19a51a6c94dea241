"""A plan that somebody brings."""

from __future__ import annotations

import pytest

from textassay.design.assignment import Cell
from textassay.design.own_plan import OwnPlan
from textassay.seeds import Stream

ONE, TWO, THREE = Cell("i", "A"), Cell("i", "B"), Cell("j", "A")


def test_the_lists_are_as_they_were_given_and_more_participants_take_them_again() -> None:
    scheme = OwnPlan([[ONE, THREE], [TWO]], [ONE, TWO, THREE])
    assert (scheme.participants, scheme.per_participant, scheme.fewest_per_participant) == (2, 2, 1)
    assert scheme.assign(3, Stream(1, "test")) == [[ONE, THREE], [TWO], [ONE, THREE]]


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        (
            OwnPlan([[ONE, THREE], [ONE]], [ONE, TWO, THREE]),
            (
                "as the table says, 1 person × 2 texts + 1 person × 1 text = 3 judgements: each of 2 texts gets 1 or "
                "2, and 1 of the 3 texts is shown to nobody"
            ),
        ),
        (OwnPlan([[ONE]]), "as the table says, 1 person × 1 text = 1 judgement: the one text gets 1"),
    ],
)
def test_it_is_told_in_words(scheme: OwnPlan[str], words: str) -> None:
    assert scheme.in_words(scheme.participants, "system") == words
    lines = {line.what: line for line in scheme.balance(scheme.lists).lines}
    assert lines["an item × system, over participants"].most == (2 if len(scheme.lists) == 2 else 1)
