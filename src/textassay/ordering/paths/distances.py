"""Distances between units from their similarities, as Conroy et al. (2006) and Madnani et al. (2007) define them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError

Floats = npt.NDArray[np.float64]


def distances_of(similarity: npt.ArrayLike) -> Floats:
    """c_jk = 1 - b_jk / (√b_jj · √b_kk), with c_jj = 0.

    Args:
        similarity: Shape (n, n): b_jk says how similar unit j is to unit k; it need not be symmetric.

    Raises:
        DataError: not square, a number that is not finite, or a unit that is not similar to itself.

    >>> distances_of([[4, 2, 1, 0], [2, 5, 3, 1], [1, 3, 6, 2], [0, 1, 2, 3]])[0].round(4).tolist()
    [0.0, 0.5528, 0.7959, 1.0]
    """
    given = square(similarity, "similarity")
    own = given.diagonal()
    if not (own > 0).all():
        unit = int(np.flatnonzero(~(own > 0))[0])
        raise DataError(
            f"unit {unit} (from 0) has a similarity of {own[unit]:g} with itself; it must be above 0. A unit without "
            "any words is like this: give it words, or 1 on the diagonal"
        )
    norms = np.sqrt(own)
    found = 1.0 - given / norms[:, None] / norms[None, :]
    np.fill_diagonal(found, 0.0)
    # Rounding must not make a symmetric matrix look as if it were none.
    return (found + found.T) / 2 if np.array_equal(given, given.T) else found


def square(matrix: npt.ArrayLike, name: str) -> Floats:
    """A square matrix of finite numbers.

    Raises:
        DataError: it is none; the message names the place.
    """
    try:
        given = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name} must be a square matrix of numbers, a row a unit") from None
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
        raise DataError(f"{name} must be a square matrix with a row and a column for each unit, got {given.shape}")
    if not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        raise DataError(f"{name} has {given[row, column]} in row {row}, column {column} (from 0); all must be finite")
    return given
