"""Simulation and analysis agree: the effects put in come out; excluded answers do not count.

The models of the large study take a while, so that it is analysed once; what is counted is shown on the small one.
"""

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
from textassay.tasks.rating.analysis import analyse, analyse_table, system_test
from textassay.tasks.rating.simulate import RatingParticipant, effects

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
def players(study: Study, block: Block) -> list[RatingParticipant]:
    return [RatingParticipant(block.task, number, Stream(study.file.seed, "agree")) for number in range(1, PEOPLE + 1)]


@pytest.fixture(scope="module")
def table(study: Study, block: Block, players: list[RatingParticipant]) -> pd.DataFrame:
    """What the players answer, practice, checks and repeats included."""
    rows = []
    for player, slot in zip(players, draw_plan(study).slots, strict=True):
        for trial in slot.trials:
            played = player.respond(trial, trial.position)
            common = {
                "participant": f"p-{slot.number}",
                "block": trial.block,
                "kind": trial.kind,
                "position": trial.position,
            }
            rows += [{**common, **row, "rt_ms": played.rt_ms} for row in block.task.rows(trial, played.payload)]
    return pd.DataFrame(rows)


def people(*excluded: str) -> pd.DataFrame:
    names = [f"p-{number}" for number in range(1, PEOPLE + 1)]
    verdicts = ["excluded" if name in excluded else "valid" for name in names]
    return pd.DataFrame({"participant": names, "verdict": verdicts})


@pytest.fixture(scope="module")
def analyses(study: Study, block: Block, table: pd.DataFrame) -> dict[str, Analysis]:
    return by_name(analyse(block.task, table, people()))


@pytest.fixture(scope="module")
def found(analyses: dict[str, Analysis]) -> Analysis:
    return analyses["system-text-evaluator"]


def by_name(analyses: Any) -> dict[str, Analysis]:
    return {analysis.name: analysis for analysis in analyses}


def records(analysis: Analysis, statistic: str, of: str) -> dict[str, Record]:
    return {r["by"]: r for r in analysis.records() if r["statistic"] == statistic and r["of"] == of}


def spread_within(study: Study, players: list[RatingParticipant], criterion: str) -> float:
    """Variance of single ratings about their system's mean: items, these people, noise, and 1/12 for rounding."""
    put_in = effects(study.blocks[0].task)[criterion]
    leniency = [player.leniency[criterion] for player in players]
    centre = math.fsum(leniency) / len(leniency)
    between_people = math.fsum((each - centre) ** 2 for each in leniency) / len(leniency)
    between_items = math.fsum(effect**2 for effect in put_in.items.values()) / ITEMS
    return between_items + between_people + put_in.noise_sd**2 + 1 / 12


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_means_of_systems_come_out(study: Study, block: Block, found: Analysis, criterion: str) -> None:
    put_in = effects(block.task)[criterion]
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
    study: Study, block: Block, players: list[RatingParticipant], found: Analysis, criterion: str
) -> None:
    put_in = effects(block.task)[criterion]
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
def test_pairs_that_differ_are_found_with_their_direction(
    study: Study, block: Block, players: list[RatingParticipant], analyses: dict[str, Analysis], criterion: str
) -> None:
    put_in = effects(block.task)[criterion]
    pairs = {(r["First"], r["Second"]): r for r in shown(analyses["systems"], "pairs") if r["Criterion"] == criterion}
    rows = shown(analyses["system-text-evaluator"], "pairs-published")
    published = {(r["First"], r["Second"]): r for r in rows if r["Criterion"] == criterion}
    assert len(pairs) == math.comb(SYSTEMS, 2) == len(published)
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
            # published, valid and ordinal: the simulation puts neither likings nor texts in, so all of them find it
            found = published[min(one, other), max(one, other)]
            assert max(found["p"], record["p"], record["p ordinal"]) < 0.05
            sure += 1
    assert sure >= 3  # the test has something to say


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_models_see_the_participants_and_items_put_in(
    study: Study, block: Block, players: list[RatingParticipant], analyses: dict[str, Analysis], criterion: str
) -> None:
    put_in = effects(block.task)[criterion]
    sds = {r["by"]: r["value"] for r in analyses["systems"].records() if r["statistic"] == "SD" and is_linear(r)
           and r["of"] == criterion}  # fmt: skip
    # A standard deviation from 24 levels has a relative standard error of 1 / sqrt(2 · 23) = .15: three of them, about
    # those of these players and items.
    leniency = [player.leniency[criterion] for player in players]
    centre = math.fsum(leniency) / PEOPLE
    people_sd = math.sqrt(math.fsum((each - centre) ** 2 for each in leniency) / (PEOPLE - 1))
    item_sd = math.sqrt(math.fsum(effect**2 for effect in put_in.items.values()) / (ITEMS - 1))
    assert sds["participant"] == pytest.approx(people_sd, rel=0.45)
    assert sds["item"] == pytest.approx(item_sd, rel=0.45)
    # noise and rounding, known from more than 500 answers
    assert sds["residual"] == pytest.approx(math.sqrt(put_in.noise_sd**2 + 1 / 12), rel=0.1)


def is_linear(record: Record) -> bool:
    return bool(record["method"] == "linear mixed model")


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_evaluators_agree_on_the_order_put_in(
    study: Study, block: Block, table: pd.DataFrame, analyses: dict[str, Analysis], criterion: str
) -> None:
    put_in = effects(block.task)[criterion]
    w = next(r for r in analyses["systems"].records() if r["statistic"] == "W" and r["of"] == criterion)
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
    assert min(system_test(block.task, shuffled).values()) > 0.001
    assert max(system_test(block.task, table).values()) < 1e-6


def test_systems_are_tested_for_each_criterion(study: Study, block: Block, table: pd.DataFrame) -> None:
    found = system_test(block.task, table)
    assert list(found) == ["clarity", "fluency"]
    alone = table[table["criterion"] == "clarity"]
    assert system_test(block.task, alone)["clarity"] == pytest.approx(found["clarity"])
    assert math.isnan(system_test(block.task, alone)["fluency"])


def test_power_runs_the_leading_test(
    study: Study, block: Block, table: pd.DataFrame, analyses: dict[str, Analysis]
) -> None:
    rows = [row for row in shown(analyses["systems"], "tests") if row["Test"] == "ANOVA-type test"]
    quick = system_test(block.task, table)
    for row in rows:
        assert quick[row["Criterion"]] == pytest.approx(row["p"], rel=1e-6)


# --- who and what is counted ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def few(table: pd.DataFrame) -> pd.DataFrame:
    """Four people, eight items and the criterion of seven steps, quickly analysed."""
    people_, items = [f"p-{number}" for number in range(1, 5)], [f"i{number}" for number in range(1, 9)]
    chosen = table["participant"].isin(people_) & table["item"].isin(items) & (table["criterion"] == "clarity")
    return table[chosen]


@pytest.fixture(scope="module")
def of_few(study: Study, block: Block, few: pd.DataFrame) -> dict[str, Analysis]:
    return by_name(analyse(block.task, few, people()))


def shown(analysis: Analysis, name: str) -> list[Record]:
    return next(table for table in analysis.tables if table.name == name).records()


def test_what_matters_comes_first(analyses: dict[str, Analysis]) -> None:
    assert list(analyses) == [
        "systems", "system-text-evaluator", "agreement", "by-subjects-items", "description"
    ]  # fmt: skip


def test_only_main_trials_count(found: Analysis) -> None:
    total = sum(record["n"] for record in records(found, "mean", "clarity").values())
    assert total == N


def test_repeats_tell_self_consistency(analyses: dict[str, Analysis]) -> None:
    wanted = "mean absolute difference of repeats"
    repeats = [record for record in analyses["agreement"].records() if record["statistic"] == wanted]
    assert [record["n"] for record in repeats] == [PEOPLE, PEOPLE]  # one repeat each, two criteria


def test_excluded_people_are_left_out_and_shown_beside(study: Study, block: Block, few: pd.DataFrame) -> None:
    analyses = by_name(analyse(block.task, few, people("p-3")))
    assert list(analyses)[-2:] == ["exclusions", "description"]
    main = few[(few["kind"] == "main") & (few["criterion"] == "clarity")]
    lost = int((main["participant"] == "p-3").sum())
    kept = records(analyses["system-text-evaluator"], "mean", "clarity")
    assert sum(record["n"] for record in kept.values()) == len(main) - lost
    side_by_side = analyses["exclusions"].tables[0].records()
    means = [row for row in side_by_side if row["Criterion"] == "clarity" and row["Statistic"] == "mean"]
    assert sum(row["All: n"] for row in means) == len(main)
    assert sum(row["Kept: n"] for row in means) == len(main) - lost
    tested = [row["Of"] for row in side_by_side if row["Criterion"] == "clarity" and row["Statistic"] == "F"]
    assert tested == ["system (ANOVA-type test)", "System (one-way ANOVA)", "Text", "Evaluator"]
    assert [row["Participant"] for row in shown(analyses["description"], "participants") if row["Excluded"]] == ["p-3"]


def test_without_exclusions_there_is_nothing_to_compare(study: Study, block: Block, few: pd.DataFrame) -> None:
    for known in (people().drop(columns="verdict"), pd.DataFrame({"participant": []})):
        assert "exclusions" not in by_name(analyse(block.task, few, known))


def test_options_of_the_study_are_used(tmp_path: Path, few: pd.DataFrame) -> None:
    def strict(data: dict[str, Any]) -> None:
        data["analysis"] = {"alpha": 0.01, "confidence": 0.9}

    study = load_study(write_small_study(tmp_path, strict))
    found = by_name(analyse(study.blocks[0].task, few, people()))
    assert {row["alpha"] for row in shown(found["system-text-evaluator"], "significant-pairs")} == {0.01}
    pairs = [record for record in found["systems"].records() if record["statistic"] == "significant pairs"]
    assert {record["alpha"] for record in pairs} == {0.01}
    assert all("90 %" in table.note for table in found["systems"].tables if table.name in ("means", "pairs"))


def test_figures_show_the_whole_scale_and_systems_in_the_studys_order(
    study: Study, analyses: dict[str, Analysis]
) -> None:
    shown_ = analyses["systems"].figures
    scales = {figure.data["criterion"]: (figure.data["scale_from"], figure.data["scale_to"]) for figure in shown_}
    assert scales == {"clarity": (1, 7), "fluency": (0, 100)}
    assert [group["system"] for group in shown_[0].data["groups"]] == list(study.systems)


def test_properties_of_the_items_table_are_factors(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    topics = [(f"i{n}", f"Data {n}.", "ab"[n % 2]) for n in range(1, 7)]
    write_csv(directory / "items.csv", ("item", "context", "topic"), topics)
    study = load_study(directory)
    block = study.blocks[0]
    rows = [
        {
            "participant": f"p{p}",
            "item": item,
            "system": system,
            "criterion": "clarity",
            "value": (p + len(item) + n) % 7,
        }
        for p in range(4)
        for n, (item, system) in enumerate(study.texts)
        if n % 2 == p % 2
    ]
    found = by_name(analyse(block.task, pd.DataFrame(rows), pd.DataFrame({"participant": []})))
    factors = [row["Factor"] for row in shown(found["system-text-evaluator"], "variance")]
    assert factors == ["System", "Text", "Evaluator", "topic"]  # the context is another one for each item


def elsewhere(table: pd.DataFrame) -> pd.DataFrame:
    """The table as another tool would have it."""
    return table[table["kind"] == "main"].drop(columns=["block", "kind", "position", "rt_ms", "comment"])


def test_table_without_a_study_gives_the_same_figures(
    study: Study, few: pd.DataFrame, of_few: dict[str, Analysis]
) -> None:
    alone = by_name(analyse_table(elsewhere(few).assign(topic=few["item"]), study.file.analysis))
    for name in ("systems", "system-text-evaluator"):
        assert figures(alone[name]) == pytest.approx(figures(of_few[name]), rel=1e-6)


def other_block(table: pd.DataFrame) -> pd.DataFrame:
    """The table with as many rows of another block that asks about the same."""
    return pd.concat([table, table.assign(block="other", value=1)], ignore_index=True)


def other_criterion(table: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([table, table.assign(criterion="beauty", value=1)], ignore_index=True)


@pytest.mark.parametrize("change", [elsewhere, other_block, other_criterion])
def test_rows_of_the_block_are_found(
    study: Study,
    block: Block,
    few: pd.DataFrame,
    of_few: dict[str, Analysis],
    change: Callable[[pd.DataFrame], pd.DataFrame],
) -> None:
    again = by_name(analyse(block.task, change(few), people()))["system-text-evaluator"]
    assert figures(again) == pytest.approx(figures(of_few["system-text-evaluator"]), rel=1e-12)


def figures(analysis: Analysis) -> dict[tuple[str, str, str], float]:
    wanted = ("mean", "F", "W")
    return {(r["statistic"], r["of"], r["by"]): r["value"] for r in analysis.records() if r["statistic"] in wanted}
