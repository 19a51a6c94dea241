"""Metrics combined by regression, with what the combination is worth on texts that it was not fitted to.

Judgements are regressed on the metrics, each in units of its own standard deviation, with a ridge penalty chosen by
generalised cross-validation (Golub, Heath & Wahba 1979). A combination fits the texts it was made from better than any
other: only its predictions for texts that were left out may be held against people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.seeds import Stream
from textassay.stats.samples import FloatArray, IntArray

LeftOut = Literal["items", "systems"]
_PENALTIES: FloatArray = np.concatenate([[0.0], np.logspace(-4, 4, 33)])
"""Ridge penalties that are tried, as multiples of the largest squared singular value."""
_LEAST_TEXTS = 10
"""Fewest texts for each metric, so that a regression has something to go by."""


@dataclass(frozen=True, eq=False)
class Combination:
    """A regression of judgements on several metrics."""

    weights: Mapping[str, float]
    """Change of the judgement per standard deviation of each metric, fitted to all texts."""
    predicted: FloatArray
    """Shape (items, systems): each text predicted by a regression that did not see it; nan where it cannot be."""
    fitted: FloatArray
    """The same by the regression on all texts: what looks better than it is."""
    chosen: FloatArray
    """Scores of the metric that agreed best with people where the text was left out: what choosing one is worth."""
    left_out: LeftOut
    folds: int
    texts: int
    """Texts that have a judgement and a score by every metric."""


def combine(
    people: FloatArray, scores: Mapping[str, FloatArray], *, left_out: LeftOut = "items", folds: int = 10, seed: int = 1
) -> Combination:
    """Combine metrics by ridge regression, and predict every text without having seen it.

    What texts of an item have in common is removed on both sides first, where an item has several texts: a metric is
    used to tell texts of the same item apart.

    Args:
        people: Shape (items, systems), nan where nobody judged.
        scores: Each metric's scores of the same shape.
        left_out: What the regressions are to generalise to: new `items` (in as many folds as asked for), or new
            `systems` (one at a time).
        folds: Parts into which the items are divided.
        seed: Of the division.

    Raises:
        UsageError: an option is outside its range.
        DataError: too few texts have everything.
    """
    check_choice("left_out", left_out, ("items", "systems"))
    if folds < 2:
        raise UsageError(f"folds is {folds}; it must be 2 or more")
    if len(scores) < 2:
        raise UsageError(f"{len(scores)} metric(s); a combination needs two or more")
    table = _Table.of(people, scores)
    groups = table.item if left_out == "items" else table.system
    parts = _parts(groups, folds if left_out == "items" else np.unique(groups).size, seed)
    used = int(parts.max(initial=0)) + 1
    if used < 2:
        raise DataError(
            f"all texts are of one {left_out[:-1]}; a combination needs several, so that one can be left out"
        )
    predicted, chosen = np.empty(table.n), np.empty(table.n)
    for part in range(used):
        train, test = parts != part, parts == part
        predicted[test] = table.metrics[test] @ _ridge(table.metrics[train], table.people[train])
        best = int(np.argmax(_correlations(table.metrics[train], table.people[train])))
        chosen[test] = table.metrics[test, best]
    weights = _ridge(table.metrics, table.people)
    return Combination(
        weights=dict(zip(scores, map(float, weights), strict=True)),
        predicted=table.grid(predicted),
        fitted=table.grid(table.metrics @ weights),
        chosen=table.grid(chosen),
        left_out=left_out,
        folds=used,
        texts=table.n,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """The texts that have everything, without what the texts of an item have in common."""

    people: FloatArray
    metrics: FloatArray
    """Shape (texts, metrics), each metric with a standard deviation of 1."""
    item: IntArray
    system: IntArray
    shape: tuple[int, int]

    @classmethod
    def of(cls, people: FloatArray, scores: Mapping[str, FloatArray]) -> _Table:
        whole = np.stack([people, *scores.values()])
        complete: npt.NDArray[np.bool_] = np.asarray(~np.isnan(whole).any(axis=0))
        alone = complete.sum(axis=1) < 2
        if not alone.all():
            complete[alone] = False  # an item with one text tells nothing of differences within items
        item, system = np.nonzero(complete)
        least = _LEAST_TEXTS * len(scores)
        if item.size < least:
            raise DataError(
                f"{item.size} texts have a judgement and a score by each of {len(scores)} metrics; a combination needs "
                f"{least}, {_LEAST_TEXTS} for each metric; name fewer metrics"
            )
        values = whole[:, item, system]
        if not alone.all():
            values = values - _means_by(item, values)[:, item]
        values = values - values.mean(axis=1, keepdims=True)
        spread = values[1:].std(axis=1, keepdims=True)
        scaled = np.divide(values[1:], spread, out=np.zeros_like(values[1:]), where=spread > 1e-12 * _size(whole[1:]))
        return cls(values[0], scaled.T, item, system, (people.shape[0], people.shape[1]))

    @property
    def n(self) -> int:
        return self.people.size

    def grid(self, values: FloatArray) -> FloatArray:
        found = np.full(self.shape, np.nan)
        found[self.item, self.system] = values
        return found


def _size(values: FloatArray) -> FloatArray:
    """The largest value of each metric, against which rounding is judged."""
    found: FloatArray = np.nanmax(np.abs(values), axis=(1, 2))[:, None]
    return found


def _means_by(item: IntArray, values: FloatArray) -> FloatArray:
    count = np.maximum(np.bincount(item), 1)
    return np.stack([np.bincount(item, weights=row) / count for row in values])


def _parts(groups: IntArray, folds: int, seed: int) -> npt.NDArray[np.intp]:
    """The part of each text; texts of one group are in one part, and parts have about as many groups."""
    names, code = np.unique(groups, return_inverse=True)
    dealt = np.empty(names.size, dtype=np.intp)
    dealt[Stream(seed, "combination", "folds").permutation(names.size)] = np.arange(names.size) % min(folds, names.size)
    found: npt.NDArray[np.intp] = dealt[code]
    return found


def _ridge(metrics: FloatArray, people: FloatArray) -> FloatArray:
    """Weights by ridge regression, with the penalty of the least generalised cross-validation error."""
    left, size, right = np.linalg.svd(metrics, full_matrices=False)
    if size.size == 0 or size[0] == 0:
        return np.zeros(metrics.shape[1])
    onto = left.T @ people
    rest = float(people @ people - onto @ onto)
    best, least = size * 0, np.inf
    for penalty in _PENALTIES * size[0] ** 2:
        with np.errstate(divide="ignore", invalid="ignore"):
            kept = np.where(size > 1e-10 * size[0], size**2 / (size**2 + penalty), 0.0)
        error = (rest + np.sum(((1 - kept) * onto) ** 2)) / (people.size - kept.sum()) ** 2
        if error < least:
            best, least = kept, error
    inverse = np.divide(best, size, out=np.zeros_like(size), where=best > 0)
    weights: FloatArray = right.T @ (inverse * onto)
    return weights


def _correlations(metrics: FloatArray, people: FloatArray) -> FloatArray:
    centred, mean = metrics - metrics.mean(axis=0), people - people.mean()
    size = np.sqrt(np.sum(centred**2, axis=0) * np.sum(mean**2))
    found: FloatArray = np.divide(centred.T @ mean, size, out=np.full(size.shape, -2.0), where=size > 0)
    return found
