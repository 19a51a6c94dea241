"""Ratings as ordered answers: the cumulative link model, which does not take the steps of a scale as equal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.crossed_model import RandomPart, apart, known_rows, of_systems
from textassay.errors import DataError
from textassay.pairwise import PairwiseComparisons
from textassay.results import Result
from textassay.stats import OrdinalModel, ordinal_model

MOST_CATEGORIES = 11
"""A scale with more values than this is cut into fewer: each value costs a threshold, and tells hardly more."""
CUT_INTO = 10


@dataclass(frozen=True)
class OrdinalSystems:
    """Systems compared on one criterion as ordered answers; where they cannot be, the reason."""

    of: str
    model: OrdinalModel | None = None
    pairs: PairwiseComparisons | None = None
    warnings: tuple[str, ...] = ()
    """Without the criterion's name."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Model and pairs, as far as there are any."""
        return tuple(result for result in (self.model, self.pairs) if result is not None)


def ordinal_systems(
    frame: pd.DataFrame,
    value: str,
    *,
    of: str,
    varying: Collection[str] | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> OrdinalSystems:
    """Whether systems differ in ordered answers, with participants and items as random (Laplace).

    R: `clmm(factor(value) ~ system + (1 | participant) + (1 | participant:system) + (1 | item) + (1 | item:system))`,
    and `(1 | participant:item)` where participants see several systems of an item.

    Args:
        frame: Columns `participant, item, system` and that of the answers; rows without a value are omitted.
        value: The answers' column.
        of: What they are called in results.
        varying: Of the random effects those that are known to vary, as a linear model has found; all if not given.
        alpha: Level at which pairs count as different.
        confidence: Of the intervals.
    """
    known = known_rows(frame, [value])
    if known["system"].nunique() < 2:
        return OrdinalSystems(of, warnings=("there is one system only, so nothing is compared",))
    if reason := apart(known):
        return OrdinalSystems(of, warnings=(f"no cumulative link model: {reason}",))
    ratings, settings = in_categories(known[value].to_numpy(dtype=float))
    part = _varying(of_systems(known), varying)
    if not part.groupings:
        return OrdinalSystems(of, warnings=("no cumulative link model: nobody, and no item, has several answers",))
    systems = {"system": known["system"].to_numpy()}
    try:
        model = ordinal_model(ratings, systems, random=part.groupings, factors={"system"}, confidence=confidence)
    except DataError as error:
        return OrdinalSystems(of, warnings=(f"no cumulative link model: {error}",))
    if not model.converged:
        names = " and ".join(part.groupings)
        return OrdinalSystems(of, warnings=(f"no cumulative link model: it does not converge with {names}",))
    model = replace(model, of=of, settings={**model.settings, **settings})
    pairs = model.pairs("system").about(of, better="higher", alpha=alpha)
    said = dict.fromkeys([*settings.values(), *part.said, *model.warnings, *pairs.warnings])
    return OrdinalSystems(of, model, pairs, tuple(f"cumulative link model: {text}" for text in said))


def _varying(part: RandomPart, names: Collection[str] | None) -> RandomPart:
    if names is None:
        return part
    return replace(part, groupings={name: labels for name, labels in part.groupings.items() if name in names})


def in_categories(values: npt.NDArray[np.float64]) -> tuple[npt.NDArray[Any], Mapping[str, str]]:
    """The answers as categories, and what was done to them if there were too many.

    >>> codes, said = in_categories(np.arange(100.0))
    >>> np.bincount(codes).tolist(), said
    ([10, 10, 10, 10, 10, 10, 10, 10, 10, 10], {'categories': '100 values cut into 10 groups of about equal size'})
    """
    seen = np.unique(values)
    if seen.size <= MOST_CATEGORIES:
        return values, {}
    edges = np.unique(np.quantile(values, np.linspace(0, 1, CUT_INTO + 1))[1:-1])
    codes = np.searchsorted(edges, values, side="left")
    groups = np.unique(codes).size
    return codes, {"categories": f"{seen.size} values cut into {groups} groups of about equal size"}
