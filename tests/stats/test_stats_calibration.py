"""The calibration tool: it finds what is wrong, passes what is right, and in a small run all methods pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from _calibration import LEVEL, Average, Check, Claim, Outcome, Share, bounds, run, table
from _calibration_checks import families
from _calibration_choices import TwoShares, logistic_bias
from _calibration_nulls import BlockedTests, GroupedTests, attained, blocked_sums, grouped_sums, spearman_counts
from _calibration_theory import exceeds, f_size, mean_above_zero, pearson_coverage
from scipy import stats as scipy_stats

from textassay import catalogue, meta, ordering
from textassay.analysis.page_positions import position_effects

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
DRAWS = 40
"""Data sets of a cheap check: enough to find a method that is far off, in a few seconds."""
WITHOUT_P_AND_INTERVAL = {"correct_trials", "kendall_tau_batch", "leave_one_out", "log_times", "replace_outliers"}
CLAIMS = [(check, claim) for checks in families().values() for check in checks for claim in check.claims]


def check(share: float, *claims: Claim) -> Check:
    """Answers True in this share of the data sets."""
    return Check("coins", lambda random: [float(random.random() < share)] * len(claims), claims)


def outcome(claim: Claim, mean: float, n: int, *, sd: float = 1.0, undefined: int = 0) -> Outcome:
    return Outcome("coins", claim, n, mean, sd, undefined)


EXACT = Share("coin", "heads", 0.05, 0.05, "a coin")
AROUND_0 = Average("coin", "mean", -0.1, 0.1, "a coin")


# --- the tool -----------------------------------------------------------------------------------------------------


def test_a_right_claim_passes() -> None:
    (seen,) = run(check(0.05, EXACT), 2000)
    assert seen.holds(1)
    assert seen.n == 2000


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_a_wrong_claim_is_found_on_either_side(share: float) -> None:
    (seen,) = run(check(share, EXACT), 2000)
    assert not seen.holds(len(CLAIMS))


def test_a_real_mistake_is_found() -> None:
    """The normal distribution where Student's belongs: it rejects in P(|t(7)| > 1.96) = .091 of the cases."""

    def draw(random: np.random.Generator) -> list[float]:
        values = random.normal(size=8)
        t = values.mean() / (values.std(ddof=1) / math.sqrt(8))
        return [float(abs(t) > 1.96), float(abs(t) > scipy_stats.t.isf(0.025, 7))]

    mistaken, right = run(Check("8 values", draw, (EXACT, EXACT)), 2000)
    assert not mistaken.holds(len(CLAIMS))
    assert right.holds(len(CLAIMS))


def test_within_the_bounds_nothing_is_asked_of_chance() -> None:
    assert outcome(Share("coin", "heads", 0.02, 0.08, ""), 0.079, 10**6).chance == 1


def test_chance_of_a_share_is_that_of_the_binomial_distribution() -> None:
    # 5 of 20 at .05: P(X ≥ 5) = 0.00257394 (R: pbinom(4, 20, .05, lower = FALSE)), twice for the two sides
    assert outcome(EXACT, 5 / 20, 20).chance == pytest.approx(2 * 0.00257394, rel=1e-5)
    assert outcome(EXACT, 0.0, 20).chance == pytest.approx(2 * 0.95**20)


def test_chance_of_a_mean_is_that_of_students_t() -> None:
    # (0.6 - 0.1) / (1 / √16) = 2 on 15 degrees of freedom: P = 0.03197250 (R: pt(2, 15, lower = FALSE)), twice
    assert outcome(AROUND_0, 0.6, 16).chance == pytest.approx(2 * 0.0319725, rel=1e-5)
    assert outcome(AROUND_0, -0.6, 16).chance == pytest.approx(2 * 0.0319725, rel=1e-5)
    assert outcome(AROUND_0, 0.05, 16).chance == 1


def test_a_constant_estimate_beside_the_truth_is_found() -> None:
    assert not outcome(AROUND_0, 0.2, 10, sd=0.0).holds(1000)


def test_a_biased_estimate_is_found_and_an_unbiased_one_passes() -> None:
    draw = Check("noise", lambda random: [random.normal(), 0.5 + random.normal()], (AROUND_0, AROUND_0))
    unbiased, biased = run(draw, 400)
    assert unbiased.holds(2)
    assert not biased.holds(2)


def test_the_number_of_claims_is_corrected_for() -> None:
    seen = outcome(EXACT, 0.0, 160)  # 2 · .95¹⁶⁰ = .00055: too rare for one claim, not for one of ten
    assert LEVEL / 10 < seen.chance < LEVEL
    assert not seen.holds(1)
    assert seen.holds(10)


def test_answers_that_are_missing_are_counted_and_few_are_allowed() -> None:
    draw = Check("gaps", lambda random: [math.nan if random.random() < 0.5 else 0.0], (Share("coin", "", 0, 1, ""),))
    (seen,) = run(draw, 200)
    assert seen.n + seen.undefined == 200
    assert seen.undefined > 50
    assert not seen.holds(100)
    assert outcome(EXACT, 0.05, 200, undefined=2).holds(1)


def test_a_method_without_any_answer_fails() -> None:
    (seen,) = run(Check("nothing", lambda _: [math.nan], (EXACT,)), 20)
    assert seen.n == 0
    assert not seen.holds(10**6)


def test_the_same_check_draws_the_same_and_another_name_draws_something_else() -> None:
    draw = lambda random: [random.random()]  # noqa: E731 -- both checks need the same
    claim = Average("coin", "mean", 0, 1, "")
    first, again, other = (run(Check(name, draw, (claim,)), 5)[0].mean for name in ("a", "a", "b"))
    assert first == again != other


def test_dear_checks_get_fewer_draws() -> None:
    dear = Check("dear", lambda _: [0.0], (Share("coin", "", 0, 1, ""),), cost=20)
    assert run(dear, 1000)[0].n == 50
    assert run(dear, 10)[0].n == 2


def test_what_does_not_hold_stands_in_bold() -> None:
    rows = table(
        {"Coins": [outcome(EXACT, 0.05, 100), outcome(EXACT, 0.5, 100), outcome(AROUND_0, 0.0, 4)]}
    ).splitlines()
    assert rows[0] == "## Coins"
    assert "| 0.050 | 100 |" in rows[4]
    assert "| **0.500** | 100 |" in rows[5]
    assert "| 0.000 ± 0.500 | 4 |" in rows[6]


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (EXACT, "0.05"),
        (Share("", "", 0, 0.05, ""), "at most 0.05"),
        (Share("", "", 0.9, 1, ""), "at least 0.9"),
        (Share("", "", 0.025, 0.075, ""), "0.025 to 0.075"),
        (Average("", "", 0, 1, ""), "0 to 1"),
        (Average("", "", -math.inf, 1, ""), "at most 1"),
    ],
)
def test_bounds_in_words(claim: Claim, words: str) -> None:
    assert bounds(claim) == words


# --- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # it would set it for the tests after this one too
    import calibration

    page = tmp_path / "calibration.md"
    page.write_text("# Page\n\n<!-- table -->\n\nold\n", encoding="utf-8")
    monkeypatch.setattr(calibration, "PAGE", page)
    return calibration


def test_a_part_is_run_without_writing(command: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["5", "--only", "sign_test"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2
    assert all("sign_test" in line for line in shown)
    assert "old" in command.PAGE.read_text(encoding="utf-8")


def test_a_finding_is_said_and_makes_the_command_fail(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "families", lambda: {"Coins": [check(0.5, EXACT)]})
    assert command.main(["100"]) == 1
    assert "NOT as theory says" in capsys.readouterr().out
    page = command.PAGE.read_text(encoding="utf-8")
    assert page.startswith("# Page\n\n<!-- table -->\n\n1 claims, 100 draws")
    assert "| 0.05: a coin | **0.4" in page
    assert "old" not in page


# --- the theory ---------------------------------------------------------------------------------------------------


def test_imhofs_integral_is_that_of_f_where_all_weights_are_equal() -> None:
    assert f_size([(1, 3)], [(1, 36)]) == pytest.approx(0.05, abs=1e-8)
    assert exceeds([(2.0, 4)], [(0.5, 10)], 1.0) == pytest.approx(scipy_stats.f.sf(2.5 / 4, 4, 10), abs=1e-8)


def test_imhofs_integral_of_unequal_weights_is_what_draws_say() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    squares = random.chisquare(1, size=(5, 400_000))
    share = np.mean(3 * squares[0] + squares[1] > 0.7 * (squares[2] + 2 * squares[3] + squares[4]))
    assert exceeds([(3, 1), (1, 1)], [(1, 1), (2, 1), (1, 1)], 0.7) == pytest.approx(share, abs=0.004)


def test_doubled_preferences_inflate_the_error_by_k_over_k_less_1() -> None:
    # for many trials P(χ²(1) > 3.84 / 2) = .17 of 2 systems and P(χ²(7) > 14.07 · 7/8) = .09 of 8
    doubled = [claim.low for _, claim in CLAIMS if "both signs" in claim.what]
    assert doubled == pytest.approx([0.17, 0.09], abs=0.005)


def test_the_density_of_r_without_correlation_is_that_of_t() -> None:
    # Fisher's interval around 0 misses if |r| > tanh(1.96/√(n-3)); r √((n-2)/(1-r²)) has Student's distribution
    n = 12
    r = math.tanh(scipy_stats.norm.ppf(0.975) / 3)
    missed = 2 * scipy_stats.t.sf(r * math.sqrt((n - 2) / (1 - r * r)), n - 2)
    assert pearson_coverage(0.0, n) == pytest.approx(1 - missed, abs=1e-9)


def test_mean_of_a_variance_at_the_edge_is_what_draws_say() -> None:
    random = np.random.Generator(np.random.PCG64(2))
    excess = random.chisquare(9, size=200_000) / 9 - random.chisquare(50, size=200_000) / 50
    assert mean_above_zero(9, 50) == pytest.approx(np.maximum(excess, 0).mean(), abs=0.003)


def brute_force(groups: Sequence[Sequence[int]], orders: Sequence[Sequence[int]]) -> np.ndarray:
    """The sums of ranks of groups of places, for each order."""
    return np.array([[sum(order[place] for place in group) for group in groups] for order in orders], dtype=float)


def test_sums_of_ranks_in_blocks_are_all_orders_of_all_blocks() -> None:
    one = list(permutations((1, 2, 3)))
    every = np.array([np.add(np.add(a, b), c) for a in one for b in one for c in one])
    found, test = blocked_sums(3, 3), BlockedTests(3, 3)
    assert found.chance.sum() == pytest.approx(1)
    for rejects in (test.friedman, test.iman_davenport, test.kendall_f, test.nemenyi, test.conover):
        assert found.size(rejects) == pytest.approx(np.mean(rejects(every.astype(float))), abs=1e-12)
    chi2 = [scipy_stats.friedmanchisquare(*np.array([a, b, c]).T).statistic for a in one[:2] for b in one for c in one]
    assert np.sort(test.chi2(every[:72].astype(float))) == pytest.approx(np.sort(chi2))


def test_sums_of_ranks_in_groups_are_all_orders() -> None:
    every = brute_force(((0, 1), (2, 3), (4, 5, 6)), list(permutations(range(1, 8))))
    found, test = grouped_sums((2, 2, 3)), GroupedTests((2, 2, 3))
    assert found.chance.sum() == pytest.approx(1)
    for rejects in (test.kruskal_wallis, test.conover):
        assert found.size(rejects) == pytest.approx(np.mean(rejects(every)), abs=1e-12)
    known = scipy_stats.kruskal([1, 2], [3, 4], [5, 6, 7]).statistic
    assert test.h(np.array([[3.0, 7.0, 18.0]])) == pytest.approx(known)


def test_attained_levels_are_those_of_tables() -> None:
    # Spearman, n = 5: 1 and 4 of 120 orders have ρ = 1 and ρ ≥ .9; two-sided .05 takes ρ = 1 only
    assert attained(spearman_counts(5)) == pytest.approx(2 / 120)


def test_two_shares_are_counted() -> None:
    # R 4.2.2: power.prop.test(n = 200, p1 = .5, p2 = .62) = .67756 by the normal approximation
    assert TwoShares(200, 0.5, 0.62).wald_size() == pytest.approx(0.67756, abs=0.01)
    assert TwoShares(400, 0.4, 0.4).ratio_size() == pytest.approx(0.05, abs=0.003)
    assert TwoShares(400, 0.3, 0.6).wald_coverage() == pytest.approx(0.95, abs=0.003)


def test_first_order_bias_of_log_odds() -> None:
    # of one share p of n: (2p - 1) / (2np(1 - p)) (Haldane 1956)
    p, n = 0.7, 50
    bias = logistic_bias(np.ones((1, 1)), np.array([math.log(p / (1 - p))]), n)
    assert bias[0] == pytest.approx((2 * p - 1) / (2 * n * p * (1 - p)))


# --- all methods --------------------------------------------------------------------------------------------------


def test_every_statistic_with_p_or_interval_has_a_claim() -> None:
    claimed = {claim.statistic for _, claim in CLAIMS}
    assert set(catalogue.names("statistic")) - claimed == WITHOUT_P_AND_INTERVAL
    of_positions = position_effects.__name__
    assert claimed <= {*catalogue.names("statistic"), *ordering.__all__, *meta.__all__, of_positions}


def test_names_of_checks_differ() -> None:
    names = [check.name for checks in families().values() for check in checks]
    assert len(set(names)) == len(names)


def test_bounds_are_shares_in_order_and_say_why() -> None:
    for _, claim in CLAIMS:
        assert claim.why
        assert claim.low <= claim.high
        assert not isinstance(claim, Share) or 0 <= claim.low <= claim.high <= 1


LONG = ("Logistic and ordinal models", "Mixed models")
"""Their estimates, errors and p are compared with R's in tests/stats/categorical/ and tests/stats/mixed/."""


@pytest.mark.parametrize(
    "heading", [pytest.param(each, marks=pytest.mark.long) if each in LONG else each for each in families()]
)
def test_small_run(heading: str) -> None:
    found = [seen for check in families()[heading] for seen in run(check, DRAWS)]
    assert [seen for seen in found if not seen.holds(len(CLAIMS))] == []


def test_the_page_shows_every_claim_and_no_other() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    shown = [(row[0].removeprefix("| "), row[1], row[2], row[3]) for row in rows]
    stated = [
        (f"`{claim.statistic}`", check.situation, claim.what, f"{bounds(claim)}: {claim.why}")
        for check, claim in CLAIMS
    ]
    assert shown == stated


def test_nothing_that_the_page_shows_is_wrong() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert [row for row in rows if "**" in row] == []
