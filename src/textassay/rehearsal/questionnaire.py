"""What simulated people write into the questionnaire."""

from __future__ import annotations

import math
from typing import Any

from textassay.seeds import Stream
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField
from textassay.study.study import Study

_WORDS = ("teacher", "nurse", "engineer", "gardener", "student", "baker", "clerk", "musician", "farmer", "cook")
_DOMAINS = ("textassay-rehearsal.org", "textassay-rehearsal.net", "textassay-rehearsal.info")
"""Domains of nobody. Those reserved for examples would not do: a study takes them for made up, as it should."""
_ANSWERED = 0.85
"""Share of fields that may be left empty and are answered all the same."""
_WIDEST = 60.0
"""People's numbers (ages, years of practice) do not spread further than this."""


def ordinary(study: Study, number: int, stream: Stream) -> dict[str, Any]:
    """Plausible answers, none of which excludes; an e-mail address is always given."""
    answers: dict[str, Any] = {}
    for field in study.file.questionnaire:
        own = stream.child(field.name)
        answered = field.required or isinstance(field, EmailField) or own.uniform() < _ANSWERED
        answers[field.name] = _plausible(field, number, own) if answered else None
    return answers


def excluding(study: Study, number: int, stream: Stream) -> dict[str, Any]:
    """One answer that excludes, by its field; empty where no answer in this study can."""
    possible = {field.name: _excluding(field, number, stream.child(field.name)) for field in study.file.questionnaire}
    names = [name for name, answer in possible.items() if answer is not None]
    if not names:
        return {}
    name = stream.choice(names)
    return {name: possible[name]}


def fake_email(number: int) -> str:
    """An e-mail address that cannot be one."""
    return ("nobody", "no@mail", "a@b", "x@@y.z")[number % 4]


def _plausible(field: QuestionnaireField, number: int, stream: Stream) -> Any:
    match field:
        case ChoiceField():
            return stream.choice([choice for choice in field.choices if choice not in field.exclude])
        case NumberField():
            return _number(field, stream)
        case TextField():
            barred = {text.strip().casefold() for text in field.exclude}
            words = [word for word in (text[: field.max_length] for text in _WORDS) if word.casefold() not in barred]
            return stream.choice(words or ["-"])
        case EmailField():
            domains = tuple(domain.strip().casefold() for domain in field.exclude)
            free = [domain for domain in _DOMAINS if not domain.endswith(domains)]
            return f"person{number}@{stream.choice(free or ['textassay-rehearsal.name'])}"


def _number(field: NumberField, stream: Stream) -> float | int:
    lows = [bound for bound in (field.min, field.exclude_below) if bound is not None]
    highs = [bound for bound in (field.max, field.exclude_above) if bound is not None]
    low = max(lows) if lows else (min(highs) - _WIDEST if highs else 18.0)
    high = min([*highs, low + _WIDEST])
    # A product of two draws: more small numbers than great ones, as with ages of those who answer calls.
    value = low + (high - low) * stream.uniform() * stream.uniform()
    whole = math.floor(value + 0.5)
    return whole if low <= whole <= high else value


def _excluding(field: QuestionnaireField, number: int, stream: Stream) -> Any:
    """An answer to this field that excludes, or nothing."""
    match field:
        case NumberField():
            return _excluding_number(field)
        case EmailField():
            return f"person{number}@{stream.choice(field.exclude)}" if field.exclude else None
        case ChoiceField() | TextField():
            return stream.choice(field.exclude) if field.exclude else None


def _excluding_number(field: NumberField) -> float | int | None:
    number = _beyond(field)
    return int(number) if number is not None and number.is_integer() else number


def _beyond(field: NumberField) -> float | None:
    """The number nearest to one step beyond the limit that the page still accepts."""
    if field.exclude_below is not None:
        number = field.exclude_below - 1 if field.min is None else max(field.min, field.exclude_below - 1)
        if number < field.exclude_below and (field.max is None or number <= field.max):
            return number
    if field.exclude_above is not None:
        number = field.exclude_above + 1 if field.max is None else min(field.max, field.exclude_above + 1)
        if number > field.exclude_above and (field.min is None or number >= field.min):
            return number
    return None
