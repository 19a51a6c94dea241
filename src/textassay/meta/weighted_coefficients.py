"""Coefficients of resamples: how often each text is drawn weighs it, and a text is never compared with its own copy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.meta.coefficients import (
    PRODUCT_MOMENT,
    Coefficient,
    centred_rows,
    distinct_values,
    from_pair_counts,
    pair_table,
    tau_c_factor,
)
from textassay.stats.resampling.resamples import blocks
from textassay.stats.samples import FloatArray


def group_coefficients(x: FloatArray, y: FloatArray, weights: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Shape (draws, groups): the coefficient of each group in each draw; nan where it is undefined.

    Args:
        x: Shape (groups, members); nan in both or in neither.
        y: The same.
        weights: Shape (draws, members): how often each member was drawn.
        coefficient: Pairs of a member with its own copy count neither as a tie nor as a pair.
    """
    return GroupResamples(x, y, coefficient).of(weights)


class GroupResamples:
    """What does not depend on the draw, made once: each draw is then a few products of matrices."""

    def __init__(self, x: FloatArray, y: FloatArray, coefficient: Coefficient) -> None:
        self.coefficient = coefficient
        self.there = (~np.isnan(x)).astype(float)
        self.x, self.y = x, y
        self.width = x.shape[1] ** 2
        """Numbers held for each draw, besides some per group."""
        if coefficient == "pearson":
            a, b = (centred_rows(side) for side in (x, y))
            self.moments = [part.T.copy() for part in (self.there, a, b, a * b, a * a, b * b)]
        elif coefficient == "spearman":
            self.below_x, self.below_y = _below(x), _below(y)
        else:
            table = pair_table(x, y)
            self.pairs = table.there.T.astype(float)
            self.agreed, self.ordered_x, self.ordered_y, self.ordered_both = (
                part.T.astype(float)
                for part in (table.x * table.y, np.abs(table.x), np.abs(table.y), np.abs(table.x * table.y))
            )
            self.factor = tau_c_factor(table.there.sum(axis=1), np.minimum(distinct_values(x), distinct_values(y)))

    def of(self, weights: FloatArray) -> FloatArray:
        """Shape (draws, groups)."""
        if self.coefficient == "pearson":
            found = from_moments(*(weights @ part for part in self.moments))
        elif self.coefficient == "spearman":
            found = self._spearman(weights)
        else:
            return self._pairs(weights)
        few = (weights > 0).astype(float) @ self.there.T < 2.5
        found[few] = np.nan  # two points always lie on a line
        return found

    def _pairs(self, weights: FloatArray) -> FloatArray:
        first, second = np.triu_indices(self.x.shape[1], 1)
        both = weights[:, first] * weights[:, second]
        need = {
            "tau-a": ("pairs", "ordered_x"),
            "tau-c": ("pairs", "ordered_x", "ordered_y"),
            "tau-b": ("ordered_x", "ordered_y"),
            "accuracy": ("ordered_x", "ordered_both"),
            "acc-eq": ("pairs", "ordered_x", "ordered_y", "ordered_both"),
        }[self.coefficient]
        nothing = np.zeros(0)
        counts = {name: both @ getattr(self, name) if name in need else nothing for name in _COUNTS}
        found = from_pair_counts(self.coefficient, agreed=both @ self.agreed, **counts)
        if self.coefficient in {"tau-a", "tau-c"}:
            found = np.where(counts["ordered_x"] > 0, found, np.nan)
        if self.coefficient == "tau-c":
            found = np.where(counts["ordered_y"] > 0, found * self.factor, np.nan)
        return found

    def _spearman(self, weights: FloatArray) -> FloatArray:
        """Each draw ranks its own texts: a rank is the number of those drawn below, and half of those level."""
        groups, size = self.x.shape
        found = []
        for block in blocks(len(weights), 6 * groups * size):
            own = weights[block]
            used = own[:, None, :] * self.there
            ranks = [
                (own @ below.reshape(groups * size, size).T).reshape(len(own), groups, size)
                for below in (self.below_x, self.below_y)
            ]
            total = used.sum(axis=2)
            with np.errstate(invalid="ignore", divide="ignore"):
                a, b = (rank - (used * rank).sum(axis=2, keepdims=True) / total[:, :, None] for rank in ranks)
            found.append(
                weighted_ratio((used * a * b).sum(axis=2), (used * a * a).sum(axis=2), (used * b * b).sum(axis=2))
            )
        return np.concatenate(found)


_COUNTS = ("pairs", "ordered_x", "ordered_y", "ordered_both")


def from_moments(
    n: FloatArray, x: FloatArray, y: FloatArray, products: FloatArray, x2: FloatArray, y2: FloatArray
) -> FloatArray:
    """Pearson's r from weighted sums: of the weights, of both sides, their products and their squares.

    The sums are used up: large tables of draws by items are not copied.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        products -= x * y / n
        rounding = 1e-12 * x2
        x *= x
        x /= n
        x2 -= x
        flat = x2 <= rounding
        np.multiply(y2, 1e-12, out=rounding)
        y *= y
        y /= n
        y2 -= y
        flat |= y2 <= rounding
        x2 *= y2
        products /= np.sqrt(x2, out=x2)
    products[flat | np.isnan(products)] = np.nan
    return np.clip(products, -1.0, 1.0, out=products)


def weighted_ratio(products: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Sums of products over the root of both sums of squares; nan where a side does not vary."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.clip(products / np.sqrt(x * y), -1.0, 1.0)
    return np.asarray(np.where((x > 1e-12) & (y > 1e-12), found, np.nan))


def _below(rows: FloatArray) -> FloatArray:
    """Shape (groups, members, members): 1 where the second is below the first, 1/2 where level, else 0."""
    one, other = rows[:, :, None], rows[:, None, :]
    return np.asarray((other < one) + 0.5 * (other == one))


def row_coefficients_of_draws(
    x: FloatArray, y: FloatArray, weights: FloatArray, coefficient: Coefficient
) -> FloatArray:
    """Shape (draws,): the coefficient of row r of x and y with row r of the weights, as of systems' means."""
    if coefficient in PRODUCT_MOMENT:
        there = ~np.isnan(x)
        used = np.where(there, weights, 0.0)
        if coefficient == "spearman":
            x, y = (np.einsum("rst,rt->rs", _below(side), weights) for side in (x, y))
        n = used.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            a, b = (
                np.where(there, side - (used * np.where(there, side, 0.0)).sum(axis=1, keepdims=True) / n, 0.0)
                for side in (x, y)
            )
            a, b = (side / np.abs(side).max(axis=1, keepdims=True) for side in (a, b))
        found = weighted_ratio((used * a * b).sum(axis=1), (used * a * a).sum(axis=1), (used * b * b).sum(axis=1))
        return np.where((used > 0).sum(axis=1) > 2, found, np.nan)
    first, second = np.triu_indices(x.shape[1], 1)
    table = pair_table(x, y)
    both = weights[:, first] * weights[:, second]
    ordered_x, ordered_y = np.abs(table.x), np.abs(table.y)
    counts = {
        name: (both * part).sum(axis=1)
        for name, part in zip(
            ("agreed", *_COUNTS),
            (table.x * table.y, table.there, ordered_x, ordered_y, ordered_x * ordered_y),
            strict=True,
        )
    }
    found = from_pair_counts(coefficient, **counts)
    if coefficient == "tau-c":
        found = found * tau_c_factor(table.there.sum(axis=1), table.distinct)
    return np.where(counts["ordered_x"] > 0, found, np.nan) if coefficient in {"tau-a", "tau-c"} else found


def mean_of_defined(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean of each row over the values that are not nan; nan where there is none."""
    there: npt.NDArray[np.bool_] = ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights * np.where(there, values, 0.0)).sum(axis=1) / (weights * there).sum(axis=1))
