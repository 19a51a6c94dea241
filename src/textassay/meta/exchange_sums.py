"""The mean agreement over items for many orders of the metric's systems, from tables that are made once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.meta.coefficients import (
    NO_CHANCE_LEVEL,
    PRODUCT_MOMENT,
    Coefficient,
    centred_rows,
    distinct_values,
    from_pair_counts,
    paired_grids,
    ranked,
    row_values,
    signs,
    standardised_rows,
)
from textassay.stats.resampling.resamples import blocks
from textassay.stats.samples import FloatArray, IntArray

Signs = npt.NDArray[np.int8]
"""1, 0 and -1, or 1 and 0, for pairs of texts."""
TABLE = 64
"""Pairs of up to so many systems get a table of pairs by pairs."""


def figures_by_order(people: FloatArray, scores: FloatArray, coefficient: Coefficient, orders: IntArray) -> FloatArray:
    """The mean over items of the coefficient, for each order of the metric's systems; shape (orders,).

    Items whose denominator no order can change are summed up in a table; the others are computed for each order.
    """
    steady = _steady(people, scores, coefficient)
    x, y = paired_grids(people[steady], scores[steady])
    defined = ~np.isnan(row_values(x, y, coefficient))
    total, count = np.zeros(len(orders)), np.full(len(orders), float(np.count_nonzero(defined)))
    if defined.any():
        rows = people[steady][defined], scores[steady][defined]
        if coefficient in PRODUCT_MOMENT:
            total += _product_sums(*rows, coefficient, orders)
        else:
            total += _pair_sums(*rows, coefficient, orders)
    if not steady.all():
        more, there = _changing_sums(people[~steady], scores[~steady], coefficient, orders)
        total, count = total + more, count + there
    with np.errstate(invalid="ignore"):
        return np.asarray(total / np.where(count > 0, count, np.nan))


def _steady(people: FloatArray, scores: FloatArray, coefficient: Coefficient) -> npt.NDArray[np.bool_]:
    """Whether an item's denominator is the same in every order."""
    scored = ~np.isnan(scores).any(axis=1)
    complete = scored & ~np.isnan(people).any(axis=1)
    if coefficient in PRODUCT_MOMENT:
        return np.asarray(complete)
    if people.shape[1] > TABLE:
        return np.zeros(len(people), dtype=bool)
    if coefficient in {"tau-a", "accuracy", "acc-eq"}:
        return np.asarray(scored)  # only people's pairs are in the denominator
    ordered = np.sort(scores, axis=1)
    untied = (ordered[:, 1:] > ordered[:, :-1]).all(axis=1)
    return np.asarray(complete | (scored & untied))


def _product_sums(people: FloatArray, scores: FloatArray, coefficient: Coefficient, orders: IntArray) -> FloatArray:
    if coefficient == "spearman":
        people, scores = ranked(people), ranked(scores)
    table = standardised_rows(people).T @ standardised_rows(scores)
    return np.asarray(table[np.arange(len(table)), orders].sum(axis=1))


def _pair_sums(people: FloatArray, scores: FloatArray, coefficient: Coefficient, orders: IntArray) -> FloatArray:
    """Sums over items of what pairs of systems add; see `pair_products` for the table."""
    size = people.shape[1]
    first, second = np.triu_indices(size, 1)
    table = pair_products(people, scores, coefficient)
    pair = np.arange(first.size)
    found = [
        table[pair, orders[rows][:, first] * size + orders[rows][:, second]].sum(axis=1)
        for rows in blocks(len(orders), first.size)
    ]
    return np.concatenate(found)


def pair_products(people: FloatArray, scores: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Shape (pairs, systems²): what a pair of people's systems adds if it is set against each two of the metric's.

    Summed over items, each divided by its own denominator.
    """
    size = people.shape[1]
    first, second = np.triu_indices(size, 1)
    one, other = np.divmod(np.arange(size * size), size)
    x, y = signs(people, first, second), signs(scores, one, other)
    there = ~np.isnan(people)
    pairs = (there[:, first] & there[:, second]).astype(float)
    weights = 1 / _denominators(people, scores, x, y, pairs, coefficient)[:, None]
    table = (weights * x).T @ y.astype(float)
    if coefficient in NO_CHANCE_LEVEL:
        table = (table + (weights * np.abs(x)).T @ np.abs(y).astype(float)) / 2
    if coefficient == "acc-eq":
        table += (weights * (pairs - np.abs(x))).T @ (1.0 - np.abs(y))
    return np.asarray(table)


def _denominators(
    people: FloatArray,
    scores: FloatArray,
    x: npt.NDArray[np.int8],
    y: npt.NDArray[np.int8],
    pairs: FloatArray,
    coefficient: Coefficient,
) -> FloatArray:
    """One per item; `y` has every pair of the metric's systems twice, and each with itself."""
    counted = pairs.sum(axis=1)
    match coefficient:
        case "accuracy":
            return np.asarray(np.abs(x).sum(axis=1, dtype=float))
        case "tau-b":
            complete = counted == x.shape[1]
            untied = np.where(complete, np.abs(y).sum(axis=1, dtype=float) / 2, counted)
            return np.asarray(np.sqrt(np.abs(x).sum(axis=1, dtype=float) * untied))
        case "tau-c":
            there = ~np.isnan(people)
            values = np.minimum(distinct_values(people), np.minimum(distinct_values(scores), there.sum(axis=1)))
            return np.asarray(there.sum(axis=1) ** 2 * (values - 1) / (2 * values))
    return np.asarray(counted)


def _changing_sums(
    people: FloatArray, scores: FloatArray, coefficient: Coefficient, orders: IntArray
) -> tuple[FloatArray, FloatArray]:
    """For each order the sum over items whose denominator changes, and how many of these have a value."""
    if coefficient == "pearson":
        return _moment_sums(people, scores, orders)
    if coefficient in {"spearman", "tau-c"} or people.shape[1] > TABLE:
        return _direct_sums(people, scores, coefficient, orders)
    return _counted_sums(people, scores, coefficient, orders)


def _moment_sums(people: FloatArray, scores: FloatArray, orders: IntArray) -> tuple[FloatArray, FloatArray]:
    """Pearson's r from six sums over the texts that have both values in an order, all orders at once."""
    from scipy.sparse import csr_array  # noqa: PLC0415 -- see stats/README.md

    size = people.shape[1]
    judged, scored = (~np.isnan(people)).astype(float), (~np.isnan(scores)).astype(float)
    x, y = centred_rows(people), centred_rows(scores)
    # The scores differ from order to order only by which system stands where: one row of the table each.
    table = [
        (one[:, :, None] * other[:, None, :]).reshape(len(x), -1).T
        for one, other in ((judged, scored), (x, scored), (judged, y), (x, y), (x * x, scored), (judged, y * y))
    ]
    totals, counts = [], []
    for rows in blocks(len(orders), 8 * len(x)):
        chosen = (np.arange(size) * size + orders[rows]).reshape(-1)
        places = np.arange(0, chosen.size + 1, size)
        order = csr_array((np.ones(chosen.size), chosen, places), shape=(places.size - 1, size * size))
        n, sum_x, sum_y, products, squares_x, squares_y = (order @ sums for sums in table)
        with np.errstate(invalid="ignore", divide="ignore"):
            spread_x, spread_y = squares_x - sum_x**2 / n, squares_y - sum_y**2 / n
            values = (products - sum_x * sum_y / n) / np.sqrt(spread_x * spread_y)
        there = (n > 2.5) & (spread_x > 1e-12 * squares_x) & (spread_y > 1e-12 * squares_y)
        totals.append(np.where(there, values, 0.0).sum(axis=1))
        counts.append(there.sum(axis=1, dtype=float))
    return np.concatenate(totals), np.concatenate(counts)


def _counted_sums(
    people: FloatArray, scores: FloatArray, coefficient: Coefficient, orders: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Coefficients of pairs from counts of pairs; one row per pair of systems, so that a sum runs over whole rows."""
    size = people.shape[1]
    first, second = np.triu_indices(size, 1)
    one, other = np.divmod(np.arange(size * size), size)
    x, y = signs(people, first, second).T.copy(), signs(scores, one, other).T.copy()
    judged, scored = ~np.isnan(people.T), ~np.isnan(scores.T)
    pairs, compared = (judged[first] & judged[second]).view(np.int8), (scored[one] & scored[other]).view(np.int8)
    totals, counts = [], []
    for rows in blocks(len(orders), 4 * x.size):
        chosen = orders[rows][:, first] * size + orders[rows][:, second]
        total, count = sums_over_items(coefficient, x, y[chosen], pairs & compared[chosen])
        totals.append(total)
        counts.append(count)
    return np.concatenate(totals), np.concatenate(counts)


def sums_over_items(
    coefficient: Coefficient, people: Signs, scores: Signs, there: Signs, factor: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """For each draw the sum of the coefficients of the items, and how many items have one.

    Args:
        coefficient: One that is a sum over pairs of texts.
        people: Shape (pairs, items): 1, 0 or -1, how people order two texts.
        scores: Shape (draws, pairs, items): how the metric does.
        there: Shape (draws, pairs, items): 1 where both texts have a judgement and a score.
        factor: Shape (draws, items): for tau-c what its tau-a is multiplied by.
    """
    by_people, by_scores = np.abs(people), np.abs(scores)
    said = _sum(by_people & there)
    values = from_pair_counts(
        coefficient,
        agreed=_sum(people * scores),
        pairs=_sum(there),
        ordered_x=said,
        ordered_y=_sum(by_scores & there),
        ordered_both=_sum(np.bitwise_and(by_people, by_scores)),
    )
    if factor is not None:
        with np.errstate(invalid="ignore"):
            values = values * factor
    if coefficient in {"tau-a", "tau-c"}:
        values[said == 0] = np.nan
    return np.nansum(values, axis=1), np.count_nonzero(~np.isnan(values), axis=1).astype(float)


def _sum(counts: Signs) -> FloatArray:
    return np.asarray(counts.sum(axis=1, dtype=np.int16), dtype=float)


def _direct_sums(
    people: FloatArray, scores: FloatArray, coefficient: Coefficient, orders: IntArray
) -> tuple[FloatArray, FloatArray]:
    """For each order the sum over items, and how many of these have a value."""
    totals, counts = [], []
    items, size = people.shape
    for rows in blocks(len(orders), items * size * (size if coefficient not in PRODUCT_MOMENT else 4)):
        y = scores[:, orders[rows]].transpose(1, 0, 2).reshape(-1, size)
        x = np.tile(people, (len(y) // items, 1))
        missing = np.isnan(x) | np.isnan(y)
        x[missing], y[missing] = np.nan, np.nan
        values = row_values(x, y, coefficient).reshape(-1, items)
        totals.append(np.nansum(values, axis=1))
        counts.append(np.count_nonzero(~np.isnan(values), axis=1).astype(float))
    return np.concatenate(totals), np.concatenate(counts)
