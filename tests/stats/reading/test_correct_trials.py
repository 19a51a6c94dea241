"""Trials after wrong answers: which rows stay, and the counts."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import correct_trials

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "correct_trials.json").read_text(encoding="utf-8"))
CASE = GOLDEN["cases"][0]


def test_equals_r():
    found = correct_trials(CASE["input"]["correct"], CASE["input"]["trials"])
    assert list(found.keep) == CASE["expect"]["keep"]
    assert (found.asked, found.wrong) == (CASE["expect"]["asked"], CASE["expect"]["wrong"])
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
def test_what_should_not_be_passed_is_refused(correct, trials, message):
    with pytest.raises(DataError, match=message):
        correct_trials(correct, trials)
