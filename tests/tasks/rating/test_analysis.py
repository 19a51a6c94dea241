"""Simulation and analysis agree: the effects put in come out; and what is left out is left out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from small_study import write_csv, write_small_study

from textassay.results import Analysis, Record
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study
from textassay.tasks.rating.analysis import analyse, analyse_table
from textassay.tasks.rating.simulate import RatingPlayer, effects

SYSTEMS, ITEMS, PEOPLE = 4, 24, 24
EACH = ITEMS // SYSTEMS
"""So many texts of each system one person rates."""
N = ITEMS * PEOPLE
"""Ratings on each criterion: every person rates every item once."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """24 items × 4 systems, 24 people: exactly balanced, so that people and items cancel in the systems' means."""
    directory = write_small_study(tmp_path_factory.mktemp("large"), _enlarge)
    items, systems = [f"i{n}" for n in range(1, ITEMS + 1)], [f"s{n}" for n in range(1, SYSTEMS + 1)]
    write_csv(directory / "texts.csv", ("item", "system", "text"), [(i, s, "A text.") for i in items for s in systems])
    write_csv(directory / "items.csv", ("item", "context"), [(item, "Data.") for item in items])
    write_csv(directory / "references.csv", ("item", "text"), [(item, "A text.") for item in items])
    return load_study(directory)


def _enlarge(data: dict[str, Any]) -> None:
    data["participants"]["wanted"] = PEOPLE


@pytest.fixture(scope="module")
def block(study: Study) -> Block:
    return study.blocks[0]


@pytest.fixture(scope="module")
def players(study: Study, block: Block) -> list[RatingPlayer]:
    return [RatingPlayer(block, study, number, Stream(study.file.seed, "agree")) for number in range(1, PEOPLE + 1)]


@pytest.fixture(scope="module")
def table(study: Study, block: Block, players: list[RatingPlayer]) -> pd.DataFrame:
    """What the players answer, practice, checks and repeats included."""
    rows = []
    for player, slot in zip(players, draw_plan(study).slots, strict=True):
        for trial in slot.trials:
            played = player.play(trial, trial.position)
            common = {
                "participant": f"p-{slot.number}",
                "block": trial.block,
                "kind": trial.kind,
                "position": trial.position,
            }
            rows += [{**common, **row, "rt_ms": played.rt_ms} for row in block.task.rows(block, trial, played.payload)]
    return pd.DataFrame(rows)


def people(*excluded: str) -> pd.DataFrame:
    names = [f"p-{number}" for number in range(1, PEOPLE + 1)]
    verdicts = ["excluded" if name in excluded else "valid" for name in names]
    return pd.DataFrame({"participant": names, "verdict": verdicts})


@pytest.fixture(scope="module")
def found(study: Study, block: Block, table: pd.DataFrame) -> Analysis:
    return by_name(analyse(block, study, table, people()))["system-text-evaluator"]


def by_name(analyses: Any) -> dict[str, Analysis]:
    return {analysis.name: analysis for analysis in analyses}


def records(analysis: Analysis, statistic: str, of: str) -> dict[str, Record]:
    return {r["by"]: r for r in analysis.records() if r["statistic"] == statistic and r["of"] == of}


def spread_within(study: Study, players: list[RatingPlayer], criterion: str) -> float:
    """Variance of single ratings about their system's mean: items, these people, noise, and 1/12 for rounding."""
    put_in = effects(study.blocks[0], study)[criterion]
    leniency = [player.leniency[criterion] for player in players]
    centre = math.fsum(leniency) / len(leniency)
    between_people = math.fsum((each - centre) ** 2 for each in leniency) / len(leniency)
    between_items = math.fsum(effect**2 for effect in put_in.items.values()) / ITEMS
    return between_items + between_people + put_in.noise_sd**2 + 1 / 12


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_means_of_systems_come_out(study: Study, block: Block, found: Analysis, criterion: str) -> None:
    put_in = effects(block, study)[criterion]
    means = records(found, "mean", criterion)
    grand = math.fsum(record["value"] for record in means.values()) / SYSTEMS
    # In the balanced design people and items cancel in a system's difference from the grand mean; noise and rounding
    # are left, over N / 4 = 144 ratings: standard error sqrt((noise² + 1/12) / 144), at most 0.055 on 1 to 7 and 0.84
    # on 0 to 100. Tolerance: three of them.
    tolerance = 3 * math.sqrt((put_in.noise_sd**2 + 1 / 12) / (N / SYSTEMS))
    for system, effect in put_in.systems.items():
        assert means[system]["value"] - grand == pytest.approx(effect, abs=tolerance)
        assert means[system]["n"] == N // SYSTEMS
    # The grand mean itself moves with these people's leniency: sd participant_sd / sqrt(24).
    of_grand = math.sqrt(put_in.participant_sd**2 / PEOPLE + (put_in.noise_sd**2 + 1 / 12) / N)
    assert grand == pytest.approx(put_in.grand_mean, abs=3 * of_grand)


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_f_for_system_is_what_the_effects_predict(
    study: Study, block: Block, players: list[RatingPlayer], found: Analysis, criterion: str
) -> None:
    put_in = effects(block, study)[criterion]
    df1, df2 = SYSTEMS - 1, N - SYSTEMS
    # F is noncentral with λ = (N / 4) Σ effect² / variance within; its mean and variance are those of Johnson, Kotz &
    # Balakrishnan (1995), chapter 30: mean = df2 (df1 + λ) / (df1 (df2 - 2)), and for the variance see below.
    noncentral = N / SYSTEMS * sum(e**2 for e in put_in.systems.values()) / spread_within(study, players, criterion)
    mean = df2 * (df1 + noncentral) / (df1 * (df2 - 2))
    variance = 2 * (df2 / df1) ** 2 * ((df1 + noncentral) ** 2 + (df1 + 2 * noncentral) * (df2 - 2))
    variance /= (df2 - 2) ** 2 * (df2 - 4)
    record = records(found, "F", criterion)["System"]
    assert tuple(record["df"]) == (df1, df2)
    assert record["value"] == pytest.approx(mean, abs=3 * math.sqrt(variance))
    assert record["p"] < 1e-6


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_f_for_text_and_evaluator_see_their_effects(found: Analysis, criterion: str) -> None:
    f = records(found, "F", criterion)
    # 24 groups of 24 ratings: item effects of 0.05 spans against a standard deviation within of about 0.17 (systems
    # included) give λ of about 24 · 24 · (0.05 / 0.17)² = 50, so F of about (23 + 50) / 23 = 3.2, and people's 0.06
    # more; the .001 point of F(23, 552) is 2.2.
    assert f["Text"]["p"] < 0.001
    assert f["Evaluator"]["p"] < 0.001
    assert f["System"]["value"] > max(f["Text"]["value"], f["Evaluator"]["value"])


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_tukey_finds_the_pairs_that_differ_and_their_direction(
    study: Study, block: Block, players: list[RatingPlayer], found: Analysis, criterion: str
) -> None:
    put_in = effects(block, study)[criterion]
    table = next(table for table in found.tables if table.name == "pairs")
    pairs = {(r["System"], r["Other system"]): r for r in table.records() if r["Criterion"] == criterion}
    assert len(pairs) == math.comb(SYSTEMS, 2)
    # HSD = q(.05; 4, 572) sqrt(variance within / 144) with q = 3.64; a difference may miss by three standard errors.
    hsd = 3.64 * math.sqrt(spread_within(study, players, criterion) / (N / SYSTEMS))
    miss = 3 * math.sqrt(2 * (put_in.noise_sd**2 + 1 / 12) / (N / SYSTEMS))
    sure = 0
    for (one, other), record in pairs.items():
        difference = put_in.systems[one] - put_in.systems[other]
        assert record["Difference"] == pytest.approx(difference, abs=miss)
        if record["Significant"]:
            assert math.copysign(1, record["Difference"]) == math.copysign(1, difference)
        if abs(difference) > hsd + miss:
            assert record["Significant"]
            sure += 1
    assert sure >= 3  # the test has something to say


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_evaluators_agree_on_the_order_put_in(
    study: Study, block: Block, table: pd.DataFrame, found: Analysis, criterion: str
) -> None:
    put_in = effects(block, study)[criterion]
    w = next(r for r in found.records() if r["statistic"] == "W" and r["of"] == criterion)
    # Without effects W is about 1 / 24 with a .001 point of 16.27 / (24 · 3) = 0.226 (χ² on 3 degrees of freedom).
    assert w["n"] == PEOPLE
    assert w["value"] > 0.5
    own = table[(table["criterion"] == criterion) & (table["kind"] == "main")]
    ranks = own.groupby(["participant", "system"])["value"].mean().unstack().rank(axis=1).mean()
    for one, other in itertools.combinations(put_in.systems, 2):
        gap = put_in.systems[one] - put_in.systems[other]
        # pairs closer than the noise of one person's mean of six ratings are left to chance
        if abs(gap) > math.sqrt((put_in.noise_sd**2 + 1 / 12) / EACH):
            assert math.copysign(1, ranks[one] - ranks[other]) == math.copysign(1, gap)


def test_nothing_is_found_where_systems_are_shuffled(study: Study, block: Block, table: pd.DataFrame) -> None:
    """The figures above come from the effects, not from the recipe."""
    shuffled = table.copy()
    main = shuffled["kind"] == "main"
    trials = shuffled[main].groupby(["participant", "item"]).ngroup()
    labels = pd.Series(Stream(5, "shuffle").shuffled(list(study.systems) * (N // SYSTEMS)))
    shuffled.loc[main, "system"] = trials.map(labels)
    f = records(by_name(analyse(block, study, shuffled, people()))["system-text-evaluator"], "F", "clarity")
    assert f["System"]["value"] < 5.5  # the .001 point of F(3, 572) is 5.49


# --- who and what is counted ----------------------------------------------------------------------------------------


def test_only_main_trials_count(found: Analysis) -> None:
    total = sum(record["n"] for record in records(found, "mean", "clarity").values())
    assert total == N


def test_repeats_tell_self_consistency(found: Analysis) -> None:
    repeats = [record for record in found.records() if record["statistic"] == "mean absolute difference of repeats"]
    assert [record["n"] for record in repeats] == [PEOPLE, PEOPLE]  # one repeat each, two criteria


def test_excluded_people_are_left_out_and_shown_beside(study: Study, block: Block, table: pd.DataFrame) -> None:
    analyses = by_name(analyse(block, study, table, people("p-3", "p-9")))
    assert set(analyses) == {"description", "system-text-evaluator", "exclusions"}
    kept = records(analyses["system-text-evaluator"], "mean", "clarity")
    assert sum(record["n"] for record in kept.values()) == N - 2 * ITEMS
    side_by_side = analyses["exclusions"].tables[0].records()
    means = [row for row in side_by_side if row["Criterion"] == "clarity" and row["Statistic"] == "mean"]
    assert sum(row["All: n"] for row in means) == N
    assert sum(row["Kept: n"] for row in means) == N - 2 * ITEMS
    habits = next(each for each in analyses["description"].tables if each.name == "participants")
    assert [row["Participant"] for row in habits.records() if row["Excluded"]] == ["p-3", "p-9"]


def test_without_exclusions_there_is_nothing_to_compare(study: Study, block: Block, table: pd.DataFrame) -> None:
    for known in (people(), people().drop(columns="verdict"), pd.DataFrame({"participant": []})):
        assert set(by_name(analyse(block, study, table, known))) == {"description", "system-text-evaluator"}


def test_options_of_the_study_are_used(tmp_path: Path, table: pd.DataFrame) -> None:
    def strict(data: dict[str, Any]) -> None:
        data["analysis"] = {"alpha": 0.01, "confidence": 0.9}

    study = load_study(write_small_study(tmp_path, strict))
    found = by_name(analyse(study.blocks[0], study, table, people()))["system-text-evaluator"]
    significance = next(each for each in found.tables if each.name == "significant-pairs")
    assert {row["alpha"] for row in significance.records()} == {0.01}
    assert "90 %" in next(each for each in found.tables if each.name == "means").note


def test_figures_show_the_whole_scale_and_systems_in_the_studys_order(study: Study, found: Analysis) -> None:
    scales = {
        figure.data["criterion"]: (figure.data["scale_from"], figure.data["scale_to"]) for figure in found.figures
    }
    assert scales == {"clarity": (1, 7), "fluency": (0, 100)}
    assert [group["system"] for group in found.figures[0].data["groups"]] == list(study.systems)


def elsewhere(table: pd.DataFrame) -> pd.DataFrame:
    """The table as another tool would have it."""
    return table[table["kind"] == "main"].drop(columns=["block", "kind", "position", "rt_ms", "comment"])


def test_table_without_a_study_gives_the_same_figures(study: Study, table: pd.DataFrame, found: Analysis) -> None:
    alone = by_name(analyse_table(elsewhere(table), study.file.analysis))["system-text-evaluator"]
    assert figures(alone) == pytest.approx(figures(found), rel=1e-12)


def other_block(table: pd.DataFrame) -> pd.DataFrame:
    """The table with as many rows of another block that asks about the same."""
    return pd.concat([table, table.assign(block="other", value=1)], ignore_index=True)


def other_criterion(table: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([table, table.assign(criterion="beauty", value=1)], ignore_index=True)


@pytest.mark.parametrize("change", [elsewhere, other_block, other_criterion])
def test_rows_of_the_block_are_found(
    study: Study, block: Block, table: pd.DataFrame, found: Analysis, change: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    again = by_name(analyse(block, study, change(table), people()))["system-text-evaluator"]
    assert figures(again) == pytest.approx(figures(found), rel=1e-12)  # sums in another order of rows


def figures(analysis: Analysis) -> dict[tuple[str, str, str], float]:
    wanted = ("mean", "F", "W")
    return {(r["statistic"], r["of"], r["by"]): r["value"] for r in analysis.records() if r["statistic"] in wanted}
