"""Tables that say who sees what: what they become, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from preference_study import BLOCK as PREFERENCE
from small_study import write_small_study

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import draw_plan, stored_plan
from textassay.study.settled import named_files
from textassay.study.study import Study


def with_plan(directory: Path, *rows: str, wanted: int | None = None, task: str = "rating", **design: Any) -> Path:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {} if wanted is None else {"wanted": wanted}
        block = data["blocks"][0] if task == "rating" else {**PREFERENCE}
        for key in ("practice", "context", "attention_checks"):
            block.pop(key, None)
        data["screening"] = {}
        block["design"] = {"plan": "who.csv", **design}
        data["blocks"] = [block]

    write_small_study(directory, change)
    columns = "participant,item,system,position" if rows[0].count(",") == 3 else "participant,item,system"
    (directory / "who.csv").write_text("\n".join([columns, *rows]) + "\n", encoding="utf-8")
    return directory


def seen(study: Study) -> list[list[tuple[str, ...]]]:
    return [
        [(trial.item, *trial.systems) for trial in slot.trials if trial.kind == "main"]
        for slot in draw_plan(study).slots
    ]


def test_participants_see_what_the_table_says(tmp_path: Path) -> None:
    rows = ["P10,i3,template", "P2,i1,human", "P2,i2,neural", "P1,i1,human"]
    study = load_study(with_plan(tmp_path, *rows))
    assert list(map(sorted, seen(study))) == [
        [("i1", "human")],
        [("i1", "human"), ("i2", "neural")],
        [("i3", "template")],
    ]
    words = "as the table says, 1 person × 2 texts + 2 people × 1 text = 4 judgements: each of 3 texts gets 1 or 2"
    found = overview(study, draw_plan(study))
    assert f"{words}, and 15 of the 18 texts are shown to nobody" in found.counts.note
    assert "Any two participants share 0 to 1 texts, too few to know how far they agree." in found.balance.note
    assert "who.csv" in named_files(study)


@pytest.mark.parametrize("design", [{}, {"order": "fixed"}])
def test_positions_or_a_fixed_order_are_kept(tmp_path: Path, design: dict[str, str]) -> None:
    texts = [(f"i{place}", system) for place in range(6, 0, -1) for system in ("neural", "human")]
    rows = [f"P1,{item},{system}" + f",{place}" * (not design) for place, (item, system) in enumerate(texts, 1)]
    study = load_study(with_plan(tmp_path, *(rows if design else reversed(rows)), **design))
    assert seen(study) == [texts]


def test_the_systems_of_a_comparison_are_named_in_the_order_of_the_design(tmp_path: Path) -> None:
    study = load_study(
        with_plan(tmp_path, "P1,i1,neural | human", "P2,i1,human|neural", "P2,i2,template|human", task="preference")
    )
    assert list(map(sorted, seen(study))) == [
        [("i1", "human", "neural")],
        [("i1", "human", "neural"), ("i2", "human", "template")],
    ]


def test_a_stored_plan_fits_the_same_rows_in_any_file_only(tmp_path: Path) -> None:
    rows = ["P1,i1,human", "P2,i2,human"]
    stored = stored_plan(load_study(with_plan(tmp_path, *rows)))
    assert stored_plan(load_study(with_plan(tmp_path, *reversed(rows)))) == stored
    with pytest.raises(StudyError, match="the plan was made from another design"):
        stored_plan(load_study(with_plan(tmp_path, "P1,i1,human", "P2,i1,human")))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["P1,i1,human", "P1,i9,human"], "who.csv:3: item: there is no item 'i9'; use one of: i1, i2"),
        (["P1,i1,hman"], "who.csv:2: system: there is no system 'hman'; did you mean 'human'?"),
        (
            ["P1,i1,human | neural"],
            "who.csv:2: system: a trial of block 'quality' shows 1 system, but this row names 2; give each its own row",
        ),
        (
            ["P1,i1,human", "P1,i1,human"],
            "who.csv:3: item: participant 'P1' sees the same in line 2; remove one of the two; design.repeats shows",
        ),
        (
            ["P1,i1,human,1", "P1,i2,human,3"],
            "who.csv:3: position: participant 'P1' has 2 trials, but none at position 2; number them from 1 to 2",
        ),
        (
            ["P1,i1,human,1", "P1,i2,human,1"],
            "who.csv:3: position: participant 'P1' has position 1 in line 2, too; change one",
        ),
        (
            ["P1,i1,human,1", "P1,i2,human,"],
            "who.csv:3: position: the position is empty; give one in every row, or in none",
        ),
        (["P1,,human"], "who.csv:2:4: item: column 'item' is empty; fill it in or remove the row"),
    ],
)
def test_rows_that_cannot_be_shown(tmp_path: Path, rows: list[str], said: str) -> None:
    with pytest.raises(StudyError) as caught:
        load_study(with_plan(tmp_path, *rows))
    assert said in str(caught.value)


def test_what_else_is_wrong_with_a_table(tmp_path: Path) -> None:
    row = "P1,i1,human"
    for change, said in (
        (
            {"wanted": 3},
            "got 3, but the design takes 1 participant (as the table says, 1 person × 1 text = 1 judgement",
        ),
        ({"everyone": "all"}, "design.everyone: the table of design.plan says who sees what, so this cannot be set"),
        ({"plan": "nowhere.csv"}, "design.plan: file 'nowhere.csv' is not there"),
        ({"task": "preference"}, "shows 2 systems, but this row names 1; write them as 'human | neural'"),
    ):
        with pytest.raises(StudyError) as caught:
            load_study(with_plan(tmp_path, row, **change))
        assert said in str(caught.value)
    with pytest.raises(StudyError, match=r"design\.order: the table of design\.plan gives positions"):
        load_study(with_plan(tmp_path, f"{row},1", order="williams"))


def test_a_text_that_is_missing_is_told_where_it_is_shown(tmp_path: Path) -> None:
    with_plan(tmp_path, "P1,i1,human", "P1,i2,human")
    lines = (tmp_path / "texts.csv").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("i2,human")]
    (tmp_path / "texts.csv").write_text("\n".join(kept) + "\n", encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        load_study(tmp_path)
    message = (
        "who.csv:3: system: item 'i2' has no text from system 'human'; add it to the texts table, or remove this row"
    )
    assert str(caught.value) == message


def test_two_blocks_with_tables_have_the_same_participants(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {}
        first = {**data["blocks"][0], "design": {"plan": "who.csv"}}
        data["blocks"] = [first, {**first, "name": "again", "design": {"plan": "more.csv"}}]

    write_small_study(tmp_path, change)
    (tmp_path / "who.csv").write_text("participant,item,system\nP1,i1,human\nP2,i1,human\n", encoding="utf-8")
    (tmp_path / "more.csv").write_text("participant,item,system\nP1,i2,human\nP3,i2,human\n", encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        load_study(tmp_path)
    assert "more.csv: participant: participant 'P2' of who.csv is missing" in str(caught.value)
    assert "who.csv: participant: participant 'P3' of more.csv is missing" in str(caught.value)
