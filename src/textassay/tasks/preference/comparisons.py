"""Preferences as arrays: who was compared with whom, by how much one was preferred, and on which side it stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.judgements import in_order

LEAN = "lean to the right"
MOST_DEGREES = 3
"""Strengths with more sizes than this are cut into this many degrees to either side."""
Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Comparisons:
    """All comparisons of one criterion; in those of a system with itself only the side tells."""

    first: Labels
    second: Labels
    values: Floats
    """Below 0 the first is preferred, above 0 the second."""
    right: Floats
    """1 where the second stood right, -1 where it stood left, 0 where that is not known."""
    participants: Labels
    items: Labels
    systems: tuple[str, ...]

    @property
    def n(self) -> int:
        """Comparisons of two systems."""
        return int(np.count_nonzero(self.two))

    @cached_property
    def two(self) -> npt.NDArray[np.bool_]:
        """Whether two systems are compared, and not one with itself."""
        return np.asarray(self.first != self.second)

    @property
    def sides_known(self) -> bool:
        """Whether it is known of every comparison who stood where."""
        return bool(np.all(self.right != 0))

    @cached_property
    def contrasts(self) -> Contrasts:
        """What the answers say of systems and sides."""
        place = {system: index for index, system in enumerate(self.systems)}
        rows = np.zeros((len(self.values), len(self.systems)))
        each = np.arange(len(rows))
        rows[each, [place[name] for name in self.second]] += 1
        rows[each, [place[name] for name in self.first]] -= 1
        covariates = {LEAN: self.right} if np.any(self.right) else {}
        return Contrasts(self.values, rows, self.systems, self.participants, self.items, covariates)

    @cached_property
    def sides_tell_apart(self) -> bool:
        """Whether the effect of the side is identifiable from comparisons of two systems alone."""
        given = self.contrasts
        covariates = {LEAN: self.between_two(self.right)}
        alone = replace(given, rows=self.between_two(given.rows), covariates=covariates)
        return self.sides_known and alone.tell_apart(LEAN)

    @property
    def left(self) -> Labels:
        """Who stood left; where that is not known, the first."""
        return np.asarray(np.where(self.right < 0, self.second, self.first))

    def between_two(self, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of a column, what belongs to comparisons of two systems."""
        return np.asarray(labels[self.two])


def comparisons(main: pd.DataFrame, systems: Sequence[str] = ()) -> Comparisons:
    """The comparisons of one criterion.

    Args:
        main: As `read_preferences` gives it.
        systems: The order in which systems are named; others follow.
    """
    first, second = main["system_a"].to_numpy(dtype=str), main["system_b"].to_numpy(dtype=str)
    value, towards_right = main["value"].to_numpy(dtype=float), main["towards_right"].to_numpy(dtype=float)
    left = main["left"].fillna("").astype(str).to_numpy() if "left" in main else np.full(len(main), "")
    right = np.where(np.isnan(towards_right), 0.0, np.where(left == first, 1.0, -1.0))
    return Comparisons(
        first,
        second,
        value,
        right,
        main["participant"].to_numpy(dtype=str),
        main["item"].to_numpy(dtype=str),
        tuple(in_order({*first.tolist(), *second.tolist()}, systems)),
    )


def degrees(values: Floats) -> tuple[Floats, Mapping[str, str]]:
    """Signed strengths as degrees of preference, and what was done to them if they had too many sizes.

    >>> found, said = degrees(np.array([-50.0, -3, 0, 1, 2, 30, 40, 50]))
    >>> found.astype(int).tolist(), said
    ([-3, -1, 0, 1, 1, 2, 2, 3], {'degrees': '6 sizes of preference cut into 3 of about equal number'})
    """
    sizes = np.abs(values)
    seen = np.unique(sizes[sizes > 0])
    if seen.size <= MOST_DEGREES:
        return np.sign(values) * np.searchsorted(seen, sizes, side="right"), {}
    edges = np.quantile(sizes[sizes > 0], np.arange(1, MOST_DEGREES) / MOST_DEGREES)
    kept, codes = np.unique(np.searchsorted(edges, sizes, side="left"), return_inverse=True)
    said = f"{seen.size} sizes of preference cut into {len(kept)} of about equal number"
    return np.sign(values) * (codes + 1.0), {"degrees": said}
