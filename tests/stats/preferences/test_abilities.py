"""The result that all models of preference share: contrasts, intervals, records."""

import math

import pytest

from textassay.errors import UsageError
from textassay.stats import Abilities, bradley_terry, bradley_terry_matrix
from textassay.stats.preferences.abilities import scale_parameter

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
        with pytest.raises(UsageError, match="there is no system 'z'; there are a, b, c"):
            call("z")
    with pytest.raises(UsageError, match="no parameter 'x'; it has none"):
        bradley_terry(["a", "b"], ["b", "a"], [1, 1]).extra("x")


def test_a_parameter_is_tested_only_where_zero_means_something():
    assert scale_parameter("γ", 1.959963984540054, 1.0, 0.95, tested=True).p == pytest.approx(0.05)
    assert math.isnan(scale_parameter("τ", 2.0, 1.0, 0.95, tested=False).p)
    assert isinstance(RESULT, Abilities)
