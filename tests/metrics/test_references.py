"""Several references: the best, the mean, pooled counts, the jackknife."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.metrics.references import POLICIES, ReferencePairs, best_rows, group_means, group_sums

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


def pairs(groups: list[list[float]]) -> ReferencePairs:
    """Counts are hundreds of the value; a second score is its complement."""
    values, first = flat(groups)
    counts = np.stack([values * 100, np.full_like(values, 100)], axis=1).astype(np.int32)
    return ReferencePairs(counts, np.stack([values, 1 - values], axis=1), values, first)


@given(GROUPS)
def test_sums_of_each_group(groups: list[list[float]]) -> None:
    values, first = flat(groups)
    assert group_sums(values[:, None], first).ravel().tolist() == [sum(group) for group in groups]


@given(GROUPS)
def test_best_and_pooled_keep_counts(groups: list[list[float]]) -> None:
    given_ = pairs(groups)
    best, pooled = (POLICIES[name].combine(given_) for name in ("best", "pooled"))
    assert best.tolist() == [[int(100 * max(group)), 100] for group in groups]
    assert pooled.tolist() == [[int(100 * sum(group)), 100 * len(group)] for group in groups]
    assert best.dtype == pooled.dtype == np.int32


@given(GROUPS)
def test_jackknife_is_the_mean_of_the_best_of_all_but_one(groups: list[list[float]]) -> None:
    def expected(group: list[float]) -> float:
        if len(group) == 1:
            return group[0]
        return float(np.mean([max(group[:left] + group[left + 1 :]) for left in range(len(group))]))

    found = POLICIES["jackknife"].combine(pairs(groups))
    assert found[:, 0].tolist() == pytest.approx([expected(group) for group in groups])
    assert found.sum(axis=1) == pytest.approx(np.ones(len(groups)))


def test_jackknife_takes_all_parts_from_the_same_reference() -> None:
    # Best 0.9 with part 0.2, second 0.5 with part 0.6: (2·0.9 + 0.5)/3 and (2·0.2 + 0.6)/3.
    scores = np.array([[0.5, 0.6], [0.9, 0.2], [0.1, 1.0]])
    found = POLICIES["jackknife"].combine(ReferencePairs(scores, scores, scores[:, 0], np.array([0, 3])))
    assert found[0].tolist() == pytest.approx([2.3 / 3, 1.0 / 3])


def test_counts_beyond_int32_are_refused() -> None:
    counts = np.full((2, 1), 2**30, dtype=np.int32)
    with pytest.raises(DataError, match="sum up to 2147483648, more than can be kept; take another policy"):
        POLICIES["pooled"].combine(ReferencePairs(counts, counts, counts[:, 0], np.array([0, 2])))


def test_policies_without_segments() -> None:
    nothing = ReferencePairs(np.zeros((0, 3), np.int32), np.zeros((0, 2)), np.zeros(0), np.array([0]))
    shapes = {name: policy.combine(nothing).shape for name, policy in POLICIES.items()}
    assert shapes == {"best": (0, 3), "pooled": (0, 3), "mean": (0, 2), "jackknife": (0, 2)}
