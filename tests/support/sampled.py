"""Answers drawn by a task's sample, for tests of what is put in and comes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from textassay.rehearsal.power import answered
from textassay.rehearsal.power_design import resize_study
from textassay.seeds import Stream
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.samples import Sample, resolve_assumptions


@dataclass(frozen=True)
class Sampled:
    """A study's trials, ready to be answered."""

    study: Study
    table: pd.DataFrame

    def sample(self, **assumed: float) -> Sample:
        """The task's sample; what is not named is assumed to be 0 if it is a standard deviation."""
        block = self.study.blocks[0]
        made = block.task.sample_class()
        assumptions = made.assumptions(block.task)
        nothing = {each.name: 0.0 for each in assumptions if each.name.endswith("_sd")}
        return made(block.task, self.table, resolve_assumptions(assumptions, {**nothing, **assumed}))

    def drawn(self, runs: int = 1, **assumed: float) -> Iterator[tuple[list[str], pd.DataFrame]]:
        """For each run the systems from the worst to the best, and the table of answers."""
        sample = self.sample(**assumed)
        for run in range(runs):
            stream = Stream(3, "test", run)
            places = sample.places(stream)
            order = sorted(self.study.systems, key=lambda system: places[self.study.systems.index(system)])
            yield order, self.table.assign(**sample.draw(stream))


def sampled(study: Study, participants: int, items: int) -> Sampled:
    """The first block of the study for so many participants and items."""
    changed = resize_study(study, study.blocks[0], participants, items).study
    return Sampled(changed, answered(changed, draw_plan(changed), changed.blocks[0]))
