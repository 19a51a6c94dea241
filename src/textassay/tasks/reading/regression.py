"""Times regressed on a property of texts such as tau: Lorch & Myers (1990) as Lapata (2006) did, and a mixed model."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from textassay.analysis.crossed_model import CrossedModel, crossed_regression
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis, Figure, Table
from textassay.stats import Correlation, LorchMyers, lorch_myers, pearson
from textassay.tasks.reading.comparison import LOGARITHMS
from textassay.tasks.reading.measures import LOG, TIME

PUBLISHED = (
    "published mode (Lapata 2006): the correlation over texts takes the means of texts as all there is to know; its p "
    "says nothing about other participants, and texts of one item resemble each other"
)
_NOTE = (
    "Slopes are for one more of {predictor}. Individual equations (Lorch & Myers 1990, form 3): a regression for each "
    "participant, then a t-test of the slopes; it holds for other participants, with these texts. Prefer the mixed "
    "model, which holds for other texts too; its slope is one of logarithms, so exp(slope) is a ratio of times. The "
    "correlation of means over texts is there to be set beside published ones."
)


@dataclass(frozen=True)
class Regression:
    """Times over one predictor."""

    predictor: str
    texts: pd.DataFrame
    """One row per text: its mean time and its predictor."""
    slopes: LorchMyers
    over_texts: Correlation
    model: CrossedModel
    confidence: float
    left_out: tuple[str, ...]

    def analysis(self) -> Analysis:
        """The mixed model first, which is valid for participants and texts at once."""
        named = [(TIME, self.model.warnings), (f"individual equations of {self.predictor}", self.slopes.warnings)]
        named.append((f"correlation of {self.predictor} over texts", self.over_texts.warnings))
        return Analysis(
            "regression",
            "Regression",
            (*self.model.results, self.slopes, self.over_texts),
            (self._table(),),
            (self._figure(),),
            (*self.left_out, *named_warnings(named)),
        )

    def _table(self) -> Table:
        """One row per method."""
        slope, r = self.slopes[self.predictor], self.over_texts
        rows: list[tuple[object, ...]] = []
        if self.model.model is not None:
            line = self.model.model.coefficient(self.predictor)
            fit = (line.estimate, *line.ci, line.t, line.df, line.p, self.model.model.n)
            rows.append(("mixed model", "slope of log ms", *fit))
        equations = ("individual equations", "slope in ms", slope.estimate, *slope.ci, slope.statistic)
        rows.append((*equations, slope.df, slope.p, self.slopes.n))
        rows.append(("correlation over texts (published)", "r", r.r, *r.ci, None, r.df, r.p, r.n))
        heads = ("Method", "What", "Estimate", "Low", "High", "t", "df", "p", "n")
        note = f"{_NOTE.format(predictor=self.predictor)} Intervals: {self.confidence * 100:g} %."
        return Table("regression", f"Time per unit and {self.predictor}", heads, tuple(rows), note)

    def _figure(self) -> Figure:
        """The means of texts against the predictor."""
        points = [
            {"label": f"{item}, {system}", "system": system, "x": x, "y": y}
            for item, system, x, y in self.texts[["item", "system", self.predictor, "rt_ms"]].itertuples(index=False)
        ]
        r = self.over_texts
        data = {"x_label": self.predictor, "y_label": TIME, "points": points, "r": r.r, "p": r.p}
        title = f"Time per unit of each text and {self.predictor}"
        return Figure("times-and-predictor", title, "scatter", data, note="A point is a text: the mean of its readers.")


def regression(trials: pd.DataFrame, predictor: str, confidence: float) -> Analysis:
    """Times over the predictor.

    Args:
        trials: One row per trial: `participant, item, system, rt_ms, log_ms` and the predictor's column.
        predictor: The column.
        confidence: Of the intervals.
    """
    known = trials[np.isfinite(trials[predictor])]
    texts = known.groupby(["item", "system"], sort=False)[["rt_ms", predictor]].mean().reset_index()
    if texts[predictor].nunique() < 2:
        why = f"times are not regressed on {predictor}: it is not known, or the same for all texts that were read"
        return Analysis("regression", "Regression", warnings=(why,))
    values, x = known["rt_ms"].to_numpy(dtype=float), known[predictor].to_numpy(dtype=float)
    slopes = lorch_myers(values, known["participant"].to_numpy(), {predictor: x}, confidence=confidence)
    r = pearson(texts[predictor].to_numpy(dtype=float), texts["rt_ms"].to_numpy(dtype=float), confidence=confidence)
    r = replace(
        r,
        coefficient="pearson over texts",  # so that nobody takes it for one over single answers
        settings={**r.settings, "mode": "published", "over": "texts"},
        warnings=(PUBLISHED, *r.warnings),
    )
    lost = len(trials) - len(known)
    found = Regression(
        predictor,
        texts,
        slopes.about(TIME),
        r.about(TIME, predictor),
        crossed_regression(known, LOG, predictor, of=TIME, confidence=confidence, settings=LOGARITHMS),
        confidence,
        (f"{lost} of {len(trials)} trials have no {predictor}; the regressions leave them out",) if lost else (),
    )
    return found.analysis()
