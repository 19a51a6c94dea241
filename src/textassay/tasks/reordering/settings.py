"""What a reordering block may say in the study file."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import Faults, Model, Text
from textassay.tasks.attention import order_faults
from textassay.tasks.beside import BesideSettings
from textassay.tasks.comments import CommentSettings
from textassay.tasks.contract import Found


class AttentionCheck(Model):
    """A trial that tells whether the participant reads: its units say where they belong."""

    units: list[Text] = Field(min_length=2)
    """The units, in the order into which they are to be put; shown in another."""


class ReorderingSettings(BesideSettings, CommentSettings):
    """A block in which texts are put in order."""

    task: Literal["reordering"]
    """The kind of trial."""
    question: Text
    """What the participant is asked to do."""
    units_are: Literal["table", "sentences", "lines"] = "table"
    """What is moved: rows of the texts table, each with its `unit`; or the sentences or lines of each text."""
    start: Literal["data", "random"] = "data"
    """The order that is shown first: that of the system's rows, or one drawn for each trial."""
    first_fixed: bool = False
    """Whether the unit that the system puts first stays first and cannot be moved."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        checks = [check.units for check in self.attention_checks]
        faults = [*self._check_faults(), *order_faults(checks, "units")]
        if faults:
            raise Faults(*faults)
        return self

    def _check_faults(self) -> Found:
        least = 2 + self.first_fixed
        for index, attention in enumerate(self.attention_checks):
            if len(attention.units) < least:
                message = f"with the first unit fixed, {least} are needed so that two can change places; add one"
                yield ("attention_checks", index, "units"), message
