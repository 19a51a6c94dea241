"""The contract of the ranking task: sets, start orders, answers and rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ranking_study import write_ranking_study
from small_study import SYSTEMS

from textassay.design.plan import Plan, Trial
from textassay.errors import AnswerError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan, proofs
from textassay.study.study import Block, Study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_ranking_study(tmp_path_factory.mktemp("ranking")))


@pytest.fixture(scope="module")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_ranking_study(tmp_path_factory.mktemp("tied"), lambda block: block.update(ties=True)))


@pytest.fixture
def block(study: Study) -> Block:
    return study.blocks[0]


# human was shown last, neural first
TRIAL = Trial("places-1", "places", "main", 1, "i1", SYSTEMS, {"start": [1, 2, 0], "ids": ["nn", "tt", "hh"]})


def answer(clarity: Any = (("hh",), ("nn",), ("tt",)), fluency: Any = (("tt",), ("hh",), ("nn",)), **more: Any) -> Any:
    as_sent = [
        [list(group) for group in groups] if isinstance(groups, tuple) else groups for groups in (clarity, fluency)
    ]
    return {"rankings": dict(zip(("clarity", "fluency"), as_sent, strict=True)), **more}


# --- the plan -------------------------------------------------------------------------------------------------------


def test_all_systems_are_ranked_at_once(study: Study) -> None:
    slots = draw_plan(study).slots
    for slot in slots:
        main = [trial for trial in slot.trials if trial.kind == "main"]
        assert [trial.systems for trial in main] == [SYSTEMS] * 6
        assert len({trial.item for trial in main}) == 6


def test_start_order_and_ids_are_drawn_for_each_trial(study: Study) -> None:
    trials = [trial for slot in draw_plan(study).slots for trial in slot.trials]
    starts = Counter(tuple(trial.randomised["start"]) for trial in trials if trial.kind == "main")
    assert len(starts) == 6  # 36 draws of 6 orders: one is missing in fewer than 1 of 100 seeds
    names = [name for trial in trials for name in trial.randomised["ids"]]
    assert len(set(names)) == len(names)
    # a check that is right from the start would check nothing
    checks = [trial.randomised["start"] for trial in trials if trial.kind == "check"]
    assert checks
    assert [0, 1, 2] not in checks
    plan = draw_plan(study)
    assert Plan.from_json(plan.to_json()) == plan


def test_subsets_are_balanced(tmp_path: Path) -> None:
    def two(block: dict[str, Any]) -> None:
        block.update(systems_per_trial=2)

    study = load_study(write_ranking_study(tmp_path, two))
    plan = draw_plan(study)
    assert study.blocks[0].task.conditions() == [
        ("human", "neural"),
        ("human", "template"),
        ("neural", "template"),
    ]
    assert all(proof.balance.exact for proof in proofs(study, plan))
    main = [trial for slot in plan.slots for trial in slot.trials if trial.kind == "main"]
    shown = Counter(system for trial in main for system in trial.systems)
    # 6 slots of 6 trials of 2 texts
    assert shown == dict.fromkeys(SYSTEMS, 24)


# --- the page -------------------------------------------------------------------------------------------------------


def test_view_shows_texts_in_start_order_and_hides_systems(study: Study, block: Block) -> None:
    view = block.task.view(TRIAL)
    assert [(entry["id"], entry["html"]) for entry in view["entries"]] == [
        ("nn", "<p>The neural text about i1 is here.</p>"),
        ("tt", "<p>The template text about i1 is here.</p>"),
        ("hh", "<p>The human text about i1 is here.</p>"),
    ]
    assert view["context"] == "<p>Data behind i1.</p>"
    told = repr({**view, "entries": [entry["id"] for entry in view["entries"]]})
    assert [system for system in SYSTEMS if system in told] == []


def test_practice_and_checks_show_their_own_texts(study: Study, block: Block) -> None:
    trials = {trial.kind: trial for trial in draw_plan(study).slots[0].trials}
    practice = block.task.view(trials["practice"])
    assert {entry["html"] for entry in practice["entries"]} == {
        "<p>A first text.</p>",
        "<p>A second text.</p>",
        "<p>A third text.</p>",
    }
    assert practice["context"] == "<p>Data behind practice.</p>"
    check = block.task.view(trials["check"])
    assert {entry["html"] for entry in check["entries"]} == {
        "<p>Put this first.</p>",
        "<p>Put this in the middle.</p>",
        "<p>Put this last.</p>",
    }
    assert check["context"] == "<p>Data behind i7.</p>"
    assert list(block.task.warnings()) == []


def test_check_with_another_number_of_texts_can_be_told_apart(tmp_path: Path) -> None:
    study = load_study(write_ranking_study(tmp_path, lambda block: block.update(systems_per_trial=2)))
    (warning,) = study.blocks[0].task.warnings()
    assert warning.endswith("it has 3 texts, and all other trials have 2; give it as many")


# --- answers --------------------------------------------------------------------------------------------------------


def test_answer_is_kept_without_ticks(block: Block) -> None:
    kept = block.task.read(TRIAL, answer(comment=" ok ", confirmed={}))
    assert kept == answer(comment="ok")
    assert block.task.read(TRIAL, kept) == kept


def test_untouched_list_needs_its_tick(block: Block) -> None:
    untouched = (("nn",), ("tt",), ("hh",))
    with pytest.raises(AnswerError) as caught:
        block.task.read(TRIAL, answer(clarity=untouched, confirmed={"fluency": True}))
    assert caught.value.fields == {"clarity": "ranking.unconfirmed"}
    kept = block.task.read(TRIAL, answer(clarity=untouched, confirmed={"clarity": True}))
    assert kept["rankings"]["clarity"] == [["nn"], ["tt"], ["hh"]]


@pytest.mark.parametrize(
    "groups",
    [
        None,
        "hh nn tt",
        [],
        ["hh", "nn", "tt"],
        [["hh"], ["nn"]],
        [["hh"], ["nn"], ["tt"], ["tt"]],
        [["hh"], ["nn"], ["xx"]],
        [["hh"], ["nn"], [1]],
        [["hh"], [], ["nn"], ["tt"]],
        [["hh", "nn"], ["tt"]],
        [["hh"], ["nn"], [["tt"]]],
    ],
)
def test_what_is_no_ranking_is_refused(block: Block, groups: Any) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(TRIAL, answer(clarity=groups))
    assert caught.value.fields == {"clarity": "ranking.wrong"}


def test_ties_only_where_allowed(tied: Study) -> None:
    block = tied.blocks[0]
    kept = block.task.read(TRIAL, answer(clarity=(("hh", "nn"), ("tt",))))
    assert kept["rankings"]["clarity"] == [["hh", "nn"], ["tt"]]
    # all tied is not untouched
    assert block.task.read(TRIAL, answer(clarity=(("nn", "tt", "hh"),)))


def test_everything_wrong_is_told_at_once(block: Block) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(TRIAL, {"rankings": 3, "comment": "x" * 6000})
    assert caught.value.fields == {
        "clarity": "ranking.wrong",
        "fluency": "ranking.wrong",
        "comment": "ranking.comment_too_long",
    }


# --- rows -----------------------------------------------------------------------------------------------------------


def test_rows_name_system_rank_and_place(tied: Study) -> None:
    block = tied.blocks[0]
    rows = block.task.rows(TRIAL, answer(clarity=(("hh",), ("nn", "tt")), comment="ok"))
    of_clarity = [(r["item"], r["system"], r["rank"], r["start_position"]) for r in rows if r["criterion"] == "clarity"]
    assert of_clarity == [("i1", "human", 1.0, 3), ("i1", "neural", 2.5, 1), ("i1", "template", 2.5, 2)]
    assert {row["comment"] for row in rows} == {"ok"}
    assert [block.task.invalid_reason(row) for row in rows] == [None] * 6


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"criterion": "beauty", "rank": 1.0}, "criterion 'beauty' is not asked in this block"),
        ({"criterion": "clarity", "rank": 0.0}, "rank 0 is not a place from 1 or the mean of tied places"),
        ({"criterion": "clarity", "rank": 1.3}, "rank 1.3 is not a place from 1 or the mean of tied places"),
    ],
)
def test_rows_that_cannot_be(block: Block, row: dict[str, Any], why: str) -> None:
    assert block.task.invalid_reason(row) == why


def test_same_done_to_the_same_places_is_the_same_response(block: Block) -> None:
    other = Trial("places-2", "places", "main", 2, "i2", SYSTEMS, {"start": [0, 1, 2], "ids": ["aa", "bb", "cc"]})
    # in both trials the last text comes first and the others stay in order
    one = block.task.rows(TRIAL, answer(fluency=(("hh",), ("nn",), ("tt",))))
    same = block.task.rows(other, answer((("cc",), ("aa",), ("bb",)), (("cc",), ("aa",), ("bb",))))
    different = block.task.rows(other, answer((("cc",), ("bb",), ("aa",)), (("cc",), ("aa",), ("bb",))))
    assert block.task.response(one) == block.task.response(same[::-1]) != block.task.response(different)


def test_check_is_passed_by_the_right_order_only(study: Study, block: Block) -> None:
    trial = next(trial for trial in draw_plan(study).slots[0].trials if trial.kind == "check")
    right = [[name] for _, name in sorted(zip(trial.randomised["start"], trial.randomised["ids"], strict=True))]
    assert block.task.passed_attention_check(block.task.rows(trial, answer(right, right)))
    wrong = [right[0], right[2], right[1]]
    assert not block.task.passed_attention_check(block.task.rows(trial, answer(right, wrong)))


def test_asked_is_told_in_words(block: Block, tied: Study) -> None:
    assert block.task.questions()[0].answer == "all texts put in order, 1 is best, no ties"
    assert tied.blocks[0].task.questions()[0].answer == "all texts put in order, 1 is best, ties allowed"
