"""All texts together, or one text per item: what chance may exchange where there is no agreement within items."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from textassay.known_names import check_choice
from textassay.meta.coefficients import (
    PRODUCT_MOMENT,
    By,
    Coefficient,
    grouped,
    paired_grids,
    ranked,
    read_grid,
    row_values,
    standardised_rows,
)
from textassay.meta.system_permutation import (
    SORTED_DRAWS,
    Exchanges,
    PermutationTest,
    no_permutation_test,
    permutation_test,
    random_orders,
)
from textassay.seeds import Stream
from textassay.stats.correlations.correlation import all_orders
from textassay.stats.resampling.resamples import blocks, in_parts
from textassay.stats.samples import FloatArray, IntArray

_ENUMERATED = 40_320
"""Exchanges of systems and items are all counted where there are no more of them."""
_SHORT = 48
"""Pairs of more texts than this are counted by sorting."""
_KEPT = 0.5


def permute_systems_and_items(
    people: npt.ArrayLike, scores: npt.ArrayLike, coefficient: Coefficient, exchanges: Exchanges | None = None
) -> PermutationTest:
    """The agreement over all texts together, and its p from exchanging whole systems and whole items of the metric.

    A metric may agree with people on which items are easy, on which systems are good, or on single texts; the pooled
    figure mixes the three. Systems and items each have something in common on both sides, so both are exchanged as
    wholes: the metric's grid gets another order of its columns and of its rows.

    >>> found = permute_systems_and_items([[1, 2, 3], [2, 3, 5]], [[1, 2, 4], [2, 3, 9]], "pearson")
    >>> found.permutations, found.exact, round(found.p * 12)  # 3! · 2!
    (12, True, 1)

    Raises:
        DataError: shapes that differ, or an infinite value.
    """
    check_choice("coefficient", coefficient, get_args(Coefficient))
    exchanges = exchanges or Exchanges()
    observed = grouped(people, scores, None, coefficient)
    there = ~np.isnan(paired_grids(people, scores)[0])
    x, y = (
        read_grid(grid, "")[there.any(axis=1)][:, there.any(axis=0)] for grid in (people, scores)
    )  # what has no text on one side cannot be exchanged
    common: dict[str, Any] = {"coefficient": coefficient, "value": observed.mean, "groups": observed.defined}
    common["exchanged"] = "systems and items"
    if not observed.defined:
        return no_permutation_test(next(iter(observed.undefined)), exchanges, **common)
    items, systems = x.shape
    exact = systems <= 8 and items <= 8 and math.factorial(systems) * math.factorial(items) <= _ENUMERATED
    if exact:
        both = list(product(all_orders(items).astype(np.intp), all_orders(systems).astype(np.intp)))
        rows, columns = np.array([pair[0] for pair in both]), np.array([pair[1] for pair in both])
    else:
        sort = coefficient not in PRODUCT_MOMENT and x.size > _SHORT
        draws = min(exchanges.draws, SORTED_DRAWS) if sort else exchanges.draws
        rows = exchanges.drawn(items, "pooled", "items", draws=draws)
        columns = exchanges.drawn(systems, "pooled", "systems", draws=draws)
    some = zip(rows[:200], columns[:200], strict=True)
    kept = np.mean([np.count_nonzero(~np.isnan(x + y[row][:, column])) for row, column in some])
    if kept < _KEPT * np.count_nonzero(~np.isnan(x + y)):
        reason = "exchanging systems and items would leave less than half of the texts with a judgement and a score"
        return no_permutation_test(reason, exchanges, **common)
    return permutation_test(_pooled_figures(x, y, coefficient, rows, columns), exchanges, exact=exact, **common)


def _pooled_figures(
    x: FloatArray, y: FloatArray, coefficient: Coefficient, rows: IntArray, columns: IntArray
) -> FloatArray:
    """The coefficient of all texts for each order of items and of systems."""
    flat, size = y.reshape(-1), y.shape[1]
    if coefficient in PRODUCT_MOMENT and not np.isnan(x + y).any():
        both = (x.reshape(1, -1), y.reshape(1, -1))
        if coefficient == "spearman":
            both = ranked(both[0]), ranked(both[1])
        one, other = (standardised_rows(side)[0] for side in both)
        return np.concatenate(
            [
                other[(rows[block][:, :, None] * size + columns[block][:, None, :]).reshape(-1, x.size)] @ one
                for block in blocks(len(rows), x.size)
            ]
        )
    found = []
    for block in blocks(len(rows), 4 * x.size):
        exchanged = flat[(rows[block][:, :, None] * size + columns[block][:, None, :]).reshape(-1, x.size)]
        found.append(_values(np.tile(x.reshape(-1), (len(exchanged), 1)), exchanged, coefficient))
    return np.concatenate(found)


def permute_texts(
    people: npt.ArrayLike,
    scores: npt.ArrayLike,
    coefficient: Coefficient,
    by: By | None = None,
    exchanges: Exchanges | None = None,
) -> PermutationTest:
    """The agreement of texts of which each has an item of its own, clustered by system.

    With one text per item there is no agreement within items. `by="system"`: the mean over systems of the agreement
    within a system; the metric's texts are exchanged within their systems. `by=None`: all texts together; a system's
    mean score is exchanged for that of another system, and what a text differs from it is exchanged within the system.

    >>> people, scores = [[1, 5], [2, 6], [3, 7]], [[2, 8], [1, 9], [3, 9.5]]
    >>> found = permute_texts(people, scores, "tau-a", "system")
    >>> found.groups, found.value == grouped(people, scores, "system", "tau-a").mean
    (2, True)

    Raises:
        DataError: shapes that differ, or an infinite value.
        UsageError: an unknown coefficient; `by="item"`.
    """
    check_choice("coefficient", coefficient, get_args(Coefficient))
    if by is not None:
        check_choice("by", by, ("system",))
    exchanges = exchanges or Exchanges()
    observed = grouped(people, scores, by, coefficient)
    exchanged = "texts within systems" if by else "systems, and texts within systems"
    common = {"coefficient": coefficient, "value": observed.mean, "groups": observed.defined, "exchanged": exchanged}
    if not observed.defined:
        reason = next(iter(observed.undefined), "there are no texts with a judgement and a score")
        return no_permutation_test(reason, exchanges, **common)
    x, y = (grid.T for grid in paired_grids(people, scores))
    there = ~np.isnan(x)
    parts = [(x[system][use], y[system][use]) for system, use in enumerate(there) if use.any()]
    # an order within a system leaves ranks as they are; other means of systems do not
    same_ranks = coefficient == "spearman" and (by is not None or len(parts) == 1)
    sort = coefficient != "pearson" and not same_ranks and sum(one.size for one, _ in parts) > _SHORT
    draws = min(exchanges.draws, SORTED_DRAWS) if sort else exchanges.draws
    figures = (_within if by else _clustered)(parts, coefficient, draws, exchanges.seed)
    return permutation_test(figures, exchanges, exact=False, **common)


def _within(parts: list[tuple[FloatArray, FloatArray]], coefficient: Coefficient, draws: int, seed: int) -> FloatArray:
    """The mean over systems, for each draw an order of each system's texts."""
    figures = []
    for system, (x, y) in enumerate(parts):
        orders = _text_orders(seed, system, x.size, draws)
        if coefficient in PRODUCT_MOMENT:
            figures.append(_products(x, y, coefficient, orders))
            continue
        found = [
            _values(np.tile(x, (len(orders[block]), 1)), y[orders[block]], coefficient)
            for block in blocks(draws, 4 * x.size)
        ]
        figures.append(np.concatenate(found))
    table = np.array(figures)
    return np.asarray(np.nanmean(table[~np.isnan(table).all(axis=1)], axis=0))


@lru_cache(maxsize=4)
def _text_orders(seed: int, system: int, texts: int, draws: int) -> IntArray:
    """Shape (draws, texts): orders of a system's texts; kept, for all metrics, criteria and coefficients have the same.

    In the smallest whole numbers, for these are the largest arrays here: 9,999 orders of 1,000 texts take 20 MB.
    """
    stream = Stream(seed, "exchanges", "texts", system)
    kind = np.uint16 if texts <= 2**16 else np.uint32
    orders = np.concatenate([random_orders(stream, texts, part).astype(kind) for part in in_parts(draws, 4 * texts)])
    orders.flags.writeable = False
    return orders


def _products(x: FloatArray, y: FloatArray, coefficient: Coefficient, orders: IntArray) -> FloatArray:
    """Pearson's or Spearman's coefficient for each order: an order changes neither means nor spreads nor ranks."""
    both = x[None, :], y[None, :]
    if np.isnan(row_values(*both, coefficient)[0]):
        return np.full(len(orders), np.nan)
    if coefficient == "spearman":
        both = ranked(both[0]), ranked(both[1])
    one, other = (standardised_rows(side)[0] for side in both)
    return np.concatenate([other[orders[block]] @ one for block in blocks(len(orders), x.size)])


def _clustered(
    parts: list[tuple[FloatArray, FloatArray]], coefficient: Coefficient, draws: int, seed: int
) -> FloatArray:
    """All texts together, for each draw an order of the systems' means and one of each system's texts."""
    if len(parts) == 1:  # nothing but the order of the texts can change
        return _within(parts, coefficient, draws, seed)
    x = np.concatenate([one for one, _ in parts])
    means = np.array([other.mean() for _, other in parts])
    system = np.repeat(np.arange(len(parts)), [one.size for one, _ in parts])
    rest = np.concatenate([other for _, other in parts]) - means[system]
    stream = Stream(seed, "exchanges", "clusters")
    found = []
    for part in in_parts(draws, 8 * x.size):
        orders = random_orders(stream, len(parts), part)
        keys = stream.raw(part * x.size).reshape(part, x.size) >> np.uint64(16)
        # Texts are put in random order, then back by system: an order within each.
        mixed = np.argsort(keys + (system.astype(np.uint64) << np.uint64(48)), axis=1)
        if coefficient == "pearson":
            found.append(_clustered_pearson(x, means, rest, system, orders, mixed))
            continue
        found.append(_values(np.tile(x, (part, 1)), means[orders[:, system]] + rest[mixed], coefficient))
    return np.concatenate(found)


def _clustered_pearson(
    x: FloatArray, means: FloatArray, rest: FloatArray, system: IntArray, orders: IntArray, mixed: IntArray
) -> FloatArray:
    """Pearson's r for each order, from sums by system: within a system `rest` has the sum 0 in every order."""
    x = x - x.mean()
    sums, counts = np.bincount(system, weights=x), np.bincount(system).astype(float)
    moved = (means - means.mean())[orders]
    products = moved @ sums + rest[mixed] @ x
    squares = moved**2 @ counts + rest @ rest
    spread = squares - (moved @ counts) ** 2 / x.size
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.clip(products / np.sqrt((x @ x) * spread), -1.0, 1.0)
    return np.asarray(np.where(spread > 1e-12 * squares, found, np.nan))


def _values(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> FloatArray:
    missing = np.isnan(x) | np.isnan(y)
    if missing.any():
        x, y = np.where(missing, np.nan, x), np.where(missing, np.nan, y)
    return row_values(x, y, coefficient)
