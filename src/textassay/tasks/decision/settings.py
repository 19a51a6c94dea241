"""What a decision block may say in the study file."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import Faults, FilePath, Model, Text
from textassay.tasks.beside import BesideSettings
from textassay.tasks.contract import Found

Shows = Literal["text", "plot", "image"]
LONGEST_LIMIT = 86_400
"""A day, in seconds."""


class AttentionCheck(Model):
    """A trial that tells whether the participant reads: its text says what to choose."""

    text: Text
    """The text, which tells what to choose."""
    expected: list[str] = Field(min_length=1)
    """The actions that have to be chosen, and no others."""


class DecisionSettings(BesideSettings):
    """A block of decisions; context and image are the background, shown first."""

    unseen: ClassVar[frozenset[str]] = BesideSettings.unseen | {"targets"}
    """See `BlockSettings.unseen`."""

    task: Literal["decision"]
    """The kind of trial."""
    question: Text
    """What the participant is asked, such as: What would you do now?"""
    actions: FilePath
    """Table `action, label`: what can be chosen."""
    targets: FilePath
    """Table `item, appropriate, inappropriate, target`: which actions suit an item; participants never see it."""
    shows: dict[str, Shows] = Field(default_factory=dict)
    """What a system shows: its text (so it is for systems not named), a plot of the item's series, or an image."""
    series: FilePath | None = None
    """Table `item, series, time, value`: what plots show."""
    time_label: Text | None = None
    """Words under the time axis of plots, such as: minutes after admission."""
    plot_table: bool = True
    """Whether the values of a plot can be opened as a table; if not, only screen readers find that table."""
    shown_images: dict[str, str] = Field(default_factory=dict)
    """For each system that shows an image: the column of the items table that names the file. Its text describes it."""
    action_order: Literal["random", "fixed"] = "random"
    """Random for each participant, or as in the actions table."""
    no_action: str | None = None
    """The action that means doing nothing; it stands last in a random order."""
    no_action_alone: bool = False
    """Whether doing nothing shuts out all other actions."""
    limit_seconds: float | None = Field(default=None, ge=1, le=LONGEST_LIMIT)
    """How long a trial may take; then what was chosen so far is handed in. No limit if not given."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        faults = [*self._shown_faults(), *self._no_action_faults()]
        if faults:
            raise Faults(*faults)
        return self

    def _shown_faults(self) -> Found:
        for system, what in self.shows.items():
            if what == "plot" and self.series is None:
                yield ("shows", system), "a plot needs values; name their table in 'series'"
            if what == "image" and system not in self.shown_images:
                yield (
                    ("shows", system),
                    f"an image needs a file; name the column that holds it in 'shown_images.{system}'",
                )
        for system in self.shown_images:
            if self.shows.get(system) != "image":
                yield (
                    ("shown_images", system),
                    f"{system!r} shows no image; set 'shows.{system}' to image or remove this",
                )

    def _no_action_faults(self) -> Found:
        if self.no_action_alone and self.no_action is None:
            yield ("no_action_alone",), "which action means doing nothing is not said; name it in 'no_action'"
        if not self.no_action_alone:
            return
        for index, check in enumerate(self.attention_checks):
            if self.no_action in check.expected and len(set(check.expected)) > 1:
                message = f"{self.no_action!r} cannot be chosen together with others; ask for it alone"
                yield ("attention_checks", index, "expected"), message
