"""What holds for every task in the catalogue: its contract, its participant, its page and its words.

A new task has a small study of its own, written by `write_<task>_study` in `tests/support/<task>_study.py`, with
practice, a repeat and an attention check.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import pytest
from kept_outputs import analysis_lines, compare
from pydantic import BaseModel
from task_studies import write_task_study

from textassay import catalogue
from textassay.analysis.methods_section.design import design_sentences, material_sentences, procedure_sentences
from textassay.analysis.methods_section.statistics import test_sentences as sentences_on_tests
from textassay.answers.columns import participant_columns, trial_time
from textassay.design.plan import Slot, Trial
from textassay.errors import AnswerError
from textassay.seeds import Stream
from textassay.study.checks import interface_languages
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study
from textassay.tables.frames import to_frame
from textassay.tables.reader import convert
from textassay.tasks.contract import Payload, SimulatedParticipant, Task

NAMES = catalogue.names("task")
STUDIES = (*NAMES, "together")
"""The small study of each task, and one of ratings of several texts on one page."""
LANGUAGES = interface_languages()


@pytest.fixture(scope="module", params=STUDIES)
def study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The task's small study, with levels and smallest differences that nothing has by default."""
    plain = load_study(write_task_study(request.param, tmp_path_factory.mktemp(request.param)))
    smallest = {name: round(most / 3, 2) for name, most in plain.blocks[0].task.largest_differences().items()}

    def change(data: dict[str, Any]) -> None:
        data["analysis"] = {"alpha": 0.1, "confidence": 0.9, "smallest_difference": smallest}

    return load_study(write_task_study(request.param, tmp_path_factory.mktemp(request.param), change))


@pytest.fixture(scope="module")
def block(study: Study) -> Block:
    return study.blocks[0]


@pytest.fixture(scope="module")
def slots(study: Study) -> tuple[Slot, ...]:
    return tuple(draw_plan(study).slots)


def answers(study: Study, slots: tuple[Slot, ...]) -> Iterator[tuple[Trial, Payload, float]]:
    """What simulated participants answer, as the task reads it."""
    block = study.blocks[0]
    for number, slot in enumerate(slots, 1):
        person = block.task.simulated_participant(number, Stream(study.file.seed, "contract"))
        for trial in slot.trials:
            played = person.respond(trial, trial.position)
            # What a browser sends is JSON, so what a person gives must survive it.
            sent = json.loads(json.dumps(played.payload))
            yield trial, block.task.read(trial, sent), played.rt_ms


# --- its contract ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_task_goes_by_its_name_in_the_catalogue(name: str) -> None:
    task = catalogue.find("task", name)
    assert issubclass(task, Task)
    assert task.name == name
    assert task.title
    assert task.__doc__


def models_within(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A model and all models in its fields."""
    yield model
    for info in model.model_fields.values():
        for part in (info.annotation, *get_args(info.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from models_within(part)


@pytest.mark.parametrize("name", NAMES)
def test_each_setting_is_described(name: str) -> None:
    found = {
        f"{model.__name__}.{field}"
        for model in models_within(catalogue.find("task", name).Settings)
        for field, info in model.model_fields.items()
        if not info.description
    }
    assert found == set()


@pytest.mark.parametrize("name", NAMES)
def test_each_column_is_described(name: str) -> None:
    schema = catalogue.find("task", name).schema
    assert schema.description
    assert [column.name for column in schema.columns if not column.description] == []
    names = [column.name for column in schema.columns]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", NAMES)
def test_simulation_and_statistics_are_where_the_contract_looks_for_them(name: str) -> None:
    """Types cannot tell, for they are imported only when used."""
    task = catalogue.find("task", name)
    package = task.__module__.rpartition(".")[0]
    assert issubclass(
        getattr(import_module(f"{package}.simulate"), f"{task.__name__}Participant"), SimulatedParticipant
    )
    statistics = import_module(f"{package}.analysis")
    for function in ("analyse", "system_test"):  # given the bound task itself
        _, *asked = signature(getattr(Task, function)).parameters
        assert [*signature(getattr(statistics, function)).parameters] == ["task", *asked]
    asked = [*signature(Task.analyse_table).parameters]
    assert [*signature(statistics.analyse_table).parameters] == asked


def test_what_is_asked_is_told_in_words(block: Block) -> None:
    asked = block.task.questions()
    assert asked
    assert [each for each in asked if not (each.name and each.question and each.answer)] == []
    assert len({each.name for each in asked}) == len(asked)


# --- its page -------------------------------------------------------------------------------------------------------


def test_page_and_script_are_there(block: Block) -> None:
    assert (block.task.folder() / "view.html").stat().st_size > 0
    assert (block.task.folder() / "view.js").stat().st_size > 0


def test_words_are_the_same_in_all_languages(block: Block) -> None:
    folder = block.task.folder() / "messages"
    words = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    assert set(words) >= set(LANGUAGES)
    keys = {language: set(messages) for language, messages in words.items()}
    assert {language: keys[language] ^ keys["en"] for language in keys if keys[language] != keys["en"]} == {}
    assert [key for messages in words.values() for key, text in messages.items() if not text] == []


def test_every_refusal_has_its_words(block: Block, slots: tuple[Slot, ...]) -> None:
    words = json.loads((block.task.folder() / "messages" / "en.json").read_text(encoding="utf-8"))
    with pytest.raises(AnswerError) as caught:
        block.task.read(slots[0].trials[0], {})
    assert caught.value.fields
    assert {key for key in caught.value.fields.values() if key not in words} == set()


def test_view_tells_neither_system_nor_right_answer(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    # A text may name its system or hold the right answer by chance; the other words of the page must not.
    texts = [unit.text for units in study.units.values() for unit in units]
    texts = sorted({*texts, *study.texts.values()}, key=len, reverse=True)
    for slot in slots:
        for trial in slot.trials:
            shown = repr(dict(block.task.view(trial)))
            for text in texts:
                shown = shown.replace(text, "")
            assert [system for system in study.systems if system in shown] == []
            assert "expected" not in shown


def test_keys_tell_nothing(slots: tuple[Slot, ...], study: Study) -> None:
    for slot in slots:
        keys = [trial.key for trial in slot.trials]
        assert len(keys) == len(set(keys))
        told = [*study.systems, *study.items_in_order, "check", "repeat"]
        assert [key for key in keys if any(word in key for word in told)] == []


def test_media_are_files_of_the_study(study: Study, block: Block) -> None:
    assert [name for name in block.task.media() if not (study.directory / name).is_file()] == []


# --- its participant ------------------------------------------------------------------------------------------------


def test_simulated_answers_give_rows_that_fit_the_table(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    schema = block.task.schema
    required = {column.name for column in schema.columns if column.required} - set(participant_columns(schema))
    for trial, payload, _ in answers(study, slots):
        rows = block.task.rows(trial, payload)
        assert rows
        for row in rows:
            assert required <= row.keys()
            assert [name for name in row if schema.column(name) is None] == []
            for name, value in row.items():
                column = schema.column(name)
                assert column is not None
                assert convert(value, column.kind) == value
            assert block.task.invalid_reason(row) is None
            assert row["item"] == trial.item


def test_read_is_its_own_fixed_point(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    """What the store keeps means the same when its rows are made again."""
    for trial, payload, _ in answers(study, slots):
        kept = json.loads(json.dumps(payload))
        assert block.task.rows(trial, kept) == block.task.rows(trial, payload)


def test_simulated_people_pass_attention_checks_and_take_their_time(
    study: Study, block: Block, slots: tuple[Slot, ...]
) -> None:
    assert block.task.attention_items(), "give the task's small study an attention check"
    checked = 0
    for trial, payload, rt_ms in answers(study, slots):
        assert 1000 < rt_ms < 600_000
        if trial.kind == "check":
            assert block.task.passed_attention_check(block.task.rows(trial, payload))
            checked += 1
    assert checked == len(slots) * len(block.task.attention_items())


def test_same_seed_same_answers_and_other_people_other_answers(study: Study, slots: tuple[Slot, ...]) -> None:
    assert list(answers(study, slots)) == list(answers(study, slots))
    block, slot = study.blocks[0], slots[0]
    players = [block.task.simulated_participant(number, Stream(1, "contract")) for number in (1, 2)]
    played = [[person.respond(trial, trial.position) for trial in slot.trials] for person in players]
    assert played[0] != played[1]


def test_same_answer_can_be_given_to_every_trial(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    person = block.task.simulated_participant(1, Stream(study.file.seed, "contract"))
    trials = [trial for trial in slots[0].trials if trial.kind == "main"]
    first = json.loads(json.dumps(person.respond(trials[0], 1).payload))
    responses = set()
    for trial in trials:
        rows = block.task.rows(trial, block.task.read(trial, person.repeat_response(first, trial)))
        responses.add(block.task.response(rows))
        assert block.task.response(rows[::-1]) == block.task.response(rows)  # in whatever order its rows come
    if any(rule.name == "constant-answers" for rule in study.rules):
        assert len(responses) == 1
    main = [(trial, payload) for trial, payload, _ in answers(study, slots) if trial.kind == "main"]
    assert len({block.task.response(block.task.rows(trial, payload)) for trial, payload in main}) > 1


def test_right_responses_are_of_items_that_there_are(study: Study, block: Block) -> None:
    assert set(block.task.correct_responses()) <= {*study.items_in_order, *block.practice}


def test_trial_takes_a_while(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    assert min(block.task.expected_seconds(trial) for trial in slots[0].trials) > 0


@pytest.mark.parametrize("payload", [{}, {"ratings": None}, {"unknown": [1]}, {"ratings": {}, "comment": 3}])
def test_answer_that_does_not_fit_is_refused(block: Block, slots: tuple[Slot, ...], payload: dict[str, Any]) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(slots[0].trials[0], payload)
    assert caught.value.fields


# --- its statistics -------------------------------------------------------------------------------------------------


def table(study: Study, slots: tuple[Slot, ...]) -> pd.DataFrame:
    """The simulated answers as the table that a dataset gives to the task."""
    block = study.blocks[0]
    numbers = {id(trial): slot.number for slot in slots for trial in slot.trials}
    rows = [
        {
            **dict.fromkeys(participant_columns(block.task.schema), f"p-{numbers[id(trial)]}"),
            "kind": trial.kind,
            "position": trial.position,
            trial_time(block.task.schema): rt_ms,
            **row,
        }
        for trial, payload, rt_ms in answers(study, slots)
        for row in block.task.rows(trial, payload)
        if trial.kind in ("main", "repeat")
    ]
    return to_frame(rows, block.task.schema)


def test_simulated_answers_can_be_analysed(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    people = pd.DataFrame({"participant": [f"p-{slot.number}" for slot in slots], "verdict": "valid"})
    people.loc[1, "verdict"] = "excluded"
    given = table(study, slots)
    before = given.copy()
    in_study = block.task.analyse(given, people)
    # That a table alone gives the same figures: tests/tasks/. Here, that it can be done; one criterion is quicker.
    first = given["criterion"] == given["criterion"].iloc[0] if "criterion" in given else slice(None)
    alone = block.task.analyse_table(given[first], study.file.analysis)
    pd.testing.assert_frame_equal(given, before)  # statistics look, they do not touch
    for analyses in (in_study, alone):
        assert any(analysis.records() for analysis in analyses)
        names = [analysis.name for analysis in analyses]
        assert len(names) == len(set(names))
        shown = [part.name for analysis in analyses for parts in (analysis.tables, analysis.figures) for part in parts]
        assert all(re.fullmatch(r"[\w-]+", name) and name == name.lower() for name in [*names, *shown])
        of = {record["of"] for analysis in analyses for record in analysis.records() if "bound" in record}
        assert len(of) >= (1 if analyses is alone else len(study.file.analysis.smallest_difference))
        assert any("quivalent within" in headline.text for analysis in analyses for headline in analysis.headlines)
    undefined = [record for analysis in in_study for record in analysis.records() if record["value"] is None]
    assert undefined == []
    # All that is said of these answers; `tests/contracts/test_every_study.py` tells how to write it again.
    lines = [line for analysis in in_study for line in analysis_lines(analysis)]
    outputs = Path(__file__).parent / "study_outputs"
    kept = "together" if getattr(block.settings, "together", None) else block.task.name
    compare(lines, outputs / f"{kept}-analysis.txt")
    plan = draw_plan(study)
    said = [*material_sentences(study), *design_sentences(study, plan), *procedure_sentences(study, served=True)]
    compare([*said, *sentences_on_tests(study, in_study)], outputs / f"{kept}-methods.txt")


def test_what_was_done_is_told_in_sentences(block: Block) -> None:
    said = [*block.task.procedure(), *block.task.measures()]
    assert all(re.fullmatch(r"[A-Z“].*\.", text, re.DOTALL) and "  " not in text for text in said), said
    asked = " ".join(said)
    assert [each.name for each in block.task.questions() if each.question in asked or each.name in asked.lower()]


def test_answers_can_be_seen_as_judgements(study: Study, block: Block, slots: tuple[Slot, ...]) -> None:
    judged = block.task.judgements(table(study, slots))
    assert {"participant", "item", "system", "criterion", "value"} <= set(judged.columns)
    assert set(judged["system"]) <= set(study.systems)
    assert judged["value"].notna().all()


def test_without_answers_there_is_a_word_instead_of_a_crash(study: Study, block: Block) -> None:
    nobody = to_frame([], block.task.schema)
    analyses = block.task.analyse(nobody, pd.DataFrame({"participant": [], "verdict": []}))
    assert any(analysis.warnings for analysis in analyses)


# --- this file ------------------------------------------------------------------------------------------------------


def test_task_folder_holds_its_own_files(block: Block) -> None:
    names = {path.name for path in Path(block.task.folder()).iterdir()}
    assert {"task.py", "simulate.py", "analysis.py", "view.html", "view.js", "messages"} <= names
