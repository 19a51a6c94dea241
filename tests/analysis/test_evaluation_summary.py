"""What there is to compare of an evaluation: records, means, and what it cost."""

import math
from types import SimpleNamespace

import pandas as pd
import pytest

from textassay.analysis.evaluation_summary import evaluation_cost, summarise_evaluation
from textassay.analysis.leading_test import leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import system_text_evaluator


def of(frame, analyses=None, **more):
    return summarise_evaluation(
        "ratings", analyses or [system_text_evaluator(frame)], frame, frame.assign(**more), "rt_ms"
    )


def test_means_and_records_by_criterion(small):
    both = pd.concat([small, small.assign(criterion="fluency", value=small["value"] + 1)])
    found = of(both)
    assert found.criteria == ["clarity", "fluency"]
    assert found.means["fluency"] == {"A": 2.5, "B": 5.0}
    assert found.find("clarity", "F", "System")["value"] == pytest.approx(25.0)
    assert found.find("clarity", "no such thing") is None
    assert [record["by"] for record in found.factors("clarity")] == ["System", "Text", "Evaluator"]


def test_a_task_without_these_factors_is_seen_through_its_judgements(small):
    found = summarise_evaluation("speeds", [], small, small, "rt_ms")
    assert found.find("clarity", "F", "System")["value"] == pytest.approx(25.0)
    assert found.find("clarity", "W")["value"] == pytest.approx(1.0)


def test_winners_of_pairs_come_from_the_first_analysis_or_the_leading_test_but_not_the_published_one(drawn):
    frame = drawn(6, 6, 2).frame(3, 2.0)

    def record(method, by, significant):
        more = {"first": "s0", "second": "s1", "favours": "s1", "significant": significant}
        return {"statistic": "difference", "of": "clarity", "by": by, "method": method, **more}

    def summary(records):
        results = [SimpleNamespace(records=lambda: records)]
        return summarise_evaluation("x", results, frame, frame, "rt_ms").pairs["clarity"]

    own = [record("Tukey's HSD", "System", True), record("first", "system", True), record("second", "system", False)]
    assert summary(own) == {frozenset(("s0", "s1")): "s1"}
    assert summary([own[0], own[2], own[1]]) == {frozenset(("s0", "s1")): ""}
    pairs = leading_test(frame, "value", of="value", options=RecipeOptions(), better="higher").general.pairs
    assert summary([own[0]]) == {frozenset((pair.first, pair.second)): pair.winner for pair in pairs}


def test_trials_with_several_rows_count_once(small):
    timed = small.assign(trial=[f"t{n}" for n in range(4)] * 2, rt_ms=[1000.0, 2000, 3000, 6000] * 2)
    both = pd.concat([timed, timed.assign(criterion="fluency")])
    found = evaluation_cost(both, "rt_ms")
    # 24 seconds in all; the middle of 1 1 2 2 3 3 6 6 is 2.5
    assert (found.participants, found.trials, found.minutes, found.seconds_a_trial) == (2, 8, 0.4, 2.5)


def test_repeats_and_checks_are_no_cost_of_the_evaluation_itself(small):
    timed = small.assign(trial=[f"t{n}" for n in range(4)] * 2, kind=["main"] * 6 + ["repeat", "check"])
    assert evaluation_cost(timed, "rt_ms").trials == 6


def test_what_a_table_does_not_tell_is_not_made_up(small):
    assert evaluation_cost(small, "rt_ms").trials is None
    without_times = evaluation_cost(small.assign(trial=[f"t{n}" for n in range(8)]), "rt_ms")
    assert without_times.trials == 8
    assert math.isnan(without_times.minutes)
    unknown = evaluation_cost(small.assign(trial=[f"t{n}" for n in range(8)], rt_ms=math.nan), "rt_ms")
    assert math.isnan(unknown.seconds_a_trial)


def test_trials_of_two_blocks_are_two_and_those_of_no_kind_are_main(small):
    timed = small.assign(trial=[f"t{n % 2}" for n in range(8)], block=list("aabb") * 2, kind=[None] * 8)
    assert evaluation_cost(timed, "rt_ms").trials == 8
    assert evaluation_cost(timed.drop(columns="block"), "rt_ms").trials == 4
    assert evaluation_cost(timed.assign(trial=["t0", None] * 4), "rt_ms").trials is None
