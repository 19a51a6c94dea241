"""Each kind of trial shows the labels of its block, in the study's language."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from task_studies import write_task_study

from textassay import catalogue
from textassay.serve.assets import Assets
from textassay.serve.messages import load_messages
from textassay.serve.rendering import Renderer, task_template
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.tasks.context import has_long_context

NOT_AT_ONCE = {
    "preference": {"no_preference"},  # an answer in words only where the form is a choice with a tie
    "decision": {"text", "plot", "image"},  # one trial shows one of the three
    "ranking": {"tied"},
    "reordering": {"context", "fixed"},
    "reading": {"done"},
}
"""Labels that the first trial of the small studies need not show."""


def trial_page(directory: Path) -> str:
    """The first main trial of a study as participants see it."""
    study = load_study(directory)
    block = study.blocks[0]
    trial = next(trial for trial in stored_plan(study).slots[0].trials if trial.kind == "main")
    messages = load_messages("de", [block.task.folder() / "messages"])
    renderer = Renderer(study, messages, Assets(study))
    return renderer.html(
        "trial.html",
        t=messages.labelled(block.task.name, block.settings.labels.words),
        heading="1", progress=SimpleNamespace(n=0, total=2), practice=False, follows_practice=False, base="", data="{}",
        back=None, task=block.task.name, beside=has_long_context(block.task),
        view_template=task_template(block.task.name), view=block.task.view(trial), media=str,
    )  # fmt: skip


@pytest.mark.parametrize("task", catalogue.names("task"))
def test_labels_take_the_place_of_the_words_of_the_interface(task: str, tmp_path: Path) -> None:
    names = set(catalogue.find("task", task).Settings.model_fields["labels"].annotation.model_fields)

    def labelled(data: dict[str, Any]) -> None:
        data["language"], data["interface"] = "en", "de"
        data["blocks"] = data["blocks"][:1]
        data["blocks"][0]["labels"] = {name: f"Own {name} {{x}}" for name in names}

    page = trial_page(write_task_study(task, tmp_path, labelled))
    assert names, "this kind of trial has no labels"
    missing = {name for name in names if f"Own {name} {{x}}" not in page}
    assert missing <= NOT_AT_ONCE.get(task, set())
    assert missing < names
    # what the study says is in its language; only the interface is in German
    assert re.findall(r'<[^>]*lang="de"[^>]*>Own', page) == []
    assert 'lang="de"' in page
