"""The answer to a reading trial as the browser sends it: checked, and put into its one form.

units          one for each unit, in order: `position` from 1, `rt_ms` (unit on the screen → press), `delay_ms`
               (press before → unit on the screen; after a tap the finger's way up is part of it)
answers        one for each question, in order: `answer`, `rt_ms` (questions on the screen → choice, if known)
refresh_ms     between two frames of the screen; nothing where it could not be measured
resolution_ms  smallest step of the browser's clock; nothing where it could not be measured
hidden         how often the page was hidden during reading
blurred        how often it lost the focus meanwhile
ignored        presses that did not count: a key held down, or a press before the unit was on the screen
restarts       how often the page was loaded again in the middle, so that the text was begun again
timed_out      where there is a time limit: whether it ended the text; then `units` has those that were read before
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textassay.errors import AnswerError
from textassay.tasks.contract import Payload
from textassay.tasks.reading.settings import Question

COUNTS = ("hidden", "blurred", "ignored", "restarts")
MEASURES = ("refresh_ms", "resolution_ms")
_LONGEST_MS = 1e9
"""Eleven days: nobody takes longer, and no clock that works says so."""
_MOST_COUNTED = 1_000_000


def read_answer(payload: Payload, units: int, questions: Sequence[Question], *, limited: bool = False) -> Payload:
    """The answer to a trial with this number of units and these questions, read with or without a time limit.

    Raises:
        AnswerError: the text was not read to its end, or a question has no answer or one that it does not offer.
    """
    over = {"timed_out": payload.get("timed_out") is True} if limited else {}
    times = _units(payload.get("units"), units, cut_off=over.get("timed_out", False))
    about = {name: _count(payload.get(name, 0)) for name in COUNTS}
    measured = {name: _time(payload.get(name)) for name in MEASURES}
    if times is None or None in about.values():
        raise AnswerError({"": "reading.unread"})
    answers, wrong = _answers(payload.get("answers"), questions)
    if wrong:
        raise AnswerError(wrong)
    return {"units": times, "answers": answers, **about, **measured, **over}


def _units(sent: Any, units: int, *, cut_off: bool) -> list[dict[str, Any]] | None:
    """The times of all units, or of the first ones where the text was cut off; nothing where one is missing."""
    if not isinstance(sent, Sequence) or not all(isinstance(each, Mapping) for each in sent):
        return None
    if cut_off and len(sent) < units:
        units = len(sent)
    if len(sent) != units:
        return None
    times = [
        {"position": place, "rt_ms": _time(each.get("rt_ms")), "delay_ms": _time(each.get("delay_ms"))}
        for place, each in enumerate(sent, 1)
        if each.get("position") == place
    ]
    return times if len(times) == units and all(each["rt_ms"] is not None for each in times) else None


def _answers(sent: Any, questions: Sequence[Question]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The answers, and what is wrong with them by the name of the field."""
    given = [each if isinstance(each, Mapping) else {} for each in sent] if isinstance(sent, Sequence) else []
    answers, wrong = [], {}
    for number, question in enumerate(questions, 1):
        each = given[number - 1] if number <= len(given) else {}
        answer = each.get("answer")
        if answer is None:
            wrong[f"q{number}"] = "reading.missing"
        elif answer not in question.choices:
            wrong[f"q{number}"] = "reading.outside"
        answers.append({"answer": answer, "rt_ms": _time(each.get("rt_ms"))})
    return answers, wrong


def _time(value: Any) -> float | None:
    fits = type(value) in (int, float) and 0 <= value <= _LONGEST_MS
    return float(value) if fits else None


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= _MOST_COUNTED else None
