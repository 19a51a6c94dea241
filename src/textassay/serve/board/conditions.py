"""Progress of each condition of the plan: counts over the slots and their answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from textassay.design.plan import Plan, Slot
from textassay.study.study import Study

BETWEEN = " – "
"""Separator between the systems of a condition that shows several."""


class ConditionState(BaseModel):
    """One condition (a system, a pair of systems …) of a block: main trials, without practice, checks and repeats."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    block: str
    cohort: str
    condition: str
    planned: int
    """Trials of the plan."""
    answered: int
    """Trials in slots that a valid participant has completed, to which the plan's balance applies."""
    under_way: int
    """Trials answered so far by participants in progress."""
    fewest: int
    """Answered trials of the item that has the fewest."""
    most: int
    """Answered trials of the item that has the most."""
    fewest_planned: int
    most_planned: int


class _Condition(NamedTuple):
    block: str
    cohort: str
    systems: tuple[str, ...]


_Cell = tuple[_Condition, str]
"""A condition and an item."""


class Conditions:
    """The conditions of a plan, counted once."""

    def __init__(self, study: Study, plan: Plan) -> None:
        self._cells = {slot.number: _cells(slot) for slot in plan.slots}
        self._planned = Counter((condition, item) for cells in self._cells.values() for _, condition, item in cells)
        self._items: dict[_Condition, list[str]] = defaultdict(list)
        for condition, item in self._planned:
            self._items[condition].append(item)
        self._order = _in_order(study, self._items)
        self._completed: set[int] = set()
        self._answered: Counter[_Cell] = Counter()

    def states(self, completed: set[int], in_progress: Iterable[tuple[int, Container[str]]]) -> list[ConditionState]:
        """Progress of each condition; only changes since the last call are counted.

        Args:
            completed: Slots that a valid participant has completed.
            in_progress: For each participant in progress: slot, and the pages answered so far.
        """
        for slot in completed - self._completed:
            self._answered.update((condition, item) for _, condition, item in self._cells[slot])
        for slot in self._completed - completed:
            self._answered.subtract((condition, item) for _, condition, item in self._cells[slot])
        self._completed = set(completed)
        under_way = Counter(
            condition for slot, passed in in_progress for key, condition, _ in self._cells[slot] if key in passed
        )
        return [self._state(condition, under_way[condition]) for condition in self._order]

    def _state(self, condition: _Condition, under_way: int) -> ConditionState:
        items = self._items[condition]
        planned = [self._planned[condition, item] for item in items]
        done = [self._answered[condition, item] for item in items]
        return ConditionState(
            block=condition.block,
            cohort=condition.cohort,
            condition=BETWEEN.join(condition.systems),
            planned=sum(planned),
            answered=sum(done),
            under_way=under_way,
            fewest=min(done),
            most=max(done),
            fewest_planned=min(planned),
            most_planned=max(planned),
        )


def _cells(slot: Slot) -> list[tuple[str, _Condition, str]]:
    """The main trials of a slot: key, condition, item."""
    return [
        (trial.key, _Condition(trial.block, slot.cohort, trial.systems), trial.item)
        for trial in slot.trials
        if trial.kind == "main"
    ]


def _in_order(study: Study, conditions: Iterable[_Condition]) -> Sequence[_Condition]:
    """Blocks and cohorts as in the study file, conditions as listed by their task."""
    blocks = {block.name: place for place, block in enumerate(study.blocks)}
    cohorts = {cohort.name: place for place, cohort in enumerate(study.cohorts)}
    known = {
        block.name: {tuple(each): place for place, each in enumerate(block.task.conditions())} for block in study.blocks
    }

    def place(condition: _Condition) -> tuple[int, int, int, tuple[str, ...]]:
        of_block = known[condition.block]
        last = len(of_block)  # a task may show systems in another order than in its list
        return (
            blocks[condition.block],
            cohorts.get(condition.cohort, 0),
            of_block.get(condition.systems, last),
            condition.systems,
        )

    return sorted(conditions, key=place)
