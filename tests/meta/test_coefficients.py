"""Coefficients of all groups at once: known answers, scipy group by group, gaps, and what is undefined."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from textassay.errors import DataError, UsageError
from textassay.meta.coefficients import By, Coefficient, grouped, vector_coefficient
from textassay.stats.samples import FloatArray

WMT: dict[tuple[Coefficient, By | None], tuple[float, int]] = {
    ("pearson", None): (0.7533798753390866, 1),
    ("pearson", "item"): (0.8355173323987509, 5),
    ("pearson", "system"): (0.9003295901189295, 3),
    ("spearman", None): (0.7018199273519565, 1),
    ("spearman", "item"): (0.7367691856087625, 5),
    ("spearman", "system"): (0.8039372877238077, 3),
    ("tau-b", None): (0.6042179781166438, 1),
    ("tau-b", "item"): (0.6745791004061289, 5),
    ("tau-b", "system"): (0.7179102213894608, 3),
    ("acc-eq", None): (0.4757834757834758, 1),
    ("acc-eq", "item"): (0.4777777777777778, 6),
    ("acc-eq", "system"): (0.42000000000000004, 5),
}
"""mt-metrics-eval 68a481a with scipy 1.17.1: the mean and the groups that it is over."""
TIES_X, TIES_Y = [12, 2, 1, 12, 2, 7, 7, 9, 3, 5, 5, 8], [1, 4, 7, 1, 0, 3, 3, 2, 9, 6, 5, 5]
TIES: dict[Coefficient, float] = {
    "pearson": -0.529585468751836,
    "spearman": -0.493806083180312,
    "tau-a": -0.439393939393939,
    "tau-b": -0.464014848712742,
    "tau-c": -0.46031746031746,
    "accuracy": 16 / 62,
    "acc-eq": 0.272727272727273,
}
"""R 4.2.2; accuracy: 16 concordant of 66 pairs less the 4 that x ties."""


@pytest.mark.parametrize(("coefficient", "by"), WMT)
def test_known_answers_of_groupings(
    wmt_people: FloatArray, wmt_metric: FloatArray, coefficient: Coefficient, by: By | None
) -> None:
    found = grouped(wmt_people, wmt_metric, by, coefficient)
    assert (found.mean, found.defined) == (pytest.approx(WMT[coefficient, by][0], abs=1e-12), WMT[coefficient, by][1])
    assert found.defined + sum(found.undefined.values()) == len(found.values)


def test_known_answers_at_system_level(wmt_people: FloatArray, wmt_metric: FloatArray) -> None:
    people = np.nanmean(wmt_people, axis=0)
    judged = np.nanmean(np.where(np.isnan(wmt_people), np.nan, wmt_metric), axis=0)
    assert vector_coefficient(people, wmt_metric.mean(axis=0), "pearson") == pytest.approx(0.9090233563813099)
    assert vector_coefficient(people, judged, "pearson") == pytest.approx(0.8961461291929396)


@pytest.mark.parametrize("coefficient", TIES)
def test_known_answers_with_ties(coefficient: Coefficient) -> None:
    assert vector_coefficient(TIES_X, TIES_Y, coefficient) == pytest.approx(TIES[coefficient], abs=1e-12)


def by_hand(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> float:
    """The coefficient of one group, from scipy or pair by pair."""
    there = ~(np.isnan(x) | np.isnan(y))
    x, y = x[there], y[there]
    pairs = [(np.sign(x[a] - x[b]), np.sign(y[a] - y[b])) for a, b in combinations(range(x.size), 2)]
    match coefficient:
        case "pearson" | "spearman":
            if x.size < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
                return math.nan
            return float(getattr(scipy_stats, f"{coefficient}r")(x, y).statistic)
        case "tau-b" | "tau-c":
            return float(scipy_stats.kendalltau(x, y, variant=coefficient[-1]).statistic) if x.size > 1 else math.nan
        case "accuracy":
            ordered = [(a, b) for a, b in pairs if a]
            return sum(a == b for a, b in ordered) / len(ordered) if ordered else math.nan
        case "tau-a":
            return sum(a * b for a, b in pairs) / len(pairs) if pairs and np.ptp(x) > 0 else math.nan
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else math.nan


@pytest.mark.parametrize("coefficient", TIES)
@pytest.mark.parametrize("by", ["item", "system", None])
def test_each_group_is_what_it_is_alone(
    gaps: tuple[FloatArray, FloatArray], coefficient: Coefficient, by: By | None
) -> None:
    people, scores = gaps
    found = grouped(people, scores, by, coefficient)
    rows = {"item": (people, scores), "system": (people.T, scores.T), None: (people.reshape(1, -1),) * 1}[by]
    rows = rows if by else (people.reshape(1, -1), scores.reshape(1, -1))
    expected = [by_hand(x, y, coefficient) for x, y in zip(*rows, strict=True)]
    assert found.values == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert [bool(reason) for reason in found.reasons] == [math.isnan(value) for value in expected]


def test_long_groups_are_sorted_and_give_the_same() -> None:
    # 60 texts are beyond what is compared pair by pair
    random = np.random.Generator(np.random.PCG64(2))
    x, y = random.integers(0, 9, (2, 2, 60)).astype(float)
    x[0, 3] = np.nan
    for coefficient in TIES:
        expected = [by_hand(*row, coefficient) for row in zip(x, y, strict=True)]
        assert grouped(x, y, "item", coefficient).values == pytest.approx(expected, abs=1e-12)


def test_why_a_group_has_no_value() -> None:
    nan = math.nan
    people = [[1, 1, 1], [1, 2, 3], [1, nan, nan], [1, 2, nan]]
    scores = [[1, 2, 3], [0.3, 0.1 + 0.2, 0.3], [1, 2, 3], [1, 2, 3]]
    few = "fewer than 3 texts with a judgement and a score"
    assert grouped(people, scores, "item", "pearson").undefined == {
        "all judgements are equal": 1,
        "all scores are equal": 1,  # 0.1 + 0.2 is 0.3 but for its last digit
        few: 2,
    }
    found = grouped(people, scores, "item", "tau-b")
    assert found.values[3] == 1.0
    assert found.sizes.tolist() == [3, 3, 1, 2]
    assert math.isnan(grouped([[1.0]], [[1.0]], None, "acc-eq").mean)


def test_more_is_better_on_both_sides_and_scale_does_not_matter(wmt_people: FloatArray, wmt_metric: FloatArray) -> None:
    value = grouped(wmt_people, wmt_metric, "item", "pearson").mean
    assert grouped(wmt_people * 1e-200, wmt_metric * 1e200, "item", "pearson").mean == pytest.approx(value)
    assert grouped(wmt_people, -wmt_metric, "item", "pearson").mean == pytest.approx(-value)


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match=r"\(1, 2\) and \(2, 1\)"):
        grouped([[1, 2]], [[1], [2]], "item", "pearson")
    with pytest.raises(DataError, match="scores is infinite at item 0, system 1"):
        grouped([[1, 2]], [[1, math.inf]], "item", "pearson")
    with pytest.raises(DataError, match="shape"):
        grouped([1, 2], [1, 2], "item", "pearson")
    with pytest.raises(UsageError, match="coefficient must be one of"):
        grouped([[1, 2]], [[1, 2]], "item", "kendall")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="by must be one of"):
        grouped([[1, 2]], [[1, 2]], "text", "pearson")  # type: ignore[arg-type]
