"""Power by simulation: how many participants and items does a study need?

For each number of participants and items the study's own design is planned, its trials are answered by simulated
participants hundreds of times, and each time the task's own test asks whether the systems differ. The share of
significant results is the power; if the systems are equal it is the rate of false positives.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import pandas as pd

from textassay.answers import columns
from textassay.design.plan import Plan, Slot, Trial
from textassay.errors import DataError, UsageError
from textassay.rehearsal.power_design import ResizedStudy, resize_study
from textassay.rehearsal.power_result import PowerEstimate, PowerResult
from textassay.seeds import Stream
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study
from textassay.tables.frames import to_frame
from textassay.tasks.contract import SimulatedParticipant, Task
from textassay.tasks.samples import EFFECT, Assumption, Sample, resolve_assumptions

_LIBERAL = 1.5
"""A test with up to this many times the nominal rate of false positives counts as robust (Bradley, 1978)."""
_SURE = 0.99


@dataclass(frozen=True)
class PowerOptions:
    """What to simulate; empty means the study's own number."""

    participants: Sequence[int] = ()
    items: Sequence[int] = ()
    effects: Sequence[float] = ()
    """In the unit of the task; see `Sample.assumptions`."""
    assume: Mapping[str, float] = field(default_factory=dict)
    """Further assumptions by name."""
    runs: int = 500
    alpha: float | None = None
    """Level of significance; the study's own if not given."""
    null: bool = False
    """Whether to estimate the rate of false positives too."""

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise UsageError(f"{self.runs} runs; ask for at least 1, and 500 for figures to plan with")
        if self.alpha is not None and not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha:g}; it must lie between 0 and 1")
        if EFFECT in self.assume:
            raise UsageError("give the effect with --effect, not with --assume")


def power(
    study: Study,
    block: Block,
    options: PowerOptions | None = None,
    *,
    test: Test | None = None,
    progress: Progress | None = None,
) -> PowerResult:
    """Estimate the power of a block's test that systems differ, for each combination of numbers.

    The same study file gives the same figures. All effects use the same random numbers, so that they can be compared.

    Args:
        study: The study.
        block: Which of its blocks.
        options: What to simulate.
        test: Another test than the task's own.
        progress: Called with the number of runs done and the total.

    Raises:
        UsageError: A number is impossible.
        DataError: The study has only one system.
    """
    options = options or PowerOptions()
    if len(study.systems) < 2:
        raise DataError(f"power needs at least two systems; there is only {study.systems[0]}")
    sample = block.task.sample_class()
    assumptions = sample.assumptions(block.task)
    effects = _effects(assumptions[0], options)
    assumed = [resolve_assumptions(assumptions, {**options.assume, EFFECT: effect}) for effect in effects]
    own: list[int | None] = [None]
    sizes = list(product(options.participants or own, options.items or own))
    alpha = study.file.analysis.alpha if options.alpha is None else options.alpha
    tally = RunCounter(progress, len(sizes) * len(assumed) * options.runs)
    estimates: list[PowerEstimate] = []
    notes: dict[str, None] = {}
    for participants, items in sizes:
        sized = resize_study(study, block, participants, items)
        notes.update(dict.fromkeys(sized.notes))
        drawn = PowerSimulation(sized, sample)
        for values in assumed:
            ps = list(drawn.tested(values, options.runs, test or block.task_class.system_test, tally))
            estimates += drawn.estimates(ps, values[EFFECT], assumptions[0].null, alpha)
    used = tuple(replace(each, value=assumed[0][each.name]) for each in assumptions)
    return PowerResult(
        method="power by simulation",
        settings=_settings(study, block, options, used, test),
        warnings=(*notes, *_not_used(study), *tally.warnings(), *_doubts(estimates, alpha)),
        block=block.name,
        estimates=tuple(estimates),
        assumptions=used,
        alpha=alpha,
        confidence=study.file.analysis.confidence,
    )


def _effects(effect: Assumption, options: PowerOptions) -> list[float]:
    """The effects to simulate; that of no difference last, if asked for and not among them."""
    asked = list(options.effects or [effect.value])
    return list(dict.fromkeys([*asked, effect.null] if options.null and effect.null is not None else asked))


def _settings(
    study: Study, block: Block, options: PowerOptions, used: Sequence[Assumption], test: Test | None
) -> dict[str, object]:
    tested = "the task's test that systems differ" if test is None else getattr(test, "__name__", "another test")
    return {
        "task": block.task.name,
        "test": tested,
        "runs": options.runs,
        "seed": study.file.seed,
        **{each.name: f"{each.value:g}" for each in used if each.name != EFFECT},
    }


def _not_used(study: Study) -> list[str]:
    """Effects of rehearsals that power does not know."""
    asked = study.file.simulate
    if not asked.effects and not asked.systems:
        return []
    return ["what the study file says under simulate is not used: power draws texts and people by these assumptions"]


def _doubts(estimates: Sequence[PowerEstimate], alpha: float) -> list[str]:
    """Warnings about single estimates."""
    said = [
        f"{each.of} with {each.participants} participants and {each.items} items: {each.undefined} of {each.runs} runs "
        "had no p; they count as not significant"
        for each in estimates
        if each.undefined
    ]
    return said + [
        f"{each.of} with {each.participants} participants and {each.items} items: equal systems "
        f"differ significantly in {each.share:.3g} of the runs instead of {alpha:g}, so power cannot be trusted there"
        for each in estimates
        if each.null and each.interval(_SURE)[0] > _LIBERAL * alpha
    ]


Test = Callable[[Task[Any], pd.DataFrame], Mapping[str, float]]
"""The p by criterion, from the task and a table of answers; see `Task.system_test`."""
Progress = Callable[[int, int], None]
"""Called with the number done and the total."""


class RunCounter:
    """Counts runs, and why tests failed."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.done = 0
        self.refused: Counter[str] = Counter()

    def one_more(self) -> None:
        """Count a run."""
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)

    def warnings(self) -> list[str]:
        """Why tests failed, and how often."""
        return [f"in {count} of {self.total} runs there was no test: {why}" for why, count in self.refused.items()]


class PowerSimulation:
    """Simulates answers to the design for one number of participants and items, many times."""

    def __init__(self, sized: ResizedStudy, sample: type[Sample[Any]]) -> None:
        self.study, self.block, self.sample = sized.study, sized.block, sample
        plan = draw_plan(self.study)
        self.table = answered(self.study, plan, self.block)
        self.participants = len(plan.slots)
        self.items = len(self.study.items_in_order)
        self.trials = sum(trial.kind == "main" for trial in plan.slots[0].trials)

    def tested(
        self, assumed: Mapping[str, float], runs: int, test: Test, tally: RunCounter
    ) -> Iterator[Mapping[str, float]]:
        """The p by criterion for each run; empty if the test refused the answers."""
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
    ) -> list[PowerEstimate]:
        """The share of significant runs for each criterion."""
        found = []
        for of in dict.fromkeys(name for each in ps for name in each) or {self.block.name: None}:
            known = [p for each in ps if not math.isnan(p := each.get(of, math.nan))]
            significant = sum(p <= alpha for p in known)
            size = (self.participants, self.items, self.trials)
            found.append(PowerEstimate(of, *size, effect, effect == null, len(ps), significant, len(ps) - len(known)))
        return found


def answered(study: Study, plan: Plan, block: Block) -> pd.DataFrame:
    """Every main trial of the block answered once by the task's own participants, one for each slot.

    It has the columns of the task's table as an export would have them, but for times of day and revisions.
    """
    stream = Stream(study.file.seed, "power", "players")
    return to_frame((row for slot in plan.slots for row in _of_slot(block, slot, stream)), block.task.schema)


def _of_slot(block: Block, slot: Slot, stream: Stream) -> Iterator[dict[str, Any]]:
    participant = block.task.simulated_participant(slot.number, stream)
    whose = dict.fromkeys(columns.participant_columns(block.task.schema), f"p{slot.number}")
    for trial in slot.trials:
        if trial.block == block.name and trial.kind == "main":
            yield from ({**whose, **row} for row in _of_trial(block, trial, participant))


def _of_trial(block: Block, trial: Trial, participant: SimulatedParticipant) -> Iterator[dict[str, Any]]:
    response = participant.respond(trial, trial.position)
    common = {
        "block": trial.block,
        "trial": trial.key,
        "position": trial.position,
        "kind": trial.kind,
        "practice": False,
        "repeat": 0,
        columns.trial_time(block.task.schema): response.rt_ms,
    }
    payload = block.task.read(trial, response.payload)
    return ({**row, **common} for row in block.task.rows(trial, payload))
