"""Several texts of an item on one page: which, in which order, what is accepted, what it becomes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from together_study import ALL, write_together_study

from textassay.design.plan import Plan, Trial
from textassay.errors import AnswerError, StudyError
from textassay.study.load import load_study
from textassay.study.overview import overview, plan_warnings
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tables.writer import write_text

MAIN = Trial("quality-1", "quality", "main", 1, "i1", ALL, {"order": [2, 0, 1]})
CHECK = Trial("quality-2", "quality", "check", 2, "check-1", (), {"order": [1, 0, 2]})


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_together_study(tmp_path_factory.mktemp("together")))


@pytest.fixture(scope="module")
def plan(study: Study) -> Plan:
    return draw_plan(study)


def given(clarity: str, fluency: int = 60, **more: Any) -> dict[str, Any]:
    """Ratings by place: one digit of clarity for each text."""
    ratings = {f"{place}.clarity": int(digit) for place, digit in enumerate(clarity, 1)}
    return {"ratings": ratings | {f"{place}.fluency": fluency for place, _ in enumerate(clarity, 1)}, **more}


def test_page_shows_the_texts_in_the_order_of_the_plan(study: Study) -> None:
    shown = study.blocks[0].task.view(MAIN)
    assert [text["place"] for text in shown["texts"]] == [1, 2, 3]
    for text, system in zip(shown["texts"], ("template", "human", "neural"), strict=True):
        assert f"The {system} text about i1" in text["html"]


def test_ratings_by_place_become_rows_by_system(study: Study) -> None:
    task = study.blocks[0].task
    rows = task.rows(MAIN, task.read(MAIN, given("147", comment=" fine ")))
    clarity = [(row["system"], row["page_position"], row["value"]) for row in rows if row["criterion"] == "clarity"]
    assert clarity == [("template", 1, 1), ("human", 2, 4), ("neural", 3, 7)]
    assert {row["comment"] for row in rows} == {"fine"}
    assert len(rows) == 6


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ({}, {f"{place}.{name}": "rating.missing" for place in (1, 2, 3) for name in ("clarity", "fluency")}),
        (given("14"), {"3.clarity": "rating.missing", "3.fluency": "rating.missing"}),
        (given("189"), {"2.clarity": "rating.outside", "3.clarity": "rating.outside"}),
        (given("123", 50, confirmed={"1.fluency": True, "3.fluency": True}), {"2.fluency": "rating.unconfirmed"}),
    ],
)
def test_each_scale_is_refused_by_itself(study: Study, answer: dict[str, Any], wrong: dict[str, str]) -> None:
    with pytest.raises(AnswerError) as caught:
        study.blocks[0].task.read(MAIN, answer)
    assert caught.value.fields == wrong


def test_check_asks_for_one_text_of_its_page(study: Study) -> None:
    task = study.blocks[0].task
    texts = [text["html"] for text in task.view(CHECK)["texts"]]
    assert ["choose 2" in text for text in texts] == [False, True, False]
    for clarity, passed in (("121", True), ("727", True), ("212", False), ("717", False)):
        assert task.passed_attention_check(task.rows(CHECK, task.read(CHECK, given(clarity)))) is passed


def test_order_on_the_page_is_drawn_for_every_trial(plan: Plan) -> None:
    trials = [trial for slot in plan.slots for trial in slot.trials]
    assert all(sorted(trial.randomised["order"]) == [0, 1, 2] for trial in trials)
    assert len({tuple(trial.randomised["order"]) for trial in trials}) == 6
    assert all(trial.systems == ALL for trial in trials if trial.kind in ("main", "repeat"))


def test_texts_that_are_never_told_apart_are_one_answer(study: Study) -> None:
    task = study.blocks[0].task
    same = {task.response(task.rows(MAIN, given(clarity, fluency))) for clarity, fluency in (("333", 40), ("555", 70))}
    assert len(same) == 1
    others = {task.response(task.rows(MAIN, given(clarity))) for clarity in ("335", "353", "555")}
    assert len(others | same) == 3


def test_two_of_three_systems_rotate_over_items(tmp_path: Path) -> None:
    study = load_study(write_together_study(tmp_path, lambda data: data["blocks"][0].update(together=2)))
    trials = [trial for slot in draw_plan(study).slots for trial in slot.trials if trial.kind == "main"]
    # 6 participants × 6 items: each of the 3 pairs comes 12 times, twice with each item
    assert Counter(trial.systems for trial in trials) == dict.fromkeys(combinations(ALL, 2), 12)
    assert set(Counter((trial.item, trial.systems) for trial in trials).values()) == {2}


def _dealt(data: dict[str, Any]) -> None:
    data["participants"].pop("wanted")
    data["blocks"][0]["design"] = {"judgements_per_text": 2, "texts_per_participant": 3}


def _all_by_everyone(data: dict[str, Any]) -> None:
    data["blocks"][0]["design"] = {"everyone": "all", "order": "williams"}


@pytest.mark.parametrize(
    ("change", "people", "words"),
    [
        (_dealt, 4, "4 people × 3 pages = 12 judgements: each of the 6 pages gets 2"),
        (_all_by_everyone, 6, "each of 6 participants sees all 6 pages of 6 items"),
        (None, 6, "6 lists of 6 pages, each with all 3 texts of an item"),
    ],
)
def test_every_text_gets_its_judgements(tmp_path: Path, change: Any, people: int, words: str) -> None:
    directory = write_together_study(tmp_path, change)
    if change is not None:  # a gap: the pages of i1 have two texts
        rows = (directory / "texts.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        write_text(directory / "texts.csv", "".join(row for row in rows if not row.startswith("i1,human")))
    study = load_study(directory)
    plan = draw_plan(study)
    assert len(plan.slots) == people
    main = [trial for slot in plan.slots for trial in slot.trials if trial.kind == "main"]
    shown = Counter((trial.item, system) for trial in main for system in trial.systems)
    assert shown.keys() == study.texts.keys()
    assert len(set(shown.values())) == 1
    assert words in overview(study, plan).counts.note


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"together": 4}, "got 4, but there are only 3 systems; lower it, or write 'all'"),
        (
            {"together": 2, "design": {"everyone": "all"}},
            "3 texts of an item cannot be put on pages of 2 without leaving one alone; use 3 or 'all'",
        ),
        (
            {"together": 2, "design": {"between": "systems"}},
            "texts of several systems share a page, so that everybody sees several; remove one",
        ),
        ({"together": None}, "the other pages show one text; remove them, or set 'together'"),
    ],
)
def test_what_cannot_share_a_page(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    directory = write_together_study(tmp_path, lambda data: data["blocks"][0].update(changes))
    with pytest.raises(StudyError) as caught:
        load_study(directory)
    assert message in str(caught.value)


def test_practice_needs_several_texts_and_checks_as_many_as_other_pages(tmp_path: Path) -> None:
    def fewer(data: dict[str, Any]) -> None:
        data["blocks"][0]["attention_checks"][0]["other_texts"] = []

    study = load_study(write_together_study(tmp_path, fewer))
    why = "attention check 1 can be told apart: its page has 1 text, and the other pages have 3"
    assert any(why in warning for warning in plan_warnings(study, draw_plan(study)))
    write_text(tmp_path / "practice.csv", "item,text,context\np1,Alone.,Data.\n")
    with pytest.raises(StudyError, match="practice item 'p1' has fewer than two texts to show together"):
        load_study(tmp_path)
