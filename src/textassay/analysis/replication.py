"""Runs of one evaluation compared: how far they differ first, then the measures of QRA++ (Belz 2025).

QRA++ has a measure for each type of result: CV* for single scores (I), correlations for sets of scores (II), agreement
for labels (III), and the share of findings upheld (IV). None of them says how far two runs may differ by chance; the
difference with its interval and the test of heterogeneity do, so they come first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from textassay.analysis.evaluation_runs import EvaluationRun, shared_parts
from textassay.analysis.metric_headlines import FEWEST_SYSTEMS
from textassay.analysis.options import RecipeOptions
from textassay.analysis.replication_measures import FindingsUpheld, ReplicatedCriterion, replicated_criterion
from textassay.errors import UsageError
from textassay.headline import Headline, Sentence, SystemName
from textassay.report.numbers import format_value, p_in_words
from textassay.results import Analysis, Table
from textassay.stats import CvStar, RunDifference, RunDifferences

_SIMULATED = "all participants are simulated, so that this run says nothing about the texts"
_NO_ANSWERS = "published scores tell neither the interval of a difference nor whether a finding was significant"


def replication(
    runs: Sequence[EvaluationRun], options: RecipeOptions | None = None, begins: Mapping[str, float] | None = None
) -> Analysis:
    """Compare runs of one evaluation, the original first.

    Args:
        runs: Two or more.
        options: Levels of tests and intervals.
        begins: By criterion the least value of its scale, where the runs do not know it.

    Raises:
        UsageError: the runs have no criterion or no system in common, the same name, or different scales.
        DataError: two runs hold the same answers.
    """
    options = options or RecipeOptions()
    found = [
        replicated_criterion(runs, name, systems, options, begins or {}) for name, systems in shared_parts(runs).items()
    ]
    tables = (
        _differences_table(found, options),
        _heterogeneity_table(found),
        _upheld_table(found),
        _variation_table(found, runs),
        _correlations_table(found),
        _labels_table(found),
    )
    return Analysis(
        "replication",
        f"{runs[0].name} and {', '.join(run.name for run in runs[1:])}: one evaluation, {len(runs)} runs",
        results=tuple(result for each in found for result in each.results),
        tables=tuple(table for table in tables if table.rows),
        warnings=tuple(dict.fromkeys([*_lacking(runs), *(text for each in found for text in each.warnings)])),
        cautions=tuple(f"{run.name}: {_SIMULATED}" for run in runs if run.simulated),
        headlines=tuple(Headline(each.criterion, tuple(_sentences(each, runs, options))) for each in found),
    )


def replications(
    sources: Sequence[Sequence[EvaluationRun]], begins: Mapping[str, float] | None = None
) -> list[Analysis]:
    """Compare sources that may have several blocks each: blocks go together by their place.

    Raises:
        UsageError: fewer than two sources, sources with different numbers of blocks, or runs that cannot be compared.
    """
    if len(sources) < 2:
        raise UsageError("a replication needs two runs or more; name the original first, then the others")
    if len({len(source) for source in sources}) > 1:
        seen = "; ".join(", ".join(run.name for run in source) for source in sources)
        raise UsageError(f"the runs have different numbers of blocks ({seen}); compare studies of the same blocks")
    found = [replication(runs, begins=begins) for runs in zip(*sources, strict=True)]
    return [each.within(str(place)) for place, each in enumerate(found, 1)] if len(found) > 1 else found


def _lacking(runs: Sequence[EvaluationRun]) -> Iterator[str]:
    scores = [run.name for run in runs if run.answers is None]
    if scores:
        yield f"{', '.join(scores)}: {_NO_ANSWERS}"
    shared = shared_parts(runs)
    for run in runs:
        alone = [name for name in run.scores if name not in shared]
        if alone:
            yield f"{run.name}: not in all runs, and left out: criteria {', '.join(alone)}"
        for criterion, systems in shared.items():
            more = [system for system in run.scores[criterion] if system not in systems]
            if more:
                yield f"{run.name}, {criterion}: not in all runs, and left out: systems {', '.join(more)}"


def _sentences(found: ReplicatedCriterion, runs: Sequence[EvaluationRun], options: RecipeOptions) -> Iterator[Sentence]:
    level = f"{100 * options.confidence:g} %"
    if not found.differences:
        yield (f"On {found.criterion}, how far the runs differ beyond chance cannot be told: {_NO_ANSWERS}.",)
    for each in found.differences:
        yield from _difference_sentences(each, found.criterion, level, options.alpha)
    yield from map(_upheld_sentence, found.upheld)
    if len(runs) == 2:
        yield ("Two runs cannot tell how much further runs would vary: the interval of CV* is too wide to be of use.",)
    if len(found.systems) < FEWEST_SYSTEMS:
        count = "1 system tells" if len(found.systems) == 1 else f"{len(found.systems)} systems tell"
        yield (f"Correlations over {count} next to nothing.",)


def _difference_sentences(each: RunDifferences, criterion: str, level: str, alpha: float) -> Iterator[Sentence]:
    first, second = each.runs
    shift = each.shift
    if math.isnan(shift.p):
        yield (f"On {criterion}, the difference between {first} and {second} has no interval ({each.warnings[0]}).",)
        return
    way = "higher" if shift.difference > 0 else "lower"
    size, ends = format_value(abs(shift.difference)), format_value(shift.ci)
    said = "scores are" if shift.p < alpha else "no shift of all scores is shown: they are"
    how = f"{level} interval of the difference {ends}, {p_in_words(shift.p)}"
    yield (f"On {criterion}, {said} {size} {way} in {second} than in {first} over all systems ({how}).",)
    if len(each.systems) < 2:
        return
    f = f"F({format_value(each.df[0])}, {format_value(each.df[1])}) = {format_value(each.f)}, {p_in_words(each.p)}"
    if each.p < alpha:
        yield (f"The systems moved unequally, so that the runs differ in how they place the systems ({f}).",)
    else:
        yield (f"That systems moved unequally is not shown ({f}), which does not mean that they moved alike.",)
    moved = [system for system in each.systems if system.p < alpha]
    for system in moved:
        by, ends = format_value(system.difference), format_value(system.ci)
        told = f" differs between the runs by {by} ({ends}, corrected for {len(each.systems)} systems)."
        yield SystemName(system.system), told
    widest = max((system for system in each.systems if system not in moved), key=_reach, default=None)
    if widest is not None and not math.isnan(_reach(widest)):
        who = "no system by itself differs significantly" if not moved else "the others do not differ significantly"
        yield (
            f"{who[0].upper()}{who[1:]}, but differences of up to {format_value(_reach(widest))} (",
            SystemName(widest.system),
            ") are compatible with these runs.",
        )


def _reach(moved: RunDifference) -> float:
    """The largest difference that its interval holds."""
    return max(map(abs, moved.ci))


def _upheld_sentence(each: FindingsUpheld) -> Sentence:
    if not each.pairs:
        return ("With one system in common, no finding about pairs of systems is compared.",)
    both = " and ".join(each.runs)
    if each.pairs == 1:
        order = f"The only pair of systems is {'' if each.same_order else 'not '}in the same order in {both}"
    else:
        order = f"Of {each.pairs} pairs of systems, {each.same_order} are in the same order in {both}"
    if each.significant is None:
        return (f"{order}.",)
    if not each.significant:
        return (f"{order}; none differs significantly in {each.runs[0]}, so that there is no such finding to uphold.",)
    against = f", {each.opposite} turned round" if each.opposite else ""
    return (f"{order}; of {each.significant} significant in {each.runs[0]}, upheld: {each.upheld}{against}.",)


def _differences_table(found: Sequence[ReplicatedCriterion], options: RecipeOptions) -> Table:
    rows = [
        (each.criterion, f"{test.runs[1]} less {test.runs[0]}", one.system, one.difference, *one.ci, one.df, one.p)
        for each in found
        for test in each.differences
        for one in (test.shift, *test.systems)
    ]
    level = f"{100 * options.confidence:g} %"
    whom = sorted({test.holds_for for each in found for test in each.differences})
    note = (
        f"Intervals ({level}) hold for other {' or '.join(whom)}; those of systems hold for all systems together "
        "(Bonferroni), and their p is corrected after Holm. Participants of two runs are different people."
    )
    columns = ("Criterion", "Runs", "System", "Difference", "Low", "High", "df", "p")
    return Table("differences", "How far the runs differ", columns, tuple(rows), note)


def _heterogeneity_table(found: Sequence[ReplicatedCriterion]) -> Table:
    rows = [
        (each.criterion, " and ".join(test.runs), test.f, *test.df, test.p, *test.participants, test.shared_items)
        for each in found
        for test in each.differences
        if len(test.systems) > 1
    ]
    columns = ("Criterion", "Runs", "F", "df 1", "df 2", "p", "Participants 1", "Participants 2", "Shared items")
    note = "Whether systems moved unequally: the interaction of system and run, participants and items random."
    return Table("heterogeneity", "Whether the runs place the systems differently", columns, tuple(rows), note)


def _upheld_table(found: Sequence[ReplicatedCriterion]) -> Table:
    rows = tuple(
        (
            each.criterion,
            " and ".join(one.runs),
            one.pairs,
            one.same_order,
            one.significant,
            one.upheld if one.significant is not None else None,
            one.opposite if one.significant is not None else None,
        )
        for each in found
        for one in each.upheld
    )
    columns = ("Criterion", "Runs", "Pairs", "Same order", "Significant before", "Upheld", "Turned round")
    return Table("findings-upheld", "Findings upheld (QRA++ type IV)", columns, rows)


def _variation_table(found: Sequence[ReplicatedCriterion], runs: Sequence[EvaluationRun]) -> Table:
    rows, why = [], set()
    for each in found:
        for system, cv in each.variation.items():
            scores = [run.scores[each.criterion][system] for run in runs]
            if isinstance(cv, str):
                why.add(cv)
            rows.append(
                (each.criterion, system, *scores, *((cv.cv, *cv.ci) if isinstance(cv, CvStar) else (None,) * 3))
            )
    note = "In per cent of the mean, on a scale moved to begin at 0."
    note += (
        " The upper end is far off or infinite: two runs tell next to nothing of the spread." if len(runs) == 2 else ""
    )
    note += "".join(f" Without CV*: {text}." for text in sorted(why))
    columns = ("Criterion", "System", *(run.name for run in runs), "CV*", "Low", "High")
    return Table("cv-star", "Single scores (QRA++ type I)", columns, tuple(rows), note)


def _correlations_table(found: Sequence[ReplicatedCriterion]) -> Table:
    rows = tuple(
        (
            each.criterion,
            f"{linear.of.partition(', ')[2]} and {linear.by}",
            over,
            linear.n,
            linear.r,
            linear.p,
            ranks.r,
            ranks.p,
        )
        for each in found
        for over, linear, ranks in each.correlations
    )
    columns = ("Criterion", "Runs", "Over", "n", "Pearson's r", "p", "Spearman's rho", "p of rho")
    over_texts = any(row[2] == "texts" for row in rows)
    note = "Over texts, p takes texts as independent and is too small." if over_texts else ""
    return Table("correlations", "Sets of scores (QRA++ type II)", columns, rows, note)


def _labels_table(found: Sequence[ReplicatedCriterion]) -> Table:
    rows = []
    for each in found:
        for one in each.labels:
            record = one.records()[0]
            ends = record["ci"] or (None, None)
            rows.append((each.criterion, one.method, record["value"], *ends, record["n"]))
    columns = ("Criterion", "Measure", "Value", "Low", "High", "n")
    note = "A text's label in a run is its most frequent answer; texts with two equally frequent ones are left out."
    return Table("labels", "Labels (QRA++ type III)", columns, tuple(rows), note)
