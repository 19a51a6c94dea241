"""The runs of power by simulation: one design, answered and tested again and again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from textassay.errors import DataError
from textassay.rehearsal.power_design import Resized
from textassay.rehearsal.power_result import Estimate
from textassay.rehearsal.power_table import answered
from textassay.seeds import Stream
from textassay.study.planning import draw_plan
from textassay.tasks.contract import Task
from textassay.tasks.samples import Sample

Test = Callable[[Task[Any], pd.DataFrame], Mapping[str, float]]
"""The p by criterion, from the task and a table of answers; see `Task.system_test`."""
Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Tally:
    """Counts runs, and what went wrong in them."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.done = 0
        self.refused: Counter[str] = Counter()

    def one_more(self) -> None:
        """A run is done."""
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)

    def warnings(self) -> list[str]:
        """Why there was no test, and how often."""
        return [f"in {count} of {self.total} runs there was no test: {why}" for why, count in self.refused.items()]


class Drawn:
    """The design drawn for one number of participants and of items, answered again and again."""

    def __init__(self, sized: Resized, sample: type[Sample[Any]]) -> None:
        self.study, self.block, self.sample = sized.study, sized.block, sample
        plan = draw_plan(self.study)
        self.table = answered(self.study, plan, self.block)
        self.participants = len(plan.slots)
        self.items = len(self.study.items_in_order)
        self.trials = sum(trial.kind == "main" for trial in plan.slots[0].trials)

    def tested(
        self, assumed: Mapping[str, float], runs: int, test: Test, tally: Tally
    ) -> Iterator[Mapping[str, float]]:
        """The p by criterion, for each run; nothing where the test refused the answers."""
        drawing = self.sample(self.block.task, self.table, assumed)
        stream = Stream(self.study.file.seed, "power", self.block.name, self.participants, self.items)
        for run in range(runs):
            table = self.table.assign(**drawing.draw(stream.child("run", run)))
            try:
                yield dict(test(self.block.task, table))
            except DataError as error:
                tally.refused[str(error)] += 1
                yield {}
            tally.one_more()

    def estimates(
        self, ps: Sequence[Mapping[str, float]], effect: float, null: float | None, alpha: float
    ) -> list[Estimate]:
        """The share of significant runs for each criterion."""
        found = []
        for of in dict.fromkeys(name for each in ps for name in each) or {self.block.name: None}:
            known = [p for each in ps if not math.isnan(p := each.get(of, math.nan))]
            significant = sum(p <= alpha for p in known)
            size = (self.participants, self.items, self.trials)
            found.append(Estimate(of, *size, effect, effect == null, len(ps), significant, len(ps) - len(known)))
        return found
