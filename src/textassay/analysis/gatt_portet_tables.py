"""The tables of Gatt & Portet (2010): metrics per condition, and their correlations with performance over scenarios.

There are two conditions with texts: H, by experts, which are the references, and C, by the system. Metrics that compare
with references have a score for C only; of others there are the scores in both conditions and the difference H − C.
Scenarios whose right action is to do nothing are left out, with the figures that include them beside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
from textassay.errors import DataError
from textassay.meta.alignment import ScoreGrid, score_grids
from textassay.report.numbers import p_in_words
from textassay.results import Analysis, Table
from textassay.stats import paired_t
from textassay.stats.samples import FloatArray

NO_ACTION = "no_action"
"""Column of judgements: whether to do nothing is the right action for the item."""
_MARKS = "◇ significant at p ≤ .05; * approaches significance at p ≤ .06."


def gatt_portet_tables(
    judgements: pd.DataFrame,
    scores: pd.DataFrame,
    options: MetricOptions | None = None,
    lengths: Mapping[tuple[str, str], float] | None = None,
) -> Analysis:
    """Metrics and performance per condition, and tables 1 to 3, without and with scenarios of no action.

    Args:
        judgements: Columns `participant, item, system, criterion, value`, and `no_action` where it is known.
        scores: Columns `item, system, metric, value`, and where known `signature`.
        options: How both tables are brought together; the reference system is the condition H.
        lengths: Not used.

    Raises:
        DataError: there are not two conditions that have texts with scores.
    """
    del lengths
    options = options or MetricOptions()
    grids = score_grids(judgements, scores, options.correlation.alignment)
    if not grids:
        raise DataError("there are no judgements; the tables of Gatt & Portet (2010) need some")
    human, computer = _conditions(grids[0])
    idle = _idle_items(judgements)
    parts = {"": [item for item in grids[0].items if item not in idle]}
    if idle:
        parts["with scenarios of no action"] = list(grids[0].items)
    tables: list[Table] = []
    figures: list[PublishedFigure] = []
    for which, items in parts.items():
        made = _Conditions(grids, human, computer, which, items)
        tables += made.tables()
        figures += made.figures
    result = PublishedFigures(method="tables of Gatt & Portet (2010)", figures=tuple(figures))
    return Analysis(
        name="gatt-portet-2010", title="Tables of Gatt & Portet (2010)", results=(result,), tables=tuple(tables),
        place="published",
    )  # fmt: skip


def _conditions(grid: ScoreGrid) -> tuple[str, str]:
    """The condition of the experts' texts, and the other one."""
    scored = np.any([np.isfinite(own).any(axis=0) for own in grid.scores.values()], axis=0)
    systems = [name for name, there in zip(grid.systems, scored, strict=True) if there]
    first = grid.reference if grid.reference in systems else next(iter(systems), "")
    others = [name for name in systems if name != first]
    if len(others) != 1:
        raise DataError(
            f"the tables of Gatt & Portet (2010) compare two conditions that have texts with scores, got "
            f"{', '.join(systems) or 'none'}"
        )
    return str(first), others[0]


def _idle_items(judgements: pd.DataFrame) -> frozenset[str]:
    if NO_ACTION not in judgements:
        return frozenset()
    return frozenset(judgements.loc[judgements[NO_ACTION].fillna(value=False).astype(bool), "item"].astype(str))


@dataclass
class _Conditions:
    """The tables over some of the scenarios."""

    grids: Sequence[ScoreGrid]
    human: str
    computer: str
    which: str
    items: Sequence[str]
    figures: list[PublishedFigure] = field(default_factory=list)

    def tables(self) -> Iterator[Table]:
        grid = self.grids[0]
        own = [metric for metric in grid.metrics if metric not in grid.comparing]
        compared = [metric for metric in grid.metrics if metric in grid.comparing]
        difference = f"{self.human}−{self.computer}"
        yield self._conditions_table(own, compared)
        columns = self._columns(difference)
        rows = {f"{name} ({difference})": (name, difference) for name in own}
        rows |= {name: (name, self.computer) for name in compared}
        yield self._table("Table 1", "performance differences and differences of the texts", rows, columns)
        if compared:
            columns = self._columns(self.computer, difference)
            rows = {name: (name, self.computer) for name in compared}
            title = f"metrics that compare with {self.human} and performance"
            yield self._table("Table 2", title, rows, columns)
        if own:
            columns = self._columns(self.human, self.computer)
            rows = {name: (name, "") for name in own}
            title = "scores of the texts and absolute performance in each condition"
            yield self._table("Table 3", title, rows, columns)

    def _columns(self, *places: str) -> dict[str, tuple[str, str]]:
        """Heading → measure and condition (absolute performance) or difference."""
        return {f"{name} ({place})": (name, place) for place in places for name in self.measures}

    @property
    def measures(self) -> list[str]:
        return [grid.criterion for grid in self.grids]

    def _conditions_table(self, own: Sequence[str], compared: Sequence[str]) -> Table:
        rows = []
        for name in (*own, *compared, *self.measures):
            is_metric = name not in self.measures
            one, other = (self._values(name, place, is_metric=is_metric) for place in (self.human, self.computer))
            only = name in compared
            cells = ["", ""] if only else self._mean_sd(name, one, self.human)
            cells += self._mean_sd(name, other, self.computer)
            cells += ["", ""] if only else self._t_test(name, one, other)
            rows.append((name, *cells))
        columns = (
            "metric", f"mean {self.human}", f"SD {self.human}", f"mean {self.computer}", f"SD {self.computer}",
            "t", "p",
        )  # fmt: skip
        note = (
            f"Over {len(self.items)} scenarios; performance is the mean over participants of each. t compares "
            f"{self.human} with {self.computer} in pairs over scenarios; p is not corrected for the number of tests."
        )
        return self._named("Table 0", "metrics and performance per condition", columns, rows, note)

    def _mean_sd(self, name: str, values: FloatArray, place: str) -> list[str]:
        known = values[np.isfinite(values)]
        found = {
            "mean": float(known.mean()) if known.size else math.nan,
            "SD": float(known.std(ddof=1)) if known.size > 1 else math.nan,
        }
        for statistic, value in found.items():
            self._keep(PublishedFigure("Table 0", statistic, value, name, where=place, n=known.size))
        return [decimals(value) for value in found.values()]

    def _t_test(self, name: str, one: FloatArray, other: FloatArray) -> list[str]:
        both = np.isfinite(one) & np.isfinite(other)
        if both.sum() < 2 or np.ptp((one - other)[both]) == 0:
            return ["", ""]
        test = paired_t(one[both], other[both])
        place = f"{self.human}−{self.computer}"
        n = int(both.sum())
        self._keep(PublishedFigure("Table 0", "t", test.t, name, where=place, n=n, p=test.p, df=test.df, liberal=False))
        return [f"t({test.df:g}) = {decimals(test.t)}", p_in_words(test.p)]

    def _table(
        self, number: str, title: str, rows: Mapping[str, tuple[str, str]], columns: Mapping[str, tuple[str, str]]
    ) -> Table:
        """Correlations of metrics (rows) and measures (columns); a row without a place has that of the column."""
        cells = []
        for label, (metric, place) in rows.items():
            line = [label]
            for measure, where in columns.values():
                x = self._values(metric, place or where, is_metric=True)
                y = self._values(measure, where, is_metric=False)
                r, p, n = plain_correlation(x, y, "pearson")
                self._keep(PublishedFigure(number, "pearson", r, metric, measure, where, n=n, p=p))
                line.append(f"{decimals(r)}{'◇' if p <= 0.05 else '*' if p <= 0.06 else ''}")
            cells.append(tuple(line))
        note = f"Pearson's r over {len(self.items)} scenarios. {_MARKS} {LIBERAL}"
        return self._named(number, f"correlations between {title}", ("metric", *columns), cells, note)

    def _values(self, name: str, place: str, *, is_metric: bool) -> FloatArray:
        """A metric or measure over the scenarios, in a condition or as the difference of both."""
        first, _, second = place.partition("−") if place not in self.grids[0].systems else (place, "", "")
        grid = self.grids[0] if is_metric else next(grid for grid in self.grids if grid.criterion == name)
        values = grid.given(name) if is_metric else given_people(grid)
        rows = [grid.items.index(item) for item in self.items if item in grid.items]
        column = values[rows, grid.systems.index(first)]
        return column - values[rows, grid.systems.index(second)] if second else column

    def _keep(self, figure: PublishedFigure) -> None:
        self.figures.append(replace(figure, items=self.which or f"{len(self.items)} scenarios"))

    def _named(
        self, number: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str
    ) -> Table:
        which = f", {self.which}" if self.which else ""
        label = "" if number == "Table 0" else f"{number}: "
        name = "-".join(f"{number} {self.which}".lower().split())
        filled = tuple(tuple(row) for row in rows)
        text = f"{label}{title}{which}"
        return Table(name, f"{text[0].upper()}{text[1:]}", tuple(columns), filled, note, detail=bool(self.which))
