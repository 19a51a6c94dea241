"""Cohen's kappa: how far two raters agree beyond chance, plain or weighted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.agreement.agreement_weights import AgreementWeights, WeightKind, agreement_weights
from textassay.stats.agreement.confusion import Confusion, confusion_of_lists, confusion_of_matrix
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import check_share
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

    κ = (p_o - p_e) / (1 - p_e) with p_o the share of agreement and p_e = Σ pᵢ. p.ᵢ that of chance (Cohen 1960). With
    weights, both count near misses: linear 1 - d/D, quadratic 1 - (d/D)², d being the distance of the two categories
    and D the longest (Cohen 1968). Standard errors after Fleiss, Cohen & Everitt (1969): the one in general for the
    interval (cut at 1), the one under chance for z. Items with one label missing are left out and counted.

    R: `vcd::Kappa(table(first, second), weights = "Equal-Spacing")`; `"Fleiss-Cohen"` has the quadratic ones.

    Example:
        >>> result = cohen_kappa(["a", "a", "b", "b", "b"], ["a", "b", "b", "b", "b"])
        >>> round(result.po, 2), round(result.pe, 2), round(result.kappa, 4)  # .4·.2 + .6·.8 = .56; .24 / .44
        (0.8, 0.56, 0.5455)

    Args:
        first: One label an item: numbers or text; None or nan where missing.
        second: The other rater's, in the same order of items.
        weights: `identity`, `linear`, `quadratic` or `ordinal`.
        categories: All of them, in order; those seen, sorted, if not given. Numbers are as far apart as their values,
            text as their places.
        confidence: Of the interval.

    Raises:
        DataError: unequal lengths, infinite values, a label that is no category, or no item that both judged.
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

    κ = (p_o - p_e) / (1 - p_e), as in `cohen_kappa` (Cohen 1960). The matrix may also count how often each unit stands
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
        warnings.append(f"{data.left_out} of {n + data.left_out} items are left out: one label is missing")
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
            warnings.append("the interval has no width and says nothing: the agreement does not vary")
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
