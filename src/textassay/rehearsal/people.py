"""Who comes to a rehearsal: ordinary people and wayward ones, all from the study's seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from textassay.errors import UsageError
from textassay.rehearsal import questionnaire
from textassay.seeds import Stream
from textassay.study.model import EmailField
from textassay.study.study import Study

_GOLDEN = (5**0.5 - 1) / 2


class Manner(StrEnum):
    """How a simulated person takes the study."""

    ORDINARY = "ordinary"
    CONSTANT = "constant"
    """Gives the first answer again and again."""
    TOO_FAST = "too_fast"
    """Answers sooner than anybody can read."""
    INATTENTIVE = "inattentive"
    """Fails the attention checks."""
    DROP_OUT = "drop_out"
    """Stops at some page and never comes back."""
    TWICE = "twice"
    """Comes under the e-mail address of somebody who was there before."""
    FAKE_EMAIL = "fake_email"
    """Gives an e-mail address that cannot be one."""
    EXCLUDED = "excluded"
    """Gives an answer in the questionnaire that excludes, such as not being a native speaker."""


@dataclass(frozen=True)
class Crowd:
    """Which share of the people is wayward, and how; the rest is ordinary.

    >>> Crowd(constant=0.7, too_fast=0.7)
    Traceback (most recent call last):
    textassay.errors.UsageError: the shares of wayward people sum to 1.64; make them sum to 1 at most
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
            raise UsageError(f"the shares of wayward people sum to {total:g}; make them sum to 1 at most")

    def manner(self, draw: float) -> Manner:
        """The manner that a number drawn from [0, 1) stands for."""
        for field in fields(self):
            draw -= getattr(self, field.name)
            if draw < 0:
                return Manner(field.name)
        return Manner.ORDINARY


ORDINARY_CROWD = Crowd(0, 0, 0, 0, 0, 0, 0)
"""Nobody is wayward."""


@dataclass(frozen=True)
class Person:
    """One simulated person."""

    number: int
    """From 1; everything that the person does is drawn from the study's seed and this."""
    manner: Manner
    questionnaire: Mapping[str, Any]
    """What the person fills in, as the page sends it: e-mail addresses in full."""
    stops_at: float | None
    """After which share of the pages a drop-out is gone."""
    pace: float
    """How long the person takes over pages that are no trials, as a factor."""


def person(study: Study, number: int, crowd: Crowd) -> Person:
    """The person of that number: the same one for the same study file, number and crowd."""
    stream = _stream(study, number)
    manner = manner_of(study, number, crowd)
    answers = questionnaire.ordinary(study, number, stream.child("questionnaire"))
    emails = [field for field in study.file.questionnaire if isinstance(field, EmailField)]
    if manner is Manner.TWICE:
        before = _earlier(study, number, crowd)
        known = questionnaire.ordinary(study, before, _stream(study, before).child("questionnaire"))
        answers.update({field.name: known[field.name] for field in emails})
    elif manner is Manner.FAKE_EMAIL:
        answers.update({field.name: questionnaire.fake_email(number) for field in emails})
    elif manner is Manner.EXCLUDED:
        answers.update(questionnaire.excluding(study, number, stream.child("excluding")))
    stops_at = stream.child("stops").uniform() if manner is Manner.DROP_OUT else None
    return Person(number, manner, answers, stops_at, 0.5 + stream.child("pace").uniform())


def manner_of(study: Study, number: int, crowd: Crowd) -> Manner:
    """How the person of that number takes the study; whoever cannot be wayward in this study is ordinary."""
    manner = _dealt(study, number, crowd)
    asks_for_email = any(isinstance(field, EmailField) for field in study.file.questionnaire)
    impossible = {
        Manner.INATTENTIVE: not any(block.task.attention_items() for block in study.blocks),
        Manner.TWICE: not asks_for_email or _earlier(study, number, crowd) == 0,
        Manner.FAKE_EMAIL: not asks_for_email,
        Manner.EXCLUDED: not questionnaire.excluding(study, number, _stream(study, number).child("excluding")),
    }
    return Manner.ORDINARY if impossible.get(manner, False) else manner


def _earlier(study: Study, number: int, crowd: Crowd) -> int:
    """The first ordinary person, if before this one; 0 if there is none."""
    for other in range(1, number):
        if _dealt(study, other, crowd) is Manner.ORDINARY:
            return other
    return 0


def _dealt(study: Study, number: int, crowd: Crowd) -> Manner:
    """A manner by the shares, dealt evenly instead of drawn: a small crowd has some of each as well.

    Multiples of the golden ratio, less their whole part, fill [0, 1) as evenly as any sequence (Kronecker's).
    """
    offset = Stream(study.file.seed, "rehearsal", "manners").uniform()
    return crowd.manner((offset + number * _GOLDEN) % 1)


def _stream(study: Study, number: int) -> Stream:
    return Stream(study.file.seed, "rehearsal", "person", number)
