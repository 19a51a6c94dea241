"""The contract of the reading task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.study.model import BlockSettings
from textassay.study.planning import WORDS_A_SECOND
from textassay.study.texts import as_html
from textassay.tables.schema import READING_TIMES, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.contract import Asked, Found, Payload, Systems, Task
from textassay.tasks.reading.answer import read_answer
from textassay.tasks.reading.checks import block_problems
from textassay.tasks.reading.questions import QUESTIONS, questions_of
from textassay.tasks.reading.settings import ReadingSettings
from textassay.tasks.reading.texts import inline, seen, units_shown
from textassay.tasks.text_units import ids_of_units

if TYPE_CHECKING:
    import pandas as pd

    from textassay.seeds import Stream
    from textassay.study.study import Block, Study

_SECONDS_A_UNIT = 0.3
_SECONDS_A_QUESTION = 4.0
_UNITS = {"sentences": "one sentence", "lines": "one line", "words": "one word", "table": "one unit"}
_DISPLAYS = {
    "single": "alone in one place",
    "cumulative": "with all earlier ones",
    "moving-window": "in its place, the others masked by dashes",
}


class Reading(Task):
    """Read a text unit by unit at one's own pace, then answer questions about it."""

    name: ClassVar[str] = "reading"
    title: ClassVar[str] = "Self-paced reading"
    Settings: ClassVar[type[BlockSettings]] = ReadingSettings
    schema: ClassVar[TableSchema] = READING_TIMES
    block_tables: ClassVar[Mapping[str, TableSchema]] = {"questions": QUESTIONS}

    # --- before the study -------------------------------------------------------------------------------------

    def check(self, block: Block, study: Study) -> Found:
        """See `Task.check`."""
        return block_problems(_settings(block), block, study)

    def seconds(self, block: Block, trial: Trial, study: Study) -> float:
        """See `Task.seconds`."""
        units = units_shown(block, trial.item, trial.systems, study)
        words = sum(len(unit.text.split()) for unit in units)
        asked = len(questions_of(block, trial))
        return words / WORDS_A_SECOND + _SECONDS_A_UNIT * len(units) + _SECONDS_A_QUESTION * asked

    def checks(self, block: Block) -> Sequence[str]:
        """See `Task.checks`."""
        return check_items(_settings(block).attention_checks)

    def drawn(self, block: Block, study: Study, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:
        """Which units the text has, each with its characters and words: pages must not tell, and tables must."""
        del stream  # nothing is random here; it is kept in the plan so that every answer can be told its units
        units = units_shown(block, cell.item, cell.condition, study)
        named = [(unit.id, seen(unit.text, _settings(block).texts_are)) for unit in units]
        return {"units": [[name, len(text), len(text.split())] for name, text in named]}

    def rests_on(self, block: Block, study: Study) -> object:
        """See `Task.rests_on`: the units, whose ids stand in the plan; their words may be corrected."""
        return ids_of_units(block, study, _settings(block).units)

    # --- while it runs ----------------------------------------------------------------------------------------

    def view(self, block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
        """See `Task.view`."""
        settings = _settings(block)
        units = units_shown(block, trial.item, trial.systems, study)
        return {
            "units": [inline(as_html(unit.text, settings.texts_are)) for unit in units],
            "display": settings.display,
            "lines": settings.units == "lines",
            "questions": [
                {"question": question.text, "choices": question.choices, "yes_or_no": question.yes_or_no}
                for question in questions_of(block, trial)
            ],
        }

    def read(self, block: Block, trial: Trial, payload: Payload) -> Payload:
        """See `Task.read`."""
        return read_answer(payload, len(trial.drawn["units"]), questions_of(block, trial))

    # --- after it ---------------------------------------------------------------------------------------------

    def rows(self, block: Block, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """One row a unit, then one a question; in a unit's row, `correct` is about all questions of its text."""
        common = {"item": trial.item, "system": trial.systems[0] if trial.systems else ""}
        asked = list(zip(questions_of(block, trial), payload["answers"], strict=False))
        right = {"correct": all(given["answer"] == question.correct for question, given in asked)} if asked else {}
        names = ("hidden", "blurred", "restarts", "refresh_ms", "resolution_ms")
        about = _known({name: payload.get(name) for name in names})
        # An answer may be looked at beside a trial that is not its own; then there are no units to name.
        units = zip(trial.drawn["units"], payload["units"], strict=False)
        read = [
            {
                **common,
                "unit": unit,
                "length": length,
                "words": words,
                "unit_position": given["position"],
                **_known({"rt_ms": given["rt_ms"], "delay_ms": given["delay_ms"]}),
                **right,
                **about,
            }
            for (unit, length, words), given in units
        ]
        answered = [
            {
                **common,
                "unit": "",
                "question": question.text,
                "answer": given["answer"],
                "correct": given["answer"] == question.correct,
                **_known({"rt_ms": given["rt_ms"]}),
            }
            for question, given in asked
        ]
        return read + answered

    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """The answers to the questions; where none was asked, the times, which nobody gives twice."""
        answers = sorted(str(row["answer"]) for row in rows if row.get("answer"))
        return tuple(answers) or tuple(sorted((row["unit_position"], row.get("rt_ms")) for row in rows))

    def right_responses(self, block: Block) -> Mapping[str, Hashable]:
        """See `Task.right_responses`."""
        answers: dict[str, list[dict[str, str]]] = {}
        for row in block.tables.get("questions", ()):
            answers.setdefault(row["item"], []).append({"answer": row["correct"]})
        return {item: self.response(rows) for item, rows in answers.items()}

    def outside(self, block: Block, row: Mapping[str, Any]) -> str | None:
        """See `Task.outside`."""
        del block  # what cannot be a time cannot be one anywhere
        time = row.get("rt_ms")
        if time is not None and not 0 <= time < float("inf"):
            return f"{time:g} milliseconds cannot be a time"
        return None

    def passed(self, block: Block, rows: Sequence[Mapping[str, Any]]) -> bool:
        """See `Task.passed`."""
        expected = check_of(_settings(block).attention_checks, str(rows[0]["item"])).expected
        return [row["answer"] for row in rows if row.get("answer")] == [expected]

    def asked(self, block: Block) -> Sequence[Asked]:
        """See `Task.asked`."""
        settings = _settings(block)
        how = f"{_UNITS[settings.units]} at a time, {_DISPLAYS[settings.display]}; space bar or tap goes on"
        asked = [Asked("time", "Read the text at your own pace.", f"milliseconds for each unit; {how}")]
        questions = len(block.tables.get("questions", ()))
        if questions:
            answer = "yes or no, or one of the choices in the questions table, which names the right one"
            asked.append(Asked("comprehension", f"Questions about the texts ({questions} in all)", answer))
        return asked

    def judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """See `Task.judgements`: how fast each text was read, in words a second."""
        from textassay.tasks.reading.speed import speeds  # noqa: PLC0415 -- pandas

        return speeds(table)


def _settings(block: Block) -> ReadingSettings:
    return cast("ReadingSettings", block.settings)


def _known(cells: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in cells.items() if value is not None}
