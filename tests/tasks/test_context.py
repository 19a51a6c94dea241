"""What a block shows beside its texts, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preference_study import write_preference_study
from small_study import ITEMS, write_csv

from textassay.design.plan import Trial
from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tasks.context import ContextSettings, column_problems, context_images, context_problems, context_row
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
    # an attention check has no row
    assert settings.context_view({}) == {"context": "", "image": "", "image_description": ""}


def test_nothing_is_shown_unless_asked_for(make: Callable[..., Study]) -> None:
    study = make(context=None)
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
    assert context_row(block.task, replace(main, kind="check", item="check-1", systems=())) == {}
    # even where an item has the name of a check
    assert context_row(block.task, replace(main, kind="check", systems=())) == {}
