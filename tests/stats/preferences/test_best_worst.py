"""Best–worst scaling against R's conditional logit, and trials without estimates."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import best_worst, bradley_terry
from textassay.stats.preferences.best_worst import maxdiff_choices, read_trials, sequential_choices

STORED = json.loads((Path(__file__).parents[2] / "golden" / "best_worst.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", STORED["cases"], ids=[case["id"] for case in STORED["cases"]])
def test_equals_r(case):
    expected = case["expect"]
    result = best_worst(*(case["input"][key] for key in STORED["arguments"]), **case["settings"])
    against = result.against(result.systems[0])
    assert against.values == pytest.approx(expected["ability"], rel=1e-9)
    assert against.se == pytest.approx(expected["se"], rel=1e-9)
    assert result.loglik == pytest.approx(expected["loglik"], rel=1e-11)
    assert result.chi2 == pytest.approx(2 * (expected["loglik"] - expected["loglik_equal"]), rel=1e-10)
    assert result.scores == pytest.approx(expected["scores"])


@st.composite
def trials(draw):
    """Trials of three or four out of five systems."""
    found = []
    for _ in range(draw(st.integers(8, 20))):
        shown = draw(st.permutations("abcde"))[: draw(st.integers(2, 4))]
        best, worst = draw(st.permutations(shown))[:2]
        found.append((list(shown), best, worst))
    return found


@given(trials(), st.sampled_from(["sequential", "maxdiff"]), st.permutations("abcde"))
def test_names_and_order_do_not_matter(data, model, names):
    renamed = dict(zip("abcde", names, strict=True))
    before = best_worst(*zip(*data, strict=True), model=model)
    turned = [([renamed[s] for s in reversed(shown)], renamed[b], renamed[w]) for shown, b, w in reversed(data)]
    after = best_worst(*zip(*turned, strict=True), model=model)
    for ability, score in zip(before.abilities, before.scores, strict=True):
        place = after.systems.index(renamed[ability.system])
        assert after.values[place] == pytest.approx(ability.value, abs=1e-7, nan_ok=True)
        assert after.scores[place] == score


@given(trials(), st.sampled_from(["sequential", "maxdiff"]))
def test_best_and_worst_exchanged_turn_maxdiff_round(data, model):
    # Only maxdiff treats both choices alike; the counts turn round in any case.
    one = best_worst(*zip(*data, strict=True), model=model)
    other = best_worst(*zip(*[(shown, w, b) for shown, b, w in data], strict=True), model=model)
    assert other.scores == pytest.approx([-score for score in one.scores])
    if model == "maxdiff":
        assert other.values == pytest.approx([-value for value in one.values], abs=1e-7, nan_ok=True)


def test_trials_of_two_are_comparisons():
    pairs = [("a", "b"), ("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("a", "c"), ("c", "b")]
    shown, best, worst = [list(pair) for pair in pairs], [p[0] for p in pairs], [p[1] for p in pairs]
    compared = bradley_terry(best, worst, [1] * len(pairs))
    sequential = best_worst(shown, best, worst)
    assert sequential.values == pytest.approx(compared.values)
    assert sequential.se == pytest.approx(compared.se)
    maxdiff = best_worst(shown, best, worst, model="maxdiff")  # the same with half the scale
    assert maxdiff.values == pytest.approx([value / 2 for value in compared.values])
    assert [p.effect_size for p in maxdiff.pairs] == pytest.approx([p.effect_size for p in compared.pairs])
    for one, other in zip(maxdiff.pairs, compared.pairs, strict=True):
        assert one.effect_size_ci == pytest.approx(other.effect_size_ci)


def test_records_end_with_the_counts():
    shown = [["a", "b", "c"]] * 3
    records = best_worst(shown, ["a", "b", "c"], ["b", "c", "a"]).records()
    counts = [record for record in records if record["statistic"] == "best–worst score"]
    assert [(record["system"], record["best"], record["worst"], record["n"]) for record in counts] == [
        ("a", 1, 1, 3),
        ("b", 1, 1, 3),
        ("c", 1, 1, 3),
    ]


@pytest.mark.parametrize(
    ("trials", "reason"),
    [
        ([], "no two systems were judged"),
        ([("abc", "a", "c"), ("abc", "a", "b")], "a was never placed below"),
        ([("ab", "a", "b"), ("ab", "b", "a"), ("cd", "c", "d"), ("cd", "d", "c")], "2 groups never compared"),
    ],
)
def test_trials_without_estimates_are_nan_but_counted(trials, reason):
    columns = zip(*trials, strict=True) if trials else ([], [], [])
    result = best_worst(*columns)
    assert all(math.isnan(value) for value in result.values)
    assert not any(math.isnan(score) for score in result.scores)
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("shown", "best", "worst", "message"),
    [
        (["abc"], ["a"], ["b", "c"], "the lengths must be equal"),
        (["abc", "aab"], ["a", "a"], ["b", "b"], "index 1 shows a system twice"),
        (["abc", "a"], ["a", "a"], ["b", "a"], "index 1 shows fewer than two"),
        (["abc"], ["d"], ["b"], "has as best a system that it does not show"),
        (["abc"], ["a"], ["d"], "has as worst a system that it does not show"),
        (["abc"], ["a"], ["a"], "one system as best and as worst"),
        ([["a", None, "b"]], ["a"], ["b"], "missing label"),
    ],
)
def test_bad_trials_are_refused(shown, best, worst, message):
    with pytest.raises(DataError, match=message):
        best_worst(shown, best, worst)


def test_bad_settings_are_refused():
    with pytest.raises(UsageError, match="model must be one of sequential, maxdiff; got 'mnl'"):
        best_worst(["ab"], ["a"], ["b"], model="mnl")
    with pytest.raises(UsageError, match="confidence"):
        best_worst(["ab"], ["a"], ["b"], confidence=0)


# --- Best–worst trials as choices -----------------------------------------------------------------------------------


TRIALS = read_trials([["a", "b", "c"], ["c", "a"]], ["b", "a"], ["c", "c"])


def test_sequential_choices_by_hand():
    # θ = (0, log 2, log 3): best b of 1, 2, 3; worst c of the rest by 1 and 1/3; then best a of 1 and 3.
    at = np.log([2.0, 3.0])
    assert sequential_choices(TRIALS).evaluate(at).loglik == pytest.approx(np.log(2 / 6 * (1 / 3) / (4 / 3) * 1 / 4))


def test_maxdiff_choices_by_hand():
    # Ratios best/worst: of a, b, c: 1/2, 1/3, 2, 2/3, 3, 3/2 (sum 8); b over c is 2/3. Of a, c: 1/3 of 1/3 + 3.
    at = np.log([2.0, 3.0])
    assert maxdiff_choices(TRIALS).evaluate(at).loglik == pytest.approx(np.log((2 / 3) / 8 * (1 / 3) / (10 / 3)))


def test_best_is_above_all_and_all_are_above_worst():
    assert TRIALS.systems == ("a", "b", "c")
    assert TRIALS.above().tolist() == [[0, 0, 2], [1, 0, 1], [0, 0, 0]]
