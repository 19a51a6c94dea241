"""What a block shows beside its texts, and what can be wrong with it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preference_study import write_preference_study
from small_study import ITEMS, write_csv
from task_studies import write_task_study

from textassay import catalogue
from textassay.design.plan import Trial
from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.context import (
    ContextSettings,
    column_problems,
    context_images,
    context_problems,
    context_row,
    context_warnings,
    has_long_context,
)
from textassay.tasks.contract import Task


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Study]:
    """A study with two images, and an items table that names them."""

    def of(**settings: Any) -> Study:
        write_preference_study(tmp_path, lambda data: data["blocks"][0].update(settings))
        (tmp_path / "map.png").write_bytes(b"png")
        (tmp_path / "notes.txt").write_bytes(b"text")
        items = [(item, "Rain & <b>wind</b>", "map.png", "A map.") for item in ITEMS]
        write_csv(tmp_path / "items.csv", ("item", "context", "picture", "words"), items)
        return load_study(tmp_path)

    return of


def task_of(study: Study, **changed: Any) -> Task[ContextSettings]:
    block = study.blocks[0]
    return replace(block, settings=block.settings.model_copy(update=changed)).task


def test_page_gets_safe_context_and_the_image(make: Callable[..., Study]) -> None:
    study = make(context="context", image="picture", image_description="words")
    task = task_of(study)
    settings = task.settings
    assert settings.context_view(study.items["i1"].values) == {
        "context": "<p>Rain &amp; &lt;b&gt;wind&lt;/b&gt;</p>",
        "image": "map.png",
        "image_description": "A map.",
    }
    assert settings.context_of(study.items["i1"].values) == "Rain & <b>wind</b>"
    assert set(context_images(task)) == {"map.png"}
    # a row without any
    assert settings.context_view({}) == {"context": "", "image": "", "image_description": ""}


def test_one_long_context_or_an_image_gives_all_pages_a_column_for_it(make: Callable[..., Study]) -> None:
    study = make(context="context")
    assert not has_long_context(task_of(study))
    assert has_long_context(task_of(study, image="picture"))
    row = study.items["i2"]
    longer = replace(study, items={**study.items, "i2": replace(row, values={**row.values, "context": "word " * 300})})
    assert has_long_context(task_of(longer))
    assert not has_long_context(task_of(longer, context=None))


def test_nothing_is_shown_unless_asked_for(make: Callable[..., Study]) -> None:
    attention = {"left": "Not this.", "right": "This.", "expected": {"clarity": "right"}}
    study = make(context=None, attention_checks=[attention])
    task = task_of(study)
    settings = task.settings
    assert settings.context_view(study.items["i1"].values) == {"context": "", "image": "", "image_description": ""}
    assert context_images(task) == []
    assert list(context_problems(task)) == []


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        ("gone.png", "is not there; create it or correct the table"),
        ("../map.png", "is outside the study directory; copy it into the directory"),
        ("notes.txt", "is not an image; use one of: .png, .jpg, .jpeg, .webp, .gif, .svg"),
    ],
)
def test_image_that_cannot_be_shown(make: Callable[..., Study], tmp_path: Path, picture: str, why: str) -> None:
    make()
    rows = [(item, "Data.", picture if item == "i2" else "map.png", "A map.") for item in ITEMS]
    write_csv(tmp_path / "items.csv", ("item", "context", "picture", "words"), rows)
    study = load_study(tmp_path)
    task = task_of(study, image="picture", image_description="words")
    message = f"image {picture!r} of item 'i2' in the items table {why}"
    assert list(context_problems(task)) == [(("image",), message)]


def test_image_needs_words(make: Callable[..., Study]) -> None:
    study = make()
    message = "an image needs words for those who cannot see it; name the column that holds them in 'image_description'"
    task = task_of(study, image="picture")
    assert list(context_problems(task)) == [(("image",), message)]


def test_practice_needs_the_context_too(make: Callable[..., Study]) -> None:
    study = make()
    task = task_of(study, context="words")
    message = "the practice table has no column 'words', which 'context' shows; add it"
    assert list(context_problems(task)) == [(("practice",), message)]


def test_columns_that_are_not_there(make: Callable[..., Study]) -> None:
    study = make()
    message = "the items table has no column 'x'; use one of: item, context, picture, words; or add it"
    named = {("spans",): "x", ("shown", "human"): "x", ("context",): "context", ("image",): None}
    assert list(column_problems(named, study)) == [(("spans",), message), (("shown", "human"), message)]


def test_row_with_the_context_of_a_trial(make: Callable[..., Study]) -> None:
    study = make()
    block = study.blocks[0]
    main = Trial("t", block.name, "main", 1, "i1", ("human", "neural"))
    assert context_row(block.task, main)["words"] == "A map."
    assert context_row(block.task, replace(main, kind="practice", item="p1", systems=()))["text"] == "A text."
    check = replace(main, kind="check", item="check-1", systems=())
    assert context_row(block.task, check) == {"context": "Data behind i7."}


def test_checks_of_a_task_that_know_no_context_show_none(make: Callable[..., Study]) -> None:
    study = make()
    task = task_of(study, attention_checks=[object()])
    check = Trial("t", study.blocks[0].name, "check", 1, "check-1", ())
    assert context_row(task, check) == {"context": None}
    assert list(context_problems(task)) == []


PICTURED = {"context": "context", "image": "picture", "image_description": "words"}
"""What a block names whose trials show all that there is."""


def pictured(task: str, directory: Path, check: dict[str, str]) -> Study:
    """The task's study, with context and an image beside all texts, and `check` in its attention check."""

    def change(data: dict[str, Any]) -> None:
        block = data["blocks"][0]
        block.update(PICTURED)
        block.pop("practice", None)
        block["attention_checks"][0] = {
            **{key: value for key, value in block["attention_checks"][0].items() if key not in PICTURED},
            **check,
        }
        data["tables"]["items"] = "pictures.csv"

    write_task_study(task, directory, change)
    (directory / "map.png").write_bytes(b"png")
    (directory / "check.png").write_bytes(b"png")
    with (directory / "texts.csv").open(newline="", encoding="utf-8") as stream:
        items = dict.fromkeys(row["item"] for row in csv.DictReader(stream))
    rows = [(item, "Data.", "map.png", "A map.") for item in items]
    write_csv(directory / "pictures.csv", ("item", "context", "picture", "words"), rows)
    return load_study(directory)


WITH_CONTEXT = [
    name for name in catalogue.names("task") if issubclass(catalogue.find("task", name).Settings, ContextSettings)
]
WHOLE = {"context": "Data behind it.", "image": "check.png", "image_description": "Another map."}


@pytest.mark.parametrize("task", WITH_CONTEXT)
def test_check_shows_what_the_other_trials_show(tmp_path: Path, task: str) -> None:
    study = pictured(task, tmp_path, WHOLE)
    found = study.blocks[0].task
    trials = {trial.kind: trial for trial in draw_plan(study).slots[0].trials}
    check, main = found.view(trials["check"]), found.view(trials["main"])
    assert check.keys() == main.keys()
    assert (check["image"], check["image_description"]) == ("check.png", "Another map.")
    assert check["context"] == "<p>Data behind it.</p>"
    assert set(found.media()) == {"map.png", "check.png"}
    assert list(found.warnings()) == []


@pytest.mark.parametrize("task", WITH_CONTEXT)
def test_check_without_what_all_others_show_can_be_told_apart(tmp_path: Path, task: str) -> None:
    study = pictured(task, tmp_path, {})
    where = f"block {study.blocks[0].name!r}: attention check 1 can be told apart"
    assert list(study.blocks[0].task.warnings()) == [
        f"{where}: it shows no context, and all other trials do; add 'context' to it",
        f"{where}: it shows no image, and all other trials do; add 'image' to it",
    ]


def test_check_without_what_some_others_lack_too_is_no_matter(make: Callable[..., Study], tmp_path: Path) -> None:
    study = make(attention_checks=[{"left": "Not this.", "right": "This.", "expected": {"clarity": "right"}}])
    assert len(list(context_warnings(task_of(study)))) == 1
    rows = [(item, "" if item == "i2" else "Data.", "map.png", "A map.") for item in ITEMS]
    write_csv(tmp_path / "items.csv", ("item", "context", "picture", "words"), rows)
    assert list(context_warnings(task_of(load_study(tmp_path)))) == []


@pytest.mark.parametrize(
    ("shown", "check", "where", "message"),
    [
        (
            {},
            {"image": "map.png", "image_description": "A map."},
            "image",
            "the other trials show no image; remove it, or name its column in the block's 'image'",
        ),
        (
            {"context": None},
            {"context": "Data."},
            "context",
            "the other trials show no context; remove it, or name its column in the block's 'context'",
        ),
        (
            PICTURED,
            {"image": "map.png"},
            "image",
            "an image needs words for those who cannot see it; add 'image_description'",
        ),
        (
            PICTURED,
            {"image": "gone.png", "image_description": "A map."},
            "image",
            "image 'gone.png' is not there; create it or correct the table",
        ),
    ],
)
def test_check_with_a_context_that_cannot_be_shown(
    make: Callable[..., Study], shown: dict[str, Any], check: dict[str, str], where: str, message: str
) -> None:
    attention = {"left": "Not this.", "right": "This.", "expected": {"clarity": "right"}, **check}
    with pytest.raises(StudyError) as caught:
        make(**shown, attention_checks=[attention])
    found = [(problem.where, problem.message) for problem in caught.value.problems]
    assert (f"blocks[0].attention_checks[0].{where}", message) in found
