"""Abilities from choices: the places of further parameters, and searches that end without a maximum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.preferences import choice_scale
from textassay.stats.preferences.choice_scale import JudgementCounts, counted, distinct_rows, fit_choices
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON

SYSTEMS = ("a", "b")


def judged(above, tied):
    return JudgementCounts(SYSTEMS, np.array(above, float), np.array(tied, float), np.array([10.0, 10.0]), 10, 0.95)


def choices(wins, losses, ties=0):
    # Alternatives a, b and their tie; parameters: ability of b, log δ.
    design = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])
    chosen = np.repeat([0, 1, 2], [wins, losses, ties])
    kept = slice(None) if ties else slice(2)
    design = design if ties else design[kept, :1]
    return counted(design, np.ones((1, len(design)), dtype=bool), np.zeros(len(chosen), dtype=np.intp), chosen)


def test_shares_are_reproduced_and_the_tie_parameter_is_the_first_extra():
    scale, reason = fit_choices(choices(5, 3, 2), judged([[0, 5], [3, 0]], [[0, 2], [2, 0]]), DAVIDSON, ("log δ2",))
    assert reason == ""
    assert scale.parameters[:2] == pytest.approx([0, np.log(3 / 5)])
    assert scale.extras[0].value == pytest.approx(np.log(2 / np.sqrt(15)))
    assert scale.parameters[-1] == scale.extras[0].value
    pair = scale.fields()["pairs"][0]
    assert (pair.effect_size, pair.more["tie"]) == pytest.approx((0.5, 0.2))


@pytest.mark.parametrize(
    ("made", "above", "tied", "family", "extras", "reason"),
    [
        (choices(5, 0), [[0, 5], [0, 0]], [[0, 0], [0, 0]], BRADLEY_TERRY, (), "a was never placed below"),
        (choices(0, 0, 5), [[0, 0], [0, 0]], [[0, 5], [5, 0]], DAVIDSON, ("log δ2",), "all systems are tied"),
        (choices(3, 0, 2), [[0, 3], [0, 0]], [[0, 2], [2, 0]], DAVIDSON, ("log δ2",), "the likelihood keeps growing"),
    ],
)
def test_choices_without_estimates_have_a_reason(made, above, tied, family, extras, reason):
    scale, found = fit_choices(made, judged(above, tied), family, extras)
    assert reason in found
    assert scale.found is None


# --- The conditional logit model: gradient, information, counted sets, and sets worked on in parts ------------------


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
    monkeypatch.setattr(choice_scale, "_CELLS", 18)  # three sets at a time
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
