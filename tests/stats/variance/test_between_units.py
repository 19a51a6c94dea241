"""Effects between units, adjusted for each other, against plain least squares."""

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.variance.between_units import between_units

LEVELS = {"cohort": list("aaabbbbbcc"), "list": list("xxyxyyyyxy")}


def explained(columns, scores):
    """Sum of squares that least squares on these columns explains."""
    return float(np.sum((columns @ np.linalg.lstsq(columns, scores, rcond=None)[0]) ** 2))


def dummies(names):
    return np.array([[float(own == level) for level in sorted(set(names))] for own in names])


def test_type_two_is_the_difference_of_two_models():
    scores = np.random.default_rng(1).normal(size=(10, 3))
    model = between_units(LEVELS, 10, "II")
    cohort, group = dummies(LEVELS["cohort"]), dummies(LEVELS["list"])
    cells = dummies([one + two for one, two in zip(*LEVELS.values(), strict=True)])
    both = explained(np.hstack([cohort, group]), scores)
    expected = {
        (): explained(np.ones((10, 1)), scores),
        ("cohort",): both - explained(group, scores),
        ("list",): both - explained(cohort, scores),
        ("cohort", "list"): explained(cells, scores) - both,
    }
    assert {part.factors: part.sum_of_squares(scores) for part in model.parts} == pytest.approx(expected)
    assert [part.df for part in model.parts] == [1, 2, 1, 2]
    assert model.error_df == 4
    left = float(np.sum(scores**2)) - explained(cells, scores)
    assert float(np.sum(model.residuals(scores) ** 2)) == pytest.approx(left)


def test_type_three_compares_unweighted_means():
    # Two groups of 2 and 4: the mean of the two group means, (2 + 8)/2, has the squared length 25 / (1/4·(1/2 + 1/4)).
    scores = np.array([[1.0], [3.0], [7.0], [9.0], [7.0], [9.0]])
    model = between_units({"cohort": list("aabbbb")}, 6, "III")
    assert model.parts[0].sum_of_squares(scores) == pytest.approx(25 / (0.25 * 0.75))
    weighted = between_units({"cohort": list("aabbbb")}, 6, "II")
    assert weighted.parts[0].sum_of_squares(scores) == pytest.approx(36**2 / 6)


def test_equal_groups_make_both_types_agree():
    levels = {"cohort": list("aaaabbbb"), "list": list("xxyyxxyy")}
    scores = np.random.default_rng(2).normal(size=(8, 2))
    two, three = (between_units(levels, 8, sums) for sums in ("II", "III"))
    for one, other in zip(two.parts, three.parts, strict=True):
        assert one.sum_of_squares(scores) == pytest.approx(other.sum_of_squares(scores))


def test_without_factors_there_is_the_mean():
    model = between_units({}, 4, "II")
    assert model.parts[0].sum_of_squares(np.array([[1.0], [2.0], [3.0], [6.0]])) == pytest.approx(36)
    assert model.error_df == 3


def test_an_empty_combination_leaves_type_three_undefined():
    with pytest.raises(DataError, match="a × y"):
        between_units({"cohort": list("aabb"), "list": list("xxxy")}, 4, "III")
