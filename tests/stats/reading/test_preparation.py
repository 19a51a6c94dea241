"""The replacement of outliers against R, and what the rule can never do."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import correct_trials, log_times, replace_outliers
from textassay.stats.reading.preparation import can_replace

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "replace_outliers.json").read_text(encoding="utf-8"))
CASE = GOLDEN["cases"][0]


def test_equals_r():
    found = replace_outliers(CASE["input"]["values"], CASE["input"]["participants"])
    assert found.values == pytest.approx(CASE["expect"]["replaced"], rel=1e-12)
    assert found.n_replaced == CASE["expect"]["n_replaced"]
    assert found.share == pytest.approx(CASE["expect"]["fraction"], rel=1e-12)
    assert found.warnings == ()
    (record,) = found.records()
    assert (record["value"], record["n"], record["participants"]) == (2, 31, 2)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=30), st.sampled_from([1.0, 2.0, 2.5, 3.0]))
def test_equals_a_plain_loop(values, k):
    found = replace_outliers(values, ["p"] * len(values), k=k)
    n = len(values)
    sd = float(np.std(values, ddof=1)) if n > 1 else 0.0
    low, high = np.mean(values) - k * sd, np.mean(values) + k * sd
    plain = np.clip(values, low, high) if can_replace(n, k) else values
    assert found.values == pytest.approx(list(plain), rel=1e-12)
    if not can_replace(n, k):
        assert found.n_replaced == 0
        assert found.powerless == ("p",)


@given(st.lists(st.tuples(st.integers(0, 2000), st.sampled_from("abc")), min_size=1, max_size=40), st.integers(1, 9))
def test_change_of_scale_and_of_labels_replaces_the_same(rows, scale):
    values, who = zip(*rows, strict=True)
    before = replace_outliers(values, who, k=1.5)
    after = replace_outliers([-scale * value + 7 for value in values], [f"z{9 - ord(name)}" for name in who], k=1.5)
    assert after.replaced == before.replaced


@given(st.integers(2, 200), st.floats(1, 4))
def test_one_value_far_out_is_replaced_wherever_any_can_be(n, k):
    # One value apart from n - 1 equal ones lies exactly (n - 1)/√n standard deviations from the mean.
    found = replace_outliers([0.0] * (n - 1) + [1.0], ["p"] * n, k=k)
    limit = (n - 1) / math.sqrt(n)
    if abs(limit - k) > 1e-9:
        assert found.n_replaced == (1 if limit > k else 0)


def test_participants_are_looked_at_one_by_one_and_few_values_are_warned_of():
    found = replace_outliers([100.0] * 9 + [400.0] + [1000.0] * 3, ["a"] * 10 + ["b"] * 3)
    assert found.replaced == (False,) * 9 + (True,) + (False,) * 3
    assert found.powerless == ("b",)
    (warning,) = found.warnings
    assert warning.startswith("1 participant(s) have so few values (at most 3) that none could be replaced")
    assert warning.endswith("(n-1)/√n standard deviations, here 1.155, and the limit is 2.5 (b)")


def test_equal_values_and_no_values():
    assert replace_outliers([0.1] * 12, ["p"] * 12).n_replaced == 0
    empty = replace_outliers([], [])
    assert (empty.n, empty.n_replaced) == (0, 0)
    assert math.isnan(empty.share)


@pytest.mark.parametrize(
    ("values", "participants", "k", "error", "message"),
    [
        ([1, 2], ["a"], 2.5, DataError, "values has 2, participants has 1"),
        ([1, math.nan], ["a", "a"], 2.5, DataError, "missing or infinite"),
        ([1, 2], ["a", None], 2.5, DataError, "participants has 1 missing label"),
        ([1, 2], ["a", "a"], 0, UsageError, "k must be a number of standard deviations above 0"),
        ([1, 2], ["a", "a"], math.nan, UsageError, "k must be"),
    ],
)
def test_what_should_not_be_passed_is_refused(values, participants, k, error, message):
    with pytest.raises(error, match=message):
        replace_outliers(values, participants, k=k)


# --- Trials after wrong answers: which rows stay, and the counts ----------------------------------------------------


GOLDEN_CORRECT_TRIALS = json.loads(
    (Path(__file__).parents[2] / "golden" / "correct_trials.json").read_text(encoding="utf-8")
)
CASE_CORRECT_TRIALS = GOLDEN_CORRECT_TRIALS["cases"][0]


def test_equals_r_correct_trials():
    found = correct_trials(CASE_CORRECT_TRIALS["input"]["correct"], CASE_CORRECT_TRIALS["input"]["trials"])
    assert list(found.keep) == CASE_CORRECT_TRIALS["expect"]["keep"]
    assert (found.asked, found.wrong) == (
        CASE_CORRECT_TRIALS["expect"]["asked"],
        CASE_CORRECT_TRIALS["expect"]["wrong"],
    )
    assert found.warnings == ("2 of 26 trials have no answer; they are kept",)


@given(st.lists(st.tuples(st.sampled_from([True, False, None]), st.integers(0, 5)), min_size=1, max_size=40))
def test_a_trial_stays_or_goes_as_a_whole(rows):
    correct, trials = zip(*rows, strict=True)
    found = correct_trials(correct, trials)
    spoilt = {trial for answer, trial in rows if answer is False}
    assert found.keep == tuple(trial not in spoilt for trial in trials)
    assert found.wrong == len(spoilt)
    assert found.asked == len({trial for answer, trial in rows if answer is not None})
    assert found.trials == len(set(trials))


def test_answers_may_be_numbers_and_trials_may_be_tuples():
    found = correct_trials(np.array([1.0, math.nan, 0.0]), [("ann", "t1"), ("ann", "t1"), ("bob", "t1")])
    assert found.keep == (True, True, False)
    assert found.share == 0.5
    (record,) = found.records()
    assert (record["value"], record["n"], record["rows_kept"]) == (1, 2, 2)


def test_nothing_asked_has_no_share():
    found = correct_trials([None, None], ["a", "b"])
    assert math.isnan(found.share)
    assert found.keep == (True, True)


@pytest.mark.parametrize(
    ("correct", "trials", "message"),
    [
        ([True], ["a", "b"], "correct has 1, trials has 2"),
        ([True, 2], ["a", "b"], "index 1 has 2"),
        (["yes", "no"], ["a", "b"], "correct must hold true, false or nothing"),
        ([True, True], ["a", None], "trials has 1 missing label"),
    ],
)
def test_what_should_not_be_passed_is_refused_correct_trials(correct, trials, message):
    with pytest.raises(DataError, match=message):
        correct_trials(correct, trials)


# --- Times on the logarithmic scale ---------------------------------------------------------------------------------


GOLDEN_LOG_TIMES = json.loads((Path(__file__).parents[2] / "golden" / "log_times.json").read_text(encoding="utf-8"))
CASE_LOG_TIMES = GOLDEN_LOG_TIMES["cases"][0]


def test_equals_r_log_times():
    found = log_times(CASE_LOG_TIMES["input"]["times"])
    expected = CASE_LOG_TIMES["expect"]
    assert found.values == pytest.approx(expected["values"], rel=1e-12)
    assert (found.mean, found.sd, found.geometric_mean) == pytest.approx(
        (expected["mean"], expected["sd"], expected["geometric_mean"]), rel=1e-12
    )
    assert found.warnings == ()


@given(st.lists(st.floats(1, 1e5), min_size=1, max_size=20), st.floats(0.01, 100))
def test_a_factor_of_the_times_moves_the_logarithms(times, factor):
    before, after = log_times(times), log_times([factor * time for time in times])
    assert after.mean == pytest.approx(before.mean + math.log(factor), abs=1e-9)
    assert after.geometric_mean == pytest.approx(factor * before.geometric_mean)


def test_times_without_a_logarithm_are_nan_and_counted():
    found = log_times([100, 0, -5])
    assert [math.isnan(value) for value in found.values] == [False, True, True]
    assert found.warnings == ("2 of 3 times are 0 or less and have no logarithm",)
    assert found.n == 1
    assert math.isnan(found.sd)


def test_no_times_have_no_mean():
    assert math.isnan(log_times([]).mean)
    assert "there are no times above 0" in log_times([0]).warnings[-1]


@pytest.mark.parametrize("times", [[1, math.nan], [math.inf], ["fast"], [[1, 2]]])
def test_what_is_no_time_is_refused(times):
    with pytest.raises(DataError, match="times"):
        log_times(times)
