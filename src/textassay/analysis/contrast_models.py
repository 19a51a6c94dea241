"""Systems on one scale by values that compare them (preferences, rankings): the mixed model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.analysis.crossed_model import BOTH, NOTHING
from textassay.errors import DataError
from textassay.pairwise import Better
from textassay.results import Result
from textassay.stats import ContrastModel, contrast_model
from textassay.stats.preferences.contrast_model import TASTE

_SAME = 1e-9
"""Products of contrasts below this are 0."""
Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Values that each compare systems."""

    values: Floats
    rows: Floats
    """Shape (values, systems); each sums to 0."""
    systems: tuple[str, ...]
    participants: Labels
    items: Labels
    covariates: Mapping[str, Floats] = field(default_factory=dict)
    """Such as the side; participants may differ in what they do."""
    trials: npt.NDArray[np.intp] | None = None
    """Which trial each value is from, where a trial has several."""

    @property
    def groupings(self) -> dict[str, Labels]:
        """Whose tastes differ."""
        cells = self.participants.astype(str) + np.array(" × ") + self.items.astype(str)
        return {"participant": self.participants, "item": self.items, BOTH: cells}

    @cached_property
    def texts_return(self) -> bool:
        """Whether some participant compares a text with several others, in answers of their own.

        Only then can what a participant thinks of a text be told from single answers. The values of one ranking are
        orthogonal, and tell nothing of it.
        """
        if min(len(set(self.participants)), len(set(self.items))) < 2:
            return False
        codes = np.unique(self.groupings[BOTH], return_inverse=True)[1].ravel()
        order = np.argsort(codes, kind="stable")
        codes, rows = codes[order], self.rows[order]
        for step in range(1, int(np.bincount(codes).max(initial=0))):
            products = np.sum(rows[step:] * rows[:-step], axis=1)
            if np.any((np.abs(products) > _SAME) & (codes[step:] == codes[:-step])):
                return True
        return False

    def tell_apart(self, name: str) -> bool:
        """Whether the effect of a covariate is identifiable from those of the systems."""
        both = np.column_stack([self.rows, self.covariates[name]])
        return bool(np.linalg.matrix_rank(both) > np.linalg.matrix_rank(self.rows))


@dataclass(frozen=True)
class ContrastSystems:
    """Systems compared on one criterion; where they cannot be, the reason."""

    of: str
    model: ContrastModel | None = None
    warnings: tuple[str, ...] = ()
    """Without the criterion's name."""
    squared_length: float = math.nan
    """Of the contrasts, in the mean: 2 where each compares two systems."""
    of_pair: float = math.nan
    """Variance of the difference of two systems, the mean over pairs, if answers were independent with variance 1."""

    @property
    def results(self) -> tuple[Result, ...]:
        """The model, if there is one."""
        return () if self.model is None else (self.model,)

    @property
    def answer_sd(self) -> float | None:
        """Standard deviation of a single comparison of two systems, over participants, items and error, for d.

        Two tastes are in it; what is left is scaled from the contrasts of the values, such as those of ranks.
        """
        if self.model is None or not self.model.converged:
            return None
        tastes = sum(each.variance for each in self.model.components if each.name == TASTE)
        others = sum(each.variance for each in self.model.components if each.name != TASTE)
        return math.sqrt(2 * tastes + 2 / self.squared_length * (others + self.model.sigma**2))


def contrast_systems(
    found: Contrasts, *, of: str, better: Better = "none", alpha: float = 0.05, confidence: float = 0.95
) -> ContrastSystems:
    """Whether systems differ, with tastes of participants and of items as random, as far as the data can tell them.

    Args:
        found: Values that compare systems.
        of: What they are called in results.
        better: Which of the values are the better ones.
        alpha: Level at which pairs count as different.
        confidence: Of the intervals.
    """
    if len(found.systems) < 2 or not np.any(found.rows):
        return ContrastSystems(of, warnings=("no mixed model: no two systems are compared",))
    covariates = {name: column for name, column in found.covariates.items() if found.tell_apart(name)}
    said = [f"the {name} is not identifiable from the systems" for name in found.covariates if name not in covariates]
    reasons: dict[str, str] = {}
    both = (("participant", "item", BOTH),) if found.texts_return else ()
    for names in (*both, ("participant", "item"), ("participant",), ("item",)):
        try:
            model = contrast_model(
                found.values,
                found.rows,
                {name: found.groupings[name] for name in names},
                systems=found.systems,
                covariates=covariates,
                slopes={"participant": list(covariates)} if "participant" in names else {},
                alpha=alpha,
                confidence=confidence,
            )
        except (DataError, np.linalg.LinAlgError) as error:
            if BOTH in names:
                said.append(f"without tastes of {BOTH}: {error}")
            else:
                reasons.setdefault(str(error), "")
            continue
        if BOTH in names and (why_not := _not_borne(model)):
            said.append(f"without tastes of {BOTH}: {why_not}")
            continue
        why = "; ".join(reasons)
        said += [f"{name}s are taken as they are ({why})" for name in ("participant", "item") if name not in names]
        warnings = _prefixed([*said, *model.warnings])
        return ContrastSystems(of, model.about(of, better=better), warnings, *_lengths(found.rows))
    return ContrastSystems(of, warnings=_prefixed([*said, f"there is none ({next(iter(reasons))})"]))


def _not_borne(model: ContrastModel) -> str:
    """Why tastes of participant × item are not in the model; empty where they are."""
    if not model.converged:
        return "the fit does not converge with them"
    own = next(each for each in model.components if each.group == BOTH)
    return "" if own.sd > NOTHING * model.sigma else "their variance is 0"


def _lengths(rows: Floats) -> tuple[float, float]:
    """`squared_length` and `of_pair` of contrasts."""
    known = rows[np.any(rows != 0, axis=1)]
    inverse = np.linalg.pinv(known.T @ known)
    first, second = np.triu_indices(rows.shape[1], 1)
    own = np.diagonal(inverse)
    pairs = own[first] + own[second] - 2 * inverse[first, second]
    return float(np.mean(np.sum(known**2, axis=1))), float(np.mean(pairs))


def _prefixed(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"mixed model: {text}" for text in dict.fromkeys(texts))
