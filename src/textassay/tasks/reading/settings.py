"""What a reading block may say in the study file, and what must hold between it and the files of its study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import Field, model_validator

from textassay.design.plan import Trial
from textassay.known_names import remedy
from textassay.study.model import BlockSettings, Faults, FilePath, Labels, Model, Problems, Text
from textassay.study.units import UnitsAre
from textassay.tables.reader import Row
from textassay.tables.schema import Column, TableSchema
from textassay.tasks.attention import check_of
from textassay.tasks.reading.predictor import predictor_problems

if TYPE_CHECKING:
    from textassay.study.study import Block, Study
    from textassay.tasks.contract import Task


LONGEST_LIMIT = 86_400
"""A day, in seconds."""
YES_OR_NO = ("yes", "no")
"""What a question without choices of its own is answered with; the page shows the two in its own language."""


def choice_faults(choices: Sequence[str], correct: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the answers to a question: which part, and message with remedy."""
    twice = [choice for index, choice in enumerate(choices) if choice in choices[:index]]
    if len(choices) == 1:
        yield "choices", f"there is only one choice, {choices[0]!r}; add another, or none for yes and no"
    if twice:
        yield "choices", f"duplicate choice {twice[0]!r}; rename one"
    possible = choices or YES_OR_NO
    if correct not in possible:
        yield "correct", f"{correct!r} is not among the choices; {remedy(correct, possible)}"


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


class ReadingLabels(Labels):
    """Words on the page of a reading."""

    begin: Text | None = None
    """What the participant presses to begin; by default “Press the space bar, or tap here, to begin.”"""
    go_on: Text | None = None
    """Below the text; by default “Space bar or tap: go on”."""
    questions: Text | None = None
    """Above the questions; by default “Questions about the text”."""
    done: Text | None = None
    """Where there are no questions, after the text; by default “You have read the text.”"""


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
    limit_seconds: float | None = Field(default=None, ge=1, le=LONGEST_LIMIT)
    """How long a text may be read, from its first unit on; then it disappears and the questions follow. No limit if not
    given."""
    cutoff_sd: float = Field(default=2.5, gt=0)
    """Times further from the participant's mean than this many standard deviations are replaced in the analysis."""
    predictor: Text | None = None
    """Column of the texts (or items) table with a number for each text, such as tau: times are regressed on it."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
    labels: ReadingLabels = ReadingLabels()
    """Words on the page in place of those of the interface, such as `{questions: About the story}`."""


_BETWEEN_CHOICES = "|"

QUESTIONS = TableSchema(
    "questions",
    "comprehension questions: one row per question, in the order in which they are asked",
    (
        Column("item", "text", "the item, or the practice item, whose text the question is about", required=True),
        Column("question", "text", "what is asked", required=True),
        Column("choices", "text", "the answers to choose from, separated by |; empty for yes and no"),
        Column("correct", "text", "the right answer, one of the choices", required=True),
    ),
    key=("item", "question"),
)


@dataclass(frozen=True)
class Question:
    """One question about a text."""

    text: str
    choices: tuple[str, ...]
    correct: str

    @property
    def yes_or_no(self) -> bool:
        """Whether the page names the choices in its own language."""
        return self.choices == YES_OR_NO


def choices_of(row: Row) -> tuple[str, ...]:
    """The choices that a row of the questions table gives; none for yes and no."""
    parts = str(row.get("choices") or "").split(_BETWEEN_CHOICES)
    return tuple(part.strip() for part in parts if part.strip())


def questions_of(task: Task[ReadingSettings], trial: Trial) -> Sequence[Question]:
    """The questions of a trial, in the order in which they are asked."""
    if trial.kind == "check":
        check = check_of(task.settings.attention_checks, trial.item)
        return [Question(check.question, tuple(check.choices) or YES_OR_NO, check.expected)]
    rows = [row for row in task.block.tables.get("questions", ()) if row["item"] == trial.item]
    return [Question(row["question"], choices_of(row) or YES_OR_NO, row["correct"]) for row in rows]


_SHOWN = 5
"""The most rows named in a message."""
_REMEDY = "add a column 'unit' with one row per unit, or let 'units' be sentences, lines or words"


def block_problems(task: Task[ReadingSettings]) -> Problems:
    """What is wrong between the block and the files of its study."""
    settings, block, study = task.settings, task.block, task.study
    if settings.units == "table":
        without = [f"{item!r} by {system!r}" for item, system in study.texts if (item, system) not in study.units]
        if without:
            yield ("units",), f"the texts table names no units of {_some(without)}; {_REMEDY}"
        without = [repr(item) for item in block.practice if item not in block.practice_units]
        if without:
            yield ("practice",), f"the practice table names no units of {_some(without)}; {_REMEDY}"
    for message in list(_questions(block, study))[:_SHOWN]:
        yield ("questions",), message
    yield from predictor_problems(settings.predictor, study)


def _questions(block: Block, study: Study) -> Iterator[str]:
    table = block.tables.get("questions")
    known = {*study.items_in_order, *block.practice}
    for row in table or ():
        place = f"{table.file if table else ''}, line {row.line}"
        if row["item"] not in known:
            yield f"{place}: there is no text of item {row['item']!r}; correct it or remove the row"
        for _, message in choice_faults(choices_of(row), row["correct"]):
            yield f"{place}: {message}"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
