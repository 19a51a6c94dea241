"""Metrics against people, ready for the report: both levels, both coefficients, and the order of the systems."""

from __future__ import annotations

import pandas as pd

from textassay.meta.agreement import Correlations
from textassay.meta.align import Aligned, Tables, read_tables
from textassay.meta.correlation import correlate_tables
from textassay.meta.figures import scatter
from textassay.results import Analysis, Figure, Record, Table, table_of_records

_SHOWN = ("level", "metric", "criterion", "systems", "statistic", "value", "p", "p_holm", "ci", "n", "exact")


def analysis(
    judgements: pd.DataFrame, scores: pd.DataFrame, *, reference_system: str | None = None, confidence: float = 0.95
) -> Analysis:
    """How far each metric agrees with people, by text and by system.

    Args:
        judgements: Columns `participant, item, system, criterion, value`.
        scores: Columns `item, system, metric, value`; rows of whole systems have no item.
        reference_system: A system that is also the reference: everything is given with and without it.
        confidence: Of the intervals.
    """
    tables = read_tables(judgements, scores)
    results = tuple(
        correlate_tables(tables, level, None, coefficient, reference_system=reference_system, confidence=confidence)
        for level in ("segment", "system")
        for coefficient in ("pearson", "spearman")
    )
    return Analysis(
        name="metrics-and-people",
        title="Metrics and people",
        results=results,
        tables=(_correlations(results), *_orders(tables, reference_system)),
        figures=tuple(_scatters(tables, results)),
        warnings=tuple(dict.fromkeys(text for result in results for text in result.warnings)),
    )


def _correlations(results: tuple[Correlations, ...]) -> Table:
    records = [{key: record[key] for key in _SHOWN} for result in results for record in result.records()]
    note = (
        "Level: segment, one pair a text; system, one pair a system. Judgements are means over participants. "
        "A system's value is the mean over its texts. p is two-sided; exact ones count all orders. "
        "p_holm is corrected (Holm) for all metrics and criteria of one level and coefficient."
    )
    return table_of_records(records, name="correlations", title="Correlation of metrics with people", note=note)


def _orders(tables: Tables, reference_system: str | None) -> list[Table]:
    """The order in which each metric puts the systems beside the order in which people do."""
    records = [row for aligned in tables.aligned("system") for row in _ranks(aligned, reference_system)]
    if not records:
        return []
    note = "Rank 1 is the highest value, also for a metric that counts errors; equal values share the mean rank."
    if reference_system is not None:
        note += f" The texts of {reference_system} are also the references."
    return [table_of_records(records, name="system-orders", title="Order of the systems", note=note)]


def _ranks(aligned: Aligned, reference_system: str | None) -> list[Record]:
    pairs = aligned.pairs
    ranks = pairs[["judgement", "score"]].rank(ascending=False)
    rows = zip(pairs["system"], pairs["judgement"], pairs["score"], ranks["judgement"], ranks["score"], strict=True)
    return [
        {
            "metric": aligned.metric,
            "criterion": aligned.criterion,
            "system": f"{system} (reference)" if system == reference_system else system,
            "people": judgement,
            "score": score,
            "people_rank": people_rank,
            "metric_rank": metric_rank,
        }
        for system, judgement, score, people_rank, metric_rank in sorted(rows, key=lambda row: row[3])
    ]


def _scatters(tables: Tables, results: tuple[Correlations, ...]) -> list[Figure]:
    """One figure a metric, criterion and level, with Pearson's r over all systems."""
    figures = []
    for result in results:
        if result.coefficient == "pearson":
            found = {(one.metric, one.criterion): one for one in result.agreements if one.systems == "all"}
            figures += [
                scatter(aligned, found[aligned.metric, aligned.criterion], result.coefficient)
                for aligned in tables.aligned(result.level)
            ]
    return figures
