"""The contract of the rating task: what is shown, what is accepted, what it becomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.load import load_study
from textassay.study.study import Block

CHECK = Trial("quality-2", "quality", "check", 2, "check-1")
MAIN = Trial("quality-1", "quality", "main", 1, "i1", ("human",))


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Block:
    """Its attention check asks for both criteria."""

    def change(data: dict[str, Any]) -> None:
        check = {"text": "Choose 2 and the end.", "context": "No data.", "expected": {"clarity": 2, "fluency": 100}}
        data["blocks"][0]["attention_checks"] = [check]

    return load_study(write_small_study(tmp_path_factory.mktemp("rating"), change)).blocks[0]


@pytest.fixture(scope="module")
def unsure(tmp_path_factory: pytest.TempPathFactory) -> Block:
    """A block with "cannot judge"."""

    def change(data: dict[str, Any]) -> None:
        data["blocks"][0]["cannot_judge"] = True

    return load_study(write_small_study(tmp_path_factory.mktemp("unsure"), change)).blocks[0]


def answer(clarity: Any, fluency: Any, **more: Any) -> dict[str, Any]:
    return {"ratings": {"clarity": clarity, "fluency": fluency}, **more}


@pytest.mark.parametrize(
    ("clarity", "fluency", "passed"), [(2, 100, True), (2, 99, False), (3, 100, False), (3, 99, False)]
)
def test_check_is_passed_if_every_expected_value_was_chosen(
    block: Block, clarity: int, fluency: int, passed: bool
) -> None:
    rows = block.task.rows(CHECK, block.task.read(CHECK, answer(clarity, fluency)))
    assert block.task.passed_attention_check(rows) is passed
    assert block.task.passed_attention_check(rows[::-1]) is passed
    assert not block.task.passed_attention_check(rows[:1])  # a value that was not given is no right one


def test_criteria_that_a_check_does_not_ask_for_are_free(tmp_path: Path) -> None:
    block = load_study(write_small_study(tmp_path)).blocks[0]
    for fluency in (0, 70):
        assert block.task.passed_attention_check(block.task.rows(CHECK, answer(2, fluency)))
    assert not block.task.passed_attention_check(block.task.rows(CHECK, answer(1, 70)))


def test_check_shows_its_own_text_and_context(block: Block) -> None:
    shown = block.task.view(CHECK)
    assert "Choose 2 and the end." in shown["texts"][0]["html"]
    assert "No data." in shown["context"]


@pytest.mark.parametrize(
    ("payload", "wrong"),
    [
        (answer(1, 0), {}),
        (answer(7, 100), {}),
        (answer(0, 70), {"clarity": "rating.outside"}),
        (answer(8, 101), {"clarity": "rating.outside", "fluency": "rating.outside"}),
        (answer(None, 70), {"clarity": "rating.missing"}),
        (answer(2.0, 70), {"clarity": "rating.outside"}),
        (answer(2, 50), {"fluency": "rating.unconfirmed"}),
        (answer(2, 50, confirmed={"fluency": True}), {}),
        (answer(4, 70), {}),  # the middle of radio buttons needs no confirmation
    ],
)
def test_what_is_accepted(block: Block, payload: dict[str, Any], wrong: dict[str, str]) -> None:
    if not wrong:
        assert block.task.read(MAIN, payload)["ratings"] == payload["ratings"]
        return
    with pytest.raises(AnswerError) as caught:
        block.task.read(MAIN, payload)
    assert caught.value.fields == wrong


def test_rows_have_one_criterion_each(block: Block) -> None:
    rows = block.task.rows(MAIN, block.task.read(MAIN, answer(3, 70)))
    assert [(row["item"], row["system"], row["criterion"], row["value"]) for row in rows] == [
        ("i1", "human", "clarity", 3),
        ("i1", "human", "fluency", 70),
    ]
    assert {row["system"] for row in block.task.rows(CHECK, answer(3, 70))} == {""}


def test_what_cannot_be_an_answer(block: Block) -> None:
    reason = block.task.invalid_reason
    assert reason({"criterion": "clarity", "value": 7}) is None
    assert reason({"criterion": "clarity", "value": 8}) == "clarity 8 is outside 1 to 7"
    assert reason({"criterion": "clarity", "value": 2.5}) == "clarity 2.5 is outside 1 to 7"
    assert reason({"criterion": "style", "value": 1}) == "criterion 'style' is not asked in this block"


def test_answers_that_differ_in_one_criterion_differ(block: Block) -> None:
    one, other = (block.task.rows(MAIN, answer(3, fluency)) for fluency in (70, 71))
    assert block.task.response(one) == block.task.response(one[::-1]) != block.task.response(other)


def test_what_cannot_be_judged_is_an_answer_without_a_value(unsure: Block) -> None:
    kept = unsure.task.read(MAIN, {"ratings": {"clarity": 3}, "cannot_judge": ["fluency"]})
    assert kept == {"ratings": {"clarity": 3}, "cannot_judge": ["fluency"], "comment": ""}
    rows = unsure.task.rows(MAIN, kept)
    assert [(row["criterion"], row["value"], row["cannot_judge"]) for row in rows] == [
        ("clarity", 3, False),
        ("fluency", None, True),
    ]
    assert [unsure.task.invalid_reason(row) for row in rows] == [None, None]
    both = unsure.task.rows(CHECK, {"ratings": {}, "cannot_judge": ["clarity", "fluency"]})
    assert not unsure.task.passed_attention_check(both)
    assert unsure.task.response(both) == (("clarity", None), ("fluency", None))  # constant answers are found by that
    assert unsure.task.questions()[0].answer.endswith("radio buttons, or “cannot judge” (no value)")


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"ratings": {"clarity": 3, "fluency": 70}, "cannot_judge": ["fluency"]}, ["fluency"]),
        ({"ratings": {"clarity": 3, "fluency": 70}, "cannot_judge": ["style"]}, ["clarity", "fluency"]),
        ({"ratings": {"clarity": 3, "fluency": 70}, "cannot_judge": {"fluency": True}}, ["clarity", "fluency"]),
    ],
)
def test_cannot_judge_is_no_second_answer(unsure: Block, said: dict[str, Any], wrong: list[str]) -> None:
    with pytest.raises(AnswerError) as caught:
        unsure.task.read(MAIN, said)
    assert caught.value.fields == dict.fromkeys(wrong, "rating.outside")


def test_cannot_judge_only_where_the_block_allows_it(block: Block) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(MAIN, {"ratings": {"clarity": 3}, "cannot_judge": ["fluency"]})
    assert caught.value.fields == {"fluency": "rating.outside"}
    row = {"criterion": "fluency", "value": None, "cannot_judge": True}
    assert block.task.invalid_reason(row) == "fluency has no value, and the block has no “cannot judge”"
