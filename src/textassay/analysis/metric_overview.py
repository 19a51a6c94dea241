"""Metrics and people at a glance: metrics by criteria with marks of significance, order of systems by each metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from textassay.analysis.metric_correlations import MetricMaterial
from textassay.analysis.metric_headlines import NAMES
from textassay.analysis.published_metrics import decimals
from textassay.analysis.wording import slug
from textassay.meta.alignment import ScoreGrid
from textassay.meta.correlation import Correlations
from textassay.meta.metric_comparisons import MetricComparisons
from textassay.results import Analysis, Figure, Record, Table
from textassay.stats.samples import midranks

_MARKS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_MEANING = "Blue: agreement with people; vermilion: the opposite; the stronger, the further from 0."
FEWEST_IN_FLOW, MOST_IN_FLOW = 3, 30
"""Systems whose order can be drawn."""
MOST_IN_GRID = 20


def metric_overview(material: MetricMaterial) -> Analysis:
    """The matrix of metrics and criteria, and the order of the systems on each criterion."""
    leading = leading_level(material.results)
    matrix = [criteria_matrix(leading)] if leading is not None else []
    return Analysis(
        name="metrics-overview",
        title="Metrics at a glance",
        tables=tuple(table for table, _ in matrix),
        figures=(*(figure for _, figure in matrix), *rank_flows(material.grids)),
        place="metrics",
    )


def leading_level(results: Sequence[Correlations]) -> Correlations | None:
    """The leading coefficient within items, or over all texts where nothing is defined within items."""
    for result in results:
        if result.name in ("within items", "all texts") and result.coefficient == results[0].coefficient:
            records = [record for record in result.records() if record["leads"]]
            if any(not math.isnan(record["value"]) for record in records):
                return result
    return None


def criteria_matrix(result: Correlations) -> tuple[Table, Figure]:
    """Each metric's agreement on each criterion, with marks for p adjusted for all of them (Holm)."""
    found = {(record["metric"], record["criterion"]): record for record in result.records() if record["leads"]}
    metrics, criteria = (list(dict.fromkeys(key[part] for key in found)) for part in (0, 1))
    metrics.sort(key=lambda metric: -_mean([found[metric, of]["value"] for of in criteria]))
    texts = [[_marked(found[metric, of]) for of in criteria] for metric in metrics]
    note = (
        f"{'Mean ' if result.by else ''}{NAMES[result.coefficient]}, {result.name}. * p < .05, ** p < .01, "
        "*** p < .001, adjusted for all metrics and criteria (Holm); p never takes texts as independent."
    )
    title = "Metrics by criteria"
    table = Table(
        "metrics-by-criteria", title, ("metric", *criteria),
        tuple((metric, *row) for metric, row in zip(metrics, texts, strict=True)), note,
    )  # fmt: skip
    data = {
        "rows": metrics, "columns": criteria, "texts": texts,
        "values": [[_number(found[metric, of]["value"]) for of in criteria] for metric in metrics],
        "most": 1.0, "row_label": "metrics", "column_label": "criteria", "meaning": _MEANING,
    }  # fmt: skip
    return table, Figure("metrics-by-criteria", title, "matrix", data, note)


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else -math.inf


def _marked(record: Record) -> str:
    p = record["p_holm"]
    marks = next((mark for limit, mark in _MARKS if p is not None and p < limit), "")
    return f"{decimals(record['value'])}{marks}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def rank_flows(grids: Sequence[ScoreGrid]) -> Iterator[Figure]:
    """For each criterion the order of the systems by people and by metrics, those nearest to people's order first."""
    for grid in grids:
        known = {
            metric: values for metric, values in grid.system_scores.items()
            if np.isfinite(values + grid.system_people).sum() >= FEWEST_IN_FLOW
        }  # fmt: skip
        if not known or len(grid.systems) > MOST_IN_FLOW:
            continue
        judged = np.isfinite(grid.system_people) & np.any([np.isfinite(own) for own in known.values()], axis=0)
        people = _ranks(np.where(judged, grid.system_people, np.nan))
        ranks = {metric: _ranks(np.where(judged, values, np.nan)) for metric, values in known.items()}
        nearest = sorted(ranks, key=lambda metric: float(np.nansum(np.abs(ranks[metric] - people))))
        order = [place for place in np.argsort(people, kind="stable").tolist() if judged[place]]
        columns = [("people", people), *((metric, ranks[metric]) for metric in nearest)]
        data = {
            "systems": [grid.systems[place] for place in order],
            "columns": [
                {"name": name, "ranks": [_number(float(own[place])) for place in order]} for name, own in columns
            ],
        }
        note = "Best on top; metrics whose order is nearest to people's come first. Equal scores share the mean rank."
        if grid.reference is not None:
            note += f" The texts of {grid.reference} are the references."
        name = slug(f"order of systems {grid.criterion}".replace("_", " "))
        yield Figure(
            name,
            f"Order of the systems: {grid.criterion}",
            "rank-flow",
            data,
            note,
            detail=len(order) <= FEWEST_IN_FLOW,
        )


def _ranks(values: np.ndarray) -> np.ndarray:
    found = np.full(values.shape, np.nan)
    known = np.isfinite(values)
    found[known] = midranks(-values[known])
    return found


def comparison_grid(criterion: str, compared: MetricComparisons, *, detail: bool = True) -> Figure | None:
    """Who beats whom: the difference of each pair of metrics, coloured where it is significant."""
    names = list(compared.values)
    if not 2 < len(names) <= MOST_IN_GRID:
        return None
    values: list[list[float | None]] = []
    texts: list[list[str]] = []
    for one in names:
        pairs = [None if other == one else compared.pairs[one, other] for other in names]
        values.append([None if pair is None else pair.difference if pair.significant else 0.0 for pair in pairs])
        marked = [("" if pair is None else decimals(pair.difference), pair) for pair in pairs]
        texts.append([f"{text}*" if pair is not None and pair.significant else text for text, pair in marked])
    most = max((abs(value) for row in values for value in row if value is not None), default=0.0) or 1.0
    data = {
        "rows": [f"{place} {name}" for place, name in enumerate(names, start=1)],
        "columns": [str(place) for place in range(1, len(names) + 1)],
        "values": values, "texts": texts, "most": most, "row_label": "metrics", "column_label": "metrics",
        "meaning": "Blue: the metric of the row agrees significantly better with people than that of the column; "
        "vermilion: worse; white: they cannot be told apart.",
    }  # fmt: skip
    note = (
        "Differences of agreement with people, row less column; * significant, adjusted for all pairs "
        f"({compared.pairs.adjustment})."
    )
    name = slug(f"metrics compared {criterion}".replace("_", " "))
    return Figure(name, f"Which metric agrees better: {criterion}", "matrix", data, note, detail=detail)
