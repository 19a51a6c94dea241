"""What participants did in a rating block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.prose import counted, listed, quoted
from textassay.prose import number as number_in_words
from textassay.tasks.contract import Task
from textassay.tasks.rating.page_texts import texts_on_a_page
from textassay.tasks.rating.settings import RatingSettings, Scale


def procedure(task: Task[RatingSettings]) -> Iterator[str]:
    """What was rated, and on which scales."""
    criteria, what = task.settings.criteria, _shown(task)
    scales = list(dict.fromkeys(_in_words(each.scale) for each in criteria))
    if len(criteria) == 1:
        (only,) = criteria
        yield f"In each trial, participants rated {what} for {only.name} ({quoted(only.question)}) {scales[0]}."
        yield from _order(task)
        return
    number = counted(len(criteria), "criterion", "criteria")
    if len(scales) == 1:
        names = listed(f"{each.name} ({quoted(each.question)})" for each in criteria)
        yield f"In each trial, participants rated {what} on {number}, each {scales[0]}: {names}."
        yield from _order(task)
        return
    names = listed(f"{each.name} ({quoted(each.question)}), {_in_words(each.scale)}" for each in criteria)
    yield f"In each trial, participants rated {what} on {number}: {names}."
    yield from _order(task)


def _shown(task: Task[RatingSettings]) -> str:
    """What one page showed."""
    if task.settings.together is None:
        return "one text"
    size = texts_on_a_page(task)
    every = size == len(task.study.systems)
    which = f"all {number_in_words(size)} systems" if every else f"{number_in_words(size)} of the systems"
    return f"the texts of {which} for the same item, shown together on one page and each rated by itself,"


def _order(task: Task[RatingSettings]) -> Iterator[str]:
    if task.settings.together is not None:
        yield "The order of the texts on the page was drawn at random for each trial."


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
