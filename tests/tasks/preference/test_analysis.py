"""The statistics of preferences: by hand, and against the effects that simulation puts in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from preference_study import write_preference_study
from small_study import write_csv

from textassay.results import Analysis, Record
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import AnalysisOptions
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study
from textassay.tasks.preference.analysis import analyse, analyse_table
from textassay.tasks.preference.published import DEPENDENT
from textassay.tasks.preference.simulate import (
    INDIFFERENT,
    LEAN_LEFT,
    NOISE_SD,
    PARTICIPANT_SD,
    PreferencePlayer,
    effects,
)

SYSTEMS, ITEMS, PEOPLE = 4, 24, 24
REACH = 50
EACH = 4
"""So many trials of each of the 6 pairs for one participant."""


def by_name(analyses: Any) -> dict[str, Analysis]:
    return {analysis.name: analysis for analysis in analyses}


def records(analysis: Analysis, statistic: str, of: str = "clarity") -> dict[str, Record]:
    return {r["by"]: r for r in analysis.records() if r["statistic"] == statistic and r["of"] == of}


# --- by hand --------------------------------------------------------------------------------------------------------


def by_hand() -> pd.DataFrame:
    """Three people, two items, systems A and B."""
    rows = [
        ("p", "i", -4, "A"), ("p", "j", -2, "A"),
        ("q", "i", -1, "B"), ("q", "j", 3, "B"),
        ("r", "i", 0, "A"), ("r", "j", 0, "B"),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["participant", "item", "value", "left"])
    return frame.assign(system_a="A", system_b="B", criterion="clarity")


@pytest.fixture(scope="module")
def hand() -> dict[str, Analysis]:
    return by_name(analyse_table(by_hand(), AnalysisOptions()))


def table_of(analysis: Analysis, name: str) -> list[Record]:
    return next(table for table in analysis.tables if table.name == name).records()


def test_wins_ties_and_losses(hand: dict[str, Analysis]) -> None:
    (row,) = table_of(hand["preferences"], "wins-ties-losses")
    assert (row["For first"], row["For neither"], row["For second"], row["Answers"]) == (3, 2, 1, 6)


def test_each_participant_counts_once(hand: dict[str, Analysis]) -> None:
    # means of p, q, r: -3, 1, 0; their mean -2/3, sd √((49 + 25 + 4) / 9 / 2) = 2.0817, t(.975, 2) = 4.3027
    mean = records(hand["preferences"], "mean")["A – B"]
    assert mean["value"] == pytest.approx(-2 / 3)
    half = 4.302653 * 2.081666 / math.sqrt(3)
    assert mean["ci"] == pytest.approx((-2 / 3 - half, -2 / 3 + half), rel=1e-5)
    (row,) = table_of(hand["preferences"], "preference-tests")
    assert (row["For first"], row["For neither"], row["For second"], row["p"]) == (1, 1, 1, 1.0)
    assert row["Significant"] is False


def test_sides(hand: dict[str, Analysis]) -> None:
    # as given on the page: p -4 -2, q 1 -3, r 0 0 → means -3, -1, 0
    (row,) = table_of(hand["preferences"], "sides")
    assert row["Mean"] == pytest.approx(-4 / 3)
    assert (row["For left"], row["For neither"], row["For right"], row["p"]) == (2, 1, 0, 0.5)


def test_published_mode_counts_every_answer_twice_and_says_so(hand: dict[str, Analysis]) -> None:
    f = records(hand["published"], "F")
    # x: -4 -2 -1 3 0 0, mean -2/3, SS 30 - 6 · 4/9 = 82/3. Between: 12 · 4/9; within: 2 · 82/3 on 12 - 2
    assert f["System"]["df"] == (1, 10)
    assert f["System"]["value"] == pytest.approx((12 * 4 / 9) / (2 * 82 / 3 / 10))
    # one value an answer for the others: items -5/3 and 1/3, SS between 3 · (1 + 1) = 6, within 82/3 - 6 on 4
    assert f["Text"]["df"] == (1, 4)
    assert f["Text"]["value"] == pytest.approx(6 / ((82 / 3 - 6) / 4))
    assert f["Evaluator"]["df"] == (2, 3)
    assert DEPENDENT in hand["published"].warnings
    assert f["System"]["signature"].count("mode:published (Belz & Kow 2010)|scores:+x and -x from each answer") == 1


def test_published_mode_is_as_liberal_as_it_says() -> None:
    # Two systems: group means m and -m, mean square within s², so that F = 2 n m² / s² = 2 t² with the t of one sample.
    stream = Stream(3, "liberal")
    people = [(f"p{n // 10}", f"i{n % 10}", stream.normal()) for n in range(60)]
    frame = pd.DataFrame(people, columns=["participant", "item", "value"])
    frame = frame.assign(system_a="A", system_b="B", criterion="clarity", left="A")
    f = records(by_name(analyse_table(frame, AnalysisOptions()))["published"], "F")["System"]
    t = scipy.stats.ttest_1samp(frame["value"], 0).statistic
    assert f["value"] == pytest.approx(2 * t**2)
    # So F is beyond its .05 point where |t| is beyond that divided by √2: .17 of studies without a difference.
    beyond = math.sqrt(scipy.stats.f.isf(0.05, *f["df"]) / 2)
    assert 2 * scipy.stats.t.sf(beyond, 59) == pytest.approx(0.17, abs=0.005)


def test_topline_gives_one_score_an_answer() -> None:
    # Belz & Kow (2010): 10 levels × 30 items, the topline against itself included: F(9, 290), Text F(29, 270)
    stream = Stream(2, "topline")
    rows = [
        (f"p{(system + item) % 10}", f"i{item}", f"s{system}", "s9", stream.normal(sd=10), f"s{system}")
        for system in range(10)
        for item in range(30)
    ]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system_a", "system_b", "value", "left"])
    found = by_name(analyse_table(frame.assign(criterion="clarity"), AnalysisOptions()))
    f = records(found["published"], "F")
    assert {factor: record["df"] for factor, record in f.items()} == {
        "System": (9, 290),
        "Text": (29, 270),
        "Evaluator": (9, 290),
    }
    assert DEPENDENT not in found["published"].warnings
    assert len(table_of(found["preferences"], "preference-tests")) == 9
    assert any("30 answer(s) compare a system with itself" in warning for warning in found["preferences"].warnings)


def test_all_pairs_have_the_published_degrees_of_freedom() -> None:
    # Belz & Kow (2010): 8 systems, 28 pairs, 112 items, 28 evaluators, 3136 answers: F(7, 6264), Text F(111, 3024),
    # Evaluator F(27, 3108)
    generator = np.random.default_rng(1)
    pairs = [(f"s{a}", f"s{b}") for a in range(8) for b in range(a + 1, 8)]
    rows = [
        (f"p{person}", f"i{item}", *pairs[(person + item) % 28], generator.normal())
        for person in range(28)
        for item in range(112)
    ]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system_a", "system_b", "value"])
    found = by_name(analyse_table(frame.assign(criterion="clarity"), AnalysisOptions()))["published"]
    f = {factor: record["df"] for factor, record in records(found, "F").items()}
    assert f == {"System": (7, 6264), "Text": (111, 3024), "Evaluator": (27, 3108)}


def test_unknown_sides_are_told() -> None:
    found = by_name(analyse_table(by_hand().drop(columns="left"), AnalysisOptions()))["preferences"]
    assert table_of(found, "sides") == []
    assert "6 answer(s) do not say which system stood left; the test of sides leaves them out" in found.warnings


# --- what simulation puts in comes out ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """24 items × 4 systems (6 pairs), 24 people: everybody judges every pair on 4 items."""
    directory = write_preference_study(tmp_path_factory.mktemp("large"))
    items, systems = [f"i{n}" for n in range(1, ITEMS + 1)], [f"s{n}" for n in range(1, SYSTEMS + 1)]
    write_csv(directory / "texts.csv", ("item", "system", "text"), [(i, s, "A text.") for i in items for s in systems])
    write_csv(directory / "items.csv", ("item", "context"), [(item, "Data.") for item in items])
    write_csv(directory / "references.csv", ("item", "text"), [(item, "A text.") for item in items])
    file = directory / "study.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("wanted: 6", f"wanted: {PEOPLE}"), encoding="utf-8")
    return load_study(directory)


@pytest.fixture(scope="module")
def block(study: Study) -> Block:
    return study.blocks[0]


@pytest.fixture(scope="module")
def table(study: Study, block: Block) -> pd.DataFrame:
    """What simulated people answer, practice, checks and repeats included."""
    rows = []
    for slot in draw_plan(study).slots:
        player = PreferencePlayer(block, study, slot.number, Stream(study.file.seed, "agree"))
        for trial in slot.trials:
            payload = player.play(trial, trial.position).payload
            common = {"participant": f"p-{slot.number}", "block": trial.block, "kind": trial.kind}
            rows += [{**common, "position": trial.position, **row} for row in block.task.rows(block, trial, payload)]
    return pd.DataFrame(rows)


def people(*excluded: str) -> pd.DataFrame:
    names = [f"p-{number}" for number in range(1, PEOPLE + 1)]
    return pd.DataFrame({"participant": names, "verdict": ["excluded" if n in excluded else "valid" for n in names]})


@pytest.fixture(scope="module")
def found(study: Study, block: Block, table: pd.DataFrame) -> dict[str, Analysis]:
    return by_name(analyse(block, study, table, people()))


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_preferences_put_in_come_out(study: Study, block: Block, found: dict[str, Analysis], criterion: str) -> None:
    put_in = effects(block, study)[criterion]
    means = records(found["preferences"], "mean", criterion)
    # A pair's mean has PEOPLE · EACH = 96 answers: noise 0.25, and a lean (0.03 ± 0.05) whose sign is that of the side
    # drawn, so at most √(0.25² + 0.06²) / √96 = 0.026; what is nearer to 0 than 0.04 counts as 0, and the ends of the
    # slider cut off some, which together moves a mean by less than 0.003. Tolerance: three standard errors.
    tolerance = REACH * (3 * math.hypot(NOISE_SD, LEAN_LEFT, PARTICIPANT_SD) / math.sqrt(PEOPLE * EACH) + 0.003)
    pairs = 0
    for first in study.systems:
        for second in study.systems:
            if f"{first} – {second}" in means:
                expected = REACH * put_in.preference(first, second)
                assert means[f"{first} – {second}"]["value"] == pytest.approx(expected, abs=tolerance)
                assert means[f"{first} – {second}"]["n"] == PEOPLE
                pairs += 1
    assert pairs == math.comb(SYSTEMS, 2)


def test_best_and_worst_are_told_apart(study: Study, block: Block, found: dict[str, Analysis]) -> None:
    put_in = effects(block, study)["clarity"].systems
    best, worst = max(put_in, key=put_in.__getitem__), min(put_in, key=put_in.__getitem__)
    rows = {frozenset((r["First"], r["Second"])): r for r in table_of(found["preferences"], "preference-tests")[:6]}
    row = rows[frozenset((best, worst))]
    # a participant's mean of 4 answers is 0.4 ± 0.13: all 24 lie on one side
    assert row["Significant"] is True
    assert max(row["For first"], row["For second"]) >= 22
    means = records(found["published"], "mean")
    assert max(means, key=lambda name: means[name]["value"] if name in put_in else -math.inf) == best
    assert records(found["published"], "F")["System"]["p"] < 1e-6


def test_lean_to_the_left_comes_out(found: dict[str, Analysis]) -> None:
    mean = records(found["preferences"], "mean")["right over left"]
    # Per answer the systems' differences (at most 0.4, sd about 0.22) and noise; 576 answers; the leans of 24 people
    se = math.hypot(math.hypot(NOISE_SD, 0.22) / math.sqrt(PEOPLE * ITEMS), PARTICIPANT_SD / math.sqrt(PEOPLE))
    assert mean["value"] == pytest.approx(-REACH * LEAN_LEFT, abs=3 * REACH * se)


def test_only_main_answers_count(found: dict[str, Analysis]) -> None:
    rows = table_of(found["preferences"], "wins-ties-losses")
    assert sum(row["Answers"] for row in rows if row["Criterion"] == "clarity") == PEOPLE * ITEMS
    repeats = [r for r in found["published"].records() if r["statistic"] == "mean absolute difference of repeats"]
    assert [record["n"] for record in repeats] == [PEOPLE, PEOPLE]


def test_excluded_are_left_out_and_shown_beside(study: Study, block: Block, table: pd.DataFrame) -> None:
    analyses = by_name(analyse(block, study, table, people("p-1", "p-2")))
    assert {record["n"] for record in records(analyses["preferences"], "mean").values()} == {PEOPLE - 2}
    rows = analyses["exclusions"].tables[0].records()
    assert any(row["All: n"] == PEOPLE and row["Kept: n"] == PEOPLE - 2 for row in rows)


def test_small_preferences_are_none(table: pd.DataFrame) -> None:
    values = table.loc[table["kind"] == "main", "value"].abs()
    assert (values == 0).any()
    assert values[values > 0].min() >= math.floor(INDIFFERENT * REACH)
