"""Mistakes in a reordering block are told with place and remedy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from reordering_study import write_orders, write_reordering_study
from small_study import write_csv
from task_studies import write_task_study

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan

Change = Callable[[dict[str, Any]], None]


def problems(directory: Path) -> list[tuple[str, str]]:
    try:
        load_study(directory)
    except StudyError as error:
        return [(problem.where, problem.message) for problem in error.problems]
    return []


def test_sound_study_has_no_problems(tmp_path: Path) -> None:
    assert problems(write_reordering_study(tmp_path)) == []


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (
            lambda block: block.update(attention_checks=[{"units": ["Same.", "Same."]}]),
            "blocks[0].attention_checks[0].units[1]",
            "'Same.' is a duplicate, so no order would be the right one; reword one",
        ),
        (
            lambda block: block.update(first_fixed=True, attention_checks=[{"units": ["One.", "Two."]}]),
            "blocks[0].attention_checks[0].units",
            "with the first unit fixed, 3 are needed so that two can change places; add one",
        ),
        (
            lambda block: block.update(context="nowhere"),
            "blocks[0].context",
            "column 'nowhere' is expected in the items table, but the study has none; add tables.items",
        ),
    ],
)
def test_mistake_in_the_study_file(tmp_path: Path, change: Change, where: str, message: str) -> None:
    assert problems(write_reordering_study(tmp_path, change)) == [(where, message)]


def texts(directory: Path, rows: Sequence[tuple[str, ...]], units_are: str = "table") -> Path:
    """A study of these texts; three columns are a text a row, four a unit a row."""

    def block(data: dict[str, Any]) -> None:
        data.update(units_are=units_are, design={})
        del data["practice"]

    write_reordering_study(directory, block, lambda data: data.update(tables={"texts": "texts.csv"}))
    header = ("item", "system", "unit", "text") if len(rows[0]) == 4 else ("item", "system", "text")
    write_csv(directory / "texts.csv", header, list(rows))
    return directory


def test_systems_must_order_the_same_units(tmp_path: Path) -> None:
    rows = [("i", "a", "1", "One."), ("i", "a", "2", "Two."), ("i", "b", "1", "One."), ("i", "b", "3", "Three.")]
    message = "systems 'a' and 'b' have different units for item 'i' (only one has: 2, 3)"
    message += "; every system must order the same units"
    assert problems(texts(tmp_path, rows)) == [("blocks[0].units_are", message)]


def test_a_unit_reads_the_same_everywhere(tmp_path: Path) -> None:
    rows = [("i", "a", "1", "One."), ("i", "a", "2", "Two."), ("i", "b", "2", "Two!"), ("i", "b", "1", "One.")]
    remedy = "name the units in a column 'unit' of the texts table, each text by one id"
    message = f"unit '2' of item 'i' reads differently in systems 'a' and 'b'; {remedy}"
    assert problems(texts(tmp_path, rows)) == [("blocks[0].units_are", message)]


def test_sentences_in_another_order_are_the_same_units(tmp_path: Path) -> None:
    rows = [("i", "original", "One came. Two left. One came."), ("i", "other", "Two left. One came. One came.")]
    study = load_study(texts(tmp_path, rows, "sentences"))
    trials = [trial for slot in draw_plan(study).slots for trial in slot.trials if trial.kind == "main"]
    assert {trial.systems[0]: trial.randomised["start"] for trial in trials} == {
        "original": ["1", "2", "3"], "other": ["2", "1", "3"]
    }  # fmt: skip


def test_other_sentences_are_other_units(tmp_path: Path) -> None:
    rows = [("i", "original", "One came. Two left."), ("i", "other", "Two left. One stayed.")]
    remedy = "name the units in a column 'unit' of the texts table, each text by one id"
    message = f"unit '1' of item 'i' reads differently in systems 'original' and 'other'; {remedy}"
    assert problems(texts(tmp_path, rows, "sentences")) == [("blocks[0].units_are", message)]


def test_units_must_be_named(tmp_path: Path) -> None:
    rows = [("i", "a", "One. Two."), ("i", "b", "Two. One.")]
    remedy = "add it with a row for each unit, or set 'units_are' to sentences or lines"
    message = f"the texts table has no column 'unit'; {remedy}"
    assert problems(texts(tmp_path, rows)) == [("blocks[0].units_are", message)]


def test_ids_have_no_spaces(tmp_path: Path) -> None:
    rows = [("i", "a", "s 1", "One."), ("i", "a", "s2", "Two.")]
    message = "unit 's 1' contains a space, which separates units in orders; use another id"
    assert problems(texts(tmp_path, rows)) == [("unit", message)]


def test_too_few_units(tmp_path: Path) -> None:
    def fixed(block: dict[str, Any]) -> None:
        block["first_fixed"] = True

    write_orders(tmp_path, {"i1": ["One.", "Two."], "i2": ["One.", "Two.", "Three."]}, {"a": (1, 2, 3)}, fixed)
    why = "the first stays where it is, and two must be able to change places"
    message = f"has 2 unit(s), but 3 are needed ({why}); add some or leave the item out"
    assert problems(tmp_path) == [("blocks[0].units_are", f"the text of item 'i1' by system 'a' {message}")]


def test_practice_needs_units(tmp_path: Path) -> None:
    write_reordering_study(tmp_path)
    write_csv(tmp_path / "practice.csv", ("item", "unit", "text"), [("p1", "a", "One."), ("check-1", "b", "Two.")])
    message = "practice item 'p1' has 1 unit(s), but 2 are needed (to reorder); add some or leave the item out"
    name = "item 'check-1' of the practice table has the name of an attention check; rename it"
    assert problems(tmp_path) == [("blocks[0].practice", name), ("blocks[0].practice", message)]


def test_orders_that_start_at_random_have_no_smallest_difference(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["analysis"] = {"smallest_difference": {"tau": 0.2}}
        data["blocks"][0]["start"] = "random"

    ((where, message),) = problems(write_task_study("reordering", tmp_path, change))
    assert where.endswith("analysis.smallest_difference.tau")
    assert message == "no block of this study has a measure that can be tested for equivalence; remove it"
