"""The conditional logit model: gradient, information, counted sets, and sets worked on in parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.preferences import choice_sets
from textassay.stats.preferences.choice_sets import counted, distinct_rows

DRAW = np.random.Generator(np.random.PCG64(9))
DESIGN = DRAW.normal(size=(6, 3))


def made_up(n=50):
    allowed = DRAW.random((n, 6)) < 0.6
    chosen = DRAW.integers(0, 6, n)
    allowed[np.arange(n), chosen] = True
    return allowed, chosen


def plain_loglik(allowed, chosen, at):
    utility = DESIGN @ at
    return sum(utility[c] - np.log(np.exp(utility[row]).sum()) for row, c in zip(allowed, chosen, strict=True))


def test_likelihood_and_gradient_are_those_of_a_plain_loop():
    allowed, chosen = made_up()
    sets, place = distinct_rows(allowed)
    choices = counted(DESIGN, sets, place, chosen)
    at, step = np.array([0.3, -0.5, 0.2]), 1e-6
    point = choices.evaluate(at)
    assert point.loglik == pytest.approx(plain_loglik(allowed, chosen, at), rel=1e-12)
    slopes = [
        (plain_loglik(allowed, chosen, at + step * unit) - plain_loglik(allowed, chosen, at - step * unit)) / (2 * step)
        for unit in np.eye(3)
    ]
    assert point.score == pytest.approx(slopes, rel=1e-6, abs=1e-6)
    curves = [
        -(choices.evaluate(at + step * unit).score - choices.evaluate(at - step * unit).score) / (2 * step)
        for unit in np.eye(3)
    ]
    assert point.information == pytest.approx(np.array(curves), rel=1e-6, abs=1e-6)


def test_parts_make_the_same_whole(monkeypatch):
    allowed, chosen = made_up()
    choices = counted(DESIGN, *distinct_rows(allowed), chosen)
    at = np.array([0.1, 0.2, -0.3])
    whole = choices.evaluate(at)
    monkeypatch.setattr(choice_sets, "_CELLS", 18)  # three sets at a time
    parts = choices.evaluate(at)
    assert parts.loglik == pytest.approx(whole.loglik, rel=1e-12)
    assert parts.score == pytest.approx(whole.score)
    assert parts.information == pytest.approx(whole.information)


def test_large_utilities_do_not_overflow():
    choices = counted(np.array([[1.0], [0.0]]), np.ones((1, 2), dtype=bool), np.array([0, 0]), np.array([0, 1]))
    point = choices.evaluate(np.array([2000.0]))
    assert point.loglik == pytest.approx(-2000)
    assert point.score[0] == pytest.approx(-1)


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=20), st.booleans())
def test_distinct_rows_lead_back_to_all_rows(rows, wide):
    table = np.array(rows)
    table = np.tile(table, 20) if wide else table  # more columns than a number has bits
    distinct, place = distinct_rows(table)
    assert np.array_equal(distinct[place], table)
    assert len({tuple(row) for row in distinct.tolist()}) == len(distinct)


def test_forms_are_choices_less_what_might_have_been():
    design = np.eye(3)[:, 1:]
    choices = counted(design, np.array([[True, True, True]]), np.array([0]), np.array([1]))
    assert {tuple(row) for row in choices.forms().tolist()} == {(1.0, 0.0), (0.0, 0.0), (1.0, -1.0)}
