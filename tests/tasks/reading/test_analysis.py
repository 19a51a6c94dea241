"""Reading times analysed: counted by hand on small tables, and what simulation puts in comes out."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from reading_study import SYSTEMS, write_reading_study

from textassay.analysis.leading_test import leading_p
from textassay.analysis.options import RecipeOptions
from textassay.errors import DataError
from textassay.report.outline import outline
from textassay.report.summary import Section
from textassay.results import Analysis, Record
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import AnalysisOptions
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tables.frames import to_frame
from textassay.tables.schema import READING_TIMES
from textassay.tasks.reading.analysis import analyse_table
from textassay.tasks.reading.comparison import leading_times
from textassay.tasks.reading.measures import measured
from textassay.tasks.reading.preparation import prepare
from textassay.tasks.reading.simulate import CHARACTER_MS, effects

OPTIONS = AnalysisOptions()
TIME, WORD_TIME = "time per unit in ms", "time per word in ms"


def trial(participant: str, item: str, system: str, times: list[float], **more: Any) -> list[dict[str, Any]]:
    """Rows of a trial; `right` adds a question."""
    right = more.pop("right", None)
    common = {"participant": participant, "item": item, "system": system, "kind": "main", **more}
    rows: list[dict[str, Any]] = [{**common, "unit": f"u{n}", "rt_ms": time} for n, time in enumerate(times)]
    if right is not None:
        rows.append({**common, "question": "Is it so?", "answer": "yes", "correct": right, "rt_ms": 5000.0})
    return rows


def analysed(rows: list[dict[str, Any]]) -> Analysis:
    (found,) = analyse_table(to_frame(rows, READING_TIMES), OPTIONS)
    return found


def value(found: Analysis, statistic: str, of: str = "", by: str = "") -> Record:
    return next(each for each in found.records() if (each["statistic"], each["of"], each["by"]) == (statistic, of, by))


def test_means_by_subjects_and_by_items() -> None:
    rows = [
        *trial("p1", "i1", "a", [100, 200], right=True),  # p1 with a: 150; i1 with a: 150
        *trial("p1", "i2", "b", [400, 600], right=True),  # p1 with b: 500; i2 with b: 500
        *trial("p2", "i2", "a", [200, 300], right=True),  # p2 with a: 250; i2 with a: 250
        *trial("p2", "i1", "b", [300, 300], right=True),  # p2 with b: 300; i1 with b: 300
    ]
    found = analysed(rows)
    assert value(found, "mean", "time per unit in ms, by subjects", "a")["value"] == 200
    assert value(found, "mean", "time per unit in ms, by subjects", "b")["value"] == 400
    assert value(found, "mean", "time per unit in ms, by items", "b")["value"] == 400
    assert value(found, "mean", "time per unit in ms, by items", "a")["n"] == 2
    # by subjects: differences 350 and 50, t = 200 / (212.13/√2) = 1.3333, F = t²; by items 150 and 250, t = 4
    assert value(found, "F1", TIME, "system")["value"] == pytest.approx(16 / 9)
    assert value(found, "F1", TIME, "system")["df"] == (1, 1)
    assert value(found, "F2", TIME, "system")["value"] == pytest.approx(16)
    # min F′ = F1·F2 / (F1 + F2)
    assert value(found, "min F′", TIME, "system")["value"] == pytest.approx(16 / 9 * 16 / (16 / 9 + 16))
    assert "ms per unit" in found.headlines[0].text
    # where each unit is one word, the same numbers are times per word
    words = analysed([{**row, "words": 1} for row in rows])
    assert value(words, "F1", WORD_TIME, "system")["value"] == pytest.approx(16 / 9)
    assert " ms per word" in words.headlines[0].text
    sections = outline([Section("Reading times", words)], ())
    assert [section.heading for section in sections] == ["Reading time per word", "Comprehension"]


def test_wrong_answers_and_second_beginnings_are_left_out_and_counted() -> None:
    rows = [
        *trial("p1", "i1", "a", [100, 100], right=True),
        *trial("p1", "i2", "a", [900, 900], right=False),
        *trial("p1", "i3", "a", [700, 700], right=True, restarts=1),
        *trial("p1", "i4", "a", [300, 300]),  # nothing was asked
        *trial("p1", "i1", "a", [50, 50], right=True, kind="repeat"),
    ]
    found = analysed(rows)
    assert value(found, "trials")["value"] == 4
    wrong = value(found, "trials excluded after a wrong answer")
    assert (wrong["value"], wrong["n"], wrong["share"]) == (1, 3, pytest.approx(1 / 3))
    assert value(found, "trials left out as begun again")["value"] == 1
    assert value(found, "mean", "time per unit in ms, by items", "a")["value"] == 200
    assert value(found, "mean", "correct", "a")["value"] == pytest.approx(2 / 3)
    assert "1 trial(s) were second readings of the same text; they are omitted" in found.warnings


def test_units_alone_may_tell_whether_the_answer_was_right() -> None:
    # as in a table collected elsewhere, without rows for questions
    rows = [
        {"participant": "p1", "item": item, "system": "a", "unit": unit, "rt_ms": 100.0, "correct": item == "i1"}
        for item in ("i1", "i2")
        for unit in ("u1", "u2")
    ]
    found = analysed(rows)
    assert value(found, "trials excluded after a wrong answer")["value"] == 1
    assert value(found, "mean", "correct", "a")["value"] == 0.5


def test_outliers_are_replaced_and_powerless_rule_is_told() -> None:
    # ten times: mean 190, SD 284.605 (nine of 100, one of 1000), limit 190 + 2.5 · 284.605 = 901.512
    rows = [*trial("p1", "i1", "a", [100.0] * 9 + [1000.0]), *trial("p2", "i1", "a", [100.0] * 7 + [1000.0])]
    found = analysed(rows)
    replaced = value(found, "unit times replaced")
    assert (replaced["value"], replaced["n"], replaced["share"]) == (1, 18, pytest.approx(1 / 18))
    # p1: (900 + 901.512)/10 = 180.151; p2 as it was: 1700/8 = 212.5
    assert value(found, "mean", "time per unit in ms, by subjects", "a")["value"] == pytest.approx(
        (180.1512 + 212.5) / 2, abs=1e-3
    )
    assert (
        "1 participant(s) have so few values (at most 8) that none could be replaced: of n values none can lie beyond "
        "(n-1)/√n standard deviations, here 2.475, and the limit is 2.5 (p2)"
    ) in found.warnings


def test_f_is_shown_where_everybody_saw_one_system() -> None:
    # by-subject means: a 100, 200; b 300, 400. Between: 40000 on 1, within: 10000 on 2 → F = 40000/5000 = 8
    rows = [
        *trial("p1", "i1", "a", [100.0, 100.0]),
        *trial("p2", "i1", "a", [200.0, 200.0]),
        *trial("p3", "i1", "b", [300.0, 300.0]),
        *trial("p4", "i1", "b", [400.0, 400.0]),
    ]
    found = analysed(rows)
    test = value(found, "F", "time per unit in ms, by subjects", "system")
    assert (test["value"], test["df"], test["n"]) == (pytest.approx(8), (1, 2), 4)
    assert f"{TIME}: F by items is undefined: fewer than 2 of them have every system" in found.warnings


def test_units_of_unequal_length_are_told() -> None:
    rows = [
        *trial("p1", "i1", "a", [100.0], length=10),
        *trial("p1", "i2", "b", [200.0], length=20),
    ]
    assert any(
        "units differ in length, from 10.0 characters on average (a) to 20.0" in w for w in analysed(rows).warnings
    )


def test_nothing_to_analyse_and_missing_columns() -> None:
    assert analysed([]).warnings == ("there are no reading times to analyse",)
    with pytest.raises(DataError, match=r"reading times need the column\(s\) rt_ms; there are: participant, item"):
        analyse_table(pd.DataFrame({"participant": ["p"], "item": ["i"], "system": ["s"]}), OPTIONS)


def test_judgements_are_words_a_second() -> None:
    from textassay.tasks.reading.task import Reading

    # 4 + 6 words in 1000 + 1500 ms: 4 words a second; the question's time does not count
    rows = trial("p1", "i1", "a", [1000.0, 1500.0], right=True)
    for row, words in zip(rows, (4, 6), strict=False):
        row["words"] = words
    table = to_frame(rows, READING_TIMES)
    (judged,) = Reading.judgements(table).to_dict("records")
    assert (judged["participant"], judged["item"], judged["system"]) == ("p1", "i1", "a")
    assert (judged["criterion"], judged["value"]) == ("words a second", pytest.approx(4))
    (judged,) = Reading.judgements(table.drop(columns="words")).to_dict("records")
    assert (judged["criterion"], judged["value"]) == ("units a second", pytest.approx(0.8))


def simulated(
    directory: Path, people: int, change: Callable[[dict[str, Any]], None] | None = None
) -> tuple[Study, Any]:
    """A study, and the rows that so many simulated participants give."""

    def many(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = people
        if change is not None:
            change(data)

    study = load_study(write_reading_study(directory, many))
    block = study.blocks[0]
    rows = []
    for slot in draw_plan(study).slots:
        person = block.task.simulated_participant(slot.number, Stream(study.file.seed, "agree"))
        for each in slot.trials:
            payload = block.task.read(each, person.respond(each, each.position).payload)
            made = block.task.rows(each, payload)
            common = {"participant": f"p{slot.number}", "kind": each.kind, "position": each.position}
            rows += [{**common, **row} for row in made]
    return study, to_frame([row for row in rows if row["kind"] in ("main", "repeat")], READING_TIMES)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, pd.DataFrame, Analysis]:
    """72 people, and the analysis of their times."""
    study, table = simulated(tmp_path_factory.mktemp("many"), 72)
    block = study.blocks[0]
    people = pd.DataFrame({"participant": [], "verdict": []})
    (found,) = block.task.analyse(table, people)
    return study, table, found


Many = tuple[Study, pd.DataFrame, Analysis]


def test_effects_put_in_come_out(many: Many) -> None:
    """The ratio of a system's mean time to the mean of all is the one put in, within 5 %."""
    study, _, found = many
    means = {system: value(found, "mean", "time per unit in ms, by subjects", system)["value"] for system in SYSTEMS}
    put_in = effects(study.blocks[0].task)
    grand = sum(means.values()) / len(means)
    for system in SYSTEMS:
        # 72 × 2 × 4 times of a system with a log SD of about .4 and the people of .2: standard error about 2 %
        assert means[system] / grand == pytest.approx(1 + put_in.systems[system], abs=0.05)
        assert value(found, "mean", "correct", system)["value"] == pytest.approx(put_in.right([system]), abs=0.09)
    assert 0.05 < value(found, "trials excluded after a wrong answer")["share"] < 0.17
    assert value(found, "unit times replaced")["value"] > 0


def test_mixed_model_finds_the_ratios_put_in(many: Many) -> None:
    study, _, found = many
    put_in = effects(study.blocks[0].task).systems
    pairs = next(table for table in found.tables if table.name == "pairs").records()
    assert [row["Measure"] for row in pairs] == [WORD_TIME] * 3 + [TIME] * 3
    for row in pairs:
        expected = (1 + put_in[row["First"]]) / (1 + put_in[row["Second"]])
        # the intervals hold together at 95 %, and this seed is no exception
        assert row["Low"] < expected < row["High"]
    test = value(found, "F", TIME, "system")
    assert test["p"] < 1e-6
    assert any("logarithms of times" in each["signature"] for each in found.records())


def test_every_test_finds_the_systems(many: Many) -> None:
    _, _, found = many
    tables = {table.name: table.records() for table in found.tables}
    logs = ("ANOVA-type test, logarithms", "mixed model, logarithms")
    assert [(row["Measure"], row["Test"]) for row in tables["tests"]] == [
        *((of, test) for of in (WORD_TIME, TIME) for test in (*logs, "min F′", "F1", "F2")),
        *((f"residual {TIME}", test) for test in ("ANOVA-type test", "min F′", "F1", "F2")),
    ]
    assert max(row["p"] for row in tables["tests"]) < 0.01
    assert {row["By"] for row in tables["pairs-by-subjects-items"]} == {"subjects", "items"}
    assert len(tables["f-ratios"]) == 9


def test_length_and_place_are_told(many: Many) -> None:
    _, _, found = many
    table = next(table for table in found.tables if table.name == "courses")
    rows = {row["Times and …"]: row for row in table.records()}
    # put in: 28 ms a character for everybody, more for slow readers, and nothing for the place
    assert rows["length of the unit"]["Low"] < CHARACTER_MS < rows["length of the unit"]["High"]
    assert rows["place of the text in the session"]["Low"] < 0 < rows["place of the text in the session"]["High"]


def test_system_test_is_quick_and_sees_the_effect(many: Many) -> None:
    study, table, _ = many
    block = study.blocks[0]
    p = block.task.system_test(table)
    assert list(p) == [WORD_TIME]
    assert p[WORD_TIME] < 0.001
    trials = measured(prepare(table, 2.5).units, 0.95).trials
    assert p[WORD_TIME] == pytest.approx(leading_p(trials, "log_word_ms"))
    assert math.isnan(block.task.system_test(table.iloc[:0])[WORD_TIME])


def test_power_and_report_have_the_same_test(many: Many) -> None:
    study, table, _ = many
    # Three times as many words in the texts of one system: per unit nothing changes, per word it takes a third.
    longer = table.assign(words=table["words"].where(table["system"] != table["system"].iloc[0], table["words"] * 3))
    (of, p), *_ = study.blocks[0].task.system_test(longer).items()
    times = leading_times(measured(prepare(longer, 2.5).units, 0.95), RecipeOptions())
    assert (of, p) == (WORD_TIME, pytest.approx(times[WORD_TIME].found.p))
    assert next(iter(times)) == WORD_TIME
    assert p < 1e-6 * times[TIME].found.p
    without = study.blocks[0].task.system_test(table.drop(columns="words"))
    assert list(without) == [TIME]


def test_null_effect_is_not_found(tmp_path: Path) -> None:
    """Times without the effect of systems: p of the system test is not small, for this seed."""
    study, table = simulated(tmp_path, 24)
    block = study.blocks[0]
    put_in = effects(block.task).systems
    flat = table.assign(rt_ms=table["rt_ms"] / (1 + table["system"].map(put_in).astype(float)))
    assert block.task.system_test(flat)[WORD_TIME] > 0.05
