"""What a ranking block may say in the study file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import Faults, Model, Name, Text
from textassay.tasks.beside import BesideSettings

MOST_TEXTS = 20
"""So many texts can still be looked through on one page."""


class Criterion(Model):
    """One thing by which the texts are ranked."""

    name: Name
    """Its name in the tables."""
    question: Text
    """What the participant is asked."""


class AttentionCheck(Model):
    """A trial that tells whether the participant reads: its texts say where they belong."""

    texts: list[Text] = Field(min_length=2, max_length=MOST_TEXTS)
    """The texts, in the order into which they are to be put; shown in another."""


class RankingSettings(BesideSettings):
    """A block of rankings."""

    task: Literal["ranking"]
    """The kind of trial."""
    criteria: list[Criterion] = Field(min_length=1)
    """By what the texts are ranked, all on one page."""
    ties: bool = False
    """Whether two texts may share a rank."""
    systems_per_trial: int | None = Field(default=None, ge=2, le=MOST_TEXTS)
    """How many systems' texts are ranked at once; all of them if not given."""
    comment: Text | None = None
    """Question over a comment box; no box if not given."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        faults = [*self._criteria_faults(), *self._check_faults()]
        if faults:
            raise Faults(*faults)
        return self

    def _criteria_faults(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        names = [criterion.name for criterion in self.criteria]
        for index, name in enumerate(names):
            if name in names[:index]:
                yield ("criteria", index, "name"), f"criterion {name!r} stands there twice; rename one"

    def _check_faults(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        for index, attention in enumerate(self.attention_checks):
            for place, text in enumerate(attention.texts):
                if text in attention.texts[:place]:
                    where = ("attention_checks", index, "texts", place)
                    yield where, f"{text!r} stands there twice, so nobody could tell which comes first; reword one"
