"""Metrics over several data sets: their ranks in each, mean ranks, and which can be told apart by them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from textassay.analysis.metric_comparison import compared_figure, without_reference
from textassay.analysis.metric_correlations import MetricMaterial, MetricPart
from textassay.analysis.metric_headlines import NAMES
from textassay.analysis.wording import list_some
from textassay.headline import Headline, Sentence
from textassay.meta.alignment import ScoreGrid
from textassay.meta.coefficients import Coefficient
from textassay.meta.data_set_ranks import DataSetRanks, rank_over_data_sets
from textassay.meta.metric_differences import Agreement
from textassay.report.numbers import p_in_words
from textassay.results import Analysis, Record, Table, table_of_records

DEPENDENT = (
    "p takes the data sets as independent: where they share people, systems or texts it is too small. A data set "
    "counts once, however large it is"
)


class DataSetCollector:
    """Keeps what is compared in each data set, while these are analysed one by one."""

    def __init__(self) -> None:
        self.grids: dict[str, list[ScoreGrid]] = {}

    def part(self, name: str) -> MetricPart:
        """A part of the analysis of the data set of that name, which adds nothing to it."""
        own = self.grids.setdefault(name, [])

        def keep(material: MetricMaterial) -> Analysis:
            own.extend(material.grids)
            return Analysis("metrics-kept", "", place="metrics")

        return keep


def metric_data_sets(
    data_sets: Mapping[str, Sequence[ScoreGrid]], coefficient: Coefficient = "pearson", *, alpha: float = 0.05
) -> Analysis:
    """The metrics that all data sets have, by their ranks in each.

    Args:
        data_sets: Name → one grid for each criterion. The agreement in a data set is the mean over its criteria, for
            these are not independent.
        coefficient: Of agreement within items, or over all texts where items have too few.
        alpha: Level of significance.
    """
    figures = {name: _figures(grids, coefficient) for name, grids in data_sets.items()}
    every = list(dict.fromkeys(metric for own in figures.values() for metric in own))
    shared = [metric for metric in every if all(metric in own for own in figures.values())]
    table = [[own[metric] for metric in shared] for own in figures.values()]
    found = rank_over_data_sets(table, list(figures), shared, alpha=alpha) if len(shared) > 1 else None
    return Analysis(
        name="metrics-over-data-sets",
        title="Metrics over data sets",
        results=(found.pairs,) if found else (),
        tables=(*_ranks_tables(found), *_agreements_tables(figures, every, coefficient), *_pairs_tables(found)),
        headlines=(Headline("Metrics over data sets", tuple(_sentences(found, len(figures), alpha))),),
        warnings=tuple(_left_out(figures, every, shared)),
        place="metrics",
    )


def _figures(grids: Sequence[ScoreGrid], coefficient: Coefficient) -> dict[str, float]:
    """Of each metric the mean over criteria of its agreement, where all criteria have one."""
    found: dict[str, list[float]] = {}
    for whole in grids:
        grid = without_reference(whole)
        level, chosen = compared_figure(grid, coefficient, "bootstrap")
        for metric, scores in grid.scores.items():
            found.setdefault(metric, []).append(Agreement(chosen, level).value(grid.people, scores))
    known = {metric: own for metric, own in found.items() if len(own) == len(grids) and not any(map(math.isnan, own))}
    return {metric: sum(own) / len(own) for metric, own in known.items()}


def _sentences(found: DataSetRanks | None, data_sets: int, alpha: float) -> Iterator[Sentence]:
    if found is None:
        yield ("Fewer than two metrics have an agreement with people in all data sets, so none can be ranked.",)
        return
    if math.isnan(found.p):
        yield (f"{found.reason[0].upper()}{found.reason[1:]}.",)
        return
    _, best = min(zip(found.mean_ranks.tolist(), found.metrics, strict=True))
    rank = f"{min(found.mean_ranks.tolist()):.3g}"
    over = f"Over {data_sets} data sets"
    behind = [name for name in found.metrics if name != best and found.pairs[best, name].winner == best]
    equal = [name for name in found.metrics if name not in (best, *behind)]
    if behind:
        rest = f"; {list_some(equal)} cannot be told from it" if equal else ""
        yield (f"{over} {best} is the closest to people (mean rank {rank}), ahead of {list_some(behind)}{rest}.",)
    elif found.p < alpha:
        none = f"but none can be told from {best}, the closest to people (mean rank {rank})"
        yield (f"{over} the ranks of the metrics differ ({p_in_words(found.p)}), {none}.",)
    else:
        yield (f"{over} the metrics cannot be told apart by their ranks ({p_in_words(found.p)}).",)
    if found.least_p >= alpha:
        yield (f"With {len(found.metrics)} metrics and {data_sets} data sets p cannot be below {found.least_p:.2g}.",)


def _ranks_tables(found: DataSetRanks | None) -> Iterator[Table]:
    if found is None:
        return
    order = sorted(range(len(found.metrics)), key=lambda place: (found.mean_ranks[place], found.metrics[place]))
    records: list[Record] = []
    for place in order:
        name = found.metrics[place]
        pairs = [found.pairs[name, other] for other in found.metrics if other != name]
        records.append(
            {
                "metric": name, "mean_rank": float(found.mean_ranks[place]),
                "ahead_of": sum(pair.winner == name for pair in pairs),
                "behind": sum(pair.winner not in ("", name) for pair in pairs),
                **dict(zip(found.data_sets, found.ranks[:, place].tolist(), strict=True)),
            }
        )  # fmt: skip
    how = f"all {found.orders:,} orders counted" if found.exact else f"{found.orders - 1:,} orders drawn"
    note = (
        f"Rank 1 is the closest to people. Friedman's test over {len(found.data_sets)} data sets: Kendall's W = "
        f"{found.w:.2f}, {p_in_words(found.p)} ({how}; p cannot be below {found.least_p:.2g}). Pairs by Nemenyi's test "
        f"over the same orders. {DEPENDENT}."
    )
    yield table_of_records(records, name="data-set-ranks", title="Ranks of the metrics over data sets", note=note)


def _agreements_tables(
    figures: Mapping[str, Mapping[str, float]], metrics: Sequence[str], coefficient: Coefficient
) -> Iterator[Table]:
    records: list[Record] = [
        {"metric": metric, **{name: own.get(metric) for name, own in figures.items()}} for metric in metrics
    ]
    note = (
        f"Mean {NAMES[coefficient]} within items, over all texts where items have fewer than three; the mean over the "
        "criteria of a data set."
    )
    if records:
        yield table_of_records(records, name="data-set-agreements", title="Agreement in each data set", note=note)


def _pairs_tables(found: DataSetRanks | None) -> Iterator[Table]:
    if found is not None and not math.isnan(found.p):
        yield found.pairs.table("data-set-pairs", "Pairs of metrics over data sets")


def _left_out(
    figures: Mapping[str, Mapping[str, float]], metrics: Sequence[str], shared: Sequence[str]
) -> Iterator[str]:
    for metric in metrics:
        if metric not in shared:
            lacking = list_some([name for name, own in figures.items() if metric not in own])
            yield f"{metric} is not ranked: it has no agreement with people in {lacking}"
