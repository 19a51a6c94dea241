"""Units that are alike are matched as well as they can be, and never below the threshold."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.ordering import match_units, tau

tables = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.floats(0, 1), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(tables)
def test_the_sum_is_the_largest_there_is(table: list[list[float]]) -> None:
    n = len(table)
    found = match_units(range(n), range(n), similarity=table, threshold=0.4)
    best = max(
        sum(table[row][column] for row, column in enumerate(columns) if table[row][column] >= 0.4)
        for columns in permutations(range(n))
    )
    assert sum(found.similarity.values()) == pytest.approx(best)
    assert all(similarity >= 0.4 for similarity in found.similarity.values())
    assert len(found.of) + len(found.unmatched) == n
    assert len(set(found.of.values())) + len(found.unmatched_reference) == n


def test_reworded_sentences_are_compared() -> None:
    reference = {"a": "The storm hit the coast.", "b": "Thousands fled inland.", "c": "Power failed."}
    system = {1: "Thousands of people fled inland.", 2: "A storm hit the coast.", 3: "Nothing like it."}
    found = match_units(system, reference)
    assert found.of == {1: "b", 2: "a"}
    assert found.unmatched == (3,)
    assert found.unmatched_reference == ("c",)
    order = found.translated([1, 2, 3])
    assert tau(order, list(reference), units="common") == -1
    with pytest.raises(DataError, match="unmatched"):
        tau(order, list(reference))


def test_equal_strings_and_empty_ones() -> None:
    found = match_units({1: "abc", 2: ""}, {"x": "", "y": "abc"}, threshold=1.0)
    assert found.of == {1: "y", 2: "x"}
    # 2·2 / (3 + 3): a and c in common
    assert match_units({1: "abc"}, {"x": "axc"}).similarity[1] == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("similarity", "error", "message"),
    [
        ([[1.0]], DataError, r"shape \(2, 2\), got \(1, 1\)"),
        ([[1.0, np.nan], [0.0, 1.0]], DataError, "similarity of 'a' and 'd' is nan"),
        (None, UsageError, "map each id to its text"),
    ],
)
def test_wrong_similarities(similarity: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        match_units(["a", "b"], ["c", "d"], similarity=similarity)  # type: ignore[arg-type]
