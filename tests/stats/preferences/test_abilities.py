"""The result that all models of preference share: contrasts, intervals, records."""

import math

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats import Abilities, bradley_terry, bradley_terry_matrix
from textassay.stats.newton import LikelihoodPoint, Maximum
from textassay.stats.preferences.abilities import FittedScale, pairs_of, scale_parameter
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON, THURSTONE

RESULT = bradley_terry_matrix([[0, 7, 6], [3, 0, 5], [4, 5, 0]], [[0, 2, 1], [0, 0, 3], [0, 0, 0]], systems=list("abc"))


def test_intervals_are_walds():
    for ability in RESULT.abilities:
        half = 1.959963984540054 * ability.se
        assert ability.ci == pytest.approx((ability.value - half, ability.value + half))


def test_standard_error_of_a_contrast_is_that_of_the_pair():
    against = RESULT.against("b")
    for pair in RESULT.pairs:
        if "b" in (pair.first, pair.second):
            other = pair.first if pair.second == "b" else pair.second
            assert against.ability(other).se == pytest.approx(pair.se)
            assert abs(against.ability(other).value) == pytest.approx(abs(pair.difference))


def test_records_come_in_order_and_say_what_the_zero_is():
    records = RESULT.about("clarity", "system").records()
    assert [record["statistic"] for record in records] == [
        *["ability"] * 3,
        *["difference"] * 3,
        "log ν",
        "equal abilities χ²",
        "deviance",
    ]
    assert {record["zero"] for record in records[:3]} == {"sum to 0"}
    assert {record["zero"] for record in RESULT.against("a").records()[:3]} == {"a"}
    assert {record["of"] for record in records} == {"clarity"}
    assert [record["n"] for record in records[:3]] == [23, 25, 24]
    assert (records[3]["first"], records[3]["second"], records[3]["n"]) == ("a", "b", 12)


def test_names_that_are_not_there_are_refused():
    for call in (RESULT.ability, RESULT.against):
        with pytest.raises(UsageError, match="there is no system 'z'; use one of: a, b, c"):
            call("z")
    with pytest.raises(UsageError, match="no parameter 'x'; it has none"):
        bradley_terry(["a", "b"], ["b", "a"], [1, 1]).extra("x")


def test_a_parameter_is_tested_only_where_zero_means_something():
    assert scale_parameter("γ", 1.959963984540054, 1.0, 0.95, tested=True).p == pytest.approx(0.05)
    assert math.isnan(scale_parameter("τ", 2.0, 1.0, 0.95, tested=False).p)
    assert isinstance(RESULT, Abilities)


# --- From parameters in any contrast to a centred scale; nothing but nan where there are none -----------------------


FOUND = Maximum(np.zeros(1), LikelihoodPoint(-4.0, np.zeros(1), np.eye(1)), 3, 1e-9, converged=True)


def test_the_contrast_of_the_parameters_does_not_matter():
    covariance = np.zeros((5, 5))
    covariance[1:3, 1:3] = [[0.2, 0.1], [0.1, 0.3]]
    judged = np.full((3, 3), 4.0)
    fields = [
        FittedScale(
            ("a", "b", "c"), BRADLEY_TERRY, judged, judged.sum(axis=1), 12, 0.95,
            np.array([0.0, 1.0, 2.0, 0.0, 0.0]) + np.array([shift, shift, shift, 0, 0]), covariance,
            found=FOUND, equal_loglik=-7.0,
        ).fields()
        for shift in (0.0, 5.0)
    ]  # fmt: skip
    values = [[ability.value for ability in each["abilities"]] for each in fields]
    assert values[0] == pytest.approx([-1, 0, 1])
    assert values[1] == pytest.approx(values[0])
    assert (fields[0]["chi2"], fields[0]["df"]) == (6.0, 2)
    assert fields[0]["p"] == pytest.approx(math.exp(-3))  # χ² on 2 degrees of freedom
    assert np.array(fields[0]["covariance"]).sum() == pytest.approx(0, abs=1e-12)


def test_without_estimates_all_is_nan():
    nothing = np.zeros((2, 2))
    fields = FittedScale.undefined(("a", "b"), BRADLEY_TERRY, nothing, nothing[0], 0, 0.95).fields()
    assert not fields["converged"]
    assert all(math.isnan(fields[key]) for key in ("chi2", "p", "loglik", "gradient"))
    assert all(math.isnan(ability.value) and math.isnan(ability.se) for ability in fields["abilities"])


# --- Pairs: differences, their standard errors, and probabilities with intervals inside 0 to 1 ----------------------


PARAMETERS = np.array([1.0, 0.0, -2.0, 0.4, -0.5])  # three abilities, order effect, τ
COVARIANCE = np.array(
    [
        [0.20, 0.05, 0.02, 0.0, 0.01],
        [0.05, 0.10, 0.03, 0.0, 0.00],
        [0.02, 0.03, 0.30, 0.0, 0.02],
        [0.00, 0.00, 0.00, 0.1, 0.00],
        [0.01, 0.00, 0.02, 0.0, 0.04],
    ]
)
JUDGED = np.full((3, 3), 7.0)


def test_differences_by_hand():
    pairs = pairs_of("abc", BRADLEY_TERRY, PARAMETERS, COVARIANCE, JUDGED, 0.95)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [pair.difference for pair in pairs] == [1, 3, 2]
    assert pairs[0].se == pytest.approx(math.sqrt(0.2 + 0.1 - 2 * 0.05))
    assert pairs[0].p == pytest.approx(math.erfc(1 / math.sqrt(0.2) / math.sqrt(2)))
    assert pairs[0].effect_size == pytest.approx(1 / (1 + math.exp(-1)))  # without the order effect
    assert {pair.n for pair in pairs} == {7}


@pytest.mark.parametrize("family", [BRADLEY_TERRY, DAVIDSON, THURSTONE], ids=lambda family: family.name)
def test_intervals_of_probabilities_are_the_delta_method(family):
    def log_odds(parameters):
        log_p = family.outcomes(np.array([parameters[0] - parameters[2]]), float(parameters[-1])).log_p[0, 0]
        return log_p - np.log(-np.expm1(log_p))

    step = 1e-6
    slope = np.array(
        [(log_odds(PARAMETERS + step * e) - log_odds(PARAMETERS - step * e)) / (2 * step) for e in np.eye(5)]
    )
    half = 1.959963984540054 * math.sqrt(slope @ COVARIANCE @ slope)
    pair = pairs_of("abc", family, PARAMETERS, COVARIANCE, JUDGED, 0.95)[1]
    found = [math.log(end / (1 - end)) for end in pair.effect_size_ci]
    assert found == pytest.approx([log_odds(PARAMETERS) - half, log_odds(PARAMETERS) + half], rel=1e-6)
    assert 0 < pair.effect_size_ci[0] < pair.effect_size < pair.effect_size_ci[1] < 1
