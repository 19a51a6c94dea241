"""The reading task's contract: what its page gets, what it accepts, and what becomes of it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from reading_study import ITEMS, PLACES, write_reading_study
from small_study import write_csv

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study
from textassay.tasks.reading.settings import Question


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_reading_study(tmp_path_factory.mktemp("reading")))


@pytest.fixture(scope="module")
def block(study: Study) -> Block:
    return study.blocks[0]


@pytest.fixture(scope="module")
def trials(study: Study) -> tuple[Trial, ...]:
    return draw_plan(study).slots[0].trials


def of_kind(trials: tuple[Trial, ...], kind: str, item: str = "") -> Trial:
    return next(trial for trial in trials if trial.kind == kind and (not item or trial.item == item))


def answer(times: int = 4, given: str = "yes") -> dict[str, Any]:
    """A whole answer: units of 100, 200 … ms."""
    units = [{"position": place, "rt_ms": 100.0 * place, "delay_ms": 20.0} for place in range(1, times + 1)]
    counts = {"hidden": 1, "blurred": 2, "ignored": 3, "restarts": 0}
    measures = {"refresh_ms": 16.7, "resolution_ms": 0.005}
    return {"units": units, "answers": [{"answer": given, "rt_ms": 900.0}], **counts, **measures}


# --- the page --------------------------------------------------------------------------------------------------------


def test_page_gets_the_units_in_their_order_and_no_names(study: Study, block: Block, trials: tuple[Trial, ...]) -> None:
    trial = of_kind(trials, "main", "i1")
    view = block.task.view(trial)
    names = [name for name, _, _ in trial.randomised["units"]]
    texts = {unit.id: unit.text for unit in study.units["i1", trial.systems[0]]}
    assert view["units"] == [texts[name] for name in names]
    assert sorted(names) == ["u1", "u2", "u3", "u4"]
    assert view["questions"] == [{"question": "Did the bus go to Bonn?", "choices": ("yes", "no"), "yes_or_no": True}]
    assert not any(word in repr(view) for word in ("u1", "correct", *study.systems))


def test_question_with_choices_does_not_tell_the_right_one(
    study: Study, block: Block, trials: tuple[Trial, ...]
) -> None:
    view = block.task.view(of_kind(trials, "main", "i2"))
    assert view["questions"] == [
        {"question": "Where did the bus go?", "choices": ("Bonn", "Cork", "nowhere"), "yes_or_no": False}
    ]


def test_practice_and_check_have_texts_and_questions_of_their_own(
    study: Study, block: Block, trials: tuple[Trial, ...]
) -> None:
    practice = block.task.view(of_kind(trials, "practice"))
    assert practice["units"] == ["A text to practise with.", "It has two sentences."]
    assert [question["question"] for question in practice["questions"]] == ["Does the text have ten sentences?"]
    check = block.task.view(of_kind(trials, "check"))
    assert check["units"] == ["This text is about a dog.", "The dog is brown."]
    assert check["questions"][0]["choices"] == ("a cat", "a dog", "a horse")


def test_markup_is_shown_but_not_counted(tmp_path: Path) -> None:
    def as_markdown(data: dict[str, Any]) -> None:
        data["blocks"] = [{"task": "reading", "name": "texts", "units": "words", "texts_are": "markdown"}]
        data["screening"] = {}

    directory = write_reading_study(tmp_path, as_markdown)
    write_csv(directory / "texts.csv", ("item", "system", "text"), [("i1", "a", "A *big* <b>dog</b> & cat")])
    study = load_study(directory)
    block, trial = study.blocks[0], draw_plan(study).slots[0].trials[0]
    shown = ["A", "<em>big</em>", "&lt;b&gt;dog&lt;/b&gt;", "&amp;", "cat"]
    assert block.task.view(trial)["units"] == shown
    assert trial.randomised["units"] == [["1", 1, 1], ["2", 3, 1], ["3", 10, 1], ["4", 1, 1], ["5", 3, 1]]


# --- the answer ------------------------------------------------------------------------------------------------------


def test_whole_answer_is_kept_as_it_is(block: Block, trials: tuple[Trial, ...]) -> None:
    assert block.task.read(of_kind(trials, "main", "i1"), {**answer(), "begun": False}) == answer()


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    payload = copy.deepcopy(answer())
    part: Any = payload
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return payload


@pytest.mark.parametrize(
    ("payload", "fields"),
    [
        ({}, {"": "reading.unread"}),
        (answer(times=3), {"": "reading.unread"}),
        (answer(times=5), {"": "reading.unread"}),
        (changed("units", to="four"), {"": "reading.unread"}),
        (changed("units", 2, to=None), {"": "reading.unread"}),
        (changed("units", 0, "position", to=2), {"": "reading.unread"}),
        (changed("units", 1, "rt_ms", to=-1), {"": "reading.unread"}),
        (changed("units", 1, "rt_ms", to=True), {"": "reading.unread"}),
        (changed("units", 1, "rt_ms", to=float("nan")), {"": "reading.unread"}),
        (changed("units", 1, "rt_ms", to=float("inf")), {"": "reading.unread"}),
        (changed("units", 1, "rt_ms", to=10**400), {"": "reading.unread"}),
        (changed("restarts", to=-1), {"": "reading.unread"}),
        (changed("hidden", to="no"), {"": "reading.unread"}),
        (changed("answers", to=[]), {"q1": "reading.missing"}),
        (changed("answers", to="yes"), {"q1": "reading.missing"}),
        (changed("answers", 0, "answer", to=None), {"q1": "reading.missing"}),
        (changed("answers", 0, "answer", to="maybe"), {"q1": "reading.outside"}),
        (changed("answers", 0, "answer", to=1), {"q1": "reading.outside"}),
    ],
)
def test_answer_that_does_not_fit(
    block: Block, trials: tuple[Trial, ...], payload: dict[str, Any], fields: dict[str, str]
) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(of_kind(trials, "main", "i1"), payload)
    assert caught.value.fields == fields


def test_what_could_not_be_measured_is_left_open(block: Block, trials: tuple[Trial, ...]) -> None:
    payload = {**answer(), "refresh_ms": None, "resolution_ms": "fine"}
    payload["answers"][0]["rt_ms"] = None
    kept = block.task.read(of_kind(trials, "main", "i1"), payload)
    assert (kept["refresh_ms"], kept["resolution_ms"], kept["answers"][0]["rt_ms"]) == (None, None, None)
    rows = block.task.rows(of_kind(trials, "main", "i1"), kept)
    assert not any("refresh_ms" in row for row in rows)


# --- the table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "right"), [("yes", True), ("no", False)])
def test_rows_are_units_and_then_questions(
    study: Study, block: Block, trials: tuple[Trial, ...], given: str, right: bool
) -> None:
    trial = of_kind(trials, "main", "i1")
    rows = block.task.rows(trial, block.task.read(trial, answer(given=given)))
    common = {"item": "i1", "system": trial.systems[0]}
    assert len(rows) == 5
    unit = study.units["i1", trial.systems[0]][1]
    assert rows[1] == {
        **common,
        "unit": unit.id,
        "unit_position": 2,
        "rt_ms": 200.0,
        "delay_ms": 20.0,
        "length": len(unit.text),
        "words": len(unit.text.split()),
        "correct": right,
        "hidden": 1,
        "blurred": 2,
        "restarts": 0,
        "refresh_ms": 16.7,
        "resolution_ms": 0.005,
    }
    question = {"question": "Did the bus go to Bonn?", "answer": given, "correct": right, "rt_ms": 900.0}
    assert rows[4] == {**common, "unit": "", **question}


@pytest.mark.parametrize(("second", "right"), [("left", True), ("right", False)])
def test_a_text_is_read_correctly_if_all_its_questions_are_answered_so(
    block: Block, trials: tuple[Trial, ...], monkeypatch: pytest.MonkeyPatch, second: str, right: bool
) -> None:
    asked = [Question("One?", ("yes", "no"), "yes"), Question("Two?", ("left", "right"), "left")]
    monkeypatch.setattr("textassay.tasks.reading.task.questions_of", lambda *_: asked)
    given = {**answer(), "answers": [{"answer": each, "rt_ms": 900.0} for each in ("yes", second)]}
    rows = block.task.rows(of_kind(trials, "main", "i1"), given)
    assert [row["correct"] for row in rows] == [right] * 4 + [True, right]


def test_check_is_passed_by_its_answer_only(block: Block, trials: tuple[Trial, ...]) -> None:
    check = of_kind(trials, "check")
    for given, passed in {"a dog": True, "a cat": False}.items():
        rows = block.task.rows(check, block.task.read(check, answer(2, given)))
        assert block.task.passed_attention_check(rows) is passed


def test_without_questions_times_tell_answers_apart(block: Block, trials: tuple[Trial, ...]) -> None:
    trial = of_kind(trials, "main", "i1")
    rows = [{**row, "answer": None} for row in block.task.rows(trial, answer())][:4]
    slower = [{**row, "rt_ms": row["rt_ms"] + 1} for row in rows]
    assert block.task.response(rows) == block.task.response(rows[::-1])
    assert block.task.response(rows) != block.task.response(slower)


def test_time_that_cannot_be_one(block: Block) -> None:
    assert block.task.invalid_reason({"rt_ms": -3.0}) == "-3 milliseconds cannot be a time"
    assert block.task.invalid_reason({"rt_ms": 3.0}) is None
    assert block.task.invalid_reason({"question": "?"}) is None


def test_what_is_asked_names_unit_and_display(block: Block) -> None:
    asked = block.task.questions()
    assert [each.name for each in asked] == ["time", "comprehension"]
    assert "one unit at a time, alone in one place" in asked[0].answer
    assert f"({len(ITEMS) + 1} in all)" in asked[1].question
    assert not any(place in repr(asked) for place in PLACES)


# --- screening -------------------------------------------------------------------------------------------------------


def warned(directory: Path, right: list[str], **rule: Any) -> tuple[str, ...]:
    """What `check` says of a study in which these answers to yes or no are right, screened for constant answers."""

    def change(data: dict[str, Any]) -> None:
        data["screening"]["constant-answers"] = rule

    write_reading_study(directory, change)
    questions = [(item, "Is it so?", answer) for item, answer in zip(ITEMS, right, strict=False)]
    write_csv(directory / "questions.csv", ("item", "question", "correct"), questions)
    study = load_study(directory)
    return overview(study, draw_plan(study)).warnings


def test_right_answers_that_are_all_alike_are_noted_where_constant_answers_are_left_out(tmp_path: Path) -> None:
    alike = (
        "block 'texts': too many correct answers are the same, so that constant-answers would exclude 6 of 6 "
        "participants even if all their answers were correct; vary the correct answers, or remove the rule"
    )
    assert warned(tmp_path, ["yes"] * 6) == (alike,)
    assert warned(tmp_path, [*["yes"] * 5, "no"]) == ()
    assert warned(tmp_path, [*["yes"] * 5, "no"], share=0.8) == (alike,)
    assert warned(tmp_path, ["yes"] * 6, trials=7) == ()  # the rule says nothing of so few trials
    assert warned(tmp_path, ["yes"] * 5) == ()  # a text without a question is answered with its times


def test_without_the_rule_right_answers_may_be_alike(tmp_path: Path) -> None:
    write_reading_study(tmp_path)
    write_csv(tmp_path / "questions.csv", ("item", "question", "correct"), [(item, "So?", "yes") for item in ITEMS])
    study = load_study(tmp_path)
    assert overview(study, draw_plan(study)).warnings == ()


def test_right_responses_are_those_of_right_answers(block: Block, trials: tuple[Trial, ...]) -> None:
    right = block.task.correct_responses()
    for item, place in zip(ITEMS, PLACES, strict=True):
        trial = of_kind(trials, "main", item)
        given = "yes" if ITEMS.index(item) % 2 == 0 else place
        rows = block.task.rows(trial, block.task.read(trial, answer(given=given)))
        assert right[item] == block.task.response(rows)
