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
COMMENT = Column("comment", "text", "what the participant wrote in the comment box", personal=True)

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
    Column("opened_at", "time", "when the page was first opened, UTC, by the server's clock"),
    Column(
        "timed_out", "boolean", "the time limit was over before the answer was given; empty where there is no limit"
    ),
    Column("late", "boolean", "given in time by the browser's clock, but it came after the limit by the server's"),
    Column("revision", "integer", "how often this answer had been changed"),
)
"""What is known about every trial that came through the web pages; absent from tables collected elsewhere."""

ITEMS = TableSchema(
    "items",
    "what the texts are about: one row an item, with any properties",
    (ITEM,),
    key=("item",),
)
UNIT = Column("unit", "text", "id of the sentence or other unit, where each row is one; the same for every system")
TEXTS = TableSchema(
    "texts",
    "what is judged: one row a text, or one row a unit of it, in the order in which the system gives them",
    (ITEM, SYSTEM, UNIT, Column("text", "text", "the text as participants see it", required=True)),
    key=("item", "system", "unit"),
)
REFERENCES = TableSchema(
    "references",
    "texts that metrics compare with: one or more rows an item",
    (ITEM, Column("text", "text", "a text that counts as good", required=True)),
)
PRACTICE = TableSchema(
    "practice",
    "texts for practice trials, in the order in which they are shown",
    (ITEM, UNIT, Column("text", "text", "the text as participants see it", required=True)),
    key=("item", "unit"),
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
        Column("external_id", "text", "the id that a recruiting platform passed, or the name invited", personal=True),
        Column("platform_study", "text", "the platform's name for the study or HIT", personal=True),
        Column("platform_session", "text", "the platform's name for this submission or assignment", personal=True),
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
        COMMENT,
    ),
)
PREFERENCES = TableSchema(
    "preferences",
    "preferences between two texts of one item: one row a participant, pair of systems and criterion",
    (
        PARTICIPANT,
        ITEM,
        Column("system_a", "text", "the first system of the pair, as the design names it", required=True),
        Column("system_b", "text", "the second system of the pair, as the design names it", required=True),
        CRITERION,
        Column("value", "number", "negative prefers system a, positive system b, 0 neither", required=True),
        Column("left", "text", "the system whose text stood left (or first, on a narrow screen)"),
        *TRIAL_COLUMNS,
        COMMENT,
    ),
)
RANKINGS = TableSchema(
    "rankings",
    "texts of one item put in order: one row a participant, item, system and criterion",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        CRITERION,
        Column("rank", "number", "1 is best; tied texts share the mean of their places", required=True),
        Column("start_position", "integer", "place of the text in the order that was shown first, from 1"),
        *TRIAL_COLUMNS,
        COMMENT,
    ),
)
ORDERS = TableSchema(
    "orders",
    "orders of the units of one text: one row an order, by a participant, a system or a reference",
    (
        ITEM,
        Column("by", "text", "who or what gave the order: code of the participant, name of the system", required=True),
        Column("role", "text", "participant, system or reference", required=True),
        Column("order", "text", "ids of the units, separated by spaces", required=True),
        Column("condition", "text", "the condition in which the units were shown, for example which order at first"),
        Column("start", "text", "ids of the units in the order that was shown first, separated by spaces"),
        Column("moves", "text", "every move as JSON: [[unit, from, to, milliseconds], …], places from 1"),
        Column("participant", "text", "who answered; a code, never a name"),
        *TRIAL_COLUMNS,
        COMMENT,
    ),
)
READING_TIMES = TableSchema(
    "reading-times",
    "self-paced reading: one row a unit that was read, and one a question that was answered",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        Column("unit", "text", "id of the unit; empty in the row of a question", required=True, undefined=True),
        Column("rt_ms", "number", "milliseconds from unit (or questions) being on the screen to the press (or choice)"),
        Column("delay_ms", "number", "milliseconds from the press before to the unit being on the screen"),
        Column("length", "integer", "characters of the unit"),
        Column("words", "integer", "words of the unit"),
        Column("unit_position", "integer", "place of the unit in its text, from 1"),
        Column("question", "text", "the comprehension question; empty in the row of a unit"),
        Column("answer", "text", "what was answered to the question"),
        Column("correct", "boolean", "whether the answer was right; in the row of a unit, all answers about its text"),
        Column("hidden", "integer", "how often the page was hidden while the text was read"),
        Column("blurred", "integer", "how often the page lost the focus while the text was read"),
        Column("restarts", "integer", "how often the page was loaded again in the middle and the text begun again"),
        Column("refresh_ms", "number", "milliseconds between two frames of the screen"),
        Column("resolution_ms", "number", "smallest step of the browser's clock, in milliseconds"),
        Column("trial_rt_ms", "number", "milliseconds from the page being shown to the answer, by the browser's clock"),
        *(column for column in TRIAL_COLUMNS if column.name != "rt_ms"),
    ),
)
DECISIONS = TableSchema(
    "decisions",
    "actions chosen after reading: one row a participant, item and system",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        Column(
            "chosen",
            "text",
            "ids of the chosen actions, separated by spaces; empty where none was chosen",
            required=True,
            undefined=True,
        ),
        Column("shown", "text", "ids of all actions in the order in which they stood on the page"),
        Column("appropriate", "text", "ids of the actions that are appropriate for the item, separated by spaces"),
        Column("inappropriate", "text", "ids of the actions that are inappropriate for the item, separated by spaces"),
        Column("target", "text", "ids of the actions that are the item's target, separated by spaces"),
        *TRIAL_COLUMNS,
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
    table.name: table
    for table in (
        ITEMS,
        TEXTS,
        REFERENCES,
        PRACTICE,
        PARTICIPANTS,
        JUDGEMENTS,
        PREFERENCES,
        RANKINGS,
        ORDERS,
        READING_TIMES,
        DECISIONS,
        SCORES,
    )
}
