"""Abilities from choices: the places of further parameters, and searches that end without a maximum."""

import numpy as np
import pytest

from textassay.stats.preferences.choice_scale import Judged, fit_choices
from textassay.stats.preferences.choice_sets import counted
from textassay.stats.preferences.pair_families import BRADLEY_TERRY, DAVIDSON

SYSTEMS = ("a", "b")


def judged(above, tied):
    return Judged(SYSTEMS, np.array(above, float), np.array(tied, float), np.array([10.0, 10.0]), 10, 0.95)


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
    assert (pair.probability, pair.tie) == pytest.approx((0.5, 0.2))


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
