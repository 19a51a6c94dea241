"""Simulated participants of every task react to the quality of a text and of a system, by what the task says."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from task_studies import write_task_study

from textassay import catalogue
from textassay.rehearsal.power import answered
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.study.true_effects import TrueEffects
from textassay.tasks.decision.simulate import effects as decision_effects
from textassay.tasks.participants import text_quality

PEOPLE = 60


@dataclass(frozen=True)
class Expected:
    """What comes out for texts of quality 1, less what does for texts of quality -1."""

    apart: Callable[[Study], float]
    systems: tuple[str, ...]
    """The systems that it holds for."""
    scale: Callable[[Any], Any] = np.asarray


def _decided(study: Study) -> float:
    """The difference in P; one of the six cases has no inappropriate action."""
    good, bad = (decision_effects(study.blocks[0].task).expected("human", quality) for quality in (1, -1))
    return (good[0] - good[1] * 5 / 6) - (bad[0] - bad[1] * 5 / 6)


def _kept(study: Study) -> float:
    """Tau with the order shown, which is the coherent one: 1 - 4 p (n - 1 - s) / (n (n - 1)), p .05 and .35."""
    n = {len(units) for units in study.units.values()}
    fixed = int(study.blocks[0].task.settings.first_fixed)
    return float(np.mean([4 * 0.3 * (each - 1 - fixed) / (each * (each - 1)) for each in n]))


EXPECTED = {
    # 0.15 of a range of 6, upwards and downwards
    "rating": Expected(lambda _: 2 * 0.15 * 6, ("human", "neural", "template")),
    # a slider of 50 to either side; the text is better or worse than each that it meets by 2 · 0.2 of it
    "preference": Expected(lambda _: 2 * 0.4 * 50, ("neural",)),
    # it beats each of the two others with a difference of 2 · 1.25 logits, .924 of the time, or loses so often
    "ranking": Expected(lambda _: 4 * (1 / (1 + math.exp(-2.5)) - 0.5), ("neural",)),
    # the logarithm of words a second: times are shorter by exp(-0.15), or longer
    "reading": Expected(lambda _: 2 * 0.15, ("original", "swapped", "reversed"), np.log),
    "decision": Expected(_decided, ("human", "neural")),
    "reordering": Expected(_kept, ("original",)),
}


def _unlimited(data: dict[str, Any]) -> None:
    for block in data["blocks"]:
        for key in ("limit_seconds", "no_action", "no_action_alone"):
            block.pop(key, None)


def study_of(task: str, directory: Path) -> Study:
    """The task's small study with more people and equal systems."""
    study = load_study(write_task_study(task, directory, _unlimited))
    people = study.file.participants.model_copy(update={"wanted": PEOPLE, "cohorts": []})
    file = study.file.model_copy(update={"participants": people})
    return replace(study, file=file, true_effects=TrueEffects(systems={}))


def judged(study: Study) -> pd.DataFrame:
    """Judgements of the first criterion, one row per answer about a text."""
    block = study.blocks[0]
    table = block.task.judgements(answered(study, draw_plan(study), block))
    return table[table["criterion"] == table["criterion"].iloc[0]]


def apart(table: pd.DataFrame, by: list[Any], expected: Expected) -> tuple[float, float]:
    """Mean of those marked 1 less that of those marked -1, with its standard error."""
    values = pd.Series(expected.scale(table["value"].to_numpy(dtype=float)))
    found = values.groupby(by).agg(["mean", "var", "size"])
    return found["mean"][1.0] - found["mean"][-1.0], math.sqrt((found["var"] / found["size"])[[1.0, -1.0]].sum())


def test_all_tasks_are_here() -> None:
    assert set(EXPECTED) == set(catalogue.CATALOGUE["task"])


@pytest.mark.parametrize("task", EXPECTED)
def test_better_texts_are_judged_better_by_as_much_as_was_put_in(task: str, tmp_path: Path) -> None:
    plain, expected = study_of(task, tmp_path), EXPECTED[task]
    # 1 or -1, of each item and system equally often; the second system differs from the two others
    texts = {
        (item, system): (-1.0) ** (row + column)
        for row, item in enumerate(plain.items_in_order)
        for column, system in enumerate(plain.systems)
    }
    table = judged(replace(plain, true_effects=TrueEffects(texts, systems={})))
    table = table[table["system"].isin(expected.systems)]
    quality = [texts[key] for key in zip(table["item"], table["system"], strict=True)]
    seen, error = apart(table, quality, expected)
    assert seen == pytest.approx(expected.apart(plain), abs=4 * error)
    assert seen > 4 * error


@pytest.mark.parametrize("task", sorted(set(EXPECTED) - {"reordering"}))
def test_better_systems_are_judged_better(task: str, tmp_path: Path) -> None:
    plain, expected = study_of(task, tmp_path), EXPECTED[task]
    first, second = plain.systems[:2]
    table = judged(replace(plain, true_effects=TrueEffects(systems={first: 1.0, second: -1.0})))
    seen, error = apart(table, [{first: 1.0, second: -1.0}.get(system, 0.0) for system in table["system"]], expected)
    assert seen > 4 * error
    if len(expected.systems) > 1:  # otherwise the difference depends on whom a text meets
        assert seen == pytest.approx(expected.apart(plain), abs=4 * error)


def test_what_is_shown_as_a_plot_has_no_text_to_react_to(tmp_path: Path) -> None:
    study = replace(
        study_of("decision", tmp_path), true_effects=TrueEffects({("case1", "graph"): 1, ("case1", "human"): 1})
    )
    task = study.blocks[0].task
    assert [text_quality(task, "case1", system) for system in ("human", "graph", "neural")] == [1, 0, 0]
