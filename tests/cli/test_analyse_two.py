"""`textassay analyse A B`: two studies, two tables, or one of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from preference_study import write_preference_study
from small_study import write_csv

from textassay import pipeline

Command = Callable[..., object]


@pytest.fixture(scope="module")
def preferred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def one_criterion(data: dict[str, Any]) -> None:
        data["blocks"][0]["criteria"] = data["blocks"][0]["criteria"][:1]

    directory = write_preference_study(tmp_path_factory.mktemp("two") / "preferences", one_criterion)
    pipeline.simulate(pipeline.load(directory))
    return directory


@pytest.mark.usefixtures("analysed_once")
def test_two_studies(textassay: Command, brief: Path, preferred: Path) -> None:
    text = textassay("analyse", brief, preferred)
    assert text.code == 0, text.err
    assert "brief and preferences compared" in text.out
    assert "Significant differences, of 3 pairs of systems: " in " ".join(text.out.split())  # wherever lines break
    assert "variance due to System" in text.out
    csv = textassay("analyse", brief, preferred, "--format", "csv").out
    assert csv.startswith("statistic,of,by,value")
    assert "\ntrials,all,preferences," in csv


@pytest.mark.long
@pytest.mark.usefixtures("analysed_once")
def test_a_table_against_a_study_gives_the_same_figures(
    textassay: Command, brief: Path, preferred: Path, tmp_path: Path
) -> None:
    textassay("export", brief, "--to", tmp_path)
    studies = json.loads(textassay("analyse", brief, preferred, "--everyone", "--format", "json").out)
    assert {record["by"] for record in studies if record["statistic"] == "trials"} == {"brief", "preferences"}
    mixed = json.loads(
        textassay("analyse", tmp_path / "judgements.csv", preferred, "--everyone", "--format", "json").out
    )
    values = {(r["statistic"], r["of"]): r["value"] for r in studies if r["by"] == "brief"}
    same = {(r["statistic"], r["of"]): r["value"] for r in mixed if r["by"] == "judgements"}
    assert same == pytest.approx(values)


def test_the_same_name_twice_is_told_apart_and_a_task_is_that_of_the_table_it_fits(
    textassay: Command, tmp_path: Path
) -> None:
    table = tmp_path / "judgements.csv"
    rows = [
        (p, i, s, "clarity", 1 + (3 * p + 2 * i + (s == "A")) % 5) for p in range(4) for i in range(4) for s in "AB"
    ]
    write_csv(table, ("participant", "item", "system", "criterion", "value"), rows)
    ranks = tmp_path / "other" / "judgements.csv"
    ranks.parent.mkdir()
    places = [(p, i, s, "clarity", 1 + (p + i + (s == "A")) % 2) for p, i, s, _, _ in rows]
    write_csv(ranks, ("participant", "item", "system", "criterion", "rank"), places)
    ran = textassay("analyse", table, ranks, "--task", "rating", "--format", "latex")
    assert ran.code == 0, ran.err
    assert r"\begin{table}" in ran.out
    assert "judgements (second)" in ran.out


def test_a_study_says_its_own_levels(textassay: Command, answered: Path, preferred: Path) -> None:
    ran = textassay("analyse", answered, preferred, "--alpha", "0.01")
    assert ran.code == 2
    assert "a study sets its own alpha and confidence" in ran.err
    table = answered / "texts.csv"  # it is refused before it is read
    for sources in ((answered, table), (table, answered)):
        assert "a study sets its own alpha and confidence" in textassay("analyse", *sources, "--alpha", "0.01").err
        assert "a study names the task of each block" in textassay("analyse", *sources, "--task", "rating").err
    assert "--alpha must lie between 0 and 1" in textassay("analyse", answered, "--alpha", "2").err
