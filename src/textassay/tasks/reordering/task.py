"""The contract of the reordering task: what it asks and what it yields."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.seeds import Stream
from textassay.study.markup import as_html
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.study.study import Unit
from textassay.study.units import practice_units, shared_units
from textassay.tables.schema import ORDERS, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.context import context_images, context_row, context_warnings
from textassay.tasks.contract import Payload, Systems, Task, TrialQuestion
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.reordering.settings import ReorderingSettings, block_problems
from textassay.tasks.sorting import anonymous_ids

if TYPE_CHECKING:
    import pandas as pd

    from textassay.seeds import Stream


_SECONDS_A_UNIT = 4.0
"""To find the place of a unit in the order."""
_MOST_MOVES = 5000
"""Nobody makes more by hand; a longer list is not from the page."""
_LONGEST_MS = 1e9
"""Eleven days: nobody takes longer, and no clock that works says so."""
_AS_IT_IS = "as it is"


class Reordering(Task[ReorderingSettings]):
    """Put the units of one text in the most coherent order."""

    name: ClassVar[str] = "reordering"
    title: ClassVar[str] = "Reordering"
    Settings: ClassVar[type[BlockSettings]] = ReorderingSettings
    schema: ClassVar[TableSchema] = ORDERS

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        return block_problems(self)

    @override
    def randomise(self, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:
        """The order that is shown first, and for each unit an id that tells nothing."""
        settings, units = self.settings, self._units(cell.item, cell.condition)
        # A check that is right from the start checks nothing.
        check = not cell.condition and cell.item not in self.block.practice
        start = [unit.id for unit in units]
        if check or settings.start == "random":
            start = shuffled_start(units, stream.child("start"), fixed=int(settings.first_fixed), differs=check)
        return {"start": start, "ids": anonymous_ids(len(start), stream.child("ids"))}

    @override
    def plan_inputs(self) -> object:
        """The units, whose ids are in the plan; their words may be corrected."""
        how, study = self.settings.units_are, self.study
        texts = [shared_units(study, *text, how) for text in study.texts]
        practice = [practice_units(self.block, item, how, study.file.language) for item in self.block.practice]
        return [[unit.id for unit in units] for units in (*texts, *practice)]

    @override
    def warnings(self) -> Iterable[str]:
        return context_warnings(self)

    @override
    def expected_seconds(self, trial: Trial) -> float:
        units = self._units(trial.item, trial.systems)
        words = sum(len(unit.text.split()) for unit in units)
        words += len(self.settings.context_of(context_row(self, trial)).split())
        return words / WORDS_A_SECOND + _SECONDS_A_UNIT * len(units)

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings = self.settings
        texts = {unit.id: unit.text for unit in self._units(trial.item, trial.systems)}
        shown = zip(trial.randomised["ids"], trial.randomised["start"], strict=True)
        return {
            **settings.context_view(context_row(self, trial)),
            "question": settings.question,
            "entries": [
                {
                    "id": name,
                    "html": as_html(texts[unit], settings.texts_are),
                    "fixed": settings.first_fixed and place == 0,
                }
                for place, (name, unit) in enumerate(shown)
            ],
            **settings.comment_box(),
        }

    def _units(self, item: str, systems: Systems) -> tuple[Unit, ...]:
        """The units of a trial in the order of the data; trials without a system are practice or checks."""
        how = self.settings.units_are
        if systems:
            return shared_units(self.study, item, systems[0], how)
        if item in self.block.practice:
            return practice_units(self.block, item, how, self.study.file.language)
        check = check_of(self.settings.attention_checks, item)
        return tuple(Unit(str(place), text) for place, text in enumerate(check.units, 1))

    @override
    def media(self) -> Iterable[str]:
        return context_images(self)

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        settings, ids = self.settings, list(trial.randomised["ids"])
        order, moves = payload.get("order"), payload.get("moves") or []
        wrong: dict[str, str] = {}
        if not _is_order(order, ids, fixed=int(settings.first_fixed)) or not _are_moves(moves, ids):
            wrong["order"] = "reordering.wrong"
        elif order == ids and payload.get("confirmed") is not True:
            wrong["order"] = "reordering.unconfirmed"
        wrong |= settings.comment_faults(payload)
        if wrong:
            raise AnswerError(wrong)
        return {"order": order, "moves": moves, **settings.kept_comment(payload)}

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """Column `by` is the participant, whom only the export knows."""
        unit = dict(zip(trial.randomised["ids"], trial.randomised["start"], strict=True))
        moves = [[unit[name], source, to, ms] for name, source, to, ms in payload["moves"]]
        row = {
            "item": trial.item,
            "role": "participant",
            "order": " ".join(unit[name] for name in payload["order"]),
            "condition": trial.systems[0] if trial.systems else "",
            "start": " ".join(trial.randomised["start"]),
            "moves": json.dumps(moves, ensure_ascii=False),
        }
        return [{**row, **self.settings.comment_cell(payload)}]

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """What came where, of the places in which the units were shown first.

        Texts differ in length, so leaving a text as it is counts as one answer, whatever its length.
        """
        places = []
        for row in rows:
            order, start = str(row["order"]).split(), str(row.get("start") or "").split()
            place = {unit: number for number, unit in enumerate(start)}
            places.append(_AS_IT_IS if order == start else tuple(place.get(unit, unit) for unit in order))
        return tuple(places)

    @override
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        order, start = str(row["order"]).split(), str(row.get("start") or "").split()
        if len(set(order)) < len(order):
            return f"order {row['order']!r} names a unit twice"
        if start and sorted(start) != sorted(order):
            return f"order {row['order']!r} does not hold the units of start {row['start']!r}"
        return None

    @override
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Units of a check are numbered as they belong."""
        return all(str(row["order"]).split() == sorted(str(row["order"]).split(), key=int) for row in rows)

    @override
    def largest_differences(self) -> Mapping[str, float]:
        return {"tau": 2.0} if self.settings.start == "data" else {}

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        settings = self.settings
        units = {"table": "units", "sentences": "sentences", "lines": "lines"}[settings.units_are]
        start = "the system's order first" if settings.start == "data" else "a random order first"
        fixed = ", the first unit fixed" if settings.first_fixed else ""
        elicitation = Elicitation(
            form="editing",
            instrument="none",
            activity=f"Participants move the {units} of a text until they like its order ({start}{fixed}).",
            scores="Kendall's tau between the order that was shown and the order that was made, meaned by system",
            agreement=("mean tau between people",),
        )
        return [TrialQuestion("order", settings.question, f"{units} put in order, {start}{fixed}", elicitation)]

    @classmethod
    @override
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """The closer people stay to the order that a system gave, the better it is."""
        from textassay.tasks.reordering.orders import as_judgements  # noqa: PLC0415 -- pandas

        return as_judgements(table)


def _is_order(order: Any, ids: Sequence[str], *, fixed: int) -> bool:
    """Whether these are all ids, each once, and the fixed ones where they were."""
    named = isinstance(order, list) and all(isinstance(name, str) for name in order)
    return named and sorted(order) == sorted(ids) and order[:fixed] == ids[:fixed]


def _are_moves(moves: Any, ids: Sequence[str]) -> bool:
    return isinstance(moves, list) and len(moves) <= _MOST_MOVES and all(_is_move(move, ids) for move in moves)


def _is_move(move: Any, ids: Sequence[str]) -> bool:
    """Whether this is an id, two places from 1, and a time."""
    if not isinstance(move, list) or len(move) != 4:
        return False
    name, source, to, ms = move
    places = all(type(place) is int and 1 <= place <= len(ids) for place in (source, to))
    timed = type(ms) in (int, float) and 0 <= ms <= _LONGEST_MS
    return name in ids and places and timed


def shuffled_start(units: Sequence[Unit], stream: Stream, *, fixed: int, differs: bool = False) -> list[str]:
    """Ids of the units in an order that is drawn.

    Args:
        units: In the order of the data.
        stream: To draw from.
        fixed: Number of units at the beginning that stay where they are.
        differs: Whether it must not be the order of the data.
    """
    ids = [unit.id for unit in units]
    while True:
        drawn = [*ids[:fixed], *stream.shuffled(ids[fixed:])]
        if drawn != ids or not differs:
            return drawn
