"""Where power has a closed form, simulation by the same machinery gives it, but for chance.

The three figures are those of R 4.2.2:
    power.t.test(n = 30, delta = 0.5, sd = 1, type = "paired")$power               # 0.753963 (sd of the differences)
    power.anova.test(groups = 4, n = 20, between.var = 0.1, within.var = 1)$power  # 0.495406
    power.prop.test(n = 200, p1 = 0.5, p2 = 0.62)$power                            # 0.677559
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pandas as pd
import pytest
from decision_study import write_decision_study
from small_study import write_csv, write_small_study

from textassay.rehearsal.power import PowerOptions, power
from textassay.stats import anova, paired_t
from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tasks.contract import Task

RUNS = 500
CHECKS = 3
_Z = NormalDist().inv_cdf(1 - 0.001 / (2 * CHECKS))
"""The three checks together fail by chance with 1 of 1,000 seeds (Bonferroni)."""
POINTS = 100
"""Of a slider from 0 to 1000 for one unit of the closed form: rounding to whole points is then nothing."""


def by_chance(expected: float) -> float:
    return _Z * math.sqrt(expected * (1 - expected) / RUNS)


def share(study: Study, test: Any, effect: float, assume: Mapping[str, float], participants: int, items: int) -> float:
    options = PowerOptions(
        participants=(participants,), items=(items,), effects=(effect,), assume=assume, runs=RUNS, alpha=0.05
    )
    (only,) = power(study, study.blocks[0], options, test=test).estimates
    assert only.undefined == 0
    return only.share


def slider_study(directory: Path, systems: int, per_participant: int | None) -> Study:
    """One criterion on a long slider, as many systems, two items."""

    def change(data: dict[str, Any]) -> None:
        block = data["blocks"][0]
        block["criteria"] = [
            {
                "name": "clarity",
                "question": "How clear is it?",
                "scale": {"from": 0, "to": 1000, "widget": "slider", "labels": {0: "not", 1000: "very"}},
            }
        ]
        block["design"] = {"items_per_participant": per_participant} if per_participant else {}
        block["attention_checks"] = []
        data["metrics"] = []
        data["screening"] = {}

    write_small_study(directory, change)
    texts = [(f"i{item}", f"s{system}", "A text.") for item in (1, 2) for system in range(1, systems + 1)]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    write_csv(directory / "items.csv", ("item", "context"), [("i1", "Data."), ("i2", "Data.")])
    write_csv(directory / "references.csv", ("item", "text"), [("i1", "A text."), ("i2", "A text.")])
    return load_study(directory)


def paired(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
    values = dict(zip(zip(table["participant"], table["system"], strict=True), table["value"], strict=True))
    people = dict.fromkeys(person for person, _ in values)
    first, second = ([values[person, system] for person in people] for system in task.study.systems)
    return {"clarity": paired_t(first, second).p}


def one_way(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
    systems = list(table["system"])
    assert Counter(systems) == dict.fromkeys(task.study.systems, 20)
    return {"clarity": anova(table["value"].to_numpy(), {"system": systems})["system"].p}


def two_shares(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
    """The test of two proportions with the pooled standard error, which is the one of the closed form."""
    right = Counter(
        system for system, chosen in zip(table["system"], table["chosen"], strict=True) if "call" in chosen.split()
    )
    shown = Counter(table["system"])
    shares = [right[system] / shown[system] for system in task.study.systems]
    n, pooled = len(table) / 2, sum(shares) / 2
    z = (shares[0] - shares[1]) / math.sqrt(2 * pooled * (1 - pooled) / n)
    return {"call": 2 * NormalDist().cdf(-abs(z))}


def test_paired_t(tmp_path: Path) -> None:
    study = slider_study(tmp_path, systems=2, per_participant=None)
    # Two ratings of one person differ by noise · sqrt(2) = 1 unit; how lenient somebody is cancels.
    alike = {"item_sd": 0.0, "text_sd": 0.0, "liking_sd": 0.0}
    assume = {**alike, "participant_sd": 0.8 * POINTS, "noise_sd": POINTS / math.sqrt(2)}
    found = share(study, paired, 0.5 * POINTS, assume, participants=30, items=2)
    assert found == pytest.approx(0.753962724995167, abs=by_chance(0.754))


@pytest.mark.long
def test_one_way_anova(tmp_path: Path) -> None:
    study = slider_study(tmp_path, systems=4, per_participant=1)
    # Four means at distance d have the variance 5/3 d²; so 0.1 is d = sqrt(0.06), and the outermost are 3 d apart.
    effect = 3 * math.sqrt(0.06) * POINTS
    # Everybody rates once, so what varies between people and within them adds up: 0.6² + 0.8² = 1.
    alike = {"item_sd": 0.0, "text_sd": 0.0, "liking_sd": 0.0}
    assume = {**alike, "participant_sd": 0.6 * POINTS, "noise_sd": 0.8 * POINTS}
    found = share(study, one_way, effect, assume, participants=80, items=2)
    assert found == pytest.approx(0.4954057835756, abs=by_chance(0.495))


@pytest.mark.long
def test_two_proportions(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        block = data["blocks"][0]
        for key in ("limit_seconds", "no_action", "no_action_alone", "shows", "series", "time_label", "practice"):
            del block[key]
        block["design"] = {"items_per_participant": 1}

    directory = write_decision_study(tmp_path, change)
    texts = [(f"case{item}", system, "A text.") for item in (1, 2) for system in ("one", "two")]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    write_csv(directory / "items.csv", ("item", "context"), [("case1", "Data."), ("case2", "Data.")])
    header = ("item", "appropriate", "inappropriate", "target")
    write_csv(directory / "targets.csv", header, [(f"case{item}", "call", "", "call") for item in (1, 2)])
    # Two systems lie as far above as below the typical one in logits: halfway between those of 0.5 and 0.62.
    typical = 1 / (1 + math.exp(-math.log(0.62 / 0.38) / 2))
    alike = {"participant_sd": 0.0, "item_sd": 0.0, "text_sd": 0.0, "liking_sd": 0.0}
    assume = {**alike, "appropriate": typical}
    found = share(load_study(directory), two_shares, 0.12, assume, participants=400, items=2)
    # The closed form is a normal approximation; the exact power of this test, over both binomial counts, is 0.6767.
    assert found == pytest.approx(0.677559136032545, abs=by_chance(0.678) + 0.002)
