"""A time limit for reading: what is accepted, stored and found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from reading_study import write_reading_study

from textassay.design.plan import Trial
from textassay.errors import AnswerError, StudyError
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import AnalysisOptions
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tables.frames import to_frame
from textassay.tables.schema import READING_TIMES
from textassay.tasks.reading.analysis import analyse_table
from textassay.tasks.reading.preparation import prepare
from textassay.tasks.reading.time_limit import comprehension

LIMIT = 4


def limited(data: dict[str, Any]) -> None:
    data["blocks"][0]["limit_seconds"] = LIMIT


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_reading_study(tmp_path_factory.mktemp("limited"), limited))


@pytest.fixture(scope="module")
def main(study: Study) -> Trial:
    return next(trial for trial in draw_plan(study).slots[0].trials if trial.item == "i1" and trial.kind == "main")


def answer(times: int, **more: Any) -> dict[str, Any]:
    units = [{"position": place, "rt_ms": 100.0 * place, "delay_ms": 20.0} for place in range(1, times + 1)]
    counts = {"hidden": 0, "blurred": 0, "ignored": 0, "restarts": 0, "refresh_ms": 16.7, "resolution_ms": 0.005}
    return {"units": units, "answers": [{"answer": "yes", "rt_ms": 900.0}], **counts, **more}


@pytest.mark.parametrize("wrong", [0, 0.5, 86_401, "a minute"])
def test_limit_is_a_sensible_number(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(StudyError) as caught:
        load_study(write_reading_study(tmp_path, lambda data: data["blocks"][0].update(limit_seconds=wrong)))
    assert [problem.where for problem in caught.value.problems] == ["blocks[0].limit_seconds"]


def test_text_that_the_limit_ended_has_the_units_read_before(study: Study, main: Trial) -> None:
    task = study.blocks[0].task
    assert task.view(main)["limit"] == LIMIT
    kept = task.read(main, answer(2, timed_out=True))
    assert kept == answer(2, timed_out=True)
    rows = task.rows(main, kept)
    assert [row.get("unit_position") for row in rows] == [1, 2, 3, None]  # the third was on the screen; a question
    assert [row.get("rt_ms") for row in rows] == [100, 200, None, 900]
    assert {row["timed_out"] for row in rows} == {True}
    # Nothing may be read at all, and a text that was read in time says so.
    assert len(task.rows(main, task.read(main, answer(0, timed_out=True)))) == 2
    assert {row["timed_out"] for row in task.rows(main, task.read(main, answer(4)))} == {False}


@pytest.mark.parametrize("payload", [answer(2), answer(2, timed_out="yes"), answer(5, timed_out=True)])
def test_units_are_missing_only_where_the_limit_ended_the_text(
    study: Study, main: Trial, payload: dict[str, Any]
) -> None:
    with pytest.raises(AnswerError) as caught:
        study.blocks[0].task.read(main, payload)
    assert caught.value.fields == {"": "reading.unread"}


def test_text_of_a_study_without_a_limit_is_read_to_its_end(tmp_path: Path, main: Trial) -> None:
    free = load_study(write_reading_study(tmp_path))
    with pytest.raises(AnswerError):
        free.blocks[0].task.read(main, answer(2, timed_out=True))
    assert "timed_out" not in free.blocks[0].task.read(main, answer(4, timed_out=True))


def test_simulated_people_run_out_of_time(study: Study) -> None:
    """Texts of four short sentences take them about four seconds."""
    task = study.blocks[0].task
    over = []
    for number, slot in enumerate(draw_plan(study).slots):
        person = task.simulated_participant(number, Stream(1, "limit"))
        for place, trial in enumerate(slot.trials, 1):
            given = person.respond(trial, place)
            kept = task.read(trial, given.payload)
            used = sum(unit["rt_ms"] + unit["delay_ms"] for unit in kept["units"])
            assert used <= 1000 * LIMIT
            assert kept["timed_out"] == (len(kept["units"]) < len(trial.randomised["units"]))
            over += [kept["timed_out"]] if trial.kind == "main" else []
    assert 0.1 < sum(over) / len(over) < 0.9


def read(participant: int, system: str, *, right: bool, ended: bool) -> list[dict[str, Any]]:
    """The rows of a text of three words and two units, the second of which may be cut off."""
    common = {"participant": f"p{participant}", "item": f"i{(participant + 'ab'.index(system)) % 4}", "system": system}
    common |= {"kind": "main", "timed_out": ended}
    times = [400.0 + 10 * participant, None if ended else 500.0]
    units = [{**common, "unit": f"u{n}", "rt_ms": time, "words": 3, "correct": right} for n, time in enumerate(times)]
    asked = {"question": "Is it so?", "answer": "yes", "correct": right, "rt_ms": 5000.0}
    return [*units, {**common, "unit": "", **asked}]


ROWS = [
    row
    for participant in range(8)
    for row in (
        *read(participant, "a", right=True, ended=participant == 0),
        *read(participant, "b", right=participant > 4, ended=participant < 4),
    )
]


def test_units_before_the_limit_count_and_texts_that_it_ended_are_counted() -> None:
    found = prepare(to_frame(ROWS, READING_TIMES), 2.5)
    assert (found.counts.trials, found.counts.timed_out) == (16, 5)
    assert not any("no time" in text for text in found.warnings)
    # a: 8 texts, 1 ended; b: 3 right answers, none of them ended
    assert len(found.units) == 8 + 7 + 3 + 3
    free = prepare(to_frame([{**row, "timed_out": None} for row in ROWS if row["rt_ms"]], READING_TIMES), 2.5)
    assert (free.counts.timed_out, len(free.ended)) == (None, 0)


def test_comprehension_under_the_limit_leads() -> None:
    (found,) = analyse_table(to_frame(ROWS, READING_TIMES), AnalysisOptions())
    tables = {table.name: table for table in found.tables}
    assert tables["time-limit"].rows == (("a", 8, 1, 0.125), ("b", 8, 4, 0.5))
    assert found.headlines[0].subject == "comprehension"  # as its tables, so that they share a section
    figure = next(each for each in found.figures if each.name == "understood")
    assert [(group["system"], group["mean"], group["n"]) for group in figure.data["groups"]] == [
        ("a", 1.0, 8),
        ("b", pytest.approx(3 / 8), 8),
    ]
    assert "share 1.000" in str(found.headlines[0])
    assert "of texts read under the time limit, all questions right" in str(found.headlines[0])
    assert {row[0] for row in tables["limit-tests"].rows} == {"comprehension", "read to the end"}


def test_without_a_limit_nothing_is_said_of_one() -> None:
    rows = [{**row, "timed_out": None} for row in ROWS if row["rt_ms"]]
    (found,) = analyse_table(to_frame(rows, READING_TIMES), AnalysisOptions())
    assert not any("limit" in table.name for table in found.tables)
    assert [headline.subject for headline in found.headlines] != ["comprehension"]


def test_what_was_understood_is_a_judgement_under_a_limit(study: Study, tmp_path: Path) -> None:
    table = to_frame(ROWS, READING_TIMES)
    judged = comprehension(table)
    assert judged.groupby("system")["value"].agg(["sum", "count"]).to_numpy().tolist() == [[8, 8], [3, 8]]
    assert set(judged["kind"]) == {"main"}
    both: pd.DataFrame = study.blocks[0].task.block_judgements(table)
    assert set(both["criterion"]) == {"comprehension", "words a second"}
    free = load_study(write_reading_study(tmp_path)).blocks[0].task.block_judgements(table)
    assert set(free["criterion"]) == {"words a second"}
