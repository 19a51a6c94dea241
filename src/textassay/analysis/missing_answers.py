"""Planned trials without an answer, by system: answers that are missing because of a system bias every comparison."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textassay.analysis.judgements import in_order
from textassay.analysis.options import RecipeOptions, study_options
from textassay.design.plan import Trial
from textassay.report.numbers import format_value, p_in_words
from textassay.results import Analysis, Table
from textassay.stats import GroupRate, MantelHaenszel, mantel_haenszel

if TYPE_CHECKING:
    from textassay.design.plan import Plan
    from textassay.screening.contract import Case
    from textassay.study.study import Block, Study

_WHAT = (
    "Planned trials of everyone who answered at least one trial of the block and was not excluded for another reason "
    "than not finishing."
)
_UNTESTED = (
    "Whether that depends on the system cannot be tested: nobody has missing and answered trials of different systems."
)
_SHARED = "A trial that shows several systems counts for each of them."


def missing_in_block(
    study: Study,
    planned: Callable[[Study], Plan],
    block: Block,
    cases: Sequence[Case],
    participants: Sequence[Mapping[str, Any]],
    *,
    without: Collection[str],
) -> list[Analysis]:
    """Planned trials of a block without an answer; empty where there are none, and where no plan is known."""
    known = [case for case in cases if case.planned is not None and case.participant not in without]
    if all(len(case.trials) >= (case.planned or 0) for case in known):
        return []
    slots = {row["participant"]: row["slot"] for row in participants if row.get("slot")}
    slot, own = planned(study).slot, {case.participant: case.trials for case in known}
    found = missing_answers(
        {
            name: [each for each in slot(slots[name]).trials if (each.block, each.kind) == (block.name, "main")]
            for name in own
        },
        {name: {row["trial"] for trial in trials for row in trial.rows[:1]} for name, trials in own.items()},
        study_options(study),
    )
    return [found] if found is not None else []


def missing_answers(
    planned: Mapping[str, Sequence[Trial]], answered: Mapping[str, Collection[str]], options: RecipeOptions
) -> Analysis | None:
    """How many trials of each system have no answer, and whether that depends on the system.

    Nothing where every planned trial has an answer.

    Args:
        planned: By participant the main trials of the block.
        answered: By participant the keys of the trials that have an answer.
        options: Level of the test, the order of systems, and the seed.
    """
    began = {
        name: [(trial.systems, trial.key not in answered[name]) for trial in trials if trial.systems]
        for name, trials in planned.items()
        if any(trial.key in answered.get(name, ()) for trial in trials)
    }
    rows = [(name, *each) for name, trials in began.items() for each in trials]
    if not any(missing for _, _, missing in rows):
        return None
    people, systems, missing = zip(*rows, strict=True)
    found = mantel_haenszel(list(map(int, missing)), systems, people, draws=options.draws, seed=options.seed)
    found = found.about("missing answers", "system")
    unfinished = sum(any(missing for _, missing in trials) for trials in began.values())
    return Analysis(
        "missing-answers",
        "Missing answers",
        results=(found,),
        tables=(_table(found, unfinished, len(began), options, shared=max(map(len, systems)) > 1),),
        warnings=found.warnings if found.df else (),  # then the note of the table says why
        cautions=(_caution(found),) if found.p < options.alpha else (),
        place="participants",
    )


def _table(found: MantelHaenszel, unfinished: int, people: int, options: RecipeOptions, *, shared: bool) -> Table:
    rates = {rate.name: rate for rate in found.rates}
    rows = tuple(
        (name, rates[name].n, rates[name].count, rates[name].rate) for name in in_order(set(rates), options.systems)
    )
    notes = [_WHAT, f"{unfinished} of {people} participants have trials without an answer.", *([_SHARED] * shared)]
    tested = f"Whether that depends on the system, each participant compared with themselves: {_in_words(found)}."
    return Table(
        "missing-answers",
        "Trials without an answer",
        ("System", "Planned trials", "Missing", "Share missing"),
        rows,
        note=" ".join([*notes, tested if found.df else _UNTESTED]),
    )


def _caution(found: MantelHaenszel) -> str:
    least, *_, most = sorted(found.rates, key=lambda rate: rate.rate)
    return (
        f"answers are missing more often for {_share(most)} than for {_share(least)}: {_in_words(found)}; this may "
        "bias every comparison of the systems, because those who did not answer might have answered differently"
    )


def _share(rate: GroupRate) -> str:
    return f"{rate.name} ({100 * rate.rate:.0f} %, {rate.count} of {rate.n})"


def _in_words(found: MantelHaenszel) -> str:
    return f"χ²({found.df}) = {format_value(found.chi2)}, {p_in_words(found.p)} ({found.method})"
