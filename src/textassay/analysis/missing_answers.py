"""Planned trials without an answer, and answers "cannot judge", by system.

Answers that are missing because of a system bias every comparison of systems.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textassay.analysis.judgements import in_order, said_unjudged
from textassay.analysis.options import RecipeOptions, study_options
from textassay.design.plan import Trial
from textassay.report.numbers import format_value, p_in_words
from textassay.results import Analysis, Table
from textassay.stats import GroupRate, MantelHaenszel, adjust_p, mantel_haenszel

if TYPE_CHECKING:
    import pandas as pd

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
_UNJUDGED = (
    "First answers to main trials of participants who count. “Cannot judge” is an answer without a value: it is in no "
    "mean and no test of values."
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


def with_unjudged(
    analyses: Sequence[Analysis],
    table: pd.DataFrame,
    options: RecipeOptions,
    systems: Sequence[str] = ("system",),
) -> list[Analysis]:
    """The analyses, and how often the answer was "cannot judge" for each system.

    The first one gets the cautions: its headline compares systems, whose means are of what could be judged.

    Args:
        analyses: What is said of the values.
        table: The answers that count.
        options: Level of the tests, the order of systems, and the seed.
        systems: The columns that name the systems of a trial.
    """
    found, cautions = unjudged_answers(table, options, systems)
    if found is None or not analyses:
        return list(analyses)
    first, *others = analyses
    return [replace(first, cautions=(*first.cautions, *cautions)), *others, found]


def unjudged_answers(
    table: pd.DataFrame, options: RecipeOptions, systems: Sequence[str] = ("system",)
) -> tuple[Analysis | None, list[str]]:
    """How often the answer was "cannot judge", by criterion and system, and what follows for comparisons of systems.

    Nothing where nobody answered so. Each criterion is tested by itself, since answers to several questions about one
    text belong together; p is adjusted for the number of criteria (Holm).
    """
    main = said_unjudged(table)
    if not main["value"].any():
        return None, []
    found: dict[str, MantelHaenszel] = {}
    for criterion, own in main.groupby("criterion", sort=False):
        shown = [tuple(dict.fromkeys(each)) for each in own[list(systems)].itertuples(index=False, name=None)]
        people = own["participant"].tolist()
        tested = mantel_haenszel(own["value"].to_numpy(), shown, people, draws=options.draws, seed=options.seed)
        found[str(criterion)] = tested.about(f"{criterion}, cannot judge", "system")
    adjusted = dict(zip(found, adjust_p([each.p for each in found.values()]).adjusted, strict=True))
    cautions = [_unjudged_caution(name, found[name], p) for name, p in adjusted.items() if p < options.alpha]
    analysis = Analysis(
        "cannot-judge",
        "Answers “cannot judge”",
        results=tuple(found.values()),
        tables=(_unjudged_table(found, adjusted, options, shared=len(systems) > 1),),
        warnings=tuple(text for each in found.values() if each.df for text in each.warnings),
        place="participants",
    )
    return analysis, cautions


def _unjudged_table(
    found: Mapping[str, MantelHaenszel], adjusted: Mapping[str, float], options: RecipeOptions, *, shared: bool
) -> Table:
    rows = []
    for criterion, tested in found.items():
        rates = {rate.name: rate for rate in tested.rates}
        rows += [
            (criterion, name, rates[name].n, rates[name].count, rates[name].rate)
            for name in in_order(set(rates), options.systems)
        ]
    tests = [
        f"{name}: {_in_words(each, adjusted[name]) if each.df else 'not testable'}" for name, each in found.items()
    ]
    dependence = (
        "Whether its rate depends on the system, each participant compared with themselves, p adjusted for the number "
        f"of criteria (Holm): {'; '.join(tests)}."
    )
    columns = ("Criterion", "System", "Answers", "Cannot judge", "Share")
    note = " ".join([_UNJUDGED, *([_SHARED] * shared), dependence])
    return Table("cannot-judge", "Answers “cannot judge”", columns, tuple(rows), note=note)


def _unjudged_caution(criterion: str, found: MantelHaenszel, p: float) -> str:
    least, *_, most = sorted(found.rates, key=lambda rate: rate.rate)
    return (
        f"{criterion}: “cannot judge” was answered more often for {_share(most)} than for {_share(least)}: "
        f"{_in_words(found, p)}; the results are about texts that could be judged, and these may be the easier ones"
    )


def _caution(found: MantelHaenszel) -> str:
    least, *_, most = sorted(found.rates, key=lambda rate: rate.rate)
    return (
        f"answers are missing more often for {_share(most)} than for {_share(least)}: {_in_words(found)}; this may "
        "bias every comparison of the systems, because those who did not answer might have answered differently"
    )


def _share(rate: GroupRate) -> str:
    return f"{rate.name} ({100 * rate.rate:.0f} %, {rate.count} of {rate.n})"


def _in_words(found: MantelHaenszel, p: float | None = None) -> str:
    shown = p_in_words(found.p if p is None else p)
    return f"χ²({found.df}) = {format_value(found.chi2)}, {shown} ({found.method})"
