"""Simulation and analysis agree, and excluded participants are not analysed."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from ranking_study import write_ranking_study
from small_study import SYSTEMS

from textassay.rehearsal.power import PowerOptions, power
from textassay.results import Analysis
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.ranking.analysis import analyse, analyse_table, system_test
from textassay.tasks.ranking.simulate import RankingParticipant, worths

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
        player = RankingParticipant(block.task, slot.number, Stream(study.file.seed, "agree"))
        for trial in slot.trials:
            played = player.respond(trial, trial.position)
            common = {"participant": f"p-{slot.number}", "block": trial.block, "trial": trial.key, "kind": trial.kind}
            rows += [{**common, **row, "rt_ms": played.rt_ms} for row in block.task.rows(trial, played.payload)]
    return pd.DataFrame(rows)


def people(*excluded: str) -> pd.DataFrame:
    names = [f"p-{number}" for number in range(1, PEOPLE + 1)]
    return pd.DataFrame({"participant": names, "verdict": ["excluded" if n in excluded else "valid" for n in names]})


def only(analyses: Any) -> Analysis:
    (found,) = analyses
    assert isinstance(found, Analysis)
    return found


def test_mean_ranks_come_out(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table, people()))
    for criterion, worth in worths(study.blocks[0].task).items():
        means = {r["by"]: r for r in found.records() if r["statistic"] == "mean" and r["of"] == criterion}
        for system in SYSTEMS:
            # expected rank: 1 + the chance of each other system to be above (Plackett-Luce)
            expected = 1 + sum(1 / (1 + math.exp(worth[system] - worth[other])) for other in SYSTEMS if other != system)
            # a rank of 1 to 3 has a standard deviation below 1; 240 rankings: three standard errors
            assert means[system]["value"] == pytest.approx(expected, abs=3 / math.sqrt(6 * PEOPLE))
            assert means[system]["n"] == PEOPLE
        assert sum(mean["value"] for mean in means.values()) == pytest.approx(6)


def test_tables_say_who_is_above_whom(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table, people()))
    tables = {each.name: each.records() for each in found.tables}
    worth = worths(study.blocks[0].task)["clarity"]
    for row in tables["pairs"]:
        assert row["Above"] + row["Below"] + row["Tied"] == 6 * PEOPLE
        if row["Criterion"] == "clarity":
            better = worth[row["First"]] > worth[row["Second"]]
            assert (row["Win share"] > 0.5) == better
            assert (row["Difference"] < 0) == better
        assert row["Low"] < row["Difference"] < row["High"]
        assert row["Significant"] == (row["p"] < 0.05)
    best = max(worth, key=lambda system: worth[system])
    assert (tables["mean-ranks"][0]["System"], tables["mean-ranks"][0]["Place"]) == (best, 1)
    assert "a" in tables["mean-ranks"][0]["Nemenyi group"]
    (agreement, _) = tables["agreement"]
    # everybody saw one trial a second time, with three texts
    assert agreement["Repeated texts"] == 3 * PEOPLE
    assert agreement["Participants"] == PEOPLE
    assert 0 <= agreement["Share with the order of all"] <= 1
    assert sum(row["1"] for row in tables["distribution-clarity"]) == 6 * PEOPLE


def test_worths_put_in_come_out(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table, people()))
    for criterion, worth in worths(study.blocks[0].task).items():
        abilities = {r["system"]: r for r in found.records() if r["statistic"] == "ability" and r["of"] == criterion}
        for system in SYSTEMS:
            assert abilities[system]["value"] == pytest.approx(worth[system], abs=3 * abilities[system]["se"])
        shares = [r["Worth"] for r in rows_of(found, "mean-ranks") if r["Criterion"] == criterion]
        assert sum(shares) == pytest.approx(1)
        assert shares == sorted(shares, reverse=True)


def rows_of(analysis: Analysis, name: str) -> list[dict[str, Any]]:
    return next(table for table in analysis.tables if table.name == name).records()


def test_every_test_says_when_to_prefer_it(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table, people()))
    rows = [row for row in rows_of(found, "tests") if row["Criterion"] == "clarity"]
    assert [row["Test"] for row in rows] == [
        "ANOVA-type test", "mixed model", "Friedman, F form", "Friedman", "Plackett–Luce"
    ]  # fmt: skip
    assert all(row["p"] < 0.001 and row["When to prefer it"] for row in rows)
    # Friedman's χ² is that of Kendall's W: participants · (systems - 1) · W
    w = rows_of(found, "agreement")[0]["W"]
    assert rows[3]["Value"] == pytest.approx(PEOPLE * 2 * w)


def test_power_runs_the_leading_test(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table, people()))
    quick = system_test(study.blocks[0].task, table)
    for row in rows_of(found, "tests"):
        if row["Test"] == "ANOVA-type test":
            assert quick[row["Criterion"]] == pytest.approx(row["p"])
    assert all(math.isnan(p) for p in system_test(study.blocks[0].task, table.iloc[:0]).values())


@pytest.mark.long
@pytest.mark.parametrize("block", [{"ties": True}, {"systems_per_trial": 2}], ids=["ties", "some systems a trial"])
def test_level_and_power_of_the_quick_test(tmp_path_factory: pytest.TempPathFactory, block: dict[str, Any]) -> None:
    # 40 studies of 12 people and 12 items where all systems are alike: at most 7 are significant with probability .998
    # (binomial, 40, .05); where the best beats the worst 9 times of 10 most are.
    def changed(data: dict[str, Any]) -> None:
        data.update(criteria=data["criteria"][:1], **block)

    small = load_study(write_ranking_study(tmp_path_factory.mktemp("small"), changed))
    size = {"participants": (12,), "items": (12,)}
    alike = power(small, small.blocks[0], PowerOptions(**size, effects=(0.5,), runs=40)).estimates[0]
    apart = power(small, small.blocks[0], PowerOptions(**size, effects=(0.9,), runs=10)).estimates[0]
    assert alike.null
    assert alike.significant <= 7
    assert apart.significant >= 8
    assert alike.undefined == apart.undefined == 0


def test_excluded_are_left_out_and_set_beside(study: Study, table: pd.DataFrame) -> None:
    found, side_by_side = analyse(study.blocks[0].task, table, people("p-1", "p-2"))
    kept = [r for r in found.records() if r["statistic"] == "mean"]
    assert {r["n"] for r in kept} == {PEOPLE - 2}
    assert side_by_side.tables[0].name == "with-and-without-exclusions"


def test_table_from_elsewhere(table: pd.DataFrame, study: Study) -> None:
    bare = table.loc[table["kind"] == "main", ["participant", "item", "system", "criterion", "rank"]]
    found = only(analyse_table(bare, study.file.analysis))
    in_study = only(analyse(study.blocks[0].task, table, people()))
    mine, theirs = (
        {(r["of"], r["by"]): r["value"] for r in a.records() if r["statistic"] == "mean"} for a in (found, in_study)
    )
    assert mine == pytest.approx(theirs)


def test_figure_shows_ranks_as_they_are(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table, people()))
    figure = next(each for each in found.figures if each.name == "mean-ranks-clarity")
    means = {r["by"]: r for r in found.records() if r["statistic"] == "mean" and r["of"] == "clarity"}
    assert (figure.data["criterion"], figure.data["better"]) == ("rank on clarity", "lower")
    for group in figure.data["groups"]:
        assert group["mean"] == pytest.approx(means[group["system"]]["value"])
        assert group["low"] < group["mean"] < group["high"]


def test_nothing_to_analyse_is_said(study: Study, table: pd.DataFrame) -> None:
    found = only(analyse(study.blocks[0].task, table.iloc[:0], people()))
    assert found.warnings == ("there are no rankings to analyse",)


def test_some_systems_a_trial_have_no_friedman_but_a_scale(study: Study, table: pd.DataFrame) -> None:
    # of each trial the text that a rule leaves out, so that pairs remain
    main = table[(table["kind"] == "main") & (table["criterion"] == "clarity")].reset_index(drop=True)
    gone = main.groupby(["participant", "trial"]).ngroup() % 3
    main = main[main["system"] != gone.map(dict(enumerate(SYSTEMS)))]
    found = only(analyse_table(main, study.file.analysis))
    assert [row["Test"] for row in rows_of(found, "tests")] == ["ANOVA-type test", "mixed model", "Plackett–Luce"]
    assert all(row["Nemenyi group"] is None for row in rows_of(found, "mean-ranks"))
    assert all(row["p Nemenyi"] is None and row["p"] is not None for row in rows_of(found, "pairs"))
    (agreement,) = rows_of(found, "agreement")
    assert agreement["W"] is None
    assert agreement["alpha"] > 0
    why = "Friedman's test on mean ranks is undefined: trials show only some systems"
    assert sum(why in text for text in found.warnings) == 1


def test_everybody_of_one_mind_is_said_and_stops_nothing(study: Study) -> None:
    rows = [(f"p{person}", f"i{item}", "clarity", system, rank) for person in range(4) for item in range(3)
            for rank, system in enumerate(SYSTEMS, 1)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["participant", "item", "criterion", "system", "rank"])
    found = only(analyse_table(frame, study.file.analysis))
    assert any("Plackett–Luce" in text and "infinite" in text for text in found.warnings)
    assert any(text.startswith("clarity: mixed model: there is none") for text in found.warnings)
    # W is 1; Friedman's F is infinite
    assert rows_of(found, "agreement")[0]["W"] == 1
    assert [row["Value"] for row in rows_of(found, "tests") if row["Test"] == "Friedman, F form"] == [math.inf]
