"""Which estimates of a model are infinite, because the data are separated (Albert & Anderson 1984).

A concave log-likelihood has no maximum if there is a direction along which it never falls: each observation gives
linear forms r that must not become negative on the way, r·d ≥ 0. Such directions are found by linear programs, for each
parameter whether one of them makes it grow.
"""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from textassay.stats.samples import FloatArray

_MOVES = 1e-6
"""Less than this, in a box of half-width 1, is rounding."""


def infinite_signs(rows: FloatArray) -> FloatArray | None:
    """For each parameter the sign of infinity that it tends to, 0 if it is finite, nan if it may tend to either.

    >>> infinite_signs(np.array([[1.0, 0.0], [1.0, 1.0], [-1.0, -1.0]])).tolist()  # x grows, x + y stays
    [1.0, -1.0]
    >>> infinite_signs(np.array([[1.0], [-1.0]])) is None
    True

    Args:
        rows: One a linear form, one column a parameter; no direction may leave all of them at 0.

    Returns:
        None where all estimates are finite.
    """
    scale = np.max(np.abs(rows), axis=0, initial=0.0)
    forms = np.unique(rows / np.where(scale > 0, scale, 1.0), axis=0)
    if _furthest(forms.sum(axis=0), forms) <= _MOVES:
        return None
    units = np.eye(rows.shape[1])
    ahead = np.array([_furthest(unit, forms) > _MOVES for unit in units])
    behind = np.array([_furthest(-unit, forms) > _MOVES for unit in units])
    return np.where(ahead & behind, np.nan, ahead.astype(float) - behind.astype(float))


def separation_message(names: Sequence[str], signs: npt.NDArray[np.float64]) -> str:
    """Which estimates are infinite, and what to do about it."""
    shown = {1.0: "+∞", -1.0: "-∞"}
    moving = [f"{name} ({shown.get(s, '±∞')})" for name, s in zip(names, signs.tolist(), strict=True) if s != 0]
    return (
        "the data are separated: some predictors foretell some answers without fail, so there is no largest likelihood "
        f"and no finite estimate of {', '.join(moving)}; likelihood ratios still hold; or leave out or merge the "
        "levels concerned"
    )


def _furthest(objective: FloatArray, forms: FloatArray) -> float:
    """The largest objective·d over directions d between -1 and 1 along which no form becomes negative."""
    from scipy.optimize import linprog

    found = linprog(-objective, A_ub=-forms, b_ub=np.zeros(len(forms)), bounds=(-1, 1))
    return -float(found.fun) if found.success else 0.0
