"""What participants did in a rating block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.prose import counted, listed, quoted
from textassay.tasks.contract import Task
from textassay.tasks.rating.settings import RatingSettings, Scale


def procedure(task: Task[RatingSettings]) -> Iterator[str]:
    """What was rated, and on which scales."""
    criteria = task.settings.criteria
    scales = list(dict.fromkeys(_in_words(each.scale) for each in criteria))
    if len(criteria) == 1:
        (only,) = criteria
        yield f"In each trial, participants rated one text for {only.name} ({quoted(only.question)}) {scales[0]}."
        return
    number = counted(len(criteria), "criterion", "criteria")
    if len(scales) == 1:
        names = listed(f"{each.name} ({quoted(each.question)})" for each in criteria)
        yield f"In each trial, participants rated one text on {number}, each {scales[0]}: {names}."
        return
    names = listed(f"{each.name} ({quoted(each.question)}), {_in_words(each.scale)}" for each in criteria)
    yield f"In each trial, participants rated one text on {number}: {names}."


def measures(task: Task[RatingSettings]) -> Iterator[str]:
    """Ratings are analysed as they are."""
    names = listed(each.name for each in task.settings.criteria)
    yield f"The ratings of {names} were analysed as given; higher ratings were better."


def _in_words(scale: Scale) -> str:
    labels = [f"{value} = {quoted(scale.labels[value])}" for value in sorted(scale.labels)]
    if scale.widget == "slider":
        low, high = (quoted(scale.labels[end]) for end in (scale.low, scale.high))
        ends = f"with the ends {low} and {high}"
        return f"on an unmarked slider {ends} (stored as {scale.low} to {scale.high}), which started in the middle"
    points = f"on a {scale.high - scale.low + 1}-point scale of radio buttons from {scale.low} to {scale.high}"
    shown = "" if scale.numbers else "; the numbers were not shown"
    return f"{points}{f' ({listed(labels)}{shown})' if labels else ''}"
