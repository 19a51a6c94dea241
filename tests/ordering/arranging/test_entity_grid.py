"""The grid and its transitions, worked out by hand."""

from __future__ import annotations

import pytest

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.entity_grid import Mention, entity_grid

# a: "The cat chased the dog in the garden."  b: "The dog hid."  c: "The cat found the dog and its bone."
MENTIONS = [
    Mention("a", "cat", "S"),
    Mention("a", "dog", "O"),
    Mention("a", "garden", "X"),
    Mention("b", "dog", "S"),
    Mention("c", "cat", "S"),
    Mention("c", "bone", "O"),
    Mention("c", "dog", "X"),
    Mention("c", "dog", "O"),
]
GRID = entity_grid("abc", MENTIONS)


def test_rows_and_columns() -> None:
    # The dog stands in c as object and as its bone's owner: object counts.
    assert GRID.entities == ("cat", "dog", "garden", "bone")
    assert GRID.rows() == ["SOX-", "-S--", "SO-O"]


def test_transitions_by_hand() -> None:
    # a to b: S- OS X- --; b to c: -S SO -- -O. Eight in all; -- twice, the others once.
    found = GRID.transitions()
    assert len(found) == 16
    once = {"S-", "OS", "X-", "-S", "SO", "-O"}
    assert found == {key: 2 / 8 if key == "--" else 1 / 8 if key in once else 0 for key in found}


def test_transitions_of_another_order() -> None:
    # b to a: -S SO -X --; a to c: SS OO X- -O.
    found = {key: share for key, share in GRID.transitions("bac").items() if share}
    assert found == dict.fromkeys(("-S", "SO", "-X", "--", "SS", "OO", "X-", "-O"), 1 / 8)


def test_longer_and_shorter_sequences() -> None:
    # Columns from top to bottom: S-S, OSO, X--, --O.
    found = {key: share for key, share in GRID.transitions(length=3).items() if share}
    assert found == dict.fromkeys(("S-S", "OSO", "X--", "--O"), 1 / 4)
    assert GRID.transitions(length=1) == {"S": 3 / 12, "O": 3 / 12, "X": 1 / 12, "-": 5 / 12}
    assert GRID.transitions(length=4) == {}
    with pytest.raises(UsageError, match="at least 1"):
        GRID.transitions(length=0)


def test_presence_alone() -> None:
    assert entity_grid("ab", [Mention("a", "cat"), Mention("b", "dog")]).rows() == ["X-", "-X"]
    assert entity_grid("ab", []).rows() == ["", ""]


@pytest.mark.parametrize(
    ("mention", "message"),
    [(Mention("z", "cat"), "'cat' is mentioned in unit 'z'"), (Mention("a", "cat", "-"), "'-'; use S, O or X")],
)
def test_wrong_mentions_are_refused(mention: Mention, message: str) -> None:
    with pytest.raises(DataError, match=message):
        entity_grid("ab", [mention])
