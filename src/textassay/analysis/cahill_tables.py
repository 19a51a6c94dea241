"""The tables of Cahill (2009): averages of each metric, correlation with people, order of the systems.

Rankings are correlated by Spearman's ρ, ratings by Pearson's r, over all texts (sentences) and over systems (corpus).
Signs are as given: people's mean rank is low for good texts, so a good metric that counts no errors has a negative ρ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from textassay.analysis.metric_correlations import MetricOptions
from textassay.analysis.published_metrics import (
    LIBERAL,
    PublishedFigure,
    PublishedFigures,
    decimals,
    given_people,
    plain_correlation,
)
from textassay.meta.alignment import ScoreGrid, score_grids
from textassay.meta.coefficients import Coefficient
from textassay.meta.misordered import SystemRanks, system_ranks
from textassay.meta.system_permutation import permute_system_scores
from textassay.results import Analysis, Table
from textassay.stats.samples import FloatArray

_SYNTACTIC = "dependency"
"""How the names of metrics begin that have a table of their own."""


def cahill_tables(
    judgements: pd.DataFrame,
    scores: pd.DataFrame,
    options: MetricOptions | None = None,
    lengths: Mapping[tuple[str, str], float] | None = None,
) -> Analysis:
    """Tables 1 to 4 and the order of the systems, for rankings or ratings.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; with `rank` they are taken as rankings.
        scores: Columns `item, system, metric, value`, and where known `signature`.
        options: How both tables are brought together.
        lengths: Not used.
    """
    del lengths
    options = options or MetricOptions()
    grids = score_grids(judgements, scores, options.correlation.alignment)
    ranked = "rank" in judgements.columns and bool(judgements["rank"].notna().any())
    syntactic = _syntactic(scores)
    tables: list[Table] = []
    figures: list[PublishedFigure] = []
    for grid in grids:
        of = "" if len(grids) == 1 else f": {grid.criterion}"
        people = _ranks_of(grid) if ranked else given_people(grid)
        made = _Tables(grid, people, "spearman" if ranked else "pearson", syntactic)
        tables += [_about(table, of, len(grids) > 1, grid.criterion) for table in made.tables()]
        figures += made.figures
    result = PublishedFigures(method="tables of Cahill (2009)", figures=tuple(figures))
    return Analysis(
        name="cahill-2009", title="Tables of Cahill (2009)", results=(result,), tables=tuple(tables), place="published"
    )


def _about(table: Table, of: str, several: bool, criterion: str) -> Table:  # noqa: FBT001 -- private
    if not several:
        return table
    return Table(f"{table.name}-{criterion}", table.title + of, table.columns, table.rows, table.note)


def _syntactic(scores: pd.DataFrame) -> frozenset[str]:
    own = scores["signature"].fillna("").astype(str) if "signature" in scores else scores["metric"].astype(str)
    names = scores["metric"].astype(str)
    return frozenset(names[own.str.startswith(_SYNTACTIC) | names.str.startswith(_SYNTACTIC)])


def _ranks_of(grid: ScoreGrid) -> FloatArray:
    """Mean ranks of the texts: of k texts of an item, rank r was turned into k + 1 - r points."""
    texts = np.isfinite(grid.people).sum(axis=1, keepdims=True)
    return np.asarray(texts + 1 - grid.people, dtype=float)


class _Tables:
    """The tables for one criterion; the figures in them are collected for programs."""

    def __init__(
        self, grid: ScoreGrid, people: FloatArray, coefficient: Coefficient, syntactic: frozenset[str]
    ) -> None:
        self.grid, self.people, self.coefficient = grid, people, coefficient
        self.syntactic = [metric for metric in grid.metrics if metric in syntactic]
        self.surface = [metric for metric in grid.metrics if metric not in syntactic]
        self.figures: list[PublishedFigure] = []

    def tables(self) -> Iterator[Table]:
        grid, ranked = self.grid, self.coefficient == "spearman"
        yield self._averages()
        number = 2 if ranked else 3
        parts = [("", grid.systems)]
        if grid.reference is not None:
            rest = tuple(name for name in grid.systems if name != grid.reference)
            parts.append((f", without {grid.reference}", rest))
        for metrics, place in ((self.surface, number), (self.syntactic, 4)):
            for which, systems in parts if metrics else ():
                what = "dependency-based metrics" if place == 4 else "metrics"
                yield self._correlations(metrics, systems, f"Table {place}{which}", what)
        if len(grid.systems) > 1:
            yield self._orders()

    def _averages(self) -> Table:
        grid = self.grid
        known = np.isfinite(self.people)
        human = [float(np.mean(self.people[known[:, place], place])) for place in range(len(grid.systems))]
        label = f"human ({'rank' if self.coefficient == 'spearman' else grid.criterion})"
        rows: list[tuple[str, ...]] = [(label, *(decimals(value) for value in human))]
        self._means(human, "people")
        for metric in grid.metrics:
            sign = -1.0 if metric in grid.turned else 1.0
            values = [sign * float(value) for value in grid.system_scores[metric]]
            rows.append((metric, *(decimals(value) for value in values)))
            self._means(values, metric)
        note = "Scores of systems by each metric, and people's mean over the texts of each."
        return Table("table-1", "Table 1: average scores of each metric", ("metric", *grid.systems), tuple(rows), note)

    def _means(self, values: Sequence[float], metric: str) -> None:
        self.figures += [
            PublishedFigure("Table 1", "mean", value, metric, self.grid.criterion, system)
            for system, value in zip(self.grid.systems, values, strict=True)
        ]

    def _correlations(self, metrics: Sequence[str], systems: Sequence[str], name: str, what: str) -> Table:
        grid = self.grid
        kept = np.array([system in systems for system in grid.systems], dtype=bool)
        several = int(kept.sum()) > 2  # two systems always lie on a line
        rows: list[tuple[str, ...]] = []
        for metric in metrics:
            given = grid.given(metric)[:, kept]
            value, p, n = plain_correlation(given.ravel(), self.people[:, kept].ravel(), self.coefficient)
            cells = [decimals(value, 3), _p(p)]
            where = ", ".join(systems)
            figure = PublishedFigure(name, self.coefficient, value, metric, grid.criterion, where, n=n, p=p)
            self.figures.append(figure)
            if several:
                value, p, n = self._corpus(metric, kept)
                cells += [decimals(value, 3), _p(p, exact=True)]
                corpus = f"{name}, corpus"
                self.figures.append(replace(figure, table=corpus, value=value, n=n, p=p, liberal=False))
            rows.append((metric, *cells))
        corr = "Spearman" if self.coefficient == "spearman" else "Pearson"
        columns = ("metric", f"sentence {corr}", "p (liberal)", *((f"corpus {corr}", "p (exact)") if several else ()))
        title = f"{name}: correlation between human judgements ({grid.criterion}) and {what}"
        signs = "Signs are as given: a rank of 1 is the best." if self.coefficient == "spearman" else ""
        exact = "At corpus level p counts all orders of the systems." if several else ""
        file = "-".join(name.lower().replace(",", "").split())
        return Table(file, title, columns, tuple(rows), " ".join(filter(None, (signs, LIBERAL, exact))))

    def _corpus(self, metric: str, kept: FloatArray) -> tuple[float, float, int]:
        grid = self.grid
        sign = -1.0 if metric in grid.turned else 1.0
        means = np.array([np.nanmean(column) if np.isfinite(column).any() else math.nan for column in self.people.T])
        test = permute_system_scores(means[kept], sign * grid.system_scores[metric][kept], self.coefficient)
        return test.value, test.p, int(kept.sum())

    def _orders(self) -> Table:
        """The systems from best to worst, by people and by each metric."""
        grid = self.grid
        human = _order(system_ranks(grid.system_people, grid.system_people, grid.systems))
        rows = [("people", human, "")]
        for metric in grid.metrics:
            by_metric = system_ranks(grid.system_scores[metric], grid.system_scores[metric], grid.systems)
            rows.append((metric, _order(by_metric), "yes" if _order(by_metric) == human else "no"))
        note = "Best first; systems with equal scores are joined by =."
        return Table("order-of-systems", "Order of the systems", ("metric", "order", "as people"), tuple(rows), note)


def _order(ranks: Sequence[SystemRanks]) -> str:
    text, before = "", math.nan
    for each in ranks:
        text += ("" if not text else " = " if each.people == before else " > ") + each.system
        before = each.people
    return text


def _p(p: float, *, exact: bool = False) -> str:
    """As the paper prints it: four digits, or less than .001.

    >>> _p(0.3333333, exact=True), _p(0.00004), _p(0.0017)
    ('.3333', '<.001', '.0017')
    """
    if math.isnan(p):
        return ""
    return "<.001" if p < 0.001 and not exact else decimals(p, 4)
