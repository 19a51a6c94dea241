"""Cohen's kappa: how far two raters agree beyond chance, plain or weighted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.agreement.categories import AgreementWeights, Categories, WeightKind, agreement_weights, categorise
from textassay.stats.agreement.ratings import label_array, present, sums_by
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import FloatArray, IntArray, as_floats, check_share, same_length
from textassay.stats.statistic import Statistic

_NAME = "Cohen's kappa"


@dataclass(frozen=True, kw_only=True)
class CohenKappa(Statistic):
    """Agreement of two raters beyond what their own habits would give by chance: 0 none, 1 full."""

    kappa: float
    ase: float
    """Asymptotic standard error; the interval rests on it."""
    ci: tuple[float, float]
    se_null: float
    """Standard error where the raters agree by chance only; z rests on it."""
    z: float
    p: float
    """Two-sided, of agreement by chance only."""
    po: float
    """Observed agreement; weighted if kappa is."""
    pe: float
    """Agreement that the raters' margins give by chance; weighted if kappa is."""
    n: float
    """Items that both judged; a whole number unless the matrix held shares of counts."""
    categories: tuple[str, ...]

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"z": self.z, "ase": self.ase, "se_null": self.se_null, "po": self.po, "pe": self.pe}
        return [self.record("kappa", self.kappa, p=self.p, ci=self.ci, n=self.n, **more)]


def cohen_kappa(
    first: Sequence[Any] | npt.NDArray[Any],
    second: Sequence[Any] | npt.NDArray[Any],
    *,
    weights: WeightKind = "identity",
    categories: Sequence[Any] | None = None,
    confidence: float = 0.95,
) -> CohenKappa:
    """Cohen's kappa of two raters' labels of the same items.

    Purpose: say how far two raters agree on categories beyond what chance would give.

    κ = (p_o - p_e) / (1 - p_e) with p_o the share of agreement and p_e = Σ pᵢ. p.ᵢ that of chance (Cohen 1960). With
    weights, both count near misses: linear 1 - d/D, quadratic 1 - (d/D)², d being the distance of the two categories
    and D the longest (Cohen 1968). Standard errors after Fleiss, Cohen & Everitt (1969): the one in general for the
    interval (cut at 1), the one under chance for z. Items with one label missing are excluded and counted.

    R: `vcd::Kappa(table(first, second))`, with
    `weights = "Equal-Spacing"` (linear) or `"Fleiss-Cohen"` (quadratic).

    Example:
        >>> result = cohen_kappa(["a", "a", "b", "b", "b"], ["a", "b", "b", "b", "b"])
        >>> round(result.po, 2), round(result.pe, 2), round(result.kappa, 4)  # .4·.2 + .6·.8 = .56; .24 / .44
        (0.8, 0.56, 0.5455)

    Args:
        first: One label per item: numbers or text; None or nan where missing.
        second: The other rater's, in the same order of items.
        weights: `identity`, `linear`, `quadratic` or `ordinal`.
        categories: All of them, in order; those seen, sorted, if not given. Numbers are as far apart as their values,
            text as their places.
        confidence: Of the interval.

    Raises:
        DataError: unequal lengths, infinite values, a label that is not a category, or no item that both judged.
        UsageError: weights for text whose order was not given.
    """
    check_share("confidence", confidence)
    return _kappa(confusion_of_lists(first, second, categories, _NAME), weights, confidence)


def cohen_kappa_matrix(
    matrix: npt.ArrayLike,
    *,
    weights: WeightKind = "identity",
    categories: Sequence[Any] | None = None,
    confidence: float = 0.95,
) -> CohenKappa:
    """Cohen's kappa of a confusion matrix: rows the first rater's categories, columns the second's.

    Purpose: say how far two raters agree when only their confusion matrix is known, as printed in a paper.

    κ = (p_o - p_e) / (1 - p_e), as in `cohen_kappa` (Cohen 1960). The matrix may also count how often each unit is
    in each position (Madnani et al. 2007).

    R: `vcd::Kappa(matrix)`.

    Example:
        >>> round(cohen_kappa_matrix([[20, 5], [10, 15]]).kappa, 4)  # p_o = .7, p_e = .5
        0.4

    Args:
        matrix: Counts, square.
        weights: `identity`, `linear`, `quadratic` or `ordinal`.
        categories: What rows and columns stand for, in order; their places if not given.
        confidence: Of the interval.

    Raises:
        DataError: not a square table of counts, or an empty one.
    """
    check_share("confidence", confidence)
    return _kappa(confusion_of_matrix(matrix, categories), weights, confidence)


def _kappa(data: Confusion, kind: WeightKind, confidence: float) -> CohenKappa:
    weights = agreement_weights(kind, data.categories)
    po = float(data.share @ weights.between(data.row, data.column))
    pe = float(data.rows @ weights.times(data.columns))
    n = int(data.n) if float(data.n).is_integer() else data.n
    warnings = []
    if data.left_out:
        warnings.append(f"{data.left_out} of {n + data.left_out} items are excluded: one label is missing")
    kappa = ase = se_null = z = math.nan
    if _only_one_category(data):
        only = data.categories.names[data.row[0]]
        warnings.append(f"kappa is undefined: both raters gave every item the same category ({only})")
    else:
        kappa = (po - pe) / (1 - pe)
        ase, se_null = _standard_errors(data, weights, po, pe)
        z = kappa / se_null if se_null > 0 else math.nan
        if math.isnan(z):
            warnings.append("z is undefined: one rater gave every item the same category")
        if ase == 0:
            warnings.append("the interval has zero width and is uninformative: the agreement does not vary")
    half = normal_quantile((1 + confidence) / 2) * ase
    return CohenKappa(
        method=_NAME if kind == "identity" else f"{_NAME}, weighted",
        settings={"weights": kind, "categories": weights.size, "confidence": confidence, "n": n},
        warnings=tuple(warnings),
        kappa=kappa,
        ase=ase,
        ci=(kappa - half, math.nan if math.isnan(half) else min(1.0, kappa + half)),
        se_null=se_null,
        z=z,
        p=2 * normal_upper(abs(z)),
        po=po,
        pe=pe,
        n=n,
        categories=data.categories.names,
    )


def _only_one_category(data: Confusion) -> bool:
    return data.row.size == 1 and data.row[0] == data.column[0]


def _standard_errors(data: Confusion, weights: AgreementWeights, po: float, pe: float) -> tuple[float, float]:
    """In general, and under chance (Fleiss, Cohen & Everitt 1969); sums over cells that are not empty."""
    rows, columns = data.rows, data.columns
    row_mean, column_mean = weights.times(columns), weights.times(rows)
    cells = weights.between(data.row, data.column) * (1 - pe)
    cells = cells - (row_mean[data.row] + column_mean[data.column]) * (1 - po)
    general = float(data.share @ cells**2) - (po * pe - 2 * pe + po) ** 2
    chance = float(rows @ weights.times(columns, power=2) - rows @ row_mean**2 - columns @ column_mean**2) + pe**2
    slack = 64 * np.finfo(float).eps  # what is less than rounding is none
    general, chance = (0.0 if value < slack else value for value in (general, chance))
    return math.sqrt(general / data.n) / (1 - pe) ** 2, math.sqrt(chance / data.n) / (1 - pe)


@dataclass(frozen=True)
class Confusion:
    """Cells (row, column, share of all items) and their margins."""

    row: IntArray
    column: IntArray
    share: FloatArray
    n: float
    """Items that both raters judged."""
    categories: Categories
    left_out: int = 0
    """Items without a judgement of one of the two."""

    @property
    def rows(self) -> FloatArray:
        """Shares of the categories with the first rater."""
        return sums_by(self.row, self.share, len(self.categories.labels))

    @property
    def columns(self) -> FloatArray:
        """Shares of the categories with the second rater."""
        return sums_by(self.column, self.share, len(self.categories.labels))


def confusion_of_lists(first: Any, second: Any, given: Sequence[Any] | None, measure: str) -> Confusion:
    """What two raters gave the same items, in the same order; items that one of them did not rate do not count.

    Raises:
        DataError: unequal lengths, infinite values, or no item that both judged.
    """
    lists = [label_array(values) for values in (first, second)]
    for name, values in zip(("first", "second"), lists, strict=True):
        if values.ndim != 1:
            raise DataError(f"{name} must be a plain list of labels; it has the shape {values.shape}")
    same_length(("first", lists[0]), ("second", lists[1]))
    both = present(lists[0], "first") & present(lists[1], "second")
    n = int(np.count_nonzero(both))
    if not n:
        raise DataError(
            f"{measure} needs items that both raters judged, and here they share none ({both.size} items given); "
            "let both judge the same items"
        )
    kinds = {values.dtype.kind for values in lists}
    merged = np.concatenate([values[both].astype(object) if len(kinds) > 1 else values[both] for values in lists])
    codes, categories = categorise(merged, given)
    size = len(categories.labels)
    cells, counts = np.unique(codes[:n].astype(np.int64) * size + codes[n:], return_counts=True)
    return Confusion(
        (cells // size).astype(np.intp), (cells % size).astype(np.intp), counts / n, n, categories, both.size - n
    )


def confusion_of_matrix(matrix: npt.ArrayLike, given: Sequence[Any] | None) -> Confusion:
    """A confusion matrix of counts; rows are the first rater's categories, columns the second's.

    Raises:
        DataError: not a square table of counts, or an empty one.
    """
    table = as_floats(matrix, "matrix")
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise DataError(f"matrix must be square, a row and a column for each category; got the shape {table.shape}")
    bad = np.argwhere(~np.isfinite(table) | (table < 0))
    if bad.size:
        i, j = bad[0].tolist()
        raise DataError(f"matrix must hold counts from 0 up; row {i + 1}, column {j + 1} holds {table[i, j]}")
    n = float(table.sum())
    if n == 0:
        raise DataError("matrix holds no items: all counts are 0")
    if given is not None and len(given) != len(table):
        raise DataError(f"matrix has {len(table)} categories but categories names {len(given)}")
    row, column = np.nonzero(table)
    # Without names the places are the scores, as in every program that starts from a table.
    labels = tuple(range(1, len(table) + 1)) if given is None else tuple(given)
    return Confusion(row, column, table[row, column] / n, n, Categories(labels, given=given is not None))
