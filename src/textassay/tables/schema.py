"""The tables: columns declared once, for readers, writers, exports and the codebook.

Tables are long, one row a fact. Columns beyond those declared are carried along.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "integer", "boolean", "time"]


@dataclass(frozen=True)
class Column:
    """One column: what it is called, what stands in it, and what it means."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    """A table without this column, or a row with nothing in it, is refused."""
    personal: bool = False
    """Left out of exports unless asked for."""
    undefined: bool = False
    """A row may have nothing in this column although it is required: its value is undefined, and a note says why."""


@dataclass(frozen=True)
class TableSchema:
    """A table: its columns, and those that together name a row."""

    name: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    """No two rows agree on all of these; empty where rows may repeat."""

    def column(self, name: str) -> Column | None:
        """The declared column of that name."""
        return next((column for column in self.columns if column.name == name), None)


PARTICIPANT = Column("participant", "text", "who answered; a code, never a name", required=True)
ITEM = Column("item", "text", "the item (input, topic, test case) that the text is about", required=True)
SYSTEM = Column("system", "text", "the system, condition or author that wrote the text", required=True)
CRITERION = Column("criterion", "text", "what was asked about, for example clarity", required=True)

TRIAL_COLUMNS = (
    Column("block", "text", "the block of the study in which it was asked"),
    Column("trial", "text", "key of the trial in the stored plan"),
    Column("position", "integer", "place of the trial in the order that this participant saw, from 1"),
    Column("kind", "text", "main, repeat (shown a second time), check (attention check) or practice"),
    Column("practice", "boolean", "whether the trial was for practice"),
    Column("repeat", "integer", "0 the first time this participant saw it, 1 the second"),
    Column("rt_ms", "number", "milliseconds from the page being shown to the answer, by the browser's clock"),
    Column("started_at", "time", "when the page was shown, UTC"),
    Column("answered_at", "time", "when it was answered, UTC"),
    Column("revision", "integer", "how often this answer had been changed"),
)
"""What is known about every trial that came through the web pages; absent from tables collected elsewhere."""

ITEMS = TableSchema(
    "items",
    "what the texts are about: one row an item, with any properties",
    (ITEM,),
    key=("item",),
)
TEXTS = TableSchema(
    "texts",
    "what is judged: one row a text",
    (ITEM, SYSTEM, Column("text", "text", "the text as participants see it", required=True)),
    key=("item", "system"),
)
REFERENCES = TableSchema(
    "references",
    "texts that metrics compare with: one or more rows an item",
    (ITEM, Column("text", "text", "a text that counts as good", required=True)),
)
PRACTICE = TableSchema(
    "practice",
    "texts for practice trials, in the order in which they are shown",
    (ITEM, Column("text", "text", "the text as participants see it", required=True)),
    key=("item",),
)
PARTICIPANTS = TableSchema(
    "participants",
    "who took part: one row a person",
    (
        PARTICIPANT,
        Column("cohort", "text", "the group that the person was recruited into"),
        Column("slot", "integer", "the list of the plan that the person was given, from 1"),
        Column("status", "text", "active, completed, withdrawn or excluded (by an answer in the questionnaire)"),
        Column(
            "counted", "boolean", "the first valid person to complete this slot; the plan's balance holds over these"
        ),
        Column("started_at", "time", "when the person opened the study, UTC"),
        Column("completed_at", "time", "when the person finished, UTC"),
        Column("external_id", "text", "the id that a recruiting platform passed in the link", personal=True),
        Column("verdict", "text", "valid or excluded, after screening"),
        Column("reasons", "text", "why the person was excluded, separated by semicolons"),
    ),
    key=("participant",),
)
JUDGEMENTS = TableSchema(
    "judgements",
    "ratings: one row a participant, item, system and criterion",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        CRITERION,
        Column("value", "number", "the rating", required=True),
        *TRIAL_COLUMNS,
        Column("comment", "text", "what the participant wrote in the comment box", personal=True),
    ),
)
SCORES = TableSchema(
    "scores",
    "automatic scores: one row a text and metric; `item` is empty at system level",
    (
        Column("item", "text", "the item; empty where the score is for the whole system"),
        SYSTEM,
        Column("metric", "text", "name of the metric", required=True),
        Column("value", "number", "the score; empty where it is undefined", required=True, undefined=True),
        Column("signature", "text", "the metric's exact settings"),
    ),
    key=("item", "system", "metric"),
)

TABLES: dict[str, TableSchema] = {
    table.name: table for table in (ITEMS, TEXTS, REFERENCES, PRACTICE, PARTICIPANTS, JUDGEMENTS, SCORES)
}
