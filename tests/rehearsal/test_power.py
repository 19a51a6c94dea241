"""Power of whole studies: numbers asked for, false alarms, the same figures again, what is refused."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd
import pytest
from small_study import write_csv, write_small_study
from task_studies import write_task_study

from textassay import catalogue
from textassay.errors import DataError, UsageError
from textassay.rehearsal.power import PowerOptions, power
from textassay.rehearsal.power_result import PowerResult
from textassay.stats import rm_anova
from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tasks.contract import Task

COLUMNS = ("criterion", "participant", "system", "value")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


def by_participants(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
    """Repeated measures over participants' means: quick, and valid where items do not vary."""
    del task
    cells = defaultdict(list)  # not by pandas, which takes longer than the rest of a run
    for criterion, person, system, value in zip(*(table[name] for name in COLUMNS), strict=True):
        if criterion == "clarity":
            cells[person, system].append(value)
    people, systems = zip(*sorted(cells), strict=True)
    means = [fmean(cells[cell]) for cell in sorted(cells)]
    return {"clarity": rm_anova(means, people, {"system": systems})["system"].p}


def asked(study: Study, **options: Any) -> PowerResult:
    return power(study, study.blocks[0], PowerOptions(**options), test=by_participants)


ITEMS_ALIKE = {"item_sd": 0.0, "text_sd": 0.0}


def test_every_combination_is_tried_in_order(study: Study) -> None:
    found = asked(study, participants=(6, 9), items=(6, 12), effects=(0.5, 1.0), runs=3)
    seen = [(each.participants, each.items, each.trials, each.effect) for each in found.estimates]
    sizes = [(people, items, items, effect) for people in (6, 9) for items in (6, 12) for effect in (0.5, 1.0)]
    assert seen == sizes
    assert {each.runs for each in found.estimates} == {3}
    assert found.alpha == study.file.analysis.alpha
    assert found.warnings == ("12 items: the study has 6; the others are copies of those",)


def test_by_default_the_study_is_taken_as_it_is(study: Study) -> None:
    levels = study.file.analysis.model_copy(update={"alpha": 0.3, "confidence": 0.8})
    found = asked(replace(study, file=study.file.model_copy(update={"analysis": levels})), runs=2)
    assert (found.alpha, found.confidence) == (0.3, 0.8)
    (only,) = found.estimates
    assert (only.participants, only.items, only.null) == (6, 6, False)
    assert only.effect == pytest.approx(0.6)  # a tenth of a scale from 1 to 7


def test_more_participants_and_greater_effects_have_more_power(study: Study) -> None:
    found = asked(study, participants=(6, 24), effects=(0.3, 0.9), runs=40, assume=ITEMS_ALIKE)
    share = {(each.participants, each.effect): each.share for each in found.estimates}
    assert share[6, 0.3] < share[24, 0.3] < share[24, 0.9]
    assert share[6, 0.3] < share[6, 0.9] < share[24, 0.9]


@pytest.mark.long
def test_false_alarms_are_as_frequent_as_they_may_be(study: Study) -> None:
    found = asked(study, participants=(12,), effects=(1.0,), runs=200, null=True, assume=ITEMS_ALIKE, alpha=0.1)
    some, none = found.estimates
    assert (some.null, none.null, none.effect) == (False, True, 0)
    assert none.statistic == "type I error"
    # 200 runs at 0.1: the standard error is 0.021; three of them
    assert none.share == pytest.approx(0.1, abs=0.064)
    assert found.warnings == ()


def test_a_test_that_cries_wolf_is_called_out(study: Study) -> None:
    # Texts that differ beyond their systems are taken for systems by a test that knows participants only.
    found = asked(study, participants=(24,), effects=(0.0,), runs=60, assume={"text_sd": 1.5})
    assert found.estimates[0].share > 0.3
    assert any("power cannot be trusted there" in warning for warning in found.warnings)


def test_same_study_file_same_figures_and_another_seed_others(study: Study) -> None:
    options = {"participants": (9,), "effects": (0.4,), "runs": 40}
    first, again = asked(study, **options), asked(study, **options)
    assert first == again
    assert first.to_json() == again.to_json()
    other = replace(study, file=study.file.model_copy(update={"seed": 8}))
    assert asked(other, **options).estimates != first.estimates


def test_a_figure_does_not_depend_on_what_else_is_asked(study: Study) -> None:
    alone = asked(study, participants=(9,), effects=(0.4,), runs=20).estimates
    among = asked(study, participants=(6, 9), effects=(0.2, 0.4), runs=20).estimates
    assert alone[0] in among


def test_what_was_assumed_is_told(study: Study) -> None:
    found = asked(study, runs=2, assume={"noise_sd": 1.5})
    assert {each.name: each.value for each in found.assumptions}["noise_sd"] == 1.5
    assert "noise_sd:1.5" in found.signature
    assert "seed:7" in found.signature
    assert "by_participants" in found.signature


def undefined(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
    del task, table
    return {"clarity": math.nan}


def refusing(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
    del task, table
    raise DataError("there are too few participants")


def test_runs_without_a_p_are_counted_and_never_significant(study: Study) -> None:
    block = study.blocks[0]
    found = power(study, block, PowerOptions(runs=4), test=undefined)
    assert math.isnan(found.estimates[0].share)
    assert "4 of 4 runs had no p" in found.warnings[0]
    refused = power(study, block, PowerOptions(runs=4), test=refusing)
    assert math.isnan(refused.estimates[0].share)
    assert "in 4 of 4 runs there was no test: there are too few participants" in refused.warnings


def test_progress_is_told(study: Study) -> None:
    told: list[tuple[int, int]] = []
    options = PowerOptions(participants=(3, 6), runs=3)
    power(study, study.blocks[0], options, test=undefined, progress=lambda *done: told.append(done))
    assert told == [(number, 6) for number in range(1, 7)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": 0}, "0 runs; ask for at least 1"),
        ({"alpha": 1.0}, "alpha is 1; it must lie between 0 and 1"),
        ({"assume": {"effect": 1}}, "give the effect with --effect"),
        ({"assume": {"nosie_sd": 1}}, "'nosie_sd'; did you mean 'noise_sd'"),
        ({"effects": (7.0,)}, "effect is 7; it must be 0 to 6"),
        ({"participants": (0,)}, "0 participants"),
        ({"items": (-3,)}, "-3 items; ask for at least 1"),
    ],
)
def test_impossible_questions_are_refused(study: Study, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        asked(study, **options)


def test_one_system_has_nothing_to_differ_from(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    write_csv(directory / "texts.csv", ("item", "system", "text"), [(f"i{n}", "human", "A text.") for n in range(1, 7)])
    alone = load_study(directory)
    with pytest.raises(DataError, match="there is only human"):
        power(alone, alone.blocks[0])


def test_everybody_may_see_one_item_only(tmp_path: Path) -> None:
    directory = write_small_study(
        tmp_path, lambda data: data["blocks"][0]["design"].update(items_per_participant=1, repeats=0)
    )
    once = load_study(directory)
    options = PowerOptions(participants=(36,), effects=(4.0,), runs=5, null=True)
    some, *_, none = power(once, once.blocks[0], options).estimates
    assert (some.trials, some.share, some.undefined) == (1, 1, 0)
    assert none.share < 0.6


@pytest.mark.long
@pytest.mark.parametrize("task", catalogue.names("task"))
def test_every_task_has_its_own_test_which_finds_large_effects(task: str, tmp_path: Path) -> None:
    small = load_study(write_task_study(task, tmp_path))
    block = small.blocks[0]
    assumptions = block.task.sample_class().assumptions(block.task)
    null = assumptions[0].null
    assert null is not None
    large = null + 3 * (assumptions[0].value - null)  # three times what is assumed by default
    spreads = {each.name: each.value / 2 for each in assumptions if each.name.endswith("_sd")}
    options = PowerOptions(participants=(24,), items=(18,), effects=(large,), assume=spreads, runs=8, null=True)
    found = power(small, block, options)
    first = found.estimates[0].of
    share = {each.null: each.share for each in found.estimates if each.of == first}
    assert share[False] == 1
    assert share[True] <= 3 / 8  # 4 of 8 at .05 come by chance in 1 of 2,600
    assert all(each.undefined == 0 for each in found.estimates)
