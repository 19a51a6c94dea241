"""The tables: columns declared once, for readers, writers, exports and the codebook.

Tables are long: one row per fact. Further columns are kept as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "integer", "boolean", "time"]


@dataclass(frozen=True)
class Column:
    """One column: its name, the kind of its values, and what they mean."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    """A table without this column, or a row in which it is empty, is refused."""
    personal: bool = False
    """Not exported unless asked for."""
    undefined: bool = False
    """The column may be empty in a row although it is required: the value is undefined there, and a note says why."""
    empty_where: str = ""
    """Name of a column of yes and no: in a row where it says yes, this column is empty although it is required."""


@dataclass(frozen=True)
class TableSchema:
    """A table: its columns, and those that together identify a row."""

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
CANNOT_JUDGE = Column("cannot_judge", "boolean", "the answer was that this cannot be judged; then there is no value")
COMMENT = Column("comment", "text", "what the participant wrote in the comment box", personal=True)

WHY = (
    Column("why", "text", "why the participant answered so, in the participant's words", personal=True),
    Column("why_words", "integer", "words of that reason; 0 where the box was left empty"),
)

TRIAL_COLUMNS = (
    Column("block", "text", "the block of the study in which it was asked"),
    Column("trial", "text", "key of the trial in the stored plan"),
    Column("position", "integer", "position of the trial in the order that this participant saw, from 1"),
    Column("kind", "text", "main, repeat (shown a second time), check (attention check) or practice"),
    Column("practice", "boolean", "whether the trial was for practice"),
    Column("repeat", "integer", "0 the first time this participant saw it, 1 the second"),
    Column("rt_ms", "number", "milliseconds from the page being shown to the answer, by the browser's clock"),
    Column("started_at", "time", "when the page was shown, UTC"),
    Column("answered_at", "time", "when it was answered, UTC"),
    Column("opened_at", "time", "when the page was first opened, UTC, by the server's clock"),
    Column(
        "timed_out", "boolean", "the time limit ended the answer, or the text before it; empty where there is no limit"
    ),
    Column("late", "boolean", "given in time by the browser's clock, but received after the limit by the server's"),
    Column("revision", "integer", "how often this answer had been changed"),
)
"""What is known about every trial that came through the web pages; absent from tables collected elsewhere."""

ITEMS = TableSchema(
    "items",
    "what the texts are about: one row per item, with any properties",
    (ITEM,),
    key=("item",),
)
UNIT = Column("unit", "text", "id of the sentence or other unit, where each row is one; the same for every system")
TEXTS = TableSchema(
    "texts",
    "what is judged: one row per text, or one row per unit of it, in the system's order",
    (ITEM, SYSTEM, UNIT, Column("text", "text", "the text as participants see it", required=True)),
    key=("item", "system", "unit"),
)
REFERENCES = TableSchema(
    "references",
    "texts that metrics compare with: one row per reference, or one row per unit of it, in the reference's order",
    (
        ITEM,
        Column("unit", UNIT.kind, "id of the sentence or other unit, where each row is one; the same as in the texts"),
        Column("reference", "text", "which of the item's references a unit belongs to, where there are several"),
        Column("text", "text", "a text that counts as good", required=True),
    ),
)
SOURCES = TableSchema(
    "sources",
    "what the texts of each item were made from, for metrics that compare texts with it: one row per item",
    (
        ITEM,
        Column("source", "text", "the text that was simplified or summarised, or the data as a line", required=True),
    ),
    key=("item",),
)
PRACTICE = TableSchema(
    "practice",
    "texts for practice trials, in the order in which they are shown",
    (ITEM, UNIT, Column("text", "text", "the text as participants see it", required=True)),
    key=("item", "unit"),
)
WHO_SEES_WHAT = TableSchema(
    "plan",
    "who sees what: one row per trial",
    (
        Column("participant", "text", "name or number of the list that one participant gets", required=True),
        ITEM,
        Column("system", "text", "whose text is shown; the systems of a comparison are separated by |", required=True),
        Column("position", "integer", "position of the trial for this participant, from 1; else the order is drawn"),
    ),
)
PARTICIPANTS = TableSchema(
    "participants",
    "who took part: one row per participant",
    (
        PARTICIPANT,
        Column("cohort", "text", "the group that the participant was recruited into"),
        Column("slot", "integer", "the participant's slot in the plan, from 1"),
        Column("status", "text", "active, completed, withdrawn or excluded (by an answer in the questionnaire)"),
        Column(
            "counted",
            "boolean",
            "the first valid participant to complete this slot; the plan's balance holds over these",
        ),
        Column("started_at", "time", "when the participant opened the study, UTC"),
        Column("completed_at", "time", "when the participant finished, UTC"),
        Column(
            "external_id",
            "text",
            "the id that a recruiting platform passed, or the name in the invitation",
            personal=True,
        ),
        Column("platform_study", "text", "the platform's name for the study or HIT", personal=True),
        Column("platform_session", "text", "the platform's name for this submission or assignment", personal=True),
        Column("simulated", "boolean", "whether a program answered in place of a person, in a rehearsal"),
        Column("verdict", "text", "valid or excluded, after screening"),
        Column("reasons", "text", "why the participant was excluded, separated by semicolons"),
    ),
    key=("participant",),
)
JUDGEMENTS = TableSchema(
    "judgements",
    "ratings: one row per participant, item, system and criterion",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        CRITERION,
        Column("value", "number", "the rating", required=True, empty_where=CANNOT_JUDGE.name),
        CANNOT_JUDGE,
        Column("page_position", "integer", "place of the text on its page, from 1, where several were rated together"),
        *TRIAL_COLUMNS,
        COMMENT,
        *WHY,
    ),
)
PREFERENCES = TableSchema(
    "preferences",
    "preferences between two texts of one item: one row per participant, pair of systems and criterion",
    (
        PARTICIPANT,
        ITEM,
        Column("system_a", "text", "the first system of the pair, as the design names it", required=True),
        Column("system_b", "text", "the second system of the pair, as the design names it", required=True),
        CRITERION,
        Column(
            "value",
            "number",
            "negative prefers system a, positive system b, 0 neither",
            required=True,
            empty_where=CANNOT_JUDGE.name,
        ),
        CANNOT_JUDGE,
        Column("left", "text", "the system whose text was on the left (or first, on a narrow screen)"),
        *TRIAL_COLUMNS,
        COMMENT,
        *WHY,
    ),
)
RANKINGS = TableSchema(
    "rankings",
    "texts of one item ranked: one row per participant, item, system and criterion",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        CRITERION,
        Column("rank", "number", "1 is best; tied texts share the mean of their ranks", required=True),
        Column("start_position", "integer", "position of the text in the order that was shown first, from 1"),
        *TRIAL_COLUMNS,
        COMMENT,
    ),
)
ORDERS = TableSchema(
    "orders",
    "orders of the units of one text: one row per order, by a participant, a system or a reference",
    (
        ITEM,
        Column("by", "text", "who or what gave the order: code of the participant, name of the system", required=True),
        Column("role", "text", "participant, system or reference", required=True),
        Column("order", "text", "ids of the units, separated by spaces", required=True),
        Column("condition", "text", "the condition in which the units were shown, for example which initial order"),
        Column("start", "text", "ids of the units in the order that was shown first, separated by spaces"),
        Column("moves", "text", "every move as JSON: [[unit, from, to, milliseconds], …], positions from 1"),
        Column("participant", "text", "who answered; a code, never a name"),
        *TRIAL_COLUMNS,
        COMMENT,
    ),
)
READING_TIMES = TableSchema(
    "reading-times",
    "self-paced reading: one row per unit that was read, and one per question that was answered",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        Column("unit", "text", "id of the unit; empty in the row of a question", required=True, undefined=True),
        Column("rt_ms", "number", "milliseconds from unit (or questions) being on the screen to the press (or choice)"),
        Column("delay_ms", "number", "milliseconds from the previous press to the unit being on the screen"),
        Column("length", "integer", "characters of the unit"),
        Column("words", "integer", "words of the unit"),
        Column("unit_position", "integer", "position of the unit in its text, from 1"),
        Column("question", "text", "the comprehension question; empty in the row of a unit"),
        Column("answer", "text", "what was answered to the question"),
        Column(
            "correct",
            "boolean",
            "whether the answer was correct; in the row of a unit: whether all answers about its text were",
        ),
        Column("hidden", "integer", "how often the page was hidden during reading"),
        Column("blurred", "integer", "how often the page lost the focus during reading"),
        Column("restarts", "integer", "how often the page was reloaded while reading, so that the text began again"),
        Column("refresh_ms", "number", "milliseconds between two frames of the screen"),
        Column("resolution_ms", "number", "smallest step of the browser's clock, in milliseconds"),
        Column("trial_rt_ms", "number", "milliseconds from the page being shown to the answer, by the browser's clock"),
        *(column for column in TRIAL_COLUMNS if column.name != "rt_ms"),
    ),
)
DECISIONS = TableSchema(
    "decisions",
    "actions chosen after reading: one row per participant, item and system",
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
        Column("shown", "text", "ids of all actions in the order in which the page showed them"),
        Column("appropriate", "text", "ids of the actions that are appropriate for the item, separated by spaces"),
        Column("inappropriate", "text", "ids of the actions that are inappropriate for the item, separated by spaces"),
        Column("target", "text", "ids of the actions that are the item's target, separated by spaces"),
        *TRIAL_COLUMNS,
    ),
)
SCORES = TableSchema(
    "scores",
    "automatic scores: one row per text and metric; `item` is empty at system level",
    (
        Column("item", "text", "the item; empty where the score is for the whole system"),
        SYSTEM,
        Column("metric", "text", "name of the metric", required=True),
        Column("value", "number", "the score; empty where it is undefined", required=True, undefined=True),
        Column("signature", "text", "the metric's exact settings"),
        Column("better", "text", "higher or lower: which values of the metric are better; needed only if imported"),
    ),
    key=("item", "system", "metric"),
)
ERROR_MARKS = TableSchema(
    "error-marks",
    "errors that people marked in texts: one row per mark; one row `no-error` where somebody found none in a text",
    (
        PARTICIPANT,
        ITEM,
        SYSTEM,
        Column("category", "text", "what kind of error, for example Fluency/Punctuation", required=True),
        Column("severity", "text", "how bad it is, for example Major, Minor or no-error", required=True),
        Column("span", "text", "what was marked"),
    ),
)
TARGETS = TableSchema(
    "targets",
    "which actions suit an item: one row per item, or one per item and expert, ids separated by spaces; actions in "
    "neither set are neutral",
    (
        ITEM,
        Column("appropriate", "text", "actions that are appropriate", required=True),
        Column("inappropriate", "text", "actions that are inappropriate; may be empty"),
        Column("target", "text", "what experts would do; may be empty"),
        Column("expert", "text", "whose view it is, where there are several; `adjudicated` for what was decided"),
    ),
    key=("item", "expert"),
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
