"""Ready studies after Belz & Kow (2010) hold what they promise: texts, designs, degrees of freedom, directions.

Every trial of a plan is answered by the task's own simulated participants; no store and no screening are needed.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from ruamel.yaml import YAML
from scipy.stats import pearsonr

import textassay
from textassay.analysis.judgements import read_judgements
from textassay.analysis.options import study_options
from textassay.analysis.published_analysis import PublishedResults, of_criteria
from textassay.rehearsal.power import answered
from textassay.rehearsal.true_effects import with_true_effects
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.preference.answers import read_preferences
from textassay.tasks.preference.published import published_preferences

READY = Path(textassay.__file__).parent / "ready_studies"
PAIRS = {"b10-rating": "b10-preference", "b10-forecast-rating": "b10-forecast-preference"}
STUDIES = [name for pair in PAIRS.items() for name in pair]


@dataclass(frozen=True)
class Answered:
    """A study with an answer to every trial, analysed as published."""

    study: Study
    table: pd.DataFrame
    found: tuple[PublishedResults, ...]

    @property
    def df(self) -> dict[str, tuple[int, int]]:
        """By factor; the same for all criteria."""
        by_criterion = [{each.by: each.df for each in part.variance} for part in self.found]
        assert all(each == by_criterion[0] for each in by_criterion)
        return by_criterion[0]


def answer(directory: Path) -> Answered:
    study = with_true_effects(load_study(directory))
    table = answered(study, draw_plan(study), study.blocks[0])
    options = study_options(study)
    if "system_a" in table:
        return Answered(study, table, published_preferences(read_preferences(table), options))
    return Answered(study, table, of_criteria(read_judgements(table), options))


@cache  # several tests look at the same answers
def ready(name: str) -> Answered:
    return answer(READY / name)


@pytest.mark.parametrize(("rating", "preference"), PAIRS.items())
def test_both_versions_judge_the_same_texts(rating: str, preference: str) -> None:
    for shared in ("texts.csv", "items.csv", "consent.md"):
        assert (READY / rating / shared).read_bytes() == (READY / preference / shared).read_bytes()
    both = [[part.criterion for part in ready(name).found] for name in (rating, preference)]
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("name", "systems", "items", "longest"), [("b10-rating", 10, 30, 21), ("b10-forecast-rating", 11, 22, 34)]
)
def test_texts_are_short_and_those_of_people_differ(name: str, systems: int, items: int, longest: int) -> None:
    study = ready(name).study
    assert (len(study.systems), len(study.items_in_order)) == (systems, items)
    assert len(study.texts) == systems * items
    assert max(len(text.split()) for text in study.texts.values()) <= longest
    for system in study.systems:
        assert len({text for (_, own), text in study.texts.items() if own == system}) == items, system


@pytest.mark.parametrize(
    ("name", "trials", "df"),
    [
        ("b10-rating", 300, {"System": (9, 290), "Text": (29, 270), "Evaluator": (9, 290), "kind": (4, 295)}),
        ("b10-preference", 300, {"System": (9, 290), "Text": (29, 270), "Evaluator": (9, 290), "kind": (4, 295)}),
        ("b10-forecast-rating", 484, {"System": (10, 473), "Text": (21, 462), "Evaluator": (21, 462)}),
        # printed are F(10, 1865), F(21, 916) and F(21, 921), which fit neither 1210 trials nor each other
        ("b10-forecast-preference", 1210, {"System": (10, 2409), "Text": (21, 1188), "Evaluator": (21, 1188)}),
    ],
)
def test_degrees_of_freedom_are_those_that_follow_from_the_design(name: str, trials: int, df: dict[str, Any]) -> None:
    found = ready(name)
    assert len(found.table.drop_duplicates(["participant", "trial"])) == trials
    assert found.df == df


def test_printed_degrees_of_freedom_of_the_second_preferences_contradict_each_other() -> None:
    scores, by_text, by_evaluator = 1865 + 11, 916 + 22, 921 + 22
    assert (scores / 2, by_text, by_evaluator) == (938, 938, 943)


@pytest.mark.parametrize("name", STUDIES)
def test_simulated_participants_find_the_systems_where_the_study_puts_them(name: str) -> None:
    found = ready(name)
    put_in = found.study.file.simulate.systems
    assert put_in is not None
    assert set(put_in) == set(found.study.systems)
    for part in found.found:
        means = {each.by: each.mean for each in part.means}
        assert pearsonr([means[system] for system in put_in], list(put_in.values())).statistic > 0.95
        system, text, evaluator = part.variance[:3]
        assert system.p < 0.001
        assert system.omega2 > max(text.omega2, evaluator.omega2)


@pytest.mark.parametrize(("rating", "preference"), PAIRS.items())
def test_preferences_are_more_consistent_than_ratings_and_agree_with_them(rating: str, preference: str) -> None:
    for rated, preferred in zip(ready(rating).found, ready(preference).found, strict=True):
        assert preferred.variance[0].f > rated.variance[0].f
        assert preferred.pairs.n_significant > rated.pairs.n_significant
        assert preferred.between.w > rated.between.w  # type: ignore[union-attr]
        both = [{each.by: each.mean for each in part.means} for part in (rated, preferred)]
        assert pearsonr(list(both[0].values()), [both[1][system] for system in both[0]]).statistic > 0.9


@pytest.mark.parametrize("name", ["b10-forecast-rating", "b10-forecast-preference"])
def test_both_cohorts_see_every_system_equally_often(name: str) -> None:
    study = ready(name).study
    seen = Counter(
        (slot.cohort, system) for slot in draw_plan(study).slots for trial in slot.trials for system in trial.systems
    )
    assert len(seen) == 2 * 11
    assert len(set(seen.values())) == 1


SYSTEMS, ITEMS, SETS = 8, 112, 15


def large(directory: Path, block: dict[str, Any], wanted: int) -> Answered:
    """The third pair, which is not shipped: 112 displays of 15 sets of entities, with texts that only hold a place."""
    items = [f"display {number}" for number in range(ITEMS)]
    tables: dict[str, Any] = {
        "items": [("item", "entity_set"), *((item, f"set {n % SETS}") for n, item in enumerate(items))],
        "texts": [("item", "system", "text")]
        + [(item, f"system {n}", f"the entity of {item}, by {n}") for item in items for n in range(SYSTEMS)],
    }
    for name, rows in tables.items():
        with (directory / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    study = {
        "format": 1,
        "title": "Which one is meant?",
        "tables": {"texts": "texts.csv", "items": "items.csv"},
        "participants": {"wanted": wanted},
        "blocks": [block],
    }
    YAML().dump(study, directory / "study.yaml")
    return answer(directory)


def test_degrees_of_freedom_of_the_third_ratings(tmp_path: Path) -> None:
    """Fourteen 8 × 8 squares: 896 ratings on an unmarked slider; Text1 is the display, Text2 the set of entities."""
    slider = {"from": 0, "to": 100, "widget": "slider", "labels": {0: "worst", 100: "best"}}
    criteria = [{"name": "adequacy", "question": "How clear is it which one is meant?", "scale": slider}]
    found = large(tmp_path, {"task": "rating", "criteria": criteria}, wanted=8)
    assert len(found.table) == 896
    assert found.df == {"System": (7, 888), "Text": (111, 784), "entity_set": (14, 881), "Evaluator": (7, 888)}


def test_degrees_of_freedom_of_the_third_preferences(tmp_path: Path) -> None:
    """Four 28 × 28 squares: 3136 comparisons, each of which scores two systems."""
    criteria = [{"name": "adequacy", "question": "In which is it clearer which one is meant?"}]
    found = large(tmp_path, {"task": "preference", "criteria": criteria}, wanted=28)
    assert len(found.table) == 3136
    assert found.df == {"System": (7, 6264), "Text": (111, 3024), "entity_set": (14, 3121), "Evaluator": (27, 3108)}
    assert len(found.found[0].pairs.pairs) == math.comb(SYSTEMS, 2)
    # as in any plan of all pairs, everybody compares every pair equally often
    pairs = Counter(zip(found.table["participant"], found.table["system_a"], found.table["system_b"], strict=True))
    assert set(pairs.values()) == {4}
    assert {frozenset(key[1:]) for key in pairs} == {
        frozenset(pair) for pair in combinations([f"system {n}" for n in range(SYSTEMS)], 2)
    }
