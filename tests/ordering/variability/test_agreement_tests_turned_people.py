from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from textassay.errors import UsageError
from textassay.ordering.variability.agreement_tests import turned_people
from textassay.stats import rm_anova

TABLES = arrays(np.float64, st.tuples(st.integers(3, 6), st.integers(2, 4)), elements=st.integers(-5, 5).map(float))


def f_of(values: np.ndarray) -> float:
    n, k = values.shape
    who, where = (part.ravel() for part in np.meshgrid(range(n), range(k), indexing="ij"))
    return float(rm_anova(values.ravel(), who, {"column": where})["column"].f)


def test_p_is_the_share_of_ways_with_an_f_as_large() -> None:
    values = np.random.default_rng(3).normal((0, 0.4, 1.2), size=(5, 3))
    own = values - values.mean(axis=1, keepdims=True)
    every = [f_of(own * np.array(signs)[:, None]) for signs in product((1, -1), repeat=5)]
    found = turned_people(values, draws=9, seed=1)
    assert found.f == pytest.approx(f_of(values))
    assert found.df == (2, 8)
    assert found.how == "all ways"
    assert found.p == sum(f >= found.f - 1e-9 for f in every) / 32


@given(values=TABLES, shift=st.integers(-9, 9), factor=st.sampled_from([0.5, 2.0, -3.0]))
def test_p_knows_neither_levels_nor_units(values: np.ndarray, shift: int, factor: float) -> None:
    one = turned_people(values, draws=9, seed=1)
    people = np.arange(len(values))[:, None] * 7.0
    other = turned_people(values[::-1, ::-1] * factor + shift + people, draws=9, seed=1)
    assert one.p == pytest.approx(other.p, nan_ok=True)


def test_draws_come_near_to_all_ways() -> None:
    values = np.random.default_rng(5).normal((0, 0, 0, 0.8), size=(12, 4))
    exact = turned_people(values, draws=1, seed=0)
    more = np.concatenate([values, np.zeros((1, 4))])  # somebody whose sign changes nothing, one too many for all ways
    drawn = turned_people(more, draws=1999, seed=4)
    assert drawn.how == "1999 draws, seed 4"
    assert drawn.least == 1 / 2000
    # standard error of the share at most √(p(1-p)/1999)
    assert drawn.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p / 1999) + 1 / 2000)


def test_nothing_to_test() -> None:
    assert math.isnan(turned_people(np.zeros((4, 3)), draws=9, seed=0).p)
    assert math.isnan(turned_people(np.zeros((0, 3)), draws=9, seed=0).f)
    assert turned_people(np.array([[0.0, 1.0]] * 3), draws=9, seed=0).f == math.inf
    with pytest.raises(UsageError, match="draws must be a whole number of at least 1, got 0"):
        turned_people(np.zeros((4, 3)), draws=0, seed=0)
