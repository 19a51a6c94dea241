"""Residuals of participants and items against least squares with a column per level."""

import numpy as np
import pytest

from textassay.stats.crossed import two_way_residuals
from textassay.stats.crossed.two_way_residuals import TwoWayResiduals


def by_hand(factors, covariates, columns):
    levels = [np.eye(int(codes.max()) + 1)[codes] for codes in factors]
    fixed = np.hstack([*levels, covariates])
    return columns - fixed @ np.linalg.lstsq(fixed, columns, rcond=None)[0], np.linalg.matrix_rank(fixed)


def drawn(seed, n=60, people=9, items=7, covariates=1):
    random = np.random.default_rng(seed)
    factors = [random.integers(0, people, n), random.integers(0, items, n)]
    factors = [np.unique(codes, return_inverse=True)[1] for codes in factors]
    return factors, random.normal(size=(n, covariates)), random.normal(size=(n, 3))


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_equals_least_squares(count, seed):
    factors, covariates, columns = drawn(seed)
    found = TwoWayResiduals(factors[:count], covariates, len(columns))
    left, rank = by_hand(factors[:count], covariates, columns)
    assert found.of(columns) == pytest.approx(left)
    assert found.rank == rank


def test_parts_that_share_nobody_and_covariates_that_say_nothing_new():
    person = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    item = np.array([0, 1, 0, 1, 2, 3, 2, 3])
    columns = np.random.default_rng(1).normal(size=(8, 2))
    covariates = np.column_stack([person == 1, np.arange(8.0)])  # the first is a level of a factor
    found = TwoWayResiduals([person, item], covariates, 8)
    left, rank = by_hand([person, item], covariates, columns)
    assert found.of(columns) == pytest.approx(left)
    assert found.rank == rank


def test_step_by_step_gives_what_the_factor_gives(monkeypatch):
    factors, covariates, columns = drawn(5, n=200, people=30, items=20)
    direct = TwoWayResiduals(factors, covariates, 200).of(columns)
    monkeypatch.setattr(two_way_residuals, "_MOST_DIRECT", 0)
    assert TwoWayResiduals(factors, covariates, 200).of(columns) == pytest.approx(direct, abs=1e-8)


def test_effects_of_both_factors_in_each_connected_part():
    # rows 0 to 3 connect levels 0 and 1 of the smaller factor; level 2 is on its own
    large, small = np.array([0, 0, 1, 2, 3]), np.array([0, 1, 0, 1, 2])
    own, other = np.array([1.0, 4.0, 2.0, 7.0]), np.array([-1.0, 1.0, 5.0])
    model = TwoWayResiduals([large, small], np.zeros((5, 0)), 5)
    first, second, parts = model.effects(own[large] + other[small])
    assert parts[0] == parts[1] != parts[2]
    np.testing.assert_allclose(second, [-1, 1, 0], atol=1e-12)  # 2 answers each: mean 0 within the part
    np.testing.assert_allclose(first, [1, 4, 2, 12], atol=1e-12)  # what cannot be told apart stays with the larger one
