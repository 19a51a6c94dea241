"""Ranks with ties at their mean (midranks)."""

from __future__ import annotations

import numpy as np

from textassay.stats.samples import FloatArray


def midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 along the last axis; equal values share the mean of their ranks.

    >>> midranks(np.array([10.0, 30.0, 20.0, 20.0])).tolist()
    [1.0, 4.0, 2.5, 2.5]
    """
    n = values.shape[-1]
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(n), values.shape)
    starts = np.ones(values.shape, dtype=bool)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    ends = np.ones(values.shape, dtype=bool)
    ends[..., :-1] = starts[..., 1:]
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, place, n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def tie_term(ranks: FloatArray) -> FloatArray:
    """Σ(t³ - t) over the groups of t tied values, along the last axis.

    >>> float(tie_term(np.array([1.0, 2.5, 2.5, 4.0])))
    6.0
    """
    # Squared midranks of a tied group fall short of those of untied ranks by (t³ - t)/12.
    n = ranks.shape[-1]
    untied = n * (n + 1) * (2 * n + 1) / 6
    return np.asarray(12 * (untied - np.sum(ranks**2, axis=-1)))
