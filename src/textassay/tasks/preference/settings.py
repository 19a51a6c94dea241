"""What a preference block may say in the study file, and what must hold between it and the files of its study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from textassay.design import pairs
from textassay.known_names import remedy
from textassay.seeds import Stream
from textassay.study.model import Faults, Model, Problems, Text
from textassay.tasks.cannot_judge import CannotJudgeSettings
from textassay.tasks.comments import CommentSettings, ReasonedCriterion
from textassay.tasks.context import (
    ContextCheck,
    ContextLabels,
    ContextSettings,
    column_problems,
    context_problems,
    context_warnings,
    told_apart,
)
from textassay.tasks.criteria import criteria_faults

if TYPE_CHECKING:
    from textassay.tasks.contract import Task


OTHER = "other_text"
"""Column of the practice table with the second text."""
MOST = 1_000_000
"""No slider needs to reach further than this."""

Side = Literal["left", "right", "neither"]


class Pairing(Model):
    """Which systems are compared with which."""

    scheme: Literal["all-pairs", "topline", "references", "subset", "stated"] = "all-pairs"
    """All pairs; each system with one topline, itself included; each with some references; a part of all pairs, drawn
    so that every system is compared equally often; or the pairs that are stated here."""
    topline: str | None = None
    """The system that all are compared with, for the scheme `topline`."""
    references: list[str] = Field(default_factory=list)
    """The systems that all others are compared with, for the scheme `references`."""
    comparisons: int | None = Field(default=None, ge=1)
    """With how many others each system is compared, for the scheme `subset`."""
    stated: list[list[str]] = Field(default_factory=list)
    """The pairs, for the scheme `stated`; every system must be in equally many."""

    @model_validator(mode="after")
    def _fits_the_scheme(self) -> Self:
        keys = {"topline": "topline", "references": "references", "subset": "comparisons", "stated": "stated"}
        wanted = keys.get(self.scheme)
        faults: list[tuple[tuple[str | int, ...], str]] = []
        if wanted and not getattr(self, wanted):
            faults.append(((), f"the scheme {self.scheme!r} needs {wanted!r}; add it"))
        faults += [
            ((key,), f"the scheme {self.scheme!r} makes no use of {key!r}; remove it")
            for key in keys.values()
            if key != wanted and getattr(self, key)
        ]
        if faults:
            raise Faults(*faults)
        return self

    def of(self, systems: Sequence[str], stream: Stream) -> list[pairs.Pair]:
        """The pairs, each in the order in which the tables name it.

        Raises:
            ValueError: the systems do not allow it.
        """
        match self.scheme:
            case "all-pairs":
                return pairs.all_pairs(systems)
            case "topline":
                return pairs.pairs_with_topline(systems, self.topline or "")
            case "references":
                return pairs.pairs_with_references(systems, self.references)
            case "subset":
                return pairs.balanced_pairs(systems, self.comparisons or 0, stream)
            case "stated":
                return pairs.stated_pairs(systems, self.stated)


class AttentionCheck(ContextCheck):
    """A trial that tells whether the participant reads: its two texts say which to prefer."""

    left: Text
    """The text on the left; on top on a narrow screen."""
    right: Text
    """The text on the right."""
    spans: list[Text] = Field(default_factory=list)
    """The spans that are marked in its texts, for `marks: given`."""
    expected: dict[str, Side] = Field(min_length=1)
    """The side that must be preferred, for one or more criteria."""


class PreferenceLabels(ContextLabels):
    """Words on the page of a preference."""

    first: Text | None = None
    """What the text on the left is called, on top on a narrow screen; by default “Text 1”."""
    second: Text | None = None
    """What the text on the right is called; by default “Text 2”."""
    no_preference: Text | None = None
    """The answer that prefers neither; by default “I have no preference”."""


class PreferenceSettings(ContextSettings, CommentSettings, CannotJudgeSettings):
    """A block of preferences between two texts."""

    task: Literal["preference"]
    """The kind of trial."""
    criteria: list[ReasonedCriterion] = Field(min_length=1)
    """In what the two texts are compared, all on one page."""
    form: Literal["slider", "choice", "choice-with-tie"] = "slider"
    """How strongly, on an unmarked slider that starts in the middle; or which of the two, without or with a tie."""
    reach: int = Field(default=50, ge=1, le=MOST)
    """The slider's ends: values run from minus this to plus this."""
    pairs: Pairing = Pairing()
    """Which systems are compared with which."""
    marks: Literal["none", "differences", "given", "events"] = "none"
    """What is marked, in one colour where the texts agree and in another where they differ: nothing, all words, or the
    spans that the items table gives; or the events of annotated texts, in colours that say what they are about."""
    spans: str | None = None
    """Column of the items table with the spans to mark, separated by |, for `marks: given`."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
    labels: PreferenceLabels = PreferenceLabels()
    """Words on the page in place of those of the interface, such as `{first: A, second: B}`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        faults = [*criteria_faults(self.criteria), *self._check_faults(), *self._form_faults()]
        if faults:
            raise Faults(*faults)
        return self

    def _check_faults(self) -> Problems:
        names = [criterion.name for criterion in self.criteria]
        for index, attention in enumerate(self.attention_checks):
            for name, side in attention.expected.items():
                where = ("attention_checks", index, "expected", name)
                if name not in names:
                    yield where, f"{name!r} is not a criterion of this block; {remedy(name, names)}"
                elif side == "neither" and not self.ties:
                    yield where, "a choice without a tie cannot be 'neither'; use left or right"
            yield from self._span_faults(index, attention)

    def _span_faults(self, index: int, attention: AttentionCheck) -> Problems:
        where = ("attention_checks", index, "spans")
        if attention.spans and self.marks != "given":
            yield where, "only 'marks: given' marks spans; remove them, or set it in the block"
        for place, span in enumerate(attention.spans):
            if span not in attention.left and span not in attention.right:
                yield (*where, place), f"{span!r} is in neither text; correct or remove it"

    def _form_faults(self) -> Problems:
        if self.form != "slider" and "reach" in self.model_fields_set:
            yield ("reach",), f"a block with 'form: {self.form}' has no slider; remove 'reach'"
        if self.marks != "none" and self.texts_are != "text":
            message = f"words can be marked in plain text only, not where 'texts_are' is {self.texts_are}"
            yield ("marks",), f"{message}; remove one of the two"
        if (self.marks == "given") != (self.spans is not None):
            yield ("spans",), "'marks: given' and 'spans' need each other; add the one or remove the other"

    @property
    def marks_events(self) -> bool:
        """See `BlockSettings.marks_events`."""
        return self.marks == "events"

    @property
    def ties(self) -> bool:
        """Whether participants may prefer neither."""
        return self.form != "choice"

    @property
    def furthest(self) -> int:
        """The strongest preference that can be given; the weakest is its negative."""
        return self.reach if self.form == "slider" else 1

    def holds(self, value: float) -> bool:
        """Whether the value can be an answer."""
        # Its size first: a whole number may be too large to become a float.
        return abs(value) <= self.furthest and float(value).is_integer() and (value != 0 or self.ties)


def block_problems(task: Task[PreferenceSettings]) -> Problems:
    """What is wrong between the block and the files of its study."""
    settings, block, study = task.settings, task.block, task.study
    yield from context_problems(task)
    yield from column_problems({("spans",): settings.spans}, study)
    yield from _pairs(task)
    for item, row in block.practice.items():
        if not row.get(OTHER):
            message = f"practice item {item!r} has one text only; give the second one in the column {OTHER!r}"
            yield ("practice",), message
            return


def block_warnings(task: Task[PreferenceSettings]) -> Iterator[str]:
    """What tells attention checks from the other trials."""
    yield from context_warnings(task)
    settings, study = task.settings, task.study
    rows = [study.items.get(item) for item in study.items_in_order]
    if settings.spans is None or not all(row is not None and row.get(settings.spans) for row in rows):
        return
    for number, check in enumerate(settings.attention_checks, 1):
        if not check.spans:
            yield told_apart(task, number, "nothing is marked in it, unlike in all other trials", "add 'spans' to it")


def _pairs(task: Task[PreferenceSettings]) -> Problems:
    try:
        found = task.conditions()
    except ValueError as error:
        yield ("pairs",), str(error)
        return
    counts = pairs.comparisons_per_system([(first, second) for first, second in found])
    if task.settings.pairs.scheme == "stated" and len({counts[system] for system in task.study.systems}) > 1:
        counted = ", ".join(f"{system} {counts[system]}" for system in task.study.systems)
        yield ("pairs", "stated"), f"systems are not compared equally often ({counted}); add or remove pairs"
