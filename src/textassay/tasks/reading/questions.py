"""The comprehension questions of a reading block. The right answers stay on the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textassay.design.plan import Trial
from textassay.tables.reader import Row
from textassay.tables.schema import Column, TableSchema
from textassay.tasks.attention import check_of
from textassay.tasks.reading.settings import YES_OR_NO, ReadingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block

_BETWEEN_CHOICES = "|"

QUESTIONS = TableSchema(
    "questions",
    "comprehension questions: one row a question, in the order in which they are asked",
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


def questions_of(block: Block, trial: Trial) -> Sequence[Question]:
    """The questions of a trial, in the order in which they are asked."""
    if trial.kind == "check":
        check = check_of(cast("ReadingSettings", block.settings).attention_checks, trial.item)
        return [Question(check.question, tuple(check.choices) or YES_OR_NO, check.expected)]
    rows = [row for row in block.tables.get("questions", ()) if row["item"] == trial.item]
    return [Question(row["question"], choices_of(row) or YES_OR_NO, row["correct"]) for row in rows]
