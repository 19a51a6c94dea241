"""Texts whose annotated events are marked for participants, in blocks that ask for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from textassay.content.event_marks import mark_events
from textassay.design.plan import Trial
from textassay.marked_text import TONES
from textassay.study.markup import as_html
from textassay.study.model import BlockSettings, Problems
from textassay.tasks.context import told_apart

if TYPE_CHECKING:
    from textassay.tasks.contract import Task

_SHOWN = 5
"""The most texts named in messages."""


class EventMarksSettings(BlockSettings):
    """A block that may mark the events of its texts."""

    show_events: bool = False
    """Whether events are marked in the texts, with their types in words and a legend; for annotated texts only."""

    @property
    def marks_events(self) -> bool:
        """See `BlockSettings.marks_events`."""
        return self.show_events


def shown_text(task: Task[Any], trial: Trial, system: str, text: str) -> str:
    """A text under study as safe HTML, with its events marked where the block wants that.

    Args:
        task: Of the block.
        trial: Practice and attention checks are never marked.
        system: Whose text it is.
        text: The text as it was written.
    """
    annotated = task.study.content.annotations.get((trial.item, system))
    if not task.settings.marks_events or annotated is None or trial.kind not in ("main", "repeat"):
        return as_html(text, task.settings.texts_are)
    return mark_events(annotated, task.study.content.tones, tips=False).html


def legend_view(task: Task[Any]) -> dict[str, Any]:
    """What the page needs to say which colour stands for what: the same in all trials; empty without marks."""
    if not task.settings.marks_events:
        return {"event_legend": [], "other_events": 0}
    tones = task.study.content.tones
    named = [(place, tones.label(name)) for place, name in enumerate(tones.names, 1)]
    others = any(tones.tone(name) > len(tones.names) for name in tones.groups)
    return {"event_legend": named, "other_events": TONES if others else 0}


def event_mark_problems(
    task: Task[Any], key: str = "show_events", shows_text: Callable[[str], bool] = lambda _: True
) -> Problems:
    """Why events cannot be marked.

    Args:
        task: Of the block.
        key: The key that asks for marks.
        shows_text: Whether a system's texts are shown, and not a plot in their place.
    """
    study = task.study
    if not task.settings.marks_events:
        return
    if task.settings.texts_are != "text":
        message = f"events can be marked in plain text only, not where 'texts_are' is {task.settings.texts_are}"
        yield (key,), f"{message}; remove one of the two"
    if study.file.tables.annotations is None:
        yield (key,), "there are no annotated texts; name their file in tables.annotations, or remove this"
        return
    known = study.content.annotations
    missing = (pair for pair in study.texts if known and pair not in known and shows_text(pair[1]))
    for item, system in islice(missing, _SHOWN):
        message = f"the text of item {item!r} by system {system!r} is not annotated"
        yield (key,), f"{message}, so that it would stand out; annotate it, or remove this"


def event_mark_warnings(task: Task[Any]) -> Iterator[str]:
    """Attention checks, whose texts nobody annotated."""
    if task.settings.marks_events:
        for number, _ in enumerate(task.attention_items(), 1):
            why, remedy = "no event is marked in its text", "remove the marks or the check"
            yield told_apart(task, number, why, remedy)
