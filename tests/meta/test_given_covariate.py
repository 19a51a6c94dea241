"""A metric against people within items, given a covariate: identities, what is missing, what is undefined."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.meta.given_covariate import given_covariate
from textassay.stats import partial_correlation

RNG = np.random.default_rng(5)
LENGTH = RNG.lognormal(3, 0.4, (24, 4))
SCORES = 0.05 * LENGTH + RNG.normal(size=(24, 4))
PEOPLE = SCORES + 0.03 * LENGTH + RNG.normal(size=(24, 1)) + RNG.normal(size=4) + RNG.normal(size=(24, 4))


@pytest.mark.parametrize("curved", [False, True])
def test_with_two_systems_it_is_the_partial_correlation_of_the_differences(curved: bool) -> None:
    people, scores, length = (table[:, 1] - table[:, 0] for table in (PEOPLE, SCORES, LENGTH))
    centred = LENGTH[:, :2] - LENGTH[:, :2].mean()
    square = centred[:, 1] ** 2 - centred[:, 0] ** 2
    expected = partial_correlation(people, scores, np.column_stack([length, square] if curved else [length]))
    found = given_covariate(PEOPLE[:, :2], SCORES[:, :2], LENGTH[:, :2], curved=curved)
    assert (found.r, found.p, found.df) == pytest.approx((expected.r, expected.p, expected.df))
    assert found.interval() == pytest.approx(expected.ci)


def test_missing_cells_leave_what_a_regression_on_items_and_systems_leaves() -> None:
    people, scores, length = PEOPLE.copy(), SCORES.copy(), LENGTH.copy()
    people[0, 1] = scores[3, 2] = length[5, 0] = np.nan
    scores[7, 1:] = np.nan  # one text left: the item drops out
    item, system = np.nonzero(~np.isnan(people + scores + length) & (np.arange(24) != 7)[:, None])
    z = length[item, system]
    dummies = [np.equal.outer(item, np.unique(item)), np.equal.outer(system, np.arange(1, 4))]
    design = np.hstack([*dummies, z[:, None], z[:, None] ** 2]).astype(float)
    left = [
        values - design @ np.linalg.lstsq(design, values)[0] for values in (people[item, system], scores[item, system])
    ]
    found = given_covariate(people, scores, length)
    assert found.r == pytest.approx(np.corrcoef(left)[0, 1])
    assert (found.cells, found.items, found.systems) == (89, 23, 4)
    # 89 cells less 23 items, 3 systems, length, its square and the metric
    assert found.df == 89 - 23 - 3 - 2 - 1


def test_shifts_of_items_and_systems_and_units_change_nothing() -> None:
    moved = 3 * PEOPLE + RNG.normal(size=(24, 1)) + RNG.normal(size=4)
    one, other = given_covariate(PEOPLE, SCORES, LENGTH), given_covariate(moved, SCORES / 7, 100 * LENGTH + 9)
    assert (one.r, one.p) == pytest.approx((other.r, other.p))
    assert given_covariate(-PEOPLE, SCORES, LENGTH).r == pytest.approx(-one.r)


def test_a_constant_covariate_takes_nothing_out() -> None:
    found = given_covariate(PEOPLE, SCORES, np.ones_like(LENGTH))
    assert found.df == 96 - 24 - 3 - 1


@pytest.mark.parametrize(
    ("people", "scores", "reason"),
    [
        (PEOPLE[:, :1], SCORES[:, :1], "no item has two texts"),
        (PEOPLE[:4, :2], SCORES[:4, :2], "too few texts"),
        (np.ones((24, 4)), SCORES, "the judgements do not vary beyond"),
        (PEOPLE, LENGTH + np.arange(24)[:, None], "the scores do not vary beyond"),
        (np.full((24, 4), np.nan), SCORES, "no item has two texts"),
    ],
)
def test_what_is_undefined_says_why(people: np.ndarray, scores: np.ndarray, reason: str) -> None:
    found = given_covariate(people, scores, LENGTH[: len(people), : people.shape[1]])
    assert math.isnan(found.r)
    assert math.isnan(found.p)
    assert reason in found.reason
    assert all(map(math.isnan, found.interval()))


def test_tables_of_other_shapes_and_infinite_values_are_refused() -> None:
    with pytest.raises(DataError, match="of one shape"):
        given_covariate(PEOPLE, SCORES[:, :2], LENGTH)
    with pytest.raises(DataError, match="infinite"):
        given_covariate(PEOPLE * np.inf, SCORES, LENGTH)


def test_a_metric_that_is_what_people_say_correlates_fully() -> None:
    found = given_covariate(PEOPLE, PEOPLE, LENGTH)
    assert found.r == pytest.approx(1)
    assert found.p < 1e-12
