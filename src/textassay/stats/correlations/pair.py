"""Two variables of equal length, checked, with the reason where they have no correlation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.stats.samples import FloatArray, finite_vector, same_length


@dataclass(frozen=True)
class Pair:
    """Two variables that were checked."""

    x: FloatArray
    y: FloatArray
    undefined: str = ""
    """Why they have no correlation; empty where they have one."""
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.x.size


def read_pair(x: npt.ArrayLike, y: npt.ArrayLike) -> Pair:
    """Two variables as vectors.

    Raises:
        DataError: unequal lengths, or a value that is missing or infinite.
    """
    x, y = finite_vector(x, "x"), finite_vector(y, "y")
    same_length(("x", x), ("y", y))
    if x.size < 2:
        return Pair(x, y, f"a correlation needs at least 2 pairs, got {x.size}")
    warnings = []
    for name, values in (("x", x), ("y", y)):
        if np.all(values == values[0]):
            return Pair(x, y, f"{name} is constant (always {values[0]:g}), so there is no correlation")
        if np.ptp(values / np.max(np.abs(values))) < 1e-12:
            warnings.append(f"{name} is almost constant: the correlation rests on the last digits")
    return Pair(x, y, warnings=tuple(warnings))


def standardised(values: FloatArray) -> FloatArray:
    """The values of a variable that is not constant, with mean 0 and sum of squares 1.

    Scaled before it is squared, so that neither very large nor very small numbers leave the range of floats.
    """
    scaled = values / np.max(np.abs(values))
    centred = scaled - scaled.mean()
    return np.asarray(centred / np.linalg.norm(centred))


def product_moment(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of two variables that are not constant."""
    r = float(standardised(x) @ standardised(y))
    # A perfect correlation that rounding made imperfect would get a p that means nothing.
    return float(np.sign(r)) if abs(r) > 1 - 16 * np.finfo(float).eps else r
