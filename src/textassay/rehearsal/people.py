"""Simulated people: how they behave and what they write into the questionnaire, all from the study's seed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField
from textassay.study.study import Study

_GOLDEN = (5**0.5 - 1) / 2


class Behaviour(StrEnum):
    """How a simulated person behaves in the study."""

    ORDINARY = "ordinary"
    CONSTANT = "constant"
    """Always gives the first answer."""
    TOO_FAST = "too_fast"
    """Answers implausibly fast."""
    INATTENTIVE = "inattentive"
    """Fails the attention checks."""
    DROP_OUT = "drop_out"
    """Leaves at some page and does not return."""
    TWICE = "twice"
    """Uses the e-mail address of an earlier participant."""
    FAKE_EMAIL = "fake_email"
    """Gives an invalid e-mail address."""
    EXCLUDED = "excluded"
    """Gives an answer in the questionnaire that excludes, such as not being a native speaker."""


@dataclass(frozen=True)
class BehaviourShares:
    """Shares of people with each problematic behaviour; all others are ordinary.

    >>> BehaviourShares(constant=0.7, too_fast=0.7)
    Traceback (most recent call last):
    textassay.errors.UsageError: the shares of behaviours sum to 1.64; make them sum to 1 at most
    """

    constant: float = 0.04
    too_fast: float = 0.04
    inattentive: float = 0.04
    drop_out: float = 0.08
    twice: float = 0.04
    fake_email: float = 0.04
    excluded: float = 0.04

    def __post_init__(self) -> None:
        shares = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, share in shares.items():
            if share < 0:
                raise UsageError(f"the share of {name} people is {share:g}; make it 0 or more")
        if sum(shares.values()) > 1:
            total = sum(shares.values())
            raise UsageError(f"the shares of behaviours sum to {total:g}; make them sum to 1 at most")

    def behaviour(self, draw: float) -> Behaviour:
        """The behaviour for a number from [0, 1)."""
        for field in fields(self):
            draw -= getattr(self, field.name)
            if draw < 0:
                return Behaviour(field.name)
        return Behaviour.ORDINARY


ALL_ORDINARY = BehaviourShares(0, 0, 0, 0, 0, 0, 0)
"""Everyone is ordinary."""


@dataclass(frozen=True)
class SimulatedPerson:
    """One simulated person."""

    number: int
    """From 1; with the study's seed it determines everything that the person does."""
    behaviour: Behaviour
    questionnaire: Mapping[str, Any]
    """Answers to the questionnaire as the page sends them: e-mail addresses in full."""
    stops_at: float | None
    """After which share of the pages a drop-out leaves."""
    pace: float
    """Factor of the time spent on pages without a trial."""


def person(study: Study, number: int, crowd: BehaviourShares) -> SimulatedPerson:
    """The person with that number: always the same for the same study file, number and shares."""
    stream = _stream(study, number)
    behaviour = behaviour_of(study, number, crowd)
    answers = ordinary_answers(study, number, stream.child("questionnaire"))
    emails = [field for field in study.file.questionnaire if isinstance(field, EmailField)]
    if behaviour is Behaviour.TWICE:
        before = _earlier(study, number, crowd)
        known = ordinary_answers(study, before, _stream(study, before).child("questionnaire"))
        answers.update({field.name: known[field.name] for field in emails})
    elif behaviour is Behaviour.FAKE_EMAIL:
        answers.update({field.name: fake_email(number) for field in emails})
    elif behaviour is Behaviour.EXCLUDED:
        answers.update(excluding_answer(study, number, stream.child("excluding")))
    stops_at = stream.child("stops").uniform() if behaviour is Behaviour.DROP_OUT else None
    return SimulatedPerson(number, behaviour, answers, stops_at, 0.5 + stream.child("pace").uniform())


def behaviour_of(study: Study, number: int, crowd: BehaviourShares) -> Behaviour:
    """The behaviour of the person with that number; ordinary if the behaviour is impossible in this study."""
    behaviour = _dealt(study, number, crowd)
    asks_for_email = any(isinstance(field, EmailField) for field in study.file.questionnaire)
    impossible = {
        Behaviour.INATTENTIVE: not any(block.task.attention_items() for block in study.blocks),
        Behaviour.TWICE: not asks_for_email or _earlier(study, number, crowd) == 0,
        Behaviour.FAKE_EMAIL: not asks_for_email,
        Behaviour.EXCLUDED: not excluding_answer(study, number, _stream(study, number).child("excluding")),
    }
    return Behaviour.ORDINARY if impossible.get(behaviour, False) else behaviour


def _earlier(study: Study, number: int, crowd: BehaviourShares) -> int:
    """Number of the first ordinary person before this one; 0 if there is none."""
    for other in range(1, number):
        if _dealt(study, other, crowd) is Behaviour.ORDINARY:
            return other
    return 0


def _dealt(study: Study, number: int, crowd: BehaviourShares) -> Behaviour:
    """A behaviour by the shares, assigned evenly rather than at random, so that small samples have some of each.

    Multiples of the golden ratio, less their whole part, fill [0, 1) as evenly as any sequence (Kronecker's).
    """
    offset = Stream(study.file.seed, "rehearsal", "manners").uniform()
    return crowd.behaviour((offset + number * _GOLDEN) % 1)


def _stream(study: Study, number: int) -> Stream:
    return Stream(study.file.seed, "rehearsal", "person", number)


_WORDS = ("teacher", "nurse", "engineer", "gardener", "student", "baker", "clerk", "musician", "farmer", "cook")
_DOMAINS = ("textassay-rehearsal.org", "textassay-rehearsal.net", "textassay-rehearsal.info")
"""Unregistered domains. Those reserved for examples cannot be used, as a study treats them as invalid."""
_ANSWERED = 0.85
"""Share of optional fields that are answered."""
_WIDEST = 60.0
"""Widest range of numbers such as ages."""


def ordinary_answers(study: Study, number: int, stream: Stream) -> dict[str, Any]:
    """Plausible answers that do not exclude; an e-mail address is always given."""
    answers: dict[str, Any] = {}
    for field in study.file.questionnaire:
        own = stream.child(field.name)
        answered = field.required or isinstance(field, EmailField) or own.uniform() < _ANSWERED
        answers[field.name] = _plausible(field, number, own) if answered else None
    return answers


def excluding_answer(study: Study, number: int, stream: Stream) -> dict[str, Any]:
    """One answer that excludes, by its field; empty if no answer in this study excludes."""
    possible = {field.name: _excluding(field, number, stream.child(field.name)) for field in study.file.questionnaire}
    names = [name for name, answer in possible.items() if answer is not None]
    if not names:
        return {}
    name = stream.choice(names)
    return {name: possible[name]}


def fake_email(number: int) -> str:
    """An invalid e-mail address."""
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
    # A product of two draws: more small numbers than large ones, as with ages of volunteers.
    value = low + (high - low) * stream.uniform() * stream.uniform()
    whole = math.floor(value + 0.5)
    return whole if low <= whole <= high else value


def _excluding(field: QuestionnaireField, number: int, stream: Stream) -> Any:
    """An answer to this field that excludes, or None."""
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
    """A number about one beyond the limit that the page still accepts."""
    if field.exclude_below is not None:
        number = field.exclude_below - 1 if field.min is None else max(field.min, field.exclude_below - 1)
        if number < field.exclude_below and (field.max is None or number <= field.max):
            return number
    if field.exclude_above is not None:
        number = field.exclude_above + 1 if field.max is None else min(field.max, field.exclude_above + 1)
        if number > field.exclude_above and (field.min is None or number >= field.min):
            return number
    return None
