"""Mallows' model."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import chisquare

from textassay.errors import DataError, UsageError
from textassay.ordering import Mallows, fit_mallows, inversions

UNITS = tuple("abcd")


@given(st.floats(0, 1))
def test_probabilities_sum_to_one_and_have_the_mean(phi: float) -> None:
    model = Mallows(UNITS, phi)
    every = {order: model.density(order) for order in permutations(UNITS)}
    assert math.fsum(every.values()) == pytest.approx(1)
    mean = math.fsum(p * inversions(order, UNITS) for order, p in every.items())
    assert model.expected_inversions == pytest.approx(mean)
    assert model.expected_tau == pytest.approx(1 - 4 * mean / 12)


@pytest.mark.parametrize("phi", [0.3, 0.7, 1.0])
def test_samples_have_the_probabilities(phi: float) -> None:
    model = Mallows(UNITS, phi)
    seen = Counter(tuple(order) for order in model.sample(8000, seed=5))
    every = list(permutations(UNITS))
    expected = np.array([model.density(order) for order in every]) * 8000
    assert chisquare([seen[order] for order in every], expected * 8000 / expected.sum()).pvalue > 0.001


def test_no_dispersion_is_the_centre() -> None:
    model = Mallows(UNITS, 0.0)
    assert model.sample(3, 1) == [list(UNITS)] * 3
    assert model.density("abcd") == 1
    assert model.density("abdc") == 0


def test_fit_has_the_highest_likelihood() -> None:
    orders = Mallows(tuple("cabed"), 0.4).sample(40, seed=2)
    found = fit_mallows(orders)

    def against(phi: float) -> float:
        model = Mallows(found.model.centre, phi)
        return -sum(model.log_density(order) for order in orders)

    best = minimize_scalar(against, bounds=(1e-6, 1), method="bounded", options={"xatol": 1e-10})
    assert found.model.phi == pytest.approx(best.x, abs=1e-5)
    assert found.log_likelihood == pytest.approx(-best.fun)
    # No other centre is better, each with its own best phi.
    assert all(
        fit_mallows(orders, centre=centre).log_likelihood <= found.log_likelihood + 1e-9
        for centre in permutations("abcde")
    )


@pytest.mark.long
def test_what_was_put_in_comes_out() -> None:
    found = fit_mallows(Mallows(tuple("cabed"), 0.4).sample(2000, seed=3))
    assert found.model.centre == tuple("cabed")
    assert abs(found.theta + math.log(0.4)) < 4 * found.se
    # The spread of estimates over samples is the standard error.
    thetas = [
        fit_mallows(Mallows(tuple("cabed"), 0.4).sample(100, seed=seed), centre="cabed").theta for seed in range(150)
    ]
    assert np.std(thetas) == pytest.approx(fit_mallows(Mallows(tuple("cabed"), 0.4).sample(100, seed=0)).se, rel=0.3)


def test_ends_are_said() -> None:
    same = fit_mallows(["abc", "abc"])
    assert (same.model.phi, same.log_likelihood) == (0, 0)
    assert math.isinf(same.theta)
    assert "all orders are the centre" in same.warnings[0]
    none = fit_mallows(["cba"], centre="abc")
    assert none.model.phi == 1
    assert "no nearer to the centre than chance" in none.warnings[0]
    assert none.log_likelihood == pytest.approx(-math.log(6))
    one = fit_mallows([["a"]])
    assert "at least 2 units" in one.warnings[0]


def test_wrong_arguments() -> None:
    for phi in (-0.1, 1.1, math.nan):
        with pytest.raises(UsageError, match="phi must lie between 0"):
            Mallows(UNITS, phi)
    with pytest.raises(DataError, match="more than once"):
        Mallows(("a", "a"), 0.5)
    with pytest.raises(DataError, match="lacks units"):
        fit_mallows(["ab"], centre="abc")
    with pytest.raises(DataError, match="no orders"):
        fit_mallows([])
