"""Power by simulation: how many participants and items does a study need?

For each number of participants and of items the study's own design is drawn, its trials are answered by simulated
people hundreds of times, and each time the task's own test asks whether the systems differ. The share of significant
results is the power; where the systems are alike it is the rate of false alarms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from textassay.errors import DataError, UsageError
from textassay.rehearsal.power_design import resized
from textassay.rehearsal.power_result import Estimate, Power
from textassay.rehearsal.power_runs import Drawn, Progress, Tally, Test
from textassay.study.study import Block, Study
from textassay.tasks.samples import EFFECT, Assumption, settled

_LIBERAL = 1.5
"""A test with so many times the false alarms that it may have is still robust (Bradley, 1978)."""
_SURE = 0.99


@dataclass(frozen=True)
class PowerOptions:
    """What power is asked of; nothing given means the study's own number."""

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
    """Whether the rate of false alarms is asked for too."""

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise UsageError(f"{self.runs} runs; ask for 1 at least, 500 for figures to plan with")
        if self.alpha is not None and not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha:g}; it must lie between 0 and 1")
        if EFFECT in self.assume:
            raise UsageError("the effect is given by itself (--effect), not among what is assumed")


def power(
    study: Study,
    block: Block,
    options: PowerOptions | None = None,
    *,
    test: Test | None = None,
    progress: Progress | None = None,
) -> Power:
    """The power of a block's test that systems differ, for each combination of the numbers asked for.

    The same study file gives the same figures. All effects are tried on the same draws, so that they can be compared.

    Args:
        study: The study.
        block: Which of its blocks.
        options: What is asked.
        test: Another test than the task's own.
        progress: Told how many runs are done, and of how many.

    Raises:
        UsageError: a number asked for is impossible.
        DataError: the study has one system only.
    """
    options = options or PowerOptions()
    if len(study.systems) < 2:
        raise DataError(f"power is about differences between systems, and there is one only: {study.systems[0]}")
    sample = block.task.sample_class()
    assumptions = sample.assumptions(block.task)
    effects = _effects(assumptions[0], options)
    assumed = [settled(assumptions, {**options.assume, EFFECT: effect}) for effect in effects]
    own: list[int | None] = [None]
    sizes = list(product(options.participants or own, options.items or own))
    alpha = study.file.analysis.alpha if options.alpha is None else options.alpha
    tally = Tally(progress, len(sizes) * len(assumed) * options.runs)
    estimates: list[Estimate] = []
    notes: dict[str, None] = {}
    for participants, items in sizes:
        sized = resized(study, block, participants, items)
        notes.update(dict.fromkeys(sized.notes))
        drawn = Drawn(sized, sample)
        for values in assumed:
            ps = list(drawn.tested(values, options.runs, test or block.task_class.system_test, tally))
            estimates += drawn.estimates(ps, values[EFFECT], assumptions[0].null, alpha)
    used = tuple(replace(each, value=assumed[0][each.name]) for each in assumptions)
    return Power(
        method="power by simulation",
        settings=_settings(study, block, options, used, test),
        warnings=(*notes, *tally.warnings(), *_doubts(estimates, alpha)),
        block=block.name,
        estimates=tuple(estimates),
        assumptions=used,
        alpha=alpha,
        confidence=study.file.analysis.confidence,
    )


def _effects(effect: Assumption, options: PowerOptions) -> list[float]:
    """The effects to try; that of no difference last, if it is wanted and not among them."""
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


def _doubts(estimates: Sequence[Estimate], alpha: float) -> list[str]:
    """What a reader must know of single estimates."""
    said = [
        f"{each.of} with {each.participants} participants and {each.items} items: {each.undefined} of {each.runs} runs "
        "had no p; they count as not significant"
        for each in estimates
        if each.undefined
    ]
    return said + [
        f"{each.of} with {each.participants} participants and {each.items} items: systems that are alike come out as "
        f"different in {each.share:.3g} of the runs instead of {alpha:g}, so power cannot be trusted there"
        for each in estimates
        if each.null and each.interval(_SURE)[0] > _LIBERAL * alpha
    ]
