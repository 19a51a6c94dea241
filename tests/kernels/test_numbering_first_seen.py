"""The compiled loop, its plain-Python fallback and a dictionary give labels the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE, compiled
from textassay.kernels.numbering import first_seen

columns = st.lists(st.lists(st.one_of(st.text(max_size=2), st.integers(0, 3), st.none()), max_size=20), max_size=3)


def numbered(given_columns: Sequence[Sequence[Any]], kernel: str) -> tuple[list[list[int]], dict[Any, int]]:
    seen: dict[Any, int] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return [first_seen(column, seen).tolist() for column in given_columns], seen


def test_loop_is_compiled_here() -> None:
    assert compiled()


@given(columns)
def test_loop_fallback_and_dictionary_agree(given_columns: list[list[Any]]) -> None:
    seen: dict[Any, int] = {}
    expected = [[seen.setdefault(label, len(seen)) for label in column] for column in given_columns]
    for kernel in ("auto", "python"):
        found, known = numbered(given_columns, kernel)
        assert found == expected
        assert list(known.items()) == list(seen.items())


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_equal_labels_that_are_different_objects_are_one(kernel: str) -> None:
    # Far more objects than the loop remembers, of few labels; then far more labels.
    few = [f"system {index % 7}" for index in range(20_000)]
    many = [f"text {index % 9_000}" for index in range(20_000)]
    (systems, texts), seen = numbered([few, many], kernel)
    assert systems == [index % 7 for index in range(20_000)]
    assert texts == [7 + index % 9_000 for index in range(20_000)]
    assert len(seen) == 9_007


@pytest.mark.parametrize("kernel", ["auto", "python"])
@pytest.mark.parametrize("labels", [[["a"], ["b"]], [{}]])
def test_what_cannot_be_looked_up_is_refused(labels: list[Any], kernel: str) -> None:
    with pytest.raises(DataError, match="labels must be text or numbers: unhashable"):
        numbered([labels], kernel)
