"""The contract of the reordering task: start orders, answers and rows."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reordering_study import ORDERS, write_madnani_study, write_orders, write_reordering_study
from small_study import write_csv

from textassay.design.plan import Plan, Trial
from textassay.errors import AnswerError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan, proofs
from textassay.study.study import Block, Study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_reordering_study(tmp_path_factory.mktemp("reordering")))


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Block:
    directory = write_reordering_study(tmp_path_factory.mktemp("fixed"), lambda block: block.update(first_fixed=True))
    return load_study(directory).blocks[0]


@pytest.fixture
def block(study: Study) -> Block:
    return study.blocks[0]


IDS = ["aa", "bb", "cc", "dd"]
TRIAL = Trial("order-1", "order", "main", 1, "i1", ("random",), {"start": ["s1", "s4", "s2", "s3"], "ids": IDS})


def answer(order: Any = ("aa", "cc", "dd", "bb"), moves: Any = (("bb", 2, 4, 1500.5),), **more: Any) -> dict[str, Any]:
    moves = [list(move) for move in moves] if isinstance(moves, tuple) else moves
    return {"order": list(order) if isinstance(order, tuple) else order, "moves": moves, **more}


# --- the plan -------------------------------------------------------------------------------------------------------


def test_start_is_the_systems_order(study: Study) -> None:
    plan = draw_plan(study)
    for slot in plan.slots:
        for trial in slot.trials:
            if trial.kind in ("main", "repeat"):
                (system,) = trial.systems
                assert trial.randomised["start"] == [f"s{number}" for number in ORDERS[system]]
            elif trial.kind == "practice":
                assert trial.randomised["start"] == ["a", "b", "c"]
            else:
                assert sorted(trial.randomised["start"]) == ["1", "2", "3"] != trial.randomised["start"]
    names = [name for slot in plan.slots for trial in slot.trials for name in trial.randomised["ids"]]
    assert len(set(names)) == len(names)
    assert Plan.from_json(plan.to_json()) == plan


@pytest.mark.parametrize("first_fixed", [False, True])
def test_start_is_drawn(tmp_path: Path, first_fixed: bool) -> None:
    def drawn(block: dict[str, Any]) -> None:
        block.update(start="random", first_fixed=first_fixed)

    def many(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = 60

    study = load_study(write_reordering_study(tmp_path, drawn, many))
    main = [trial for slot in draw_plan(study).slots for trial in slot.trials if trial.kind == "main"]
    starts = Counter(tuple(trial.randomised["start"]) for trial in main)
    # 360 draws of 24 orders, or of 6 with the first fixed: every order comes up, about equally often
    orders = 6 if first_fixed else 24
    assert len(starts) == orders
    assert sum((count - 360 / orders) ** 2 / (360 / orders) for count in starts.values()) < 2 * orders + 15
    assert {start[0] for start in starts} == ({"s1"} if first_fixed else {"s1", "s2", "s3", "s4"})


def test_design_of_madnani_and_others(tmp_path: Path) -> None:
    study = load_study(write_madnani_study(tmp_path))
    plan = draw_plan(study)
    assert len(plan.slots) == 18
    assert all(proof.balance.exact for proof in proofs(study, plan))
    cells = Counter((trial.item, trial.systems[0]) for slot in plan.slots for trial in slot.trials)
    # 18 reorderings a summary, 6 a condition; three summaries in each condition for everybody
    assert cells == {(f"S{item}", condition): 6 for item in range(1, 10) for condition in "ORT"}
    for slot in plan.slots:
        assert Counter(trial.systems[0] for trial in slot.trials) == {"O": 3, "R": 3, "T": 3}
        assert all(trial.randomised["start"][0] == "s1" for trial in slot.trials)


@pytest.mark.parametrize(
    ("how", "text"), [("sentences", "Dr. Ada came. She stayed. All was well."), ("lines", "One.\nTwo.\n\nThree.")]
)
def test_sentences_and_lines_are_units_too(tmp_path: Path, how: str, text: str) -> None:
    def split(block: dict[str, Any]) -> None:
        block.update(units_are=how, design={})

    write_orders(tmp_path, {"i1": ["-"]}, {"original": (1,)}, split)
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), [("i1", "original", text)])
    write_csv(tmp_path / "practice.csv", ("item", "text"), [("p1", text)])
    trials = {trial.kind: trial for trial in draw_plan(load_study(tmp_path)).slots[0].trials}
    assert trials["main"].randomised["start"] == ["1", "2", "3"]
    assert trials["practice"].randomised["start"] == ["1", "2", "3"]


# --- the page -------------------------------------------------------------------------------------------------------


def test_view_shows_units_in_start_order_under_ids_that_tell_nothing(study: Study, block: Block) -> None:
    view = block.task.view(TRIAL)
    assert [(entry["id"], entry["html"], entry["fixed"]) for entry in view["entries"]] == [
        ("aa", "<p>Once there was a mill. (1)</p>", False),
        ("bb", "<p>The mill was gone. (1)</p>", False),
        ("cc", "<p>It stood by a river. (1)</p>", False),
        ("dd", "<p>One day the river rose. (1)</p>", False),
    ]
    assert [word for word in ("s1", "s2", "random", "original", "shortest") if word in repr(view)] == []


def test_fixed_unit_is_marked(study: Study, fixed: Block) -> None:
    entries = fixed.task.view(TRIAL)["entries"]
    assert [entry["fixed"] for entry in entries] == [True, False, False, False]


# --- answers --------------------------------------------------------------------------------------------------------


def test_answer_is_kept_with_its_moves(block: Block) -> None:
    kept = block.task.read(TRIAL, answer(comment=" ok ", confirmed=False))
    assert kept == answer(comment="ok")
    assert block.task.read(TRIAL, kept) == kept


def test_as_it_is_needs_the_tick(block: Block) -> None:
    for confirmed in (None, False, 1, "yes"):
        with pytest.raises(AnswerError) as caught:
            block.task.read(TRIAL, answer(tuple(IDS), (), confirmed=confirmed))
        assert caught.value.fields == {"order": "reordering.unconfirmed"}
    assert block.task.read(TRIAL, answer(tuple(IDS), (), confirmed=True))["order"] == IDS


@pytest.mark.parametrize(
    "order",
    [None, "aa bb", [], ["aa", "bb", "cc"], ["aa", "bb", "cc", "cc"], ["aa", "bb", "cc", "xx"], ["aa", "bb", "cc", 4]],
)
def test_what_is_no_order_is_refused(block: Block, order: Any) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(TRIAL, answer(order))
    assert caught.value.fields == {"order": "reordering.wrong"}


@pytest.mark.parametrize(
    "moves",
    [
        "none",
        {"aa": 1},
        [["aa", 1, 2]],
        ["aa12"],
        [["xx", 1, 2, 5]],
        [["aa", 0, 2, 5]],
        [["aa", 1, 5, 5]],
        [["aa", 1.0, 2, 5]],
        [["aa", True, 2, 5]],
        [["aa", 1, 2, -1]],
        [["aa", 1, 2, "5"]],
        [["aa", 1, 2, float("nan")]],
        [["aa", 1, 2, float("inf")]],
        [["aa", 1, 2, 10**400]],
        [[["aa"], 1, 2, 5]],
        [["aa", 1, 2, 5]] * 5001,
    ],
)
def test_what_are_no_moves_is_refused(block: Block, moves: Any) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(TRIAL, answer(moves=moves))
    assert caught.value.fields == {"order": "reordering.wrong"}


def test_fixed_unit_stays_first(fixed: Block) -> None:
    assert fixed.task.read(TRIAL, answer(("aa", "dd", "cc", "bb")))
    with pytest.raises(AnswerError) as caught:
        fixed.task.read(TRIAL, answer(("bb", "aa", "cc", "dd")))
    assert caught.value.fields == {"order": "reordering.wrong"}


def test_long_comment_is_refused(block: Block) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(TRIAL, answer(comment="x" * 5001))
    assert caught.value.fields == {"comment": "reordering.comment_too_long"}


# --- rows -----------------------------------------------------------------------------------------------------------


def test_row_names_units_and_moves_as_in_the_data(block: Block) -> None:
    (row,) = block.task.rows(TRIAL, answer(comment="ok"))
    assert row == {
        "item": "i1",
        "role": "participant",
        "order": "s1 s2 s3 s4",
        "condition": "random",
        "start": "s1 s4 s2 s3",
        "moves": row["moves"],
        "comment": "ok",
    }
    assert json.loads(row["moves"]) == [["s4", 2, 4, 1500.5]]
    assert block.task.invalid_reason(row) is None


@pytest.mark.parametrize(
    ("order", "start", "why"),
    [
        ("s1 s2 s2", "s1 s2 s3", "order 's1 s2 s2' names a unit twice"),
        ("s1 s2", "s1 s2 s3", "order 's1 s2' does not hold the units of start 's1 s2 s3'"),
        ("s2 s1", None, None),
    ],
)
def test_rows_that_cannot_be(block: Block, order: str, start: str | None, why: str | None) -> None:
    assert block.task.invalid_reason({"order": order, "start": start}) == why


def test_leaving_as_it_is_is_one_response_whatever_the_length(block: Block) -> None:
    def response(order: str, start: str) -> Any:
        return block.task.response([{"order": order, "start": start}])

    assert response("a b c", "a b c") == response("x y", "x y")
    assert response("b a c", "a b c") == response("y x z", "x y z") != response("c a b", "a b c")


def test_check_is_passed_by_the_right_order_only(block: Block) -> None:
    ids = [f"{letter}{letter}" for letter in "abcdefghijkl"]
    check = Trial(
        "order-4", "order", "check", 4, "check-1", (), {"start": [str(n) for n in range(12, 0, -1)], "ids": ids}
    )
    assert block.task.passed_attention_check(block.task.rows(check, answer(tuple(ids[::-1]), ())))
    assert not block.task.passed_attention_check(block.task.rows(check, answer(tuple(ids), ())))


def test_asked_is_told_in_words(block: Block, fixed: Block) -> None:
    assert block.task.questions()[0].answer == "units put in order, the system's order first"
    assert fixed.task.questions()[0].answer == "units put in order, the system's order first, the first unit fixed"
