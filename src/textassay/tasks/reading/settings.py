"""What a reading block may say in the study file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import BlockSettings, Faults, FilePath, Model, Text
from textassay.study.units import UnitsAre

YES_OR_NO = ("yes", "no")
"""What a question without choices of its own is answered with; the page shows the two in its own language."""


def choice_faults(choices: Sequence[str], correct: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the answers to a question: which part, and message with remedy."""
    twice = [choice for index, choice in enumerate(choices) if choice in choices[:index]]
    if len(choices) == 1:
        yield "choices", f"there is only one choice, {choices[0]!r}; add another, or none for yes and no"
    if twice:
        yield "choices", f"choice {twice[0]!r} stands there twice; rename one"
    possible = choices or YES_OR_NO
    if correct not in possible:
        yield "correct", f"{correct!r} is not among the choices; use one of: {', '.join(possible)}"


class AttentionCheck(Model):
    """A short text with a question that everybody answers rightly who has read it."""

    text: Text
    """The text, read as all others are; with `units: table`, one sentence at a time."""
    question: Text
    """What is asked about it."""
    choices: list[Text] = Field(default_factory=list)
    """The answers to choose from; yes and no if not given."""
    expected: Text
    """The right one of them."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        names = {"choices": "choices", "correct": "expected"}
        faults = [((names[part],), message) for part, message in choice_faults(self.choices, self.expected)]
        if faults:
            raise Faults(*faults)
        return self


class ReadingSettings(BlockSettings):
    """A block of self-paced reading."""

    unseen: ClassVar[frozenset[str]] = BlockSettings.unseen | {"cutoff_sd", "predictor"}
    """See `BlockSettings.unseen`."""

    task: Literal["reading"]
    """The kind of trial."""
    units: UnitsAre = "sentences"
    """What is shown at a time: a sentence, a line, a word, or a row of the texts table with its column `unit`."""
    display: Literal["single", "cumulative", "moving-window"] = "single"
    """One unit alone in one place; with all earlier ones; or in its place, the other units masked by dashes."""
    questions: FilePath | None = None
    """Table `item, question, choices, correct`: what is asked after a text; choices are separated by `|`."""
    cutoff_sd: float = Field(default=2.5, gt=0)
    """Times further from the participant's mean than so many standard deviations are replaced in the analysis."""
    predictor: Text | None = None
    """Column of the texts (or items) table with a number for each text, such as tau: times are regressed on it."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
