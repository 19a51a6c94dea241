"""Two runs compared: against R's t tests where these apply, against by-hand differences, and what is refused."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats import anova_type_test, run_differences

(CASE,) = json.loads((Path(__file__).parents[2] / "golden" / "run_differences.json").read_text(encoding="utf-8"))[
    "cases"
]


def test_everyone_answers_once():
    found = run_differences(**CASE["input"])
    each = [*found.systems, found.shift]
    assert [one.system for one in each] == ["A", "B", "all systems"]
    assert [one.difference / one.se for one in each] == pytest.approx(CASE["expect"]["t"])
    assert [one.df for one in each] == pytest.approx(CASE["expect"]["df"])
    assert [one.p_raw for one in each] == pytest.approx(CASE["expect"]["p"])
    assert [one.p for one in found.systems] == pytest.approx(
        [2 * CASE["expect"]["p"][0], CASE["expect"]["p"][1]]
    )  # Holm
    assert (found.participants, found.shared_items, found.runs) == ((6, 6), 0, ("one", "two"))


def design(people=4, items=5, systems=2, seed=3):
    """Two runs in which everyone judges everything."""
    run, person, item, system = (each.ravel() for each in np.indices((2, people, items, systems)))
    random = np.random.default_rng(seed)
    y = (
        random.normal(size=run.size)
        + 2.0 * random.normal(size=items)[item]
        + random.normal(size=(2, people))[run, person]
    )
    return y, run, system, person, item


def test_heterogeneity_of_two_systems_is_the_difference_of_their_differences():
    """Everything complete: the runs compared by each person's difference of the two systems on an item."""
    y, run, system, person, item = design()
    found = run_differences(y, run, system, person, item)
    first = system == 0
    gaps = y[system == 1] - y[first]
    other = anova_type_test(gaps, run[first], person[first] * 2 + run[first], item[first])
    assert found.f == pytest.approx(other.f)
    differences = {one.system: one.difference for one in found.systems}
    assert differences["1"] - differences["0"] == pytest.approx(
        gaps[run[first] == 1].mean() - gaps[run[first] == 0].mean()
    )


def test_what_both_runs_share_does_not_matter():
    """Easy items and good systems are in both runs: only what changed counts."""
    y, run, system, person, item = design(systems=3)
    found = run_differences(y, run, system, person, item)
    more = run_differences(y + 7.0 * item + 5.0 * system, run, system, person, item)
    assert (more.f, more.shift.difference, more.shift.se) == pytest.approx(
        (found.f, found.shift.difference, found.shift.se)
    )
    moved = run_differences(y + 2.0 * run, run, system, person, item)
    assert moved.f == pytest.approx(found.f)
    assert moved.shift.difference == pytest.approx(found.shift.difference + 2)
    assert moved.shift.se == pytest.approx(found.shift.se)


def test_too_few_to_stand_for_others():
    y, run, system, person, item = design(items=2)
    found = run_differences(y, run, system, person, item)
    assert found.holds_for == "participants"
    assert "2 items cannot stand for others" in found.warnings[0]
    alone = person < np.where(run == 1, 1, 4)
    one = run_differences(*(each[alone] for each in design(items=2)))
    assert math.isnan(one.shift.p)
    assert math.isnan(one.p)
    assert "one participant in run '1' cannot stand for others" in one.warnings[0]


def test_what_is_refused():
    y, run, system, person, item = design()
    with pytest.raises(DataError, match="two runs are compared; got 1: 0"):
        run_differences(y, run * 0, system, person, item)
    with pytest.raises(DataError, match="system '2' is in run '1' only; leave it out"):
        run_differences(y, run, np.where(run == 1, 2 * system, 0), person, item)


def test_records():
    records = run_differences(*design()).about("clarity").records()
    assert [(each["statistic"], each["by"]) for each in records] == [
        ("F of heterogeneity", "run"), ("difference of runs", "all systems"), ("difference of runs", "0"),
        ("difference of runs", "1"),
    ]  # fmt: skip
    assert {each["of"] for each in records} == {"clarity"}
