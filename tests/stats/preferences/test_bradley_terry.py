"""Bradley–Terry against R: ties, order effect, matrices; and what has no finite estimates."""

import json
import math
import re
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import bradley_terry, bradley_terry_matrix, thurstone

GOLDEN = Path(__file__).parents[2] / "golden"


def golden(name):
    stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(case, stored["arguments"], id=case["id"]) for case in stored["cases"]]


def check(result, expected):
    against = result.against(result.systems[0])
    assert against.values == pytest.approx(expected["ability"], rel=1e-8, abs=1e-9)
    assert against.se == pytest.approx(expected["se"], rel=1e-7)
    assert result.loglik == pytest.approx(expected["loglik"], rel=1e-12)
    names = {"order": "order effect", "log_nu": "log ν", "tau": "log θ"}
    for key, name in names.items():
        if key in expected:
            assert result.extra(name).value == pytest.approx(expected[key], rel=1e-8)
            assert result.extra(name).se == pytest.approx(expected[f"se_{key}"], rel=1e-8)
    if "deviance" in expected:
        assert (result.deviance, result.deviance_df) == pytest.approx((expected["deviance"], expected["df"]), rel=1e-9)
    if "systems" in expected:
        assert list(result.systems) == expected["systems"]


@pytest.mark.parametrize(("case", "arguments"), golden("bradley_terry"))
def test_rows_equal_r(case, arguments):
    check(bradley_terry(*(case["input"][key] for key in arguments), **case["settings"]), case["expect"])


@pytest.mark.parametrize(("case", "arguments"), golden("bradley_terry_matrix"))
def test_matrices_equal_r(case, arguments):
    check(bradley_terry_matrix(*(case["input"][key] for key in arguments), **case["settings"]), case["expect"])


@pytest.mark.parametrize(("case", "arguments"), golden("bradley_terry_matrix"))
def test_known_answers(case, arguments):
    # Figures given beforehand; those of R's optim are good to about 1e-5.
    expected = case["expect"]
    result = bradley_terry_matrix(*(case["input"][key] for key in arguments), **case["settings"])
    against = result.against(result.systems[0])
    if "known_ability" in expected:
        assert against.values == pytest.approx(expected["known_ability"], rel=1e-6)
    if case["id"] == "bradley_terry_citations":
        assert against.se == pytest.approx(expected["known_se"], rel=1e-8)
        assert result.deviance == pytest.approx(expected["known_deviance"], rel=1e-9)
        # R's log-likelihood is that of the pairs' counts: it adds the binomial coefficients.
        wins = np.array(case["input"]["wins"])
        choose = sum(
            math.lgamma(wins[i, j] + wins[j, i] + 1) - math.lgamma(wins[i, j] + 1) - math.lgamma(wins[j, i] + 1)
            for i in range(4)
            for j in range(i)
        )
        assert result.loglik + choose == pytest.approx(expected["known_loglik"], rel=1e-9)
        assert expected["known_loglik"] == pytest.approx(expected["loglik_with_counts"], rel=1e-9)
    if "known_log_nu" in expected:
        assert [*against.se[1:], result.extra("log ν").se] == pytest.approx(expected["known_se"], rel=1e-6)
        assert result.extra("log ν").value == pytest.approx(expected["known_log_nu"], rel=1e-6)
        assert result.loglik == pytest.approx(expected["known_loglik"], rel=1e-9)
    if "known_theta" in expected:
        assert math.exp(result.extra("log θ").value) == pytest.approx(expected["known_theta"], rel=1e-6)
        assert result.loglik == pytest.approx(expected["known_loglik"], rel=1e-9)
    if case["id"] == "ties_drop":
        assert against.se == pytest.approx(expected["known_se"], rel=1e-6)


# --- what the model says --------------------------------------------------------------------------------------------

WINS = [[0, 12, 15, 9], [6, 0, 11, 8], [4, 7, 0, 5], [8, 9, 12, 0]]
TIED = [[0, 4, 2, 6], [0, 0, 5, 3], [0, 0, 0, 4], [0, 0, 0, 0]]


def test_two_systems_by_hand():
    # 8 wins, 2 losses: difference log 4, variance 1/8 + 1/2, P = .8, Wald z = log 4 / √.625; null: 10 log 2.
    result = bradley_terry(["a"] * 10, ["b"] * 10, [1] * 8 + [-1] * 2)
    pair = result.pairs[0]
    assert pair.difference == pytest.approx(math.log(4))
    assert pair.se == pytest.approx(math.sqrt(1 / 8 + 1 / 2))
    assert pair.effect_size == pytest.approx(0.8)
    assert pair.p == pytest.approx(math.erfc(math.log(4) / math.sqrt(0.625) / math.sqrt(2)))
    assert pair.effect_size_ci == pytest.approx([1 / (1 + math.exp(-end)) for end in pair.ci])
    assert pair.more["tie"] == 0
    likelihood = 8 * math.log(0.8) + 2 * math.log(0.2)
    assert result.chi2 == pytest.approx(2 * (likelihood + 10 * math.log(2)))
    assert (result.df, result.deviance_df) == (1, 0)


def test_davidson_reproduces_wins_and_ties():
    # The score equations: wins + ties/2 of each system, and the number of ties, are as expected.
    result = bradley_terry_matrix(WINS, TIED, systems=list("abcd"))
    tied = np.array(TIED) + np.array(TIED).T
    won = np.array(WINS) + tied / 2
    expected = np.zeros((4, 4))
    ties = 0.0
    for pair in result.pairs:
        i, j = "abcd".index(pair.first), "abcd".index(pair.second)
        expected[i, j] = pair.n * (pair.effect_size + pair.more["tie"] / 2)
        expected[j, i] = pair.n - expected[i, j]
        ties += pair.n * pair.more["tie"]
    assert expected.sum(axis=1) == pytest.approx(won.sum(axis=1), rel=1e-8)
    assert ties == pytest.approx(sum(map(sum, TIED)), rel=1e-8)


def test_equal_abilities_are_tested_against_the_shares_of_ties():
    # With equal abilities Davidson's model says 24 ties of 130 and an even split of the rest.
    result = bradley_terry_matrix(WINS, TIED)
    ties, n = sum(map(sum, TIED)), result.n
    null = ties * math.log(ties / n) + (n - ties) * math.log((n - ties) / n / 2)
    assert result.chi2 == pytest.approx(2 * (result.loglik - null), rel=1e-9)


def test_interval_of_a_win_with_ties_is_the_delta_method():
    # Against a numerical derivative of the log odds by difference and log ν, with the covariance from two fits.
    result = bradley_terry_matrix([[0, 30], [18, 0]], [[0, 12], [0, 0]], systems=["a", "b"])
    pair, nu = result.pairs[0], result.extra("log ν")

    def log_odds(d, t):
        win, rest = math.exp(d / 2), math.exp(-d / 2) + math.exp(t)
        return math.log(win / rest)

    # Multinomial shares p = (1/2, .3, .2): var of log odds of the first is 1/(n p (1-p)).
    assert pair.effect_size == pytest.approx(0.5)
    half = 1.959963984540054 * math.sqrt(1 / (60 * 0.25))
    at = log_odds(pair.difference, nu.value)
    assert [math.log(end / (1 - end)) for end in pair.effect_size_ci] == pytest.approx([at - half, at + half], rel=1e-9)


def test_holm_correction_of_all_pairs():
    result = bradley_terry_matrix(WINS, TIED)
    raw = sorted(pair.p_raw for pair in result.pairs)
    held = sorted(pair.p for pair in result.pairs)
    assert held[0] == pytest.approx(6 * raw[0])
    assert len(raw) == 6


def test_contrast_changes_abilities_but_no_difference():
    result = bradley_terry_matrix(WINS, TIED, systems=list("abcd"))
    against = result.against("c")
    assert sum(result.values) == pytest.approx(0, abs=1e-12)
    assert (against.ability("c").value, against.ability("c").se) == (0, 0)
    assert against.pairs == result.pairs
    assert (result.settings["abilities"], against.settings["abilities"]) == ("sum to 0", "difference from c")
    first = result.pairs[1]  # a against c
    assert (against.ability("a").value, against.ability("a").se) == pytest.approx((first.difference, first.se))
    assert against.centred().values == pytest.approx(result.values)
    assert against.centred().se == pytest.approx(result.se)


def test_order_effect_is_the_advantage_of_the_first():
    # Both orders, each system wins 3 of 4 when shown first: equal abilities, γ = log 3.
    first, second = ["a"] * 4 + ["b"] * 4, ["b"] * 4 + ["a"] * 4
    result = bradley_terry(first, second, [1, 1, 1, -1] * 2, order_effect=True)
    order = result.extra("order effect")
    assert order.value == pytest.approx(math.log(3))
    assert order.p == pytest.approx(math.erfc(math.log(3) / order.se / math.sqrt(2)))
    assert result.values == pytest.approx((0, 0), abs=1e-9)
    assert result.pairs[0].effect_size == pytest.approx(0.5)  # without the advantage
    with pytest.raises(UsageError, match="no parameter 'log ν'; it has order effect"):
        result.extra("log ν")


comparisons = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([-1, -1, 0, 1, 1])).filter(
        lambda row: row[0] != row[1]
    ),
    min_size=25,
    max_size=60,
)
models = st.sampled_from(["davidson", "rao-kupper", "half", "drop"])


def columns(data):
    return [list(column) for column in zip(*data, strict=True)]


@given(comparisons, models, st.permutations("abcd"))
def test_names_and_the_order_of_rows_do_not_matter(data, ties, names):
    renamed = dict(zip("abcd", names, strict=True))
    before = bradley_terry(*columns(data), ties=ties)
    after = bradley_terry(*columns([(renamed[a], renamed[b], o) for a, b, o in reversed(data)]), ties=ties)
    assert before.converged == after.converged
    for ability in before.abilities:
        other = after.ability(renamed[ability.system])
        assert other.value == pytest.approx(ability.value, abs=1e-6, nan_ok=True)
        assert other.se == pytest.approx(ability.se, abs=1e-6, nan_ok=True)


@given(comparisons, models)
def test_turning_pairs_round_changes_nothing_but_the_sign_of_the_order_effect(data, ties):
    turned = [(b, a, -o) for a, b, o in data]
    for order_effect in (False, True):
        one = bradley_terry(*columns(data), ties=ties, order_effect=order_effect)
        other = bradley_terry(*columns(turned), ties=ties, order_effect=order_effect)
        assert one.values == pytest.approx(other.values, abs=1e-6, nan_ok=True)
        if order_effect and one.converged:
            assert one.extra("order effect").value == pytest.approx(-other.extra("order effect").value, abs=1e-6)


@given(comparisons, models, st.integers(2, 5))
def test_repeating_the_data_shrinks_the_standard_errors_only(data, ties, times):
    one = bradley_terry(*columns(data), ties=ties)
    assume(one.converged)
    many = bradley_terry(*columns(data * times), ties=ties)
    assert many.values == pytest.approx(one.values, abs=1e-6)
    assert many.se == pytest.approx([se / math.sqrt(times) for se in one.se], rel=1e-5)
    assert many.chi2 == pytest.approx(times * one.chi2, rel=1e-6, abs=1e-6)


@given(comparisons, models)
def test_estimates_are_finite_or_nan_with_a_reason(data, ties):
    result = bradley_terry(*columns(data), ties=ties)
    assert result.converged == all(math.isfinite(value) for value in result.values)
    assert result.converged != any("undefined" in warning for warning in result.warnings)
    assert all(abs(pair.difference) < 30 for pair in result.pairs if result.converged)


# --- what has no estimates ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "options", "reason"),
    [
        ([], {}, "there is no comparison of two systems"),
        ([("a", "b", 0)] * 3, {}, "all 3 comparisons are ties"),
        ([("a", "b", 0)] * 3, {"ties": "drop"}, "no comparison that is not a tie"),
        ([("a", "b", 1), ("b", "c", 1), ("c", "b", 1)], {}, "a was never placed below another system"),
        ([("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)], {}, r"\{a, b\} and \{c, d\}"),
        # a never lost to b, though they tied: Davidson's likelihood grows without end as a rises with ν.
        ([("a", "b", 1), ("a", "b", 1), ("a", "b", 0)], {}, "the likelihood keeps growing"),
        ([("a", "b", 1), ("a", "b", 1), ("a", "b", 0)], {"ties": "rao-kupper"}, "the likelihood keeps growing"),
        ([("a", "b", 1), ("a", "b", -1)], {"order_effect": True}, "the order effect is not identifiable"),
        # The first always wins: it is the order effect that runs away.
        ([("a", "b", 1), ("b", "a", 1)] * 3, {"order_effect": True}, "with the order effect.*order_effect=False"),
    ],
)
def test_data_without_estimates_are_nan_with_their_reason_and_remedy(rows, options, reason):
    first, second, outcome = columns(rows) if rows else ([], [], [])
    result = bradley_terry(first, second, outcome, **options)
    assert not result.converged
    assert all(math.isnan(value) for value in (*result.values, *result.se, result.loglik, result.chi2, result.p))
    assert all(math.isnan(pair.p) and math.isnan(pair.effect_size) for pair in result.pairs)
    assert re.search(reason, result.warnings[0])
    assert result.records()


def test_one_system_in_a_matrix_has_no_scale():
    result = bradley_terry_matrix([[0]], None)
    assert math.isnan(result.values[0])
    assert "no comparison of two systems" in result.warnings[0]


def test_smoothing_gives_a_finite_estimate_and_says_so():
    rows = columns([("a", "b", 1), ("a", "c", 1), ("b", "c", 1), ("c", "b", 1)])
    result = bradley_terry(*rows, smoothing=0.5)
    assert result.converged
    assert result.ability("a").value > max(result.ability("b").value, result.ability("c").value)
    assert "0.5 win(s) were added to each side of every pair" in result.warnings[0]
    assert math.isnan(result.deviance)
    assert result.n == 4  # what was added is not counted


def test_what_was_done_with_ties_is_said():
    rows = columns([("a", "b", 1), ("b", "a", 1), ("a", "b", 0)])
    assert bradley_terry(*rows, ties="drop").warnings == ("1 of 3 comparisons are ties and were excluded",)
    assert "counted as half a win" in bradley_terry(*rows, ties="half").warnings[0]
    assert bradley_terry(*rows).method == "Bradley–Terry–Davidson"
    without = columns([("a", "b", 1), ("b", "a", 1)])
    assert bradley_terry(*without, ties="rao-kupper").settings["ties"] == "none"


def test_a_large_true_difference_is_believed():
    # One loss in 200,000: the log odds, 12.2, are large but finite.
    result = bradley_terry_matrix([[0, 199_999], [1, 0]], None)
    assert result.converged
    assert result.pairs[0].difference == pytest.approx(math.log(199_999))


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="index 0"):
        bradley_terry(["a"], ["b"], [3])
    with pytest.raises(UsageError, match="ties must be one of auto, davidson, rao-kupper, half, drop; got 'split'"):
        bradley_terry(["a"], ["b"], [1], ties="split")
    with pytest.raises(UsageError, match="smoothing"):
        bradley_terry(["a"], ["b"], [1], smoothing=-1)
    with pytest.raises(UsageError, match="confidence"):
        bradley_terry(["a"], ["b"], [1], confidence=95)
    with pytest.raises(UsageError, match="there is no system 'z'; use one of: a, b"):
        bradley_terry(["a", "b"], ["b", "a"], [1, 1]).against("z")


def test_a_million_comparisons_take_well_under_a_second():
    generator = np.random.Generator(np.random.PCG64(1))
    first = generator.integers(0, 20, 1_000_000)
    second = (first + generator.integers(1, 20, 1_000_000)) % 20
    outcome = generator.integers(-1, 2, 1_000_000)
    start = time.perf_counter()
    result = bradley_terry(first, second, outcome)
    assert time.perf_counter() - start < 1.0  # about 0.02 s on a quiet machine
    assert result.n == 1_000_000


# --- Thurstone's case V against R's probit models, with ties and order effect ---------------------------------------


STORED = json.loads((Path(__file__).parents[2] / "golden" / "thurstone.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", STORED["cases"], ids=[case["id"] for case in STORED["cases"]])
def test_equals_r(case):
    expected = case["expect"]
    result = thurstone(*(case["input"][key] for key in STORED["arguments"]), **case["settings"])
    against = result.against(result.systems[0])
    assert against.values == pytest.approx(expected["ability"], rel=1e-8)
    assert against.se == pytest.approx(expected["se"], rel=1e-7)
    assert result.loglik == pytest.approx(expected["loglik"], rel=1e-12)
    for key, name in (("order", "order effect"), ("tau", "τ")):
        if key in expected:
            assert result.extra(name).value == pytest.approx(expected[key], rel=1e-8)
            assert result.extra(name).se == pytest.approx(expected[f"se_{key}"], rel=1e-7)
    if "known_ability" in expected:
        assert against.values == pytest.approx(expected["known_ability"], rel=1e-6)


def test_two_systems_with_ties_by_hand():
    # 10 wins, 6 ties, 4 losses: Φ(η - τ) = .5 and Φ(-η - τ) = .2, so η = τ and 2η = 0.8416.
    result = thurstone(["a"] * 20, ["b"] * 20, [1] * 10 + [0] * 6 + [-1] * 4)
    pair = result.pairs[0]
    assert pair.difference == pytest.approx(0.8416212335729143 / 2)
    assert result.extra("τ").value == pytest.approx(pair.difference)
    assert (pair.effect_size, pair.more["tie"]) == pytest.approx((0.5, 0.3))


rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.sampled_from([-1, 1])).filter(lambda r: r[0] != r[1]),
    min_size=12,
    max_size=40,
)


@given(rows)
def test_has_estimates_where_bradley_terry_has(data):
    columns = [list(column) for column in zip(*data, strict=True)]
    probit, logit = thurstone(*columns), bradley_terry(*columns)
    assert probit.converged == logit.converged
    assert probit.df == logit.df


@given(rows)
def test_two_systems_are_their_shares_whatever_the_scale(data):
    columns = [list(column) for column in zip(*[row for row in data if "c" not in row[:2]], strict=True)]
    assume(columns)
    probit, logit = thurstone(*columns), bradley_terry(*columns)
    assert probit.pairs[0].effect_size == pytest.approx(logit.pairs[0].effect_size, nan_ok=True)
    assert probit.chi2 == pytest.approx(logit.chi2, abs=1e-9, nan_ok=True)


@given(rows, st.permutations("abc"))
def test_names_and_the_order_of_rows_do_not_matter_thurstone(data, names):
    renamed = dict(zip("abc", names, strict=True))
    before = thurstone(*zip(*data, strict=True))
    after = thurstone(*zip(*[(renamed[a], renamed[b], o) for a, b, o in reversed(data)], strict=True))
    for ability in before.abilities:
        assert after.ability(renamed[ability.system]).value == pytest.approx(ability.value, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("rows", "options", "reason"),
    [
        ([("a", "b", 1), ("b", "c", 1), ("c", "b", 1)], {}, "a was never placed below"),
        ([("a", "b", 0), ("b", "a", 0)], {}, "all 2 comparisons are ties"),
        ([("a", "b", 1), ("b", "a", 0), ("a", "b", 1)], {}, "the likelihood keeps growing"),
        ([("a", "b", 1), ("b", "a", 1)], {"order_effect": True}, "with the order effect"),
    ],
)
def test_data_without_estimates_are_nan_with_their_reason(rows, options, reason):
    result = thurstone(*zip(*rows, strict=True), **options)
    assert all(math.isnan(value) for value in result.values)
    assert re.search(reason, result.warnings[0])


def test_bad_input_is_refused_thurstone():
    with pytest.raises(UsageError, match="ties must be one of auto, glenn-david, half, drop; got 'davidson'"):
        thurstone(["a"], ["b"], [1], ties="davidson")
    with pytest.raises(DataError, match="the lengths must be equal"):
        thurstone(["a"], ["b"], [1, 1])
    with pytest.raises(DataError, match="missing label"):
        thurstone(["a", float("nan")], ["b", "b"], [1, 1])
