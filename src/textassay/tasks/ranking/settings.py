"""What a ranking block may say in the study file."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import Faults, Model, Text
from textassay.tasks.attention import order_faults
from textassay.tasks.beside import BesideSettings
from textassay.tasks.comments import CommentSettings
from textassay.tasks.criteria import Criterion, criteria_faults

MOST_TEXTS = 20
"""So many texts can still be looked through on one page."""


class AttentionCheck(Model):
    """A trial that tells whether the participant reads: its texts say where they belong."""

    texts: list[Text] = Field(min_length=2, max_length=MOST_TEXTS)
    """The texts, in the order into which they are to be put; shown in another."""


class RankingSettings(BesideSettings, CommentSettings):
    """A block of rankings."""

    task: Literal["ranking"]
    """The kind of trial."""
    criteria: list[Criterion] = Field(min_length=1)
    """By what the texts are ranked, all on one page."""
    ties: bool = False
    """Whether two texts may share a rank."""
    systems_per_trial: int | None = Field(default=None, ge=2, le=MOST_TEXTS)
    """How many systems' texts are ranked at once; all of them if not given."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        checks = [check.texts for check in self.attention_checks]
        faults = [*criteria_faults(self.criteria), *order_faults(checks, "texts")]
        if faults:
            raise Faults(*faults)
        return self
