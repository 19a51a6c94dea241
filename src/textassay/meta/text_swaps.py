"""Two metrics' scores of whole items, or of single texts, swapped: the other two tests of Deutsch et al. (2021).

With the same systems in every swap neither says anything about other systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.meta.coefficients import row_values
from textassay.meta.metric_differences import (
    SWAPPED,
    Agreement,
    MetricDifference,
    Test,
    shared_texts,
    swapped_difference,
    system_means,
)
from textassay.meta.metric_swaps import Scale, Swaps, all_swaps, on_one_scale, pooled_figures_by_swap
from textassay.seeds import Stream
from textassay.stats.distributions import Alternative, check_alternative
from textassay.stats.resampling.resamples import blocks, in_parts, random_signs
from textassay.stats.samples import FloatArray

_WORK = 20_000_000
"""The most swaps × texts for all swaps to be counted."""


def swap_items(
    people: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    agreement: Agreement | None = None,
    *,
    scale: Scale = "standardised",
    alternative: Alternative = "two-sided",
) -> MetricDifference:
    """The difference of two metrics' agreement, and its p from swapping their scores of whole items: PERM-INPUTS.

    All swaps are counted where that is not too much work (16 items of 15 systems), else drawn. It asks whether the
    difference would be found again with other items and the same systems. Read as an answer for other systems too, it
    is liberal: two metrics that agree equally and err about systems differ at .05 in .64 of cases (systems' means; 8
    systems × 50 items).

    >>> people = np.arange(12.0).reshape(3, 4) ** 1.5
    >>> found = swap_items(people, people, -people, Agreement("pearson", "systems"))
    >>> found.difference, found.p, found.exact, found.resamples
    (2.0, 0.25, True, 8)

    Raises:
        DataError: shapes that differ, or an infinite value.
        UsageError: a level or coefficient for which it is not defined.
    """
    return _swapped(people, first, second, agreement or Agreement("pearson", "systems"), scale, alternative, "items")


def swap_texts(
    people: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    agreement: Agreement | None = None,
    *,
    scale: Scale = "standardised",
    alternative: Alternative = "two-sided",
) -> MetricDifference:
    """The difference of two metrics' agreement, and its p from swapping their scores of each text: PERM-BOTH.

    As published and as mt-metrics-eval computes it; nlpstats 0.0.1 swaps systems and then items under this name. It
    takes texts as independent, although those of one system are alike: liberal, in the same case .62.

    >>> people = np.arange(12.0).reshape(3, 4) ** 1.5
    >>> swap_texts(people, people, -people, Agreement("pearson", "systems")).resamples
    4096
    """
    return _swapped(people, first, second, agreement or Agreement("pearson", "systems"), scale, alternative, "texts")


def _swapped(
    people: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    agreement: Agreement,
    scale: Scale,
    alternative: Alternative,
    what: str,
) -> MetricDifference:
    test: Test = "swap items" if what == "items" else "swap texts"
    check_alternative(alternative)
    level, coefficient = agreement.level, agreement.coefficient
    if level == "texts" and coefficient != "pearson":
        raise UsageError(f"swapping {what} compares agreement of all texts by pearson only; use scale='ranked'")
    if level == "system" or (level == "item" and what == "texts"):
        allowed = "within items, of all texts," if what == "items" else "of all texts"
        raise UsageError(f"swapping {what} compares agreement {allowed} or of systems' means")
    x, a, b = shared_texts(people, first, second)
    a, b = (on_one_scale(scores, scale) for scores in (a, b))
    units = len(x) if what == "items" else x.size
    exact = units <= SWAPPED and (1 << units) * x.size <= _WORK
    figures = _figures(x, a, b, agreement, what)
    found = [figures(swaps) - figures(swaps, back=True) for swaps in _swaps(units, agreement, exact=exact)]
    observed = agreement.value(x, a), agreement.value(x, b)
    return swapped_difference(test, observed, np.concatenate(found), x.shape[1], alternative, exact=exact)


def _swaps(units: int, agreement: Agreement, *, exact: bool) -> Iterator[Swaps]:
    """A few at a time: those of single texts would not fit into memory."""
    if exact:
        every = all_swaps(units)
        yield from (every[block] for block in blocks(len(every), units))
        return
    stream = Stream(agreement.seed, "exchanges", "metrics")
    for part in in_parts(agreement.draws, units):
        yield np.asarray(random_signs(stream, units, part) > 0)


class _Figures(Protocol):
    """The agreement of the first metric after each swap; `back`: of the second."""

    def __call__(self, swaps: Swaps, *, back: bool = False) -> FloatArray: ...


def _figures(x: FloatArray, a: FloatArray, b: FloatArray, agreement: Agreement, what: str) -> _Figures:
    if agreement.level == "texts":
        x, a, b = (grid.T if what == "items" else grid.reshape(1, -1) for grid in (x, a, b))  # in place of systems
        return lambda swaps, back=False: pooled_figures_by_swap(x, a, b, ~swaps if back else swaps)
    return _within_items(x, a, b, agreement) if agreement.level == "item" else _of_means(x, a, b, agreement)


def _within_items(x: FloatArray, a: FloatArray, b: FloatArray, agreement: Agreement) -> _Figures:
    """Each item's two coefficients change places."""
    values = np.array([row_values(x, side, agreement.coefficient) for side in (a, b)])
    there, sums = (~np.isnan(values)).astype(float), np.nan_to_num(values)

    def figures(swaps: Swaps, *, back: bool = False) -> FloatArray:
        chosen = (swaps ^ back).astype(float)
        total, count = (side[0].sum() + chosen @ (side[1] - side[0]) for side in (sums, there))
        return np.asarray(total / np.where(count > 0, count, np.nan))

    return figures


def _of_means(x: FloatArray, a: FloatArray, b: FloatArray, agreement: Agreement) -> _Figures:
    """A swapped text moves its system's mean by a known amount."""
    means, own, others = (system_means(grid) for grid in (x, a, b))
    moved = np.nan_to_num(b - a) / np.maximum((~np.isnan(x)).sum(axis=0), 1)

    def figures(swaps: Swaps, *, back: bool = False) -> FloatArray:
        chosen = swaps.astype(float)
        by_item = swaps.shape[1] == len(x)
        step = chosen @ moved if by_item else np.einsum("dis,is->ds", chosen.reshape(-1, *x.shape), moved)
        scores = others - step if back else own + step
        return row_values(np.broadcast_to(means, step.shape), scores, agreement.coefficient)

    return figures
