"""Systems on one scale by values that compare them (preferences, rankings): the mixed model, and a quick F.

`contrast_f` asks what the mixed model asks, with tastes of participants and of items as random, and takes milliseconds
instead of searching for the variances. That is what power by simulation needs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.pairwise import Better
from textassay.results import Result
from textassay.stats import ContrastModel, contrast_model

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

    @property
    def groupings(self) -> dict[str, Labels]:
        """Whose tastes differ."""
        return {"participant": self.participants, "item": self.items}

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

    @property
    def results(self) -> tuple[Result, ...]:
        """The model, if there is one."""
        return () if self.model is None else (self.model,)

    @property
    def caveat(self) -> str:
        """Whom the model does not speak for: other participants or items, where they are no random effect."""
        fixed = [name for name in ("participant", "item") if any(f": {name}s are taken as" in x for x in self.warnings)]
        return "; ".join(f"nothing is said about other {name}s" for name in fixed)


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
    for names in (("participant", "item"), ("participant",), ("item",)):
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
            reasons.setdefault(str(error), "")
            continue
        why = "; ".join(reasons)
        said += [f"{name}s are taken as they are ({why})" for name in found.groupings if name not in names]
        return ContrastSystems(of, model.about(of, better=better), _prefixed([*said, *model.warnings]))
    return ContrastSystems(of, warnings=_prefixed([*said, f"there is none ({next(iter(reasons))})"]))


def _prefixed(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"mixed model: {text}" for text in dict.fromkeys(texts))


Ints = npt.NDArray[np.int64]


def contrast_f(
    values: Floats, contrasts: Floats, groupings: Sequence[npt.NDArray[Any]], covariate: Floats | None = None
) -> float:
    """The p of a quasi-F ratio of values that compare systems, each level of each grouping with tastes of its own.

    The mean square of the systems' places has the expectation σ² + Σ c τ² over the groupings, where τ² is the variance
    of tastes. σ² and τ² are those with which the mean squares of places within the levels of each grouping, and of what
    is left, have the expectations seen (Henderson 1953, method 3), none below 0; degrees of freedom after Satterthwaite
    (1946). Participants × systems and items × systems are then both in the error, and what is left counts once; min F′
    (Clark 1973) counts it twice. In a complete design p is that of `contrast_model`, unless a variance is 0.

    Args:
        values: One per comparison.
        contrasts: Shape (comparisons, systems); rows sum to 0.
        groupings: Labels of participants, of items.
        covariate: A column whose effect is taken out first, such as the side.

    Returns:
        p; nan where there are fewer than two systems, or nothing to measure their differences by.
    """
    from scipy.special import fdtrc  # noqa: PLC0415 -- only those who test wait for it

    n = len(values)
    if covariate is not None and np.any(covariate):
        values = values - covariate * (covariate @ values) / (covariate @ covariate)
        n -= 1
    codes = [np.unique(labels, return_inverse=True)[1].astype(np.int64) for labels in groupings]
    codes = [each for each in codes if each.max(initial=0) > 0]
    if not codes:
        return math.nan
    outer = contrasts[:, :, None] * contrasts[:, None, :]
    whole = _Places(values, contrasts, outer, np.zeros(len(values), dtype=np.int64))
    if not whole.rank:
        return math.nan
    parts = [_Places(values, contrasts, outer, each) for each in codes]
    systems, *within = (
        _Sum(each.explained, np.array([each.rank, *(each.expects(other, outer) for other in parts)], dtype=float))
        for each in (whole, *parts)
    )
    every = float(np.sum(contrasts**2))  # how often the variance of any grouping's tastes is in all squares together
    total = _Sum(float(values @ values), np.array([n, *[every] * len(parts)], dtype=float))
    variance, df = _error(systems, total, within)
    return float(fdtrc(whole.rank, df, systems.mean / variance)) if variance > 0 and df > 0 else math.nan


class _Sum(NamedTuple):
    """A sum of squares."""

    value: float
    expects: Floats
    """How often it holds the variance of what is left (its degrees of freedom), and that of each grouping's tastes."""

    @property
    def df(self) -> float:
        return float(self.expects[0])

    @property
    def mean(self) -> float:
        return self.value / self.df

    def less(self, *others: _Sum) -> _Sum:
        return _Sum(
            self.value - sum(each.value for each in others), self.expects - sum(each.expects for each in others)
        )


def _error(systems: _Sum, total: _Sum, within: Sequence[_Sum]) -> tuple[float, float]:
    """The variance by which the mean square of systems is measured, and its degrees of freedom."""
    from scipy.optimize import nnls  # noqa: PLC0415 -- as above

    beyond = [each.less(systems) for each in within]
    beyond = [each for each in beyond if each.df > 0]
    rest = total.less(systems, *beyond)
    if rest.df > 0 and rest.value > 0:
        beyond.append(rest)
    if not beyond:
        return math.nan, math.nan
    seen, dfs = np.array([each.mean for each in beyond]), np.array([each.df for each in beyond])
    weights = np.ones(len(beyond))
    if len(beyond) == len(within) + 1:
        rows = np.array([each.expects / each.df for each in beyond])
        used = nnls(rows, seen)[0] > 0
        weights = np.linalg.pinv(rows[:, used]).T @ (systems.expects / systems.df)[used]
    # else nothing is left: each mean square holds its variance, so that their sum is on the safe side
    variance = float(weights @ seen)
    return variance, variance**2 / float(np.sum((weights * seen) ** 2 / dfs))


class _Places:
    """The places of systems within each level of a grouping, by least squares."""

    def __init__(self, values: Floats, contrasts: Floats, outer: Floats, codes: Ints) -> None:
        self.codes = codes
        self.gram = _summed(outer, codes)
        self.inverse = np.linalg.pinv(self.gram, hermitian=True)
        self.rank = int(np.sum(np.linalg.matrix_rank(self.gram, hermitian=True)))
        sums = _summed(contrasts * values[:, None], codes)
        self.explained = float(np.einsum("li,lij,lj->", sums, self.inverse, sums))
        """Sum of squares that the places explain."""

    def expects(self, other: _Places, outer: Floats) -> float:
        """How often the variance of the other grouping's tastes is in that sum."""
        if other is self:
            return float(np.trace(outer.sum(axis=0)))
        width = int(other.codes.max()) + 1
        cells, place = np.unique(self.codes * width + other.codes, return_inverse=True)
        shared = other.gram if len(self.gram) == 1 else _summed(outer, place.astype(np.int64))
        return float(np.einsum("cij,cji->", self.inverse[cells // width], shared @ shared))


def _summed(rows: Floats, codes: Ints) -> Floats:
    """Rows summed by their code."""
    count = int(codes.max()) + 1
    if count == len(rows):  # one row each
        return np.asarray(rows[np.argsort(codes)])
    sums = [np.bincount(codes, column, count) for column in rows.reshape(len(rows), -1).T]
    return np.asarray(np.array(sums).T.reshape(count, *rows.shape[1:]), dtype=float)
