"""What a rating block may say in the study file."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from textassay.known_names import remedy
from textassay.study.model import Faults, Model, Problems, Text
from textassay.tasks import criteria
from textassay.tasks.cannot_judge import CannotJudgeSettings
from textassay.tasks.comments import CommentSettings, ReasonedCriterion
from textassay.tasks.context import ContextCheck, ContextLabels, ContextSettings
from textassay.tasks.event_marks import EventMarksSettings

MOST_BUTTONS = 11
"""The most radio buttons that fit a small screen."""
MOST_TEXTS = 10
"""The most texts that can be rated on one page."""
MOST = 1_000_000
"""No scale needs values beyond this."""


class Scale(Model):
    """A scale from one whole number to another."""

    low: int = Field(default=1, alias="from", ge=-MOST, le=MOST)
    """The value at the low end."""
    high: int = Field(default=5, alias="to", ge=-MOST, le=MOST)
    """The value at the high end."""
    labels: dict[int, Text] = Field(default_factory=dict)
    """Words for values, usually for both ends."""
    numbers: bool = True
    """Whether radio buttons show their numbers; a slider never does."""
    widget: Literal["radio", "slider"] = "radio"
    """Radio buttons, or an unmarked slider that starts in the middle."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        steps = self.high - self.low
        if steps == 0:
            raise Faults(((), f"one step only (from {self.low} to {self.high}); set 'to' above 'from'"))
        if steps < 0:
            raise Faults(((), f"from {self.low} to {self.high} runs downwards; swap the two and the labels"))
        faults = [*self._label_faults(), *(self._slider_faults() if self.widget == "slider" else self._radio_faults())]
        if faults:
            raise Faults(*faults)
        return self

    def _label_faults(self) -> Problems:
        for value in self.labels:
            if not self.low <= value <= self.high:
                message = f"a label for {value}, which is outside {self.low} to {self.high}; correct or remove it"
                yield ("labels", value), message

    def _radio_faults(self) -> Problems:
        buttons = self.high - self.low + 1
        if buttons > MOST_BUTTONS:
            yield (), f"{buttons} radio buttons do not fit a page (at most {MOST_BUTTONS}); use 'widget: slider'"
        if not self.numbers and not self._ends_labelled:
            remedy = f"label {self.low} and {self.high} or show the numbers"
            yield ("numbers",), f"neither numbers nor labels at both ends; {remedy}"

    def _slider_faults(self) -> Problems:
        if (self.low + self.high) % 2:
            yield (), f"a slider from {self.low} to {self.high} has no middle; make the two both even or both odd"
        if not self._ends_labelled:
            remedy = f"label {self.low} and {self.high}"
            yield (), f"a slider shows no numbers, so both ends need a label; {remedy}"

    @property
    def _ends_labelled(self) -> bool:
        return {self.low, self.high} <= self.labels.keys()

    @property
    def middle(self) -> int:
        """Where a slider starts."""
        return (self.low + self.high) // 2

    @property
    def values(self) -> range:
        """All values."""
        return range(self.low, self.high + 1)


class Criterion(ReasonedCriterion):
    """One thing that is rated."""

    scale: Scale = Scale()
    """The scale to answer on."""


class AttentionCheck(ContextCheck):
    """A trial that tells whether the participant reads: its text says what to answer."""

    text: Text
    """The text, which tells what to answer."""
    expected: dict[str, int] = Field(min_length=1)
    """The right value for one or more criteria."""
    other_texts: list[Text] = Field(default_factory=list, max_length=MOST_TEXTS - 1)
    """Further texts on its page, where texts are rated together; any answer about them will do."""


class RatingLabels(ContextLabels):
    """Words on the page of a rating."""

    text: Text | None = None
    """Above the text; by default “Text to rate”. Where texts are rated together, their number follows: “Text 1”."""


class RatingSettings(ContextSettings, CommentSettings, CannotJudgeSettings, EventMarksSettings):
    """A block of ratings."""

    task: Literal["rating"]
    """The kind of trial."""
    criteria: list[Criterion] = Field(min_length=1)
    """What is rated, all on one page."""
    together: Literal["all"] | Annotated[int, Field(ge=2, le=MOST_TEXTS)] | None = None
    """How many systems' texts of an item are rated on one page, in an order drawn for each trial: `all`, or a number.
    One text by itself if not given."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
    labels: RatingLabels = RatingLabels()
    """Words on the page in place of those of the interface, such as `{context: Article, text: Summary}`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        faults = [*criteria.criteria_faults(self.criteria), *self._check_faults()]
        if faults:
            raise Faults(*faults)
        return self

    def _check_faults(self) -> Problems:
        scales = {criterion.name: criterion.scale for criterion in self.criteria}
        for index, attention in enumerate(self.attention_checks):
            if attention.other_texts and self.together is None:
                message = "the other pages show one text; remove them, or set 'together'"
                yield ("attention_checks", index, "other_texts"), message
            for name, value in attention.expected.items():
                where = ("attention_checks", index, "expected", name)
                scale = scales.get(name)
                if scale is None:
                    yield where, f"{name!r} is not a criterion of this block; {remedy(name, scales)}"
                elif value not in scale.values:
                    yield where, f"{value} is outside the scale from {scale.low} to {scale.high}; ask for a value on it"
