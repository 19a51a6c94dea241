"""Options of paired tests."""

from __future__ import annotations

from typing import Any

import pytest

from textassay.errors import UsageError
from textassay.metrics.significance import PairedOptions


def test_the_first_system_is_the_baseline() -> None:
    assert PairedOptions().pairs(["A", "B", "C"]) == [("A", "B"), ("A", "C")]
    assert PairedOptions(baseline="C").pairs(["A", "B", "C"]) == [("C", "A"), ("C", "B")]
    assert PairedOptions(all_pairs=True).pairs(["A", "B", "C"]) == [("A", "B"), ("A", "C"), ("B", "C")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "draws must be a whole number from 1 on, for example 1999; got 0"),
        ({"confidence": 1.0}, "confidence"),
        ({"form": "moses"}, "form"),
        (
            {"all_pairs": True, "baseline": "A"},
            r"all pairs have no baseline; leave out either all_pairs or baseline \(A\)",
        ),
    ],
)
def test_impossible_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PairedOptions(**options)


def test_systems_that_are_not_there() -> None:
    with pytest.raises(UsageError, match="there is no system 'D' to compare with; there are: A, B"):
        PairedOptions(baseline="D").pairs(["A", "B"])
    with pytest.raises(UsageError, match=r"a paired test compares systems; got 1 \(A\)"):
        PairedOptions().pairs(["A"])
    with pytest.raises(UsageError, match=r"got 0 \(none\)"):
        PairedOptions(all_pairs=True).pairs([])
