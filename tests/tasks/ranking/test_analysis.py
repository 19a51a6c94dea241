"""Simulation and analysis agree, and who is excluded is left out."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from ranking_study import write_ranking_study
from small_study import SYSTEMS

from textassay.results import Analysis
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.ranking.analysis import LATER, analyse, analyse_table
from textassay.tasks.ranking.simulate import RankingPlayer, worths

PEOPLE = 40


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    def many(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = PEOPLE

    return load_study(write_ranking_study(tmp_path_factory.mktemp("ranking"), None, many))


@pytest.fixture(scope="module")
def table(study: Study) -> pd.DataFrame:
    block = study.blocks[0]
    rows = []
    for slot in draw_plan(study).slots:
        player = RankingPlayer(block, study, slot.number, Stream(study.file.seed, "agree"))
        for trial in slot.trials:
            played = player.play(trial, trial.position)
            common = {"participant": f"p-{slot.number}", "block": trial.block, "trial": trial.key, "kind": trial.kind}
            rows += [{**common, **row, "rt_ms": played.rt_ms} for row in block.task.rows(block, trial, played.payload)]
    return pd.DataFrame(rows)


def people(*excluded: str) -> pd.DataFrame:
    names = [f"p-{number}" for number in range(1, PEOPLE + 1)]
    return pd.DataFrame({"participant": names, "verdict": ["excluded" if n in excluded else "valid" for n in names]})


def only(analyses: Any) -> Analysis:
    (found,) = analyses
    assert isinstance(found, Analysis)
    return found


def test_mean_ranks_come_out(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0], study, table, people()))
    for criterion, worth in worths(study.blocks[0], study).items():
        means = {r["by"]: r for r in found.records() if r["statistic"] == "mean" and r["of"] == criterion}
        for system in SYSTEMS:
            # expected rank: 1 + the chance of each other system to be above (Plackett-Luce)
            expected = 1 + sum(1 / (1 + math.exp(worth[system] - worth[other])) for other in SYSTEMS if other != system)
            # a rank of 1 to 3 has a standard deviation below 1; 240 rankings: three standard errors
            assert means[system]["value"] == pytest.approx(expected, abs=3 / math.sqrt(6 * PEOPLE))
            assert means[system]["n"] == PEOPLE
        assert sum(mean["value"] for mean in means.values()) == pytest.approx(6)


def test_tables_say_who_is_above_whom(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0], study, table, people()))
    tables = {each.name: each.records() for each in found.tables}
    worth = worths(study.blocks[0], study)["clarity"]
    for row in tables["pairs"]:
        assert row["Above"] + row["Below"] + row["Tied"] == 6 * PEOPLE
        assert row["For system"] + row["For other"] + row["For neither"] == PEOPLE
        if row["Criterion"] == "clarity":
            assert (row["Win share"] > 0.5) == (worth[row["System"]] > worth[row["Other system"]])
    best = max(worth, key=lambda system: worth[system])
    assert tables["mean-ranks"][0]["System"] == best
    (agreement, _) = tables["agreement"]
    # everybody saw one trial a second time, with three texts
    assert agreement["Repeated texts"] == 3 * PEOPLE
    assert agreement["Participants"] == PEOPLE
    assert agreement["p"] < 0.001
    assert sum(row["1"] for row in tables["distribution-clarity"]) == 6 * PEOPLE
    assert LATER in found.warnings


def test_excluded_are_left_out_and_set_beside(study: Study, table: pd.DataFrame) -> None:
    found, side_by_side = analyse(study.blocks[0], study, table, people("p-1", "p-2"))
    kept = [r for r in found.records() if r["statistic"] == "mean"]
    assert {r["n"] for r in kept} == {PEOPLE - 2}
    assert side_by_side.tables[0].name == "with-and-without-exclusions"


def test_table_from_elsewhere(table: pd.DataFrame, study: Study) -> None:
    bare = table.loc[table["kind"] == "main", ["participant", "item", "system", "criterion", "rank"]]
    found = only(analyse_table(bare, study.file.analysis))
    in_study = only(analyse(study.blocks[0], study, table, people()))
    mine, theirs = (
        {(r["of"], r["by"]): r["value"] for r in a.records() if r["statistic"] == "mean"} for a in (found, in_study)
    )
    assert mine == pytest.approx(theirs)


def test_figure_turns_ranks_round(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0], study, table, people()))
    figure = next(each for each in found.figures if each.name == "mean-ranks-clarity")
    means = {r["by"]: r for r in found.records() if r["statistic"] == "mean" and r["of"] == "clarity"}
    for group in figure.data["groups"]:
        assert group["mean"] == pytest.approx(4 - means[group["system"]]["value"])
        assert group["low"] < group["mean"] < group["high"]


def test_nothing_to_analyse_is_said(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0], study, table.iloc[:0], people()))
    assert found.warnings == ("there are no rankings to analyse",)
