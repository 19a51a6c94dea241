"""Several references: the best, the mean."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textassay.metrics.references import best_rows, group_means

GROUPS = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=4))


def flat(groups: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    values = np.array([value for group in groups for value in group], dtype=float)
    return values, np.cumsum([0, *map(len, groups)])


@given(GROUPS)
def test_best_is_the_first_highest_of_each_group(groups: list[list[float]]) -> None:
    values, first = flat(groups)
    expected = [start + int(np.argmax(group)) for start, group in zip(first[:-1], groups, strict=True)]
    assert best_rows(values, first).tolist() == expected


@given(GROUPS)
def test_means_of_each_group(groups: list[list[float]]) -> None:
    values, first = flat(groups)
    means = group_means(np.stack([values, 1 - values], axis=1), first)
    assert np.allclose(means[:, 0], [np.mean(group) for group in groups])
    assert np.allclose(means.sum(axis=1), 1)


def test_undefined_is_never_best_where_another_is_defined() -> None:
    values = np.array([np.nan, 0.0, np.nan, np.nan])
    assert best_rows(values, np.array([0, 2, 4])).tolist() == [1, 2]
