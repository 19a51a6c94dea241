"""Does a metric tell more of people's judgements than a covariate, such as the length of the text, already does?

Texts that say more of what matters are often longer, and people may react to the length. The question is asked within
items: whether, of the texts about one item, the one that the metric likes better is also the one that people like
better, at equal length and beyond what systems differ on the whole. So effects of items and of systems are taken out
of people, metric and covariate by least squares over the cells that have all three (with two systems that leaves the
differences between the two texts of each item), and what is left of people and metric is correlated after the
covariate *and its square* are taken out.

Why the square: shares and ratings have ends, so what a covariate does to them is not linear, and a metric that goes
with the covariate then passes for a curve. With 24 items × 2 systems, people who react strongly to length alone and a
metric that correlates .9 with length, the linear form rejected in .43 of 10,000 simulated studies at the level .05, the
form with the square in .047 (`docs/calibration.md`). Where nothing is curved the square costs one degree of freedom.

Texts are the sample: the level holds over texts that each have something of their own beside length. Where they have
nothing, and hundreds of people judge the same few texts, what a parabola leaves of the effect of length is the same in
every study, and can go with the metric by accident of these texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.distributions import normal_quantile, student_p

FloatArray = npt.NDArray[np.float64]
_NOTHING = 1e-9
"""Share of a variable's spread below which what is left of it is rounding."""


@dataclass(frozen=True)
class GivenCovariate:
    """The correlation of people with a metric within items, given a covariate."""

    r: float
    """Partial correlation; nan where it is undefined."""
    p: float
    """Two-sided, by Student's t."""
    df: int
    """Cells, less what was fitted: items, systems, the covariate and its square, the metric."""
    cells: int
    """Cells with a judgement, a score and a value of the covariate, about items that have at least two."""
    items: int
    systems: int
    reason: str = ""
    """Why it is undefined."""

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Fisher's interval, as of a correlation of df + 2 pairs; nan with fewer than two degrees of freedom."""
        if self.df < 2 or math.isnan(self.r):
            return math.nan, math.nan
        if abs(self.r) >= 1:
            return self.r, self.r
        half = normal_quantile((1 + confidence) / 2) / math.sqrt(self.df - 1)
        return math.tanh(math.atanh(self.r) - half), math.tanh(math.atanh(self.r) + half)


def given_covariate(
    people: npt.ArrayLike, scores: npt.ArrayLike, covariate: npt.ArrayLike, *, curved: bool = True
) -> GivenCovariate:
    """The correlation of people with a metric, items, systems, a covariate and its square taken out.

    A cell counts where none of the three is nan; an item with a single such cell says nothing of the texts of one item
    and is left out.

    Example:
        >>> people = [[1, 3], [2, 2], [1, 4], [5, 4], [2, 5], [3, 3]]
        >>> relevance = [[0, 2], [1, 2], [1, 3], [4, 2], [2, 3], [1, 0]]
        >>> length = [[9, 12], [14, 11], [8, 12], [10, 15], [7, 9], [13, 13]]
        >>> found = given_covariate(people, relevance, length, curved=False)
        >>> round(found.r, 4), found.df, round(found.p, 4)  # 6 differences, less their mean, length and relevance
        (0.8691, 3, 0.0557)

    Args:
        people: Items × systems; nan where nobody judged.
        scores: The same of the metric; nan where it has no value.
        covariate: The same of the covariate.
        curved: Whether the square of the covariate is taken out too.

    Raises:
        DataError: the three are not of one shape, or a value is infinite.
    """
    tables = [np.asarray(each, dtype=float) for each in (people, scores, covariate)]
    if tables[0].ndim != 2 or any(each.shape != tables[0].shape for each in tables):
        shapes = ", ".join(str(each.shape) for each in tables)
        raise DataError(f"people, scores and covariate must be items × systems and of one shape, got {shapes}")
    if any(np.isinf(each).any() for each in tables):
        raise DataError("a value is infinite; leave it out as nan")
    there = np.logical_and.reduce([~np.isnan(each) for each in tables])
    there &= there.sum(axis=1, keepdims=True) >= 2
    item, system = np.nonzero(there)
    cells = (item.size, np.unique(item).size, np.unique(system).size)
    if not item.size:
        return _undefined(0, cells, "no item has two texts with judgement, score and covariate")
    y, x, z = (_centred(each[there]) for each in tables)
    fitted = [np.equal.outer(system, np.unique(system)).astype(float), z[:, None]]
    if curved:
        fitted.append((_scaled(z) ** 2)[:, None])
    basis = _basis(_within(np.hstack(fitted), item))
    df = cells[0] - cells[1] - basis.shape[1] - 1
    if df < 1:
        return _undefined(df, cells, "too few texts for the items, systems and covariate that are taken out")
    y_left, x_left = (_left(_within(each[:, None], item)[:, 0], basis) for each in (y, x))
    for left, whole, what in ((y_left, y, "the judgements"), (x_left, x, "the scores")):
        if np.linalg.norm(left) <= _NOTHING * max(float(np.linalg.norm(whole)), _NOTHING):
            return _undefined(df, cells, f"{what} do not vary beyond items, systems and covariate")
    r = float(np.clip(x_left @ y_left / (np.linalg.norm(x_left) * np.linalg.norm(y_left)), -1, 1))
    t = math.copysign(math.inf, r) if abs(r) >= 1 else r * math.sqrt(df / (1 - r * r))
    return GivenCovariate(r, student_p(t, df, "two-sided"), df, *cells)


def _undefined(df: int, cells: tuple[int, int, int], reason: str) -> GivenCovariate:
    return GivenCovariate(math.nan, math.nan, df, *cells, reason)


def _centred(values: FloatArray) -> FloatArray:
    return np.asarray(values - values.mean())


def _scaled(values: FloatArray) -> FloatArray:
    """In standard deviations, so that a square is of the same size."""
    return values / (values.std() or 1.0)


def _within(columns: FloatArray, item: npt.NDArray[np.int64]) -> FloatArray:
    """Each column less the means of the items, which is what is left when items are fitted."""
    sums = np.zeros((int(item.max()) + 1, columns.shape[1]))
    np.add.at(sums, item, columns)
    counts = np.maximum(np.bincount(item, minlength=len(sums)), 1)
    return np.asarray(columns - (sums / counts[:, None])[item])


def _basis(columns: FloatArray) -> FloatArray:
    """Orthonormal columns that span the same; a column that follows from others adds none."""
    sizes = np.linalg.norm(columns, axis=0)
    kept = columns[:, sizes > _NOTHING * max(float(sizes.max()), _NOTHING)]
    if not kept.shape[1]:
        return kept
    left, singular, _ = np.linalg.svd(kept / np.linalg.norm(kept, axis=0), full_matrices=False)
    return np.asarray(left[:, singular > _NOTHING * singular[0]])


def _left(values: FloatArray, basis: FloatArray) -> FloatArray:
    return np.asarray(values - basis @ (basis.T @ values))
