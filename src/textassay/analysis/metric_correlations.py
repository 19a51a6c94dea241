"""How far metrics agree with people: within items first, over all texts, within and over systems; order of the systems.

What comes beside it has a place here: what people themselves reach (`meta.ceilings`), a metric given length
(`meta.given_covariate`), and metrics compared with each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from textassay.analysis.given_length import given_length_tables
from textassay.analysis.metric_ceilings import ceiling_notes, leave_one_out_tables
from textassay.analysis.metric_headlines import FEWEST_SYSTEMS, NAMES, best, leading, metric_headlines
from textassay.analysis.wording import list_some, named_warnings, per_cent, slug
from textassay.headline import Headline, Sentence
from textassay.meta.alignment import ScoreGrid, score_grids
from textassay.meta.coefficients import Coefficient
from textassay.meta.correlation import LEVELS, CorrelationOptions, Correlations, MetricAgreement, correlate_grids
from textassay.meta.misordered import system_ranks
from textassay.results import Analysis, Figure, Record, Table, table_of_records

_SHOWN = (
    "level", "metric", "criterion", "systems", "statistic", "value", "ci", "ci_holds", "ceiling", "p", "p_holm",
    "least_p", "n", "exact",
)  # fmt: skip

_MOST_FIGURES = 12
"""Where there would be more scatter plots, only those of the metric that agrees best on each criterion are drawn."""
_BEST_ONLY = "Of many metrics and criteria only the closest agreement on each criterion is drawn."


@dataclass(frozen=True)
class MetricOptions:
    """What is shown of metrics and people."""

    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman")
    """The first leads: headlines and figures have it."""
    correlation: CorrelationOptions = field(default_factory=CorrelationOptions)
    parts: tuple[MetricPart, ...] = ()
    """What is to come beside the correlations: metrics compared with each other, details …"""


@dataclass(frozen=True, eq=False)
class MetricMaterial:
    """What a part of the analysis is made from."""

    judgements: pd.DataFrame
    grids: tuple[ScoreGrid, ...]
    results: tuple[Correlations, ...]
    options: MetricOptions


MetricRecipe = Callable[[pd.DataFrame, pd.DataFrame, MetricOptions, Mapping[tuple[str, str], float]], Analysis]
"""What can take the place of `metric_correlations`: judgements, scores, options and lengths of texts to an analysis."""
MetricPart = Callable[[MetricMaterial], Analysis]
"""Makes tables, figures and headlines that join those of the correlations."""


def metric_correlations(
    judgements: pd.DataFrame,
    scores: pd.DataFrame,
    options: MetricOptions | None = None,
    lengths: Mapping[tuple[str, str], float] | None = None,
) -> Analysis:
    """How far each metric agrees with people, by text and by system.

    Args:
        judgements: Columns `participant, item, system, criterion, value`.
        scores: Columns `item, system, metric, value`; rows of whole systems have no item. Where there is a `signature`,
            it tells which metric a label stands for, and so whether more of it is better.
        options: Coefficients, how both tables are brought together, levels.
        lengths: Words of each text by item and system; then metrics are also compared at equal length.
    """
    options = options or MetricOptions()
    grids = score_grids(judgements, scores, options.correlation.alignment)
    results = tuple(
        correlate_grids(grids, level, by, coefficient, options.correlation)
        for level, by in LEVELS
        for coefficient in options.coefficients
    )
    first = [result for result in results if result.coefficient == options.coefficients[0]]
    reference = options.correlation.alignment.reference_system
    whole = Analysis(
        name="metrics-and-people",
        title="Metrics and people",
        results=results,
        tables=(
            correlations_table(results),
            *given_length_tables(grids, lengths or {}),
            *_system_order_tables(grids, reference),
            *leave_one_out_tables(grids),
            *rows_tables(grids),
        ),
        figures=tuple(_scatters(grids, first)),
        warnings=tuple(metric_notes(grids, results)),
        headlines=tuple(metric_headlines(first, options.correlation.alpha)),
        place="metrics",
    )
    material = MetricMaterial(judgements, grids, results, options)
    return _joined(whole, [part(material) for part in options.parts])


def _joined(whole: Analysis, parts: Sequence[Analysis]) -> Analysis:
    """The analysis with its parts: what both say of one subject stands in one headline, each sentence once."""
    sentences: dict[str, dict[Sentence, None]] = {}
    for each in (whole, *parts):
        for headline in each.headlines:
            sentences.setdefault(headline.subject, {}).update(dict.fromkeys(headline.sentences))
    folded = [table for table in whole.tables if table.detail]
    return replace(
        whole,
        results=(*whole.results, *(result for part in parts for result in part.results)),
        tables=(
            *(table for table in whole.tables if not table.detail),
            *(table for part in parts for table in part.tables),
            *folded,
        ),
        figures=(*(figure for part in parts for figure in part.figures), *whole.figures),
        warnings=tuple(dict.fromkeys(text for each in (whole, *parts) for text in each.warnings)),
        headlines=tuple(Headline(subject, tuple(own)) for subject, own in sentences.items()),
    )


def metric_notes(grids: Sequence[ScoreGrid], results: Sequence[Correlations]) -> Iterator[str]:
    """One note for each thing, with the levels, metrics and criteria that it is about."""
    if not any(result.agreements for result in results):
        yield "nothing to correlate: there are no judgements or no scores"
    yield from named_warnings((grid.criterion, grid.notes) for grid in grids)
    yield from ceiling_notes(grids)
    about: dict[str, list[tuple[str, str]]] = {}
    for grid in grids:
        for metric, notes in grid.metric_notes.items():
            for text in notes:
                about.setdefault(text, []).append((metric, grid.criterion))
    for result in results:
        for one in result.agreements:
            systems = "" if one.systems == "all" else f", {one.systems}"
            for text in one.warnings:
                about.setdefault(f"{result.name}{systems}: {text}", []).append((one.metric, one.criterion))
    every = {(metric, grid.criterion) for grid in grids for metric in grid.metrics}
    for text, pairs in about.items():
        metrics, criteria = (list(dict.fromkeys(pair[part] for pair in pairs)) for part in (0, 1))
        yield text if set(pairs) == every else f"{list_some(metrics)} and {list_some(criteria)}: {text}"


def correlations_table(results: Sequence[Correlations]) -> Table:
    """All figures, the leading level first; levels and sets of systems for which nothing is defined are left out."""
    records = [
        {**{key: record[key] for key in _SHOWN}, "level": result.name}
        for result in results
        for record in result.records()
    ]
    known = {_place(record) for record in records if not math.isnan(record["value"])}
    records = [record for record in records if _place(record) in known or not known]
    scopes = {record["ci_holds"] for record in records} - {""}
    for record in records:
        # a column that says the same in every row is a sentence of the note
        record["ci_holds"] = record["ci_holds"] if len(scopes) > 1 else None
        record["ceiling"] = None if math.isnan(record["ceiling"]) else record["ceiling"]
    note = (
        "Level: within items, the agreement over the systems of an item, mean over items; all texts, which mixes "
        "agreement on items, on systems and on single texts; within systems, over the items of a system, mean over "
        "systems; systems, one pair per system. p is two-sided and never takes texts as independent: whole systems of "
        "the metric (all texts: systems and items; within systems: items) are exchanged. least p is the smallest that "
        "there can be; exact ones count all exchanges. p holm is corrected (Holm) for all metrics and criteria of one "
        "level and coefficient. More is agreement: metrics that count errors are turned, and so are criteria of which "
        "less is better."
    )
    note += "".join(beside_notes(results))
    if any(result.given_signs for result in results):
        note = note.replace(
            "More is agreement: metrics that count errors are turned, and so are criteria of which less is better.",
            "Signs are as given: a metric that counts errors agrees with people where its correlation is negative.",
        )
    return table_of_records(records, name="correlations", title="Correlation of metrics with people", note=note)


def _place(record: Record) -> tuple[str, str]:
    return record["level"], record["systems"]


def beside_notes(results: Sequence[Correlations]) -> Iterator[str]:
    """What the note says of intervals and ceilings, where there are any."""
    scopes = {one.scope for result in results for one in result.agreements} - {""}
    if scopes:
        level = per_cent(results[0].confidence)
        yield f" Intervals (ci) are the middle {level} of what comes out where systems and items are drawn again."
        if "for these systems" in scopes:
            yield (
                " With fewer than 6 systems only items are: such an interval tells how well a figure is known for "
                "these very systems, p whether it could be chance which systems they are."
            )
    if any(not math.isnan(one.ceiling) for result in results for one in result.agreements):
        yield (
            " ceiling: what a perfect metric can be expected to reach, the square root of the reliability of people's "
            "means at the same level; 0 where people agree no more than by chance."
        )


def rows_tables(grids: Sequence[ScoreGrid]) -> list[Table]:
    """How many rows of both tables were used, and why others were not."""
    records: list[Record] = []
    for grid in grids:
        alone = grid.reference is not None and grid.comparing == set(grid.metrics)
        leads = grid.without(str(grid.reference)) if alone else grid
        counts = Counter(zip(leads.rows["table"], leads.rows["why"], strict=True))
        records += [
            {"criterion": grid.criterion, "table": table, "rows": count, "used": why or "yes"}
            for (table, why), count in counts.items()
        ]
    if not records or all(record["used"] == "yes" for record in records):
        return []
    note = "Rows of judgements and of scores; where they were not used, the reason."
    return [replace(table_of_records(records, name="rows-used", title="Rows used", note=note), detail=True)]


def _system_order_tables(grids: Sequence[ScoreGrid], reference_system: str | None) -> list[Table]:
    """The order in which each metric puts the systems beside the order in which people do."""
    records = [row for grid in grids for metric in grid.metrics for row in _ranks(grid, metric)]
    if not records:
        return []
    note = (
        "Rank 1 is the best: the highest value, or the lowest of a metric that counts errors. Equal values share the "
        "mean rank."
    )
    if reference_system is not None:
        note += f" The texts of {reference_system} are also the references."
    return [table_of_records(records, name="system-orders", title="Order of the systems", note=note)]


def _ranks(grid: ScoreGrid, metric: str) -> list[Record]:
    people, scores = grid.system_people, grid.system_scores[metric]
    place = {system: number for number, system in enumerate(grid.systems)}
    signs = (-1.0 if grid.people_turned else 1.0), (-1.0 if metric in grid.turned else 1.0)
    return [
        {
            "metric": metric,
            "criterion": grid.criterion,
            "system": f"{each.system} (reference)" if each.system == grid.reference else each.system,
            "people": signs[0] * float(people[place[each.system]]),
            "score": signs[1] * float(scores[place[each.system]]),
            "people_rank": each.people,
            "metric_rank": each.metric,
        }
        for each in system_ranks(people, scores, grid.systems)
    ]


def _scatters(grids: Sequence[ScoreGrid], first: Sequence[Correlations]) -> Iterator[Figure]:
    """One figure a metric, criterion and level, with the coefficient over all points; those of the headlines first."""
    shown = [result for result in first if result.by is None]
    leads = _leading_figures(first)
    best_ones = {(metric, criterion) for _, metric, criterion in leads}
    every = len(shown) * sum(len(grid.metrics) for grid in grids) <= _MOST_FIGURES
    for result in shown:
        found = {(one.metric, one.criterion): one for one in result.agreements if one.leads}
        for grid in grids:
            for metric in grid.metrics:
                if not every and (metric, grid.criterion) not in best_ones:
                    continue
                figure = _scatter(grid, metric, found[metric, grid.criterion], result)
                if not every:
                    figure = replace(figure, note=f"{figure.note} {_BEST_ONLY}")
                yield replace(figure, detail=(result.name, metric, grid.criterion) not in leads)


def _leading_figures(first: Sequence[Correlations]) -> set[tuple[str, str, str]]:
    """For each criterion, level and metric of the best agreement: by system where there are enough, else by text."""
    levels = {result.name: result for result in first}
    found: dict[str, tuple[str, str, str]] = {}
    for chosen, drawn in (("systems", "systems"), ("within items", "all texts"), ("all texts", "all texts")):
        result = levels[chosen]
        for criterion in dict.fromkeys(one.criterion for one in result.agreements):
            leads = best(leading(result, criterion))
            if leads is not None and (chosen != "systems" or leads.n >= FEWEST_SYSTEMS):
                found.setdefault(criterion, (drawn, leads.metric, criterion))
    return set(found.values())


def _scatter(grid: ScoreGrid, metric: str, agreement: MetricAgreement, result: Correlations) -> Figure:
    """A point for each text or system: the metric's score across, people's mean judgement up, as they were given."""
    by_system = result.level == "system"
    unit = "system" if by_system else "text"
    across, up = (grid.system_scores[metric], grid.system_people) if by_system else (grid.scores[metric], grid.people)
    across = -across if metric in grid.turned else across
    up = -up if grid.people_turned else up
    points = [
        {
            "label": grid.systems[at[-1]] if by_system else f"{grid.items[at[0]]}, {grid.systems[at[-1]]}",
            "system": grid.systems[at[-1]],
            "x": float(across[tuple(at)]),
            "y": float(up[tuple(at)]),
        }
        for at in np.argwhere(np.isfinite(across) & np.isfinite(up)).tolist()
    ]
    sign = -1.0 if agreement.turned else 1.0
    data = {
        "x_label": metric,
        "y_label": grid.criterion,
        "points": points,
        "r": agreement.value if math.isnan(agreement.value) else sign * agreement.value,
        "p": agreement.p,
        "ci": _signed(agreement.ci, sign),
        "n": agreement.n,
        "coefficient": result.coefficient,
    }
    without = "" if agreement.systems == "all" else f", {agreement.systems}"
    note = f"{NAMES[result.coefficient]} of the values shown{without}; judgements are means over participants."
    if not math.isnan(agreement.ci[0]):
        note += f" In brackets the {per_cent(result.confidence)} interval {agreement.scope}."
    name = slug(f"{metric} {grid.criterion} by {unit}".replace("_", " "))
    return Figure(name, f"{metric} and {grid.criterion}, by {unit}", "scatter", data, note)


def _signed(ci: tuple[float, float], sign: float) -> tuple[float, float] | None:
    if math.isnan(ci[0]):
        return None
    return ci if sign > 0 else (0.0 - ci[1], 0.0 - ci[0])
