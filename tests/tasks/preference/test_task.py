"""The contract of the preference task: pairs, sides, answers and rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preference_study import write_preference_study
from small_study import SYSTEMS, write_csv

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan, proofs
from textassay.study.study import Block, Study

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def make(tmp_path: Path) -> Callable[[Change | None], Study]:
    def of(change: Change | None = None) -> Study:
        return load_study(write_preference_study(tmp_path, change and (lambda data: change(data["blocks"][0]))))

    return of


@pytest.fixture
def study(make: Callable[..., Study]) -> Study:
    return make()


@pytest.fixture
def block(study: Study) -> Block:
    return study.blocks[0]


def trial(left: str = "human", pair: tuple[str, ...] = ("human", "neural"), kind: Any = "main") -> Trial:
    return Trial("duel-1", "duel", kind, 1, "i1", pair, {"left": left})


def answer(clarity: Any = -20, fluency: Any = 5, **more: Any) -> dict[str, Any]:
    return {"preferences": {"clarity": clarity, "fluency": fluency}, **more}


# --- pairs and sides ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ({}, [("human", "neural"), ("human", "template"), ("neural", "template")]),
        (
            {"scheme": "topline", "topline": "human"},
            [("human", "human"), ("neural", "human"), ("template", "human")],
        ),
        ({"scheme": "references", "references": ["human"]}, [("neural", "human"), ("template", "human")]),
        ({"scheme": "subset", "comparisons": 2}, [("human", "neural"), ("human", "template"), ("neural", "template")]),
        (
            {"scheme": "stated", "stated": [["neural", "human"], ["template", "neural"], ["human", "template"]]},
            [("neural", "human"), ("template", "neural"), ("human", "template")],
        ),
    ],
)
def test_pairs_of_each_scheme(make: Callable[..., Study], pairs: dict[str, Any], expected: Any) -> None:
    study = make(lambda block: block.update(pairs=pairs))
    assert list(study.blocks[0].task.conditions()) == expected
    assert {t.systems for slot in draw_plan(study).slots for t in slot.trials if t.kind == "main"} == set(expected)


def test_more_pairs_than_items_are_all_shown_to_everybody(make: Callable[..., Study], tmp_path: Path) -> None:
    # Belz & Kow (2010): 11 systems in all pairs on 22 items, 22 evaluators of 55 trials each: 1210
    make()
    items, systems = [f"i{n}" for n in range(22)], [f"s{n}" for n in range(11)]
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), [(i, s, "A text.") for i in items for s in systems])
    write_csv(tmp_path / "items.csv", ("item", "context", "spans"), [(item, "Data.", "") for item in items])
    write_csv(tmp_path / "references.csv", ("item", "text"), [(item, "A text.") for item in items])
    file = tmp_path / "study.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("wanted: 6", "wanted: 22"), encoding="utf-8")
    study = load_study(tmp_path)
    plan = draw_plan(study)
    main = [[t for t in slot.trials if t.kind == "main"] for slot in plan.slots]
    assert [len(trials) for trials in main] == [55] * 22
    assert all(len({t.systems for t in trials}) == 55 for trials in main)
    (proof,) = proofs(study, plan)
    assert proof.balance.trials == 1210


def test_sides_are_drawn_for_each_trial_and_kept(study: Study) -> None:
    trials = [t for slot in draw_plan(study).slots for t in slot.trials if t.systems]
    assert all(t.randomised["left"] in t.systems for t in trials)
    first_is_left = Counter(t.randomised["left"] == t.systems[0] for t in trials)
    # 42 fair draws: 21 expected, standard deviation 3.2
    assert 11 <= first_is_left[True] <= 31


def test_view_shows_the_drawn_side_left(study: Study, block: Block) -> None:
    texts = study.texts["i1", "human"], study.texts["i1", "neural"]
    shown = {left: block.task.view(trial(left))["texts"] for left in ("human", "neural")}
    assert shown["human"] == tuple(f"<p>{text}</p>" for text in texts)
    assert shown["neural"] == shown["human"][::-1]


def test_practice_and_checks_stand_as_written(study: Study, block: Block) -> None:
    practice = Trial("duel-p1", "duel", "practice", 1, "p1")
    assert block.task.view(practice)["texts"] == ("<p>A text.</p>", "<p>Another text.</p>")
    check = Trial("duel-2", "duel", "check", 2, "check-1")
    texts = ("<p>Prefer the other text.</p>", "<p>Prefer this text.</p>")
    assert block.task.view(check)["texts"] == texts


def test_differences_are_marked_on_request(make: Callable[..., Study]) -> None:
    study = make(lambda block: block.update(marks="differences"))
    first, second = study.blocks[0].task.view(trial())["texts"]
    same = '<mark class="same">The</mark>', '<mark class="same">text about i1 is here.</mark>'
    assert first == f'<p>{same[0]} <mark class="different">human</mark> {same[1]}</p>'
    assert second == f'<p>{same[0]} <mark class="different">neural</mark> {same[1]}</p>'


def test_punctuation_alone_is_not_marked(make: Callable[..., Study], tmp_path: Path) -> None:
    make(lambda block: block.update(marks="differences"))
    texts = [(f"i{n}", s, f"{s}." if s == "human" else f"<b>{s}</b>.") for n in range(1, 7) for s in SYSTEMS]
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), texts)
    study = load_study(tmp_path)
    first, second = study.blocks[0].task.view(trial())["texts"]
    assert first == '<p><mark class="different">human</mark>.</p>'
    # what differs is one span here, tags and all, and none of it is HTML of the study's
    assert second == '<p><mark class="different">&lt;b&gt;neural&lt;/b&gt;</mark>.</p>'


def test_given_spans_are_marked(make: Callable[..., Study], tmp_path: Path) -> None:
    make(lambda block: block.update(marks="given", spans="spans"))
    items = [(f"i{n}", "Data.", "neural text | is here") for n in range(1, 7)]
    write_csv(tmp_path / "items.csv", ("item", "context", "spans"), items)
    study = load_study(tmp_path)
    first, second = study.blocks[0].task.view(trial())["texts"]
    assert first == '<p>The human text about i1 <mark class="same">is here</mark>.</p>'
    expected = 'The <mark class="different">neural text</mark> about i1 <mark class="same">is here</mark>.'
    assert second == f"<p>{expected}</p>"


def test_given_spans_of_a_check_are_marked_too(make: Callable[..., Study]) -> None:
    def change(block: dict[str, Any]) -> None:
        block.update(marks="given", spans="spans")
        block["attention_checks"][0]["spans"] = ["this text", "other"]

    study = make(change)
    (check,) = [trial for trial in draw_plan(study).slots[0].trials if trial.kind == "check"]
    left, right = study.blocks[0].task.view(check)["texts"]
    assert 'class="different">other</mark>' in left
    assert 'class="different">this text</mark>' in right
    assert list(study.blocks[0].task.warnings()) == []


def test_check_without_marks_can_be_told_apart(make: Callable[..., Study]) -> None:
    (warning,) = make(lambda block: block.update(marks="given", spans="spans")).blocks[0].task.warnings()
    assert warning.endswith("nothing is marked in it, unlike in all other trials; add 'spans' to it")


# --- answers --------------------------------------------------------------------------------------------------------


def test_slider_answers_are_taken(block: Block) -> None:
    assert block.task.read(trial(), answer()) == answer()
    assert block.task.read(trial(), answer(-50, 50)) == answer(-50, 50)
    assert block.task.read(trial(), answer(0, confirmed={"clarity": True})) == answer(0)


@pytest.mark.parametrize(
    ("payload", "wrong"),
    [
        ({}, {"clarity": "missing", "fluency": "missing"}),
        ({"preferences": [1]}, {"clarity": "missing", "fluency": "missing"}),
        (answer(confirmed=3), {"clarity": "missing", "fluency": "missing"}),
        ({"preferences": {"clarity": 3}}, {"fluency": "missing"}),
        (answer(51), {"clarity": "outside"}),
        (answer(-51), {"clarity": "outside"}),
        (answer(1.5), {"clarity": "outside"}),
        (answer(10**400), {"clarity": "outside"}),  # a whole number that no float can hold
        (answer(float("nan")), {"clarity": "outside"}),
        (answer(True), {"clarity": "outside"}),
        (answer("3"), {"clarity": "outside"}),
        (answer(0), {"clarity": "unconfirmed"}),
        (answer(0, confirmed={"fluency": True}), {"clarity": "unconfirmed"}),
        (answer(0, confirmed={"clarity": 1}), {"clarity": "unconfirmed"}),
        (answer(comment="x" * 5001), {"comment": "comment_too_long"}),
    ],
)
def test_answers_that_do_not_fit_are_refused(block: Block, payload: dict[str, Any], wrong: dict[str, str]) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(trial(), payload)
    assert caught.value.fields == {name: f"preference.{why}" for name, why in wrong.items()}


@pytest.mark.parametrize(("form", "taken"), [("choice", {-1, 1}), ("choice-with-tie", {-1, 0, 1})])
def test_plain_choices(make: Callable[..., Study], form: str, taken: set[int]) -> None:
    block = make(lambda block: block.update(form=form)).blocks[0]
    for value in (-2, -1, 0, 1, 2):
        if value in taken:
            assert block.task.read(trial(), answer(value, 1)) == answer(value, 1)
        else:
            with pytest.raises(AnswerError) as caught:
                block.task.read(trial(), answer(value, 1))
            assert caught.value.fields == {"clarity": "preference.outside"}


def test_comment_is_kept_where_it_is_asked_for(make: Callable[..., Study]) -> None:
    block = make(lambda block: block.update(comment="Anything else?")).blocks[0]
    read = block.task.read(trial(), answer(comment=" fine "))
    assert read == answer(comment="fine")
    assert [row["comment"] for row in block.task.rows(trial(), read)] == ["fine", "fine"]


# --- rows -----------------------------------------------------------------------------------------------------------


def test_value_is_that_of_the_pair_whoever_stood_left(block: Block) -> None:
    # -20: the left text is preferred
    rows = {left: block.task.rows(trial(left), answer(-20, 0)) for left in ("human", "neural")}
    common = {"item": "i1", "system_a": "human", "system_b": "neural"}
    assert rows["human"] == [
        {**common, "left": "human", "criterion": "clarity", "value": -20},
        {**common, "left": "human", "criterion": "fluency", "value": 0},
    ]
    assert rows["neural"] == [
        {**common, "left": "neural", "criterion": "clarity", "value": 20},
        {**common, "left": "neural", "criterion": "fluency", "value": 0},
    ]


def test_system_beside_itself_tells_of_sides(block: Block) -> None:
    (row, _) = block.task.rows(trial("human", ("human", "human")), answer(-20))
    assert (row["system_a"], row["system_b"], row["left"], row["value"]) == ("human", "human", "human", -20)


def test_alike_means_alike_on_the_page(block: Block) -> None:
    one, other = (block.task.rows(trial(left), answer(-20)) for left in ("human", "neural"))
    assert block.task.response(one) == block.task.response(other[::-1])
    assert block.task.response(one) != block.task.response(block.task.rows(trial("human"), answer(20)))
    # where it is not known who stood left, the first of the pair is taken to have
    row = {"system_a": "human", "system_b": "neural", "criterion": "clarity", "value": 7}
    for left in ({}, {"left": None}, {"left": ""}, {"left": "human"}):
        assert block.task.response([{**row, **left}]) == (("clarity", 7.0),)


def test_what_cannot_be_an_answer(block: Block) -> None:
    row = {"item": "i1", "system_a": "human", "system_b": "neural", "criterion": "clarity", "left": "human"}
    reason = block.task.invalid_reason
    assert reason({**row, "value": -50.0}) is None
    assert reason({**row, "value": 51}) == "clarity 51 is not a whole number from -50 to 50"
    assert reason({**row, "value": 0.5}) == "clarity 0.5 is not a whole number from -50 to 50"
    assert reason({**row, "value": float("nan")}) == "clarity nan is not a whole number from -50 to 50"
    assert reason({**row, "criterion": "style", "value": 1}) == "criterion 'style' is not asked in this block"
    choice = replace(block, settings=block.settings.model_copy(update={"form": "choice"}))
    assert choice.task.invalid_reason({**row, "value": 0}) == "clarity 0 is not -1 or 1"


@pytest.mark.parametrize(("value", "passed"), [(50, True), (1, True), (0, False), (-30, False)])
def test_check_is_passed_on_the_right_side(block: Block, value: int, passed: bool) -> None:
    check = Trial("duel-2", "duel", "check", 2, "check-1")
    assert block.task.passed_attention_check(block.task.rows(check, answer(value))) is passed


@pytest.mark.parametrize(("fluency", "passed"), [(-1, True), (0, False), (1, False)])
def test_check_asks_for_the_side_of_every_expected_criterion(
    make: Callable[..., Study], fluency: int, passed: bool
) -> None:
    sides = {"clarity": "right", "fluency": "left"}
    block = make(lambda data: data["attention_checks"][0].update(expected=sides)).blocks[0]
    check = Trial("duel-2", "duel", "check", 2, "check-1")
    assert block.task.passed_attention_check(block.task.rows(check, answer(9, fluency))) is passed


def test_what_is_asked(block: Block) -> None:
    first, _ = block.task.questions()
    assert first.answer == "-50 (first system) to 50 (second system), unmarked slider"


def test_what_nobody_can_say_is_not_no_preference(make: Callable[..., Study]) -> None:
    block = make(lambda data: data.update(cannot_judge="Hard to say")).blocks[0]
    kept = block.task.read(trial("neural"), {"preferences": {"clarity": 20}, "cannot_judge": ["fluency"]})
    rows = block.task.rows(trial("neural"), kept)
    assert [(row["criterion"], row["value"], row["cannot_judge"]) for row in rows] == [
        ("clarity", -20, False),
        ("fluency", None, True),
    ]
    assert block.task.response(rows) == (("clarity", 20.0), ("fluency", None))
    assert [block.task.invalid_reason(row) for row in rows] == [None, None]
    check = Trial("duel-2", "duel", "check", 2, "check-1")
    unsure = {"preferences": {}, "cannot_judge": ["clarity", "fluency"]}
    assert not block.task.passed_attention_check(block.task.rows(check, unsure))
    assert block.task.questions()[0].answer.endswith("unmarked slider, or “Hard to say” (no value)")
