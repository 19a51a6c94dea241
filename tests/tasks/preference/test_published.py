"""The published analysis: its figures by hand, its degrees of freedom, and that it is as liberal as it says."""

from __future__ import annotations

import math

import pandas as pd
import pytest
import scipy.stats
from preference_data import all_pairs, preferences_by_hand, records, topline

from textassay.analysis.options import RecipeOptions
from textassay.results import Analysis
from textassay.seeds import Stream
from textassay.tasks.preference.answers import read_preferences
from textassay.tasks.preference.published import (
    DEPENDENT,
    ORIENTATION,
    OTHER_OPPONENTS,
    published,
    published_preferences,
)


def analysed(frame: pd.DataFrame, options: RecipeOptions | None = None) -> Analysis:
    judged = read_preferences(frame)
    return published(judged, published_preferences(judged, options or RecipeOptions()))


def test_every_answer_counts_twice_and_that_is_said() -> None:
    found = analysed(preferences_by_hand())
    f = records(found, "F")
    # x: -4 -2 -1 3 0 0, mean -2/3, SS 30 - 6 · 4/9 = 82/3. Between: 12 · 4/9; within: 2 · 82/3 on 12 - 2
    assert f["System"]["df"] == (1, 10)
    assert f["System"]["value"] == pytest.approx((12 * 4 / 9) / (2 * 82 / 3 / 10))
    # one value per answer for the others: items -5/3 and 1/3, SS between 3 · (1 + 1) = 6, within 82/3 - 6 on 4
    assert f["Text"]["df"] == (1, 4)
    assert f["Text"]["value"] == pytest.approx(6 / ((82 / 3 - 6) / 4))
    assert f["Evaluator"]["df"] == (2, 3)
    assert found.warnings[0] == DEPENDENT
    assert "mode:published (Belz & Kow 2010)|scores:+x and -x from each answer" in f["System"]["signature"]


def test_it_is_as_liberal_as_it_says() -> None:
    # Two systems: group means m and -m, mean square within s², so that F = 2 n m² / s² = 2 t² with the t of one sample.
    stream = Stream(3, "liberal")
    people = [(f"p{n // 10}", f"i{n % 10}", stream.normal()) for n in range(60)]
    frame = pd.DataFrame(people, columns=["participant", "item", "value"])
    f = records(analysed(frame.assign(system_a="A", system_b="B", criterion="clarity", left="A")), "F")["System"]
    t = scipy.stats.ttest_1samp(frame["value"], 0).statistic
    assert f["value"] == pytest.approx(2 * t**2)
    # So F is beyond its .05 point where |t| is beyond that divided by √2: .17 of studies without a difference.
    beyond = math.sqrt(scipy.stats.f.isf(0.05, *f["df"]) / 2)
    assert 2 * scipy.stats.t.sf(beyond, 59) == pytest.approx(0.17, abs=0.005)
    # Of k systems F is k / (k - 1) too large, for means of k systems that sum to 0 count as k: with 8 it is .09
    assert scipy.stats.f.sf(scipy.stats.f.isf(0.05, 7, 6264) * 7 / 8, 7, 6264) == pytest.approx(0.09, abs=0.005)


def test_all_pairs_have_the_published_degrees_of_freedom() -> None:
    # Belz & Kow (2010): 8 systems, 28 pairs, 112 items, 28 evaluators, 3136 answers
    found = analysed(all_pairs(8, 28, 112))
    f = {factor: record["df"] for factor, record in records(found, "F").items()}
    assert f == {"System": (7, 6264), "Text": (111, 3024), "Evaluator": (27, 3108)}
    (pairs,) = [record for record in found.records() if record["statistic"] == "significant pairs"]
    assert pairs["pairs"] == 28


@pytest.mark.parametrize(
    ("frame", "defined"), [(topline(), True), (preferences_by_hand(), True), (all_pairs(4, 6, 12), False)]
)
def test_self_consistency_needs_the_same_opponent(frame: pd.DataFrame, defined: bool) -> None:
    """In all pairs even somebody who never errs gives a system other scores each time, as Belz & Kow (2010) note."""
    found = analysed(frame)
    (within,) = [record for record in found.records() if record["statistic"] == "mean W within evaluators"]
    assert math.isnan(within["value"]) is not defined
    assert any(OTHER_OPPONENTS in warning for warning in found.warnings) is not defined


def test_topline_gives_one_score_an_answer() -> None:
    # Belz & Kow (2010): 10 levels × 30 items, the topline against itself included
    found = analysed(topline())
    f = {factor: record["df"] for factor, record in records(found, "F").items()}
    assert f == {"System": (9, 290), "Text": (29, 270), "Evaluator": (9, 290)}
    assert DEPENDENT not in found.warnings


def test_further_factors_of_items() -> None:
    # Text2 of Belz & Kow (2010): items fall into sets; one signed value an answer, so 3136 - 14 with 14 sets
    sets = {f"i{number}": f"set{number % 14}" for number in range(112)}
    found = analysed(all_pairs(8, 28, 112), RecipeOptions(item_factors={"entity_set": sets}))
    assert records(found, "F")["entity_set"]["df"] == (13, 3122)


def test_orientation_of_the_signed_value_is_stated_and_kept() -> None:
    frame = preferences_by_hand()
    turned = frame.copy()
    turned.loc[3:, ["system_a", "system_b"]] = ["B", "A"]
    turned.loc[3:, "value"] *= -1
    one, other = (records(analysed(each), "F") for each in (frame, turned))
    assert {factor: record["value"] for factor, record in one.items()} == pytest.approx(
        {factor: record["value"] for factor, record in other.items()}
    )
    variance = next(table for table in analysed(frame).tables if table.name == "variance")
    assert ORIENTATION in variance.note


def test_systems_with_themselves_score_nothing_and_are_counted() -> None:
    # both of them, so that neither is a topline
    alone = [preferences_by_hand().assign(system_a=name, system_b=name, item="k").iloc[:1] for name in "AB"]
    found = analysed(pd.concat([preferences_by_hand(), *alone]))
    assert "2 answer(s) compare a system with itself and score nothing; they are omitted" in found.warnings


def test_nothing_to_analyse() -> None:
    assert analysed(preferences_by_hand().iloc[:0]).warnings == ("there are no answers to analyse",)
