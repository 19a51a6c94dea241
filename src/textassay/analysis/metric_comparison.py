"""Which metrics can be told apart: all pairs compared by their agreement with people, and ranks over several criteria.

Metrics are compared within items, or over all texts where items have too few texts for that; all of them over the same
systems, so without a system that is the reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from textassay.analysis.metric_correlations import MetricMaterial, MetricPart
from textassay.analysis.metric_headlines import FEWEST_SYSTEMS, NAMES, no_ranking
from textassay.analysis.metric_overview import comparison_grid
from textassay.analysis.wording import list_some, slug
from textassay.headline import Headline, Sentence
from textassay.meta.alignment import ScoreGrid
from textassay.meta.coefficients import Coefficient
from textassay.meta.metric_comparisons import MetricComparisons, compare_metrics, needed_figure, planned_seconds
from textassay.meta.metric_differences import LIBERAL, Agreement, Level, Test
from textassay.report.numbers import p_in_words
from textassay.results import Analysis, Record, Table, table_of_records
from textassay.stats import Friedman, friedman
from textassay.stats.adjust_p import CORRECTION_NAMES, Correction
from textassay.stats.samples import FloatArray
from textassay.workers import HERE, Progress, Workers

_LEVELS: dict[Level, str] = {"item": "within items", "texts": "over all texts", "systems": "over systems"}
_FEWEST_TEXTS = 3
"""Texts of an item for a coefficient within it."""
FEWEST_DRAWS, MOST_DRAWS = 1999, 19_999
LONG = 10.0
"""Seconds from which a comparison is announced."""
CRITERIA_DEPEND = (
    "Friedman's test takes criteria as independent: where the same people judged the same texts on all of them, its p "
    "is too small"
)


@dataclass(frozen=True)
class ComparisonOptions:
    """How metrics are compared with each other."""

    test: Test = "bootstrap"
    correction: Correction = "holm"
    """Of p, for all pairs of metrics."""
    draws: int | None = None
    """Resamples or swaps; by default enough for the smallest p to be significant when it is adjusted for all pairs."""
    workers: Workers = HERE
    progress: Progress | None = None
    announce: Callable[[str], None] | None = None
    """Told, before a comparison that will take longer than some seconds, what is done and about how long it takes."""


@dataclass(frozen=True, eq=False)
class CriterionComparison:
    """The metrics compared on one criterion."""

    criterion: str
    level: Level
    coefficient: Coefficient
    systems: tuple[str, ...]
    without: str
    """Which system is left out, in words."""
    found: MetricComparisons

    @property
    def where(self) -> str:
        """The level in words."""
        return _LEVELS[self.level]


def metric_comparison(
    grids: Sequence[ScoreGrid],
    coefficient: Coefficient = "pearson",
    options: ComparisonOptions | None = None,
    *,
    alpha: float = 0.05,
) -> Analysis:
    """All pairs of metrics on each criterion, with the groups that can be told apart; mean ranks over criteria.

    Args:
        grids: One for each criterion.
        coefficient: Of agreement; tests of systems' correlations have their own.
        options: Test, correction, and who does the work.
        alpha: Level of significance.
    """
    options = options or ComparisonOptions()
    compared = list(compared_criteria(grids, coefficient, options, alpha))
    ranks = criteria_ranks(compared)
    return Analysis(
        name="metrics-compared",
        title="Metrics compared",
        results=tuple(
            replace(each.found.pairs, adjustment=CORRECTION_NAMES[options.correction]).about(each.criterion)
            for each in compared
        )
        + ((ranks,) if ranks else ()),
        tables=(*_groups_tables(compared, options), *_ranks_tables(compared, ranks), *_pairs_tables(compared, options)),
        figures=tuple(filter(None, (comparison_grid(each.criterion, each.found) for each in compared))),
        headlines=tuple(
            Headline(f"Metrics and {each.criterion}", tuple(comparison_sentences(each))) for each in compared
        ),
        warnings=tuple(dict.fromkeys(text for each in compared for text in _too_few_draws(each, alpha))),
        place="metrics",
    )


def comparing(options: ComparisonOptions | None = None) -> MetricPart:
    """The comparison as a part of the analysis of metrics and people."""

    def part(material: MetricMaterial) -> Analysis:
        chosen = material.options
        return metric_comparison(material.grids, chosen.coefficients[0], options, alpha=chosen.correlation.alpha)

    return part


def compared_criteria(
    grids: Sequence[ScoreGrid], coefficient: Coefficient, options: ComparisonOptions, alpha: float
) -> Iterator[CriterionComparison]:
    """Each criterion on which two metrics or more have an agreement with people."""
    for number, whole in enumerate(grids):
        grid = without_reference(whole)
        without = f", without {whole.reference}, whose texts are the references" if grid is not whole else ""
        level, chosen = compared_figure(grid, coefficient, options.test)
        agreement = Agreement(chosen, level, confidence=round(1 - alpha, 12))
        known = {name: own for name, own in grid.scores.items() if not math.isnan(agreement.value(grid.people, own))}
        agreement = replace(agreement, draws=options.draws or _enough_draws(len(known), alpha))
        if len(known) > 1:
            if options.announce is not None and number == 0:
                for sentence in _plan(grid, known, agreement, options, len(grids)):
                    options.announce(sentence)
            found = compare_metrics(
                grid.people, known, agreement, test=options.test, correction=options.correction,
                workers=options.workers, progress=_share_of(options.progress, number, len(grids)),
            )  # fmt: skip
            yield CriterionComparison(grid.criterion, level, chosen, _systems(grid), without, found)


def _plan(
    grid: ScoreGrid, known: Mapping[str, FloatArray], agreement: Agreement, options: ComparisonOptions, criteria: int
) -> Iterator[str]:
    """What will be done and about how long it takes, where that is long."""
    seconds = criteria * planned_seconds(grid.people, known, agreement, options.test, options.workers)
    if seconds < LONG:
        return
    pairs = math.comb(len(known), 2)
    on = f" on {criteria} criteria" if criteria > 1 else ""
    drawn = f", {agreement.draws:,} draws" if options.test == "bootstrap" else ""
    items, systems = grid.people.shape
    alone = " of a single worker's time" if options.workers.cluster else ""
    yield (
        f"Comparing {pairs:,} pairs of {len(known)} metrics{on} ({options.test}{drawn}; {systems} systems × {items:,} "
        f"items): about {duration_in_words(seconds)}{alone}."
    )


def duration_in_words(seconds: float) -> str:
    """About how long.

    >>> [duration_in_words(each) for each in (14, 83, 5400, 40_000)]
    ['10 seconds', '1 minute', '90 minutes', '11 hours']
    """
    if seconds < 60:
        return f"{max(round(seconds, -1), 10):.0f} seconds"
    count, unit = (seconds / 60, "minute") if seconds < 7200 else (seconds / 3600, "hour")
    return f"{count:.0f} {unit}{'' if round(count) == 1 else 's'}"


def _enough_draws(metrics: int, alpha: float) -> int:
    """So many that a pair of metrics of which no draw is on the other side is significant twice over."""
    return max(FEWEST_DRAWS, min(MOST_DRAWS, math.ceil(4 * math.comb(metrics, 2) / alpha) - 1))


def without_reference(grid: ScoreGrid) -> ScoreGrid:
    """The grid over which metrics can be compared fairly: a system that is the reference is perfect for some."""
    return grid.without(grid.reference) if grid.reference is not None and grid.comparing else grid


def compared_figure(grid: ScoreGrid, coefficient: Coefficient, test: Test) -> tuple[Level, Coefficient]:
    """Which figure is compared."""
    level: Level = "item" if _texts_per_item(grid) >= _FEWEST_TEXTS else "texts"
    needed = needed_figure(test, coefficient, level)
    return needed[1], needed[0]


def _texts_per_item(grid: ScoreGrid) -> int:
    both = [np.isfinite(grid.people) & np.isfinite(scores) for scores in grid.scores.values()]
    return max((int(each.sum(axis=1).max(initial=0)) for each in both), default=0)


def _systems(grid: ScoreGrid) -> tuple[str, ...]:
    """Those that were judged and scored."""
    both = [np.isfinite(grid.people) & np.isfinite(scores) for scores in grid.scores.values()]
    there = np.any([each.any(axis=0) for each in both], axis=0)
    return tuple(name for name, known in zip(grid.systems, there, strict=True) if known)


def _share_of(progress: Progress | None, number: int, of: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, of * total)


def comparison_sentences(compared: CriterionComparison) -> Iterator[Sentence]:
    """Which metrics can be told from the closest to people, and what so few systems do not allow to say."""
    found = compared.found
    best, *others = found.values
    better = [name for name in others if found.pairs[best, name].winner == best]
    equal = [name for name in others if name not in better]
    few = len(compared.systems) < FEWEST_SYSTEMS
    scope = f"For {_these(compared.systems)}, " if few or found.scope == "for these systems" else ""
    if all(math.isnan(found.pairs[best, name].p) for name in others):
        yield (f"Metrics cannot be compared with each other {compared.where} ({_why(compared)}).",)
    elif not better:
        rest = "the other metric cannot" if len(others) == 1 else f"none of the {len(others)} other metrics can"
        yield (f"{scope or rest[0].upper()}{rest[0 if scope else 1 :]} be told from {best}, the closest to people.",)
    else:
        than = "the other metric" if len(others) == 1 else f"{_number(len(better), len(others))} other metrics"
        rest = f"; {list_some(equal)} cannot be told from it" if equal else ""
        yield (f"{scope}{best} agrees better with people than {than}{rest}.",)
    if few and len(compared.systems) > 1:
        yield no_ranking(len(compared.systems))


def _these(systems: Sequence[str]) -> str:
    return f"the texts of {systems[0]}" if len(systems) == 1 else f"these {len(systems)} systems"


def _too_few_draws(compared: CriterionComparison, alpha: float) -> Iterator[str]:
    pairs = compared.found.pairs
    least = min((float(pair.more["least_p"]) for pair in pairs), default=math.nan)
    if pairs.adjustment == "Holm" and least * len(pairs) >= alpha:
        yield (
            f"{len(pairs)} pairs of metrics are compared, and with {pairs.settings['draws']} draws no p can be below "
            f"{least:.2g}: after the correction no pair can be significant; draw more, or correct by benjamini-hochberg"
        )


def _why(compared: CriterionComparison) -> str:
    return str(next(iter(compared.found.pairs)).more.get("reason") or "no p")


def _number(some: int, total: int) -> str:
    return f"each of the {total}" if some == total else f"{some} of the {total}"


def _groups_tables(compared: Sequence[CriterionComparison], options: ComparisonOptions) -> list[Table]:
    records: list[Record] = []
    for each in compared:
        found = each.found
        cluster = {name: number for number, names in enumerate(found.clusters, start=1) for name in names}
        for name, value in found.values.items():
            pairs = [found.pairs[name, other] for other in found.values if other != name]
            records.append(
                {
                    "criterion": each.criterion, "metric": name, "agreement": value, "group": cluster[name],
                    "better_than": sum(pair.winner == name for pair in pairs),
                    "worse_than": sum(pair.winner not in ("", name) for pair in pairs),
                    "not_told_from_the_best": name in found.not_worse_than_best(),
                }
            )  # fmt: skip
    if not records:
        return []
    first = compared[0]
    figure = f"{'mean ' if first.level == 'item' else ''}{NAMES[first.coefficient]} {first.where}"
    note = (
        f"Agreement: {figure}{first.without}. Every metric of a group agrees significantly better with people than "
        f"every metric of the next. {_of_p(compared, options)}"
    )
    return [table_of_records(records, name="metric-groups", title="Metrics that can be told apart", note=note)]


def _of_p(compared: Sequence[CriterionComparison], options: ComparisonOptions) -> str:
    how = {
        "bootstrap": "systems and items drawn again, the same for both metrics",
        "swap systems": "the two metrics' scores of whole systems swapped",
        "swap items": "the two metrics' scores of whole items swapped",
        "swap texts": "the two metrics' scores of each text swapped",
        "system pairs": "a sign test on pairs of systems as if they were independent, as published",
        "text pairs": "a sign test on pairs of an item's texts as if they were independent, as published",
    }.get(options.test, f"the test of {options.test.capitalize()} for correlations of systems' means")
    how += ", which is liberal" if options.test in LIBERAL else ""
    few = any(each.found.scope == "for these systems" for each in compared)
    here = " With so few systems only items are drawn, and p holds for these systems." if few else ""
    return f"p: {how}; adjusted for all pairs of metrics ({CORRECTION_NAMES[options.correction]}).{here}"


def _pairs_tables(compared: Sequence[CriterionComparison], options: ComparisonOptions) -> Iterator[Table]:
    for each in compared:
        name = slug(f"metric pairs {each.criterion}".replace("_", " "))
        pairs = replace(each.found.pairs, unit=f"{NAMES[each.coefficient]} {each.where}")
        table = pairs.table(name, f"Pairs of metrics: {each.criterion}")
        yield replace(table, note=f"{table.note} {_of_p([each], options)}", detail=True)


def criteria_ranks(compared: Sequence[CriterionComparison]) -> Friedman | None:
    """The metrics' ranks by agreement, over the criteria; nothing unless there are two criteria or more.

    Rank 1 is the closest to people.
    """
    if len(compared) < 2:
        return None
    shared = [name for name in compared[0].found.values if all(name in each.found.values for each in compared)]
    if len(shared) < 2:
        return None
    agreement = [[-each.found.values[name] for name in shared] for each in compared]
    return friedman(agreement, blocks=[each.criterion for each in compared], treatments=shared)


def _ranks_tables(compared: Sequence[CriterionComparison], ranks: Friedman | None) -> list[Table]:
    if ranks is None:
        return []
    order = sorted(zip(ranks.mean_ranks, ranks.treatments, strict=True))
    records: list[Record] = [
        {
            "metric": name,
            "mean_rank": rank,
            **{each.criterion: list(each.found.values).index(name) + 1 for each in compared},
        }
        for rank, name in order
    ]
    p = "no p" if math.isnan(ranks.f_p) else p_in_words(ranks.f_p)
    note = (
        f"Rank 1 is the closest to people. Friedman's test over {ranks.n} criteria: F({ranks.f_df[0]}, "
        f"{ranks.f_df[1]}) = {ranks.f:.2f}, {p}. {CRITERIA_DEPEND}."
    )
    return [table_of_records(records, name="metric-ranks", title="Ranks of the metrics over criteria", note=note)]
