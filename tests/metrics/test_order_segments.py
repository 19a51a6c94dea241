"""Orders as segments: lists of units everywhere, told apart from lists of references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.metrics import score
from textassay.metrics.order_segments import OrderSegments


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_any_kind_of_list(kind: Any) -> None:
    found = score("order-tau", [kind([2, 1, 3])], [[kind([1, 2, 3])]])
    assert found.segments.tolist() == pytest.approx([1 / 3])


def test_alignment_is_made_once_and_kept_apart_by_policy() -> None:
    segments = OrderSegments.checked([["b", "a"]], [[["a", "b"], ["b", "a"]]])
    assert segments.alignments("same") is segments.alignments("same")
    assert segments.alignments("same") is not segments.alignments("common")
    assert [each.places.tolist() for each in segments.alignments("same")] == [[1, 0], [0, 1]]


def test_one_reference_each() -> None:
    assert OrderSegments.checked([["a"], ["b"]], [["a"], ["x"]]).references == [[("a",)], [("x",)]]


def test_parts_keep_the_names_of_rows() -> None:
    segments = OrderSegments.checked([["a"], ["b"]], [[["a"]], [["x"]]], ["first", "second"])
    assert segments.take([1]).rows == ["second"]
    assert [part.rows for part in segments.chunks(1)] == [["first"], ["second"]]
    with pytest.raises(DataError, match=r"^second: the order lacks units of the reference: 'x'"):
        segments.take([1]).alignments("same")


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        ([["a", "b"]], [["a", "b"], ["b", "a"]], UsageError, "1 hypotheses but 2 references; give one for each"),
        (["a b"], [[["a", "b"]]], UsageError, "it must be a order"),
        ([["a"]], [[]], DataError, "no reference"),
        ([None], [[["a"]]], DataError, "missing"),
        ([{"a": 1}], [[["a"]]], UsageError, "it must be a order"),
        (7, [[["a"]]], UsageError, "give a list, one order per segment"),
        ([["a", "b"]], [[["a", "c"]]], DataError, "lacks units of the reference: 'c'"),
    ],
)
def test_mistakes(hypotheses: Any, references: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        score("order-tau", hypotheses, references)
