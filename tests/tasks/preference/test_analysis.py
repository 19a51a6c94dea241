"""The statistics of preferences against the effects that simulation puts in."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from preference_data import all_pairs, by_name, records, table_of
from preference_study import write_preference_study
from small_study import write_csv

from textassay.rehearsal.power import PowerOptions, power
from textassay.results import Analysis
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import AnalysisOptions
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study
from textassay.tasks.preference.analysis import analyse, analyse_table, system_test
from textassay.tasks.preference.simulate import (
    INDIFFERENT,
    LEAN_LEFT,
    NOISE_SD,
    PARTICIPANT_SD,
    PreferenceParticipant,
    effects,
)

SYSTEMS, ITEMS, PEOPLE = 4, 24, 12
REACH = 50
EACH = 4
"""So many trials of each of the 6 pairs for one participant."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """24 items × 4 systems (6 pairs), 12 people: everybody judges every pair on 4 items."""
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
        person = PreferenceParticipant(block.task, slot.number, Stream(study.file.seed, "agree"))
        for trial in slot.trials:
            payload = person.respond(trial, trial.position).payload
            common = {"participant": f"p-{slot.number}", "block": trial.block, "kind": trial.kind}
            rows += [{**common, "position": trial.position, **row} for row in block.task.rows(trial, payload)]
    return pd.DataFrame(rows)


def people(*excluded: str) -> pd.DataFrame:
    names = [f"p-{number}" for number in range(1, PEOPLE + 1)]
    return pd.DataFrame({"participant": names, "verdict": ["excluded" if n in excluded else "valid" for n in names]})


@pytest.fixture(scope="module")
def found(study: Study, block: Block, table: pd.DataFrame) -> dict[str, Analysis]:
    return by_name(analyse(block.task, table, people()))


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_preferences_put_in_come_out(study: Study, block: Block, found: dict[str, Analysis], criterion: str) -> None:
    put_in = effects(block.task)[criterion]
    means = {
        (r["first"], r["second"]): r
        for r in found["preferences"].records()
        if (r["statistic"], r["of"], r["method"])
        == ("difference", criterion, "means of participants, exact sign tests")
    }
    # A pair's mean has PEOPLE · EACH = 48 answers: noise 0.25, and a lean (0.03 ± 0.05) whose sign is that of the side
    # drawn, so at most √(0.25² + 0.06²) / √48 = 0.037; what is nearer to 0 than 0.04 counts as 0, and the ends of the
    # slider cut off some, which together moves a mean by less than 0.003. Tolerance: three standard errors.
    tolerance = REACH * (3 * math.hypot(NOISE_SD, LEAN_LEFT, PARTICIPANT_SD) / math.sqrt(PEOPLE * EACH) + 0.003)
    pairs = 0
    for first in study.systems:
        for second in study.systems:
            if (first, second) in means:
                expected = -REACH * put_in.preference(first, second)  # what is stored prefers the second above 0
                assert means[first, second]["value"] == pytest.approx(expected, abs=tolerance)
                assert means[first, second]["n"] == PEOPLE
                pairs += 1
    assert pairs == math.comb(SYSTEMS, 2)


def test_best_and_worst_are_told_apart(study: Study, block: Block, found: dict[str, Analysis]) -> None:
    put_in = effects(block.task)["clarity"].systems
    best, worst = max(put_in, key=put_in.__getitem__), min(put_in, key=put_in.__getitem__)
    rows = {frozenset((r["First"], r["Second"])): r for r in table_of(found["preferences"], "pairs")[:6]}
    row = rows[frozenset((best, worst))]
    # a participant's mean of 4 answers is 0.4 ± 0.13: all 12 lie on one side; p = 2 / 2¹², corrected 6 times at most
    assert row["Significant"] is True
    assert row["p sign"] <= 12 / 2**12
    means = records(found["published"], "mean")
    assert max(means, key=lambda name: means[name]["value"] if name in put_in else -math.inf) == best
    assert records(found["published"], "F")["System"]["p"] < 1e-6


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_places_put_in_come_out_of_every_model(
    study: Study, block: Block, found: dict[str, Analysis], criterion: str
) -> None:
    put_in = effects(block.task)[criterion].systems
    rows = [row for row in table_of(found["preferences"], "scale") if row["Criterion"] == criterion]
    for row in rows:
        # A system has half of the 288 answers, with noise of 0.25; a place is half as certain as the difference of two.
        # What is nearer to 0 than 0.04 counts as 0, and the ends of the slider cut off some: less than 0.003.
        tolerance = REACH * (3 * math.hypot(NOISE_SD, PARTICIPANT_SD) / math.sqrt(PEOPLE * ITEMS / 2) + 0.003)
        assert row["Estimate"] == pytest.approx(REACH * put_in[row["System"]], abs=tolerance)
    for model in ("Ordinal", "Bradley–Terry"):
        # answers vary about their expectation by 0.25, a logistic variable by π/√3: one unit is 0.25 · √3/π
        unit, se = NOISE_SD * math.sqrt(3) / math.pi, f"SE {model.replace('Ordinal', 'ordinal')}"
        for row in rows:
            assert row[model] == pytest.approx(put_in[row["System"]] / unit, abs=4 * row[se])


def test_lean_to_the_left_comes_out(found: dict[str, Analysis]) -> None:
    mean = records(found["preferences"], "mean")["right over left"]
    # Per answer the systems' differences (at most 0.4, sd about 0.22) and noise; 288 answers; the leans of 12 people
    se = math.hypot(math.hypot(NOISE_SD, 0.22) / math.sqrt(PEOPLE * ITEMS), PARTICIPANT_SD / math.sqrt(PEOPLE))
    assert mean["value"] == pytest.approx(-REACH * LEAN_LEFT, abs=3 * REACH * se)


def test_only_main_answers_count(found: dict[str, Analysis]) -> None:
    rows = [row for row in table_of(found["preferences"], "pairs") if row["Criterion"] == "clarity"]
    assert sum(row["For 1st"] + row["Neither"] + row["For 2nd"] for row in rows) == PEOPLE * ITEMS
    repeats = [r for r in found["published"].records() if r["statistic"] == "mean absolute difference of repeats"]
    assert [record["n"] for record in repeats] == [PEOPLE, PEOPLE]


def test_excluded_are_left_out_and_shown_beside(study: Study, block: Block, table: pd.DataFrame) -> None:
    analyses = by_name(analyse(block.task, table, people("p-1", "p-2")))
    assert {record["n"] for record in records(analyses["preferences"], "mean").values()} == {PEOPLE - 2}
    rows = analyses["exclusions"].tables[0].records()
    assert any(row["All: n"] == PEOPLE and row["Kept: n"] == PEOPLE - 2 for row in rows)


def test_small_preferences_are_none(table: pd.DataFrame) -> None:
    values = table.loc[table["kind"] == "main", "value"].abs()
    assert (values == 0).any()
    assert values[values > 0].min() >= math.floor(INDIFFERENT * REACH)


def test_tests_of_the_report_and_of_power_agree(
    study: Study, block: Block, table: pd.DataFrame, found: dict[str, Analysis]
) -> None:
    p = system_test(block.task, table)
    assert list(p) == ["clarity", "fluency"]
    for criterion, value in p.items():
        assert value < 1e-6
        assert records(found["preferences"], "F", criterion)["system"]["p"] < 1e-6


@pytest.mark.long
def test_level_and_power_of_the_quick_test(tmp_path_factory: pytest.TempPathFactory) -> None:
    # 60 studies of 12 people and 12 items where all systems are alike: at most 9 are significant with probability .999
    # (binomial, 60, .05); with the usual effect two of three are, as a longer run told: of 25 at least 9.
    def one_criterion(data: dict[str, Any]) -> None:
        del data["blocks"][0]["criteria"][1]

    small = load_study(write_preference_study(tmp_path_factory.mktemp("small"), one_criterion))
    size = {"participants": (12,), "items": (12,)}
    alike = power(small, small.blocks[0], PowerOptions(**size, effects=(0.0,), runs=60)).estimates[0]
    apart = power(small, small.blocks[0], PowerOptions(**size, effects=(10.0,), runs=25)).estimates[0]
    assert alike.null
    assert alike.significant <= 9
    assert apart.significant >= 9
    assert alike.undefined == apart.undefined == 0


def test_quick_test_without_answers_is_undefined(study: Study, block: Block, table: pd.DataFrame) -> None:
    assert all(math.isnan(p) for p in system_test(block.task, table.iloc[:0]).values())


def test_table_from_elsewhere_with_properties_of_items() -> None:
    frame = all_pairs(3, 6, 12, gap=5.0)
    frame = frame.assign(topic=frame["item"].map(lambda item: "ab"[int(item[1:]) % 2]))
    found = by_name(analyse_table(frame, AnalysisOptions()))
    assert list(found) == ["preferences", "published", "description"]
    assert records(found["published"], "F")["topic"]["df"] == (1, 70)
    assert found["description"].tables[0].columns[0] == "Pair"
