"""The contract of the reading task: what it asks and what it yields."""

from __future__ import annotations

import html
import re
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from typing_extensions import override

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.study.markup import as_html
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.study.units import UnitsAre, ids_of_units, split_units, units_of_text
from textassay.tables.schema import READING_TIMES, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.contract import Payload, Systems, Task, TrialQuestion
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.reading.answer import read_answer
from textassay.tasks.reading.settings import QUESTIONS, ReadingSettings, block_problems, questions_of

if TYPE_CHECKING:
    import pandas as pd

    from textassay.seeds import Stream
    from textassay.study.study import Unit


_SECONDS_A_UNIT = 0.3
_SECONDS_A_QUESTION = 4.0
_UNITS = {"sentences": "one sentence", "lines": "one line", "words": "one word", "table": "one unit"}
_DISPLAYS = {
    "single": "alone in one place",
    "cumulative": "with all earlier ones",
    "moving-window": "in its place, the others masked by dashes",
}


class Reading(Task[ReadingSettings]):
    """Read a text unit by unit at one's own pace, then answer questions about it."""

    name: ClassVar[str] = "reading"
    title: ClassVar[str] = "Self-paced reading"
    Settings: ClassVar[type[BlockSettings]] = ReadingSettings
    schema: ClassVar[TableSchema] = READING_TIMES
    block_tables: ClassVar[Mapping[str, TableSchema]] = {"questions": QUESTIONS}

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        return block_problems(self)

    @override
    def expected_seconds(self, trial: Trial) -> float:
        units = self._units(trial.item, trial.systems)
        words = sum(len(unit.text.split()) for unit in units)
        asked = len(questions_of(self, trial))
        reading = words / WORDS_A_SECOND + _SECONDS_A_UNIT * len(units)
        return min(reading, self.settings.limit_seconds or reading) + _SECONDS_A_QUESTION * asked

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    @override
    def randomise(self, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:
        """Which units the text has, each with its characters and words: pages must not tell, and tables must."""
        del stream  # nothing is random here; it is kept in the plan so that every answer can be told its units
        units = self._units(cell.item, cell.condition)
        named = [(unit.id, _visible(unit.text, self.settings.texts_are)) for unit in units]
        return {"units": [[name, len(text), len(text.split())] for name, text in named]}

    @override
    def plan_inputs(self) -> object:
        """The units, whose ids are in the plan; their words may be corrected."""
        return ids_of_units(self.study, self.block, self.settings.units)

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings = self.settings
        units = self._units(trial.item, trial.systems)
        return {
            "units": [_inline(as_html(unit.text, settings.texts_are)) for unit in units],
            "display": settings.display,
            "lines": settings.units == "lines",
            "limit": settings.limit_seconds,
            "questions": [
                {"question": question.text, "choices": question.choices, "yes_or_no": question.yes_or_no}
                for question in questions_of(self, trial)
            ],
        }

    def _units(self, item: str, systems: Systems) -> Sequence[Unit]:
        """The units of the text that a trial shows; a trial without a system is practice or a check."""
        settings = self.settings
        units = units_of_text(self.study, self.block, item, systems, settings.units)
        if units is not None:
            return units
        check = check_of(settings.attention_checks, item)
        how: UnitsAre = "sentences" if settings.units == "table" else settings.units
        return split_units(check.text, how, self.study.file.language)

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        limited = self.settings.limit_seconds is not None
        return read_answer(payload, len(trial.randomised["units"]), questions_of(self, trial), limited=limited)

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """One row per unit, then one per question; in a unit's row, `correct` is about all questions of its text.

        The unit at which a time limit ended the text has a row without a time.
        """
        common = {"item": trial.item, "system": trial.systems[0] if trial.systems else ""}
        common |= _known({"timed_out": payload.get("timed_out")})
        asked = list(zip(questions_of(self, trial), payload["answers"], strict=False))
        right = {"correct": all(given["answer"] == question.correct for question, given in asked)} if asked else {}
        names = ("hidden", "blurred", "restarts", "refresh_ms", "resolution_ms")
        about = _known({name: payload.get(name) for name in names})
        # An answer may be looked at beside a trial that is not its own; then there are no units to name.
        done = list(payload["units"])
        if payload.get("timed_out") and len(done) < len(trial.randomised["units"]):
            done.append({"position": len(done) + 1, "rt_ms": None, "delay_ms": None})
        units = zip(trial.randomised["units"], done, strict=False)
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

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """The answers to the questions; where none was asked, the times, which nobody gives twice."""
        answers = sorted(str(row["answer"]) for row in rows if row.get("answer"))
        return tuple(answers) or tuple(sorted((row["unit_position"], row.get("rt_ms")) for row in rows))

    @override
    def correct_responses(self) -> Mapping[str, Hashable]:
        answers: dict[str, list[dict[str, str]]] = {}
        for row in self.block.tables.get("questions", ()):
            answers.setdefault(row["item"], []).append({"answer": row["correct"]})
        return {item: self.response(rows) for item, rows in answers.items()}

    @override
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        time = row.get("rt_ms")
        if time is not None and not 0 <= time < float("inf"):
            return f"{time:g} milliseconds cannot be a time"
        return None

    @override
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        expected = check_of(self.settings.attention_checks, str(rows[0]["item"])).expected
        return [row["answer"] for row in rows if row.get("answer")] == [expected]

    @override
    def largest_differences(self) -> Mapping[str, float]:
        return {"reading time": 100.0}  # per cent

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        settings = self.settings
        how = f"{_UNITS[settings.units]} at a time, {_DISPLAYS[settings.display]}; space bar or tap goes on"
        limit = "" if settings.limit_seconds is None else f"; at most {settings.limit_seconds:g} seconds for a text"
        told = "Read the text at your own pace." if not limit else "Read the text before the time is up."
        timed = Elicitation(
            form="handling",
            instrument="none",
            activity=f"Participants read texts, {how}{limit}; the time for each unit is recorded.",
            scores="Times per word and per unit; outlying times are replaced, and systems compared on logarithms",
            objective=True,
        )
        asked = [TrialQuestion("time", told, f"milliseconds for each unit; {how}{limit}", timed)]
        questions = len(self.block.tables.get("questions", ()))
        if questions:
            answer = "yes or no, or one of the choices in the questions table, which names the right one"
            understood = Elicitation(
                form="performance",
                instrument="choices",
                size="2, or as many as the question has choices",
                values=answer,
                scores="Share of right answers",
                objective=True,
                extrinsic=True,
            )
            asks = f"Questions about the texts ({questions} in all)"
            asked.append(TrialQuestion("comprehension", asks, answer, understood))
        return asked

    @classmethod
    @override
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """How fast each text was read, in words a second; wrong answers and outliers are treated as by default."""
        from textassay.tasks.reading.measures import speeds  # noqa: PLC0415 -- pandas

        return speeds(table)

    @override
    def block_judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """How fast each text was read, with the block's limit for outliers; under a time limit, also if understood."""
        import pandas as pd  # noqa: PLC0415

        from textassay.tasks.reading.measures import speeds  # noqa: PLC0415 -- pandas
        from textassay.tasks.reading.time_limit import comprehension  # noqa: PLC0415

        found = speeds(table, self.settings.cutoff_sd)
        if self.settings.limit_seconds is None:
            return found
        return pd.concat([comprehension(table, self.settings.cutoff_sd), found], ignore_index=True)


def _known(cells: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in cells.items() if value is not None}


_TAG = re.compile("<[^>]*>")


def _inline(text: str) -> str:
    """A unit without the paragraph around it, so that units can follow each other on one line."""
    inner = text.strip().removeprefix("<p>").removesuffix("</p>")
    return inner if "<p>" not in inner and text.strip().startswith("<p>") else text


def _visible(text: str, written_as: Literal["text", "markdown", "html"]) -> str:
    """The characters that a reader sees of a unit, without its markup."""
    return text if written_as == "text" else html.unescape(_TAG.sub("", as_html(text, written_as))).strip()
