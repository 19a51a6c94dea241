"""Whether systems differ, for other participants and other items, without taking any variances as equal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.blas_threads import one_blas_thread
from textassay.stats.crossed.crossed_design import ITEM, PARTICIPANT, CrossedDesign
from textassay.stats.crossed.mean_intervals import SystemMeans, system_means
from textassay.stats.crossed.mean_variances import MeanVariance, MeanVariances
from textassay.stats.distributions import f_upper, student_p, t_quantile
from textassay.stats.samples import (
    Column,
    FloatArray,
    IntArray,
    all_equal,
    check_share,
    coded,
    finite_vector,
    same_length,
)
from textassay.stats.statistic import Statistic

Random = Literal["participants", "items"]
Others = Literal["participants and items", "participants", "items"]
BOTH: tuple[Random, ...] = ("participants", "items")
FEWEST = 3
"""Participants, or items, that can stand for others."""
_NOTHING = 1e-12
"""A variance below this share of that of the values is none."""
_REMEMBERED = 2**24
"""Bytes of a design up to which it is remembered."""


@dataclass(frozen=True)
class AdjustedMean:
    """The mean of one system, participants and items taken out."""

    name: str
    estimate: float
    se: float
    df: float
    ci: tuple[float, float]
    """Of this system alone."""


@dataclass(frozen=True, kw_only=True)
class AnovaTypeTest(Statistic):
    """Systems compared with participants and items as random, each system and pair with variances of its own."""

    f: float
    df: tuple[float, float]
    p: float
    holds_for: Others
    """Whom the test speaks for besides those who were asked."""
    means: tuple[AdjustedMean, ...]
    """Of the systems, participants and items taken out, each with an interval of its own; of contrasts about 0."""
    pairs: PairwiseComparisons
    participants: int
    items: int
    n: int

    def records(self) -> list[Record]:
        """The test, the means and all pairs."""
        units = {"participants": self.participants, "items": self.items}
        test = self.record("F", self.f, df=self.df, p=self.p, n=self.n, holds_for=self.holds_for, units=units)
        means = [
            self.record("adjusted mean", mean.estimate, by=mean.name, ci=mean.ci, n=self.n, se=mean.se, df=mean.df)
            for mean in self.means
        ]
        return [test, *means, *self.pairs.records(self)]


def anova_type_test(  # noqa: PLR0913 -- the design, and how it is tested
    values: npt.ArrayLike,
    systems: Column,
    participants: Column,
    items: Column,
    *,
    covariates: Mapping[str, npt.ArrayLike] | None = None,
    random: Sequence[Random] = BOTH,
    confidence: float = 0.95,
    alpha: float | None = None,
) -> AnovaTypeTest:
    """Whether systems differ, for other participants and other items, in a design of any shape.

    Purpose: find out whether systems differ, and which, with participants and items as random, however unequal the
    systems are in how far participants and items vary.

    m are the means of the systems with participants and items taken out by least squares. Their covariances V are
    estimated from what is left, by participant, by item and by answer (`mean_variances`), so that participants who
    agree on some systems more than on others, and items on which one system is less stable, are in the error. With T
    that takes out the mean of the systems, F = m′Tm / tr(TV) on tr(TV)² / tr(TVTV) degrees of freedom (the ANOVA-type
    statistic of Brunner, Dette & Munk 1997) and Satterthwaite's. Pairs: the same on their own contrast, corrected after
    Holm; intervals hold for all pairs together (Bonferroni). Participants, or items, each of which has one system only
    are nested in systems.

    R: none: in a complete design of two systems F is n·d² / (MS participant + MS item - MS rest), with the
    mean squares of `aov(difference ~ participant + item)`.

    Example:
        >>> person, item, system = (each.ravel() for each in np.indices((3, 3, 2)))
        >>> differences = np.array([[1.0, 2, 3], [2, 4, 3], [3, 3, 6]])  # 3 people × 3 items
        >>> found = anova_type_test(differences[person, item] * system, system, person, item)
        >>> [(mean.name, round(mean.estimate, 6)) for mean in found.means]
        [('0', 0.0), ('1', 3.0)]
        >>> round(found.pairs[0].se ** 2 * 9, 6)  # mean squares 3 + 3 - 1 of people, of items and of what is left
        5.0

    Args:
        values: One number per answer.
        systems: Their labels.
        participants: Their labels.
        items: Their labels.
        covariates: Columns whose effects are taken out, such as the place in the session.
        random: Who stands for others; the rest are taken as they are.
        confidence: Of the intervals.
        alpha: Level at which pairs count as different; 1 - confidence unless given.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
        UsageError: nobody is random, or a share is not one.
    """
    y = finite_vector(values, "values")
    same_length(("values", y), ("systems", systems), ("participants", participants), ("items", items))
    system, names = coded(systems, "systems")
    rows = np.zeros((y.size, len(names)))
    rows[np.arange(y.size), system] = 1.0
    given = _Given(y, rows, names, *_units(participants, items), _columns(covariates, y.size))
    return _tested(given, random, confidence, alpha)


def anova_type_contrasts(  # noqa: PLR0913 -- the design, and how it is tested
    values: npt.ArrayLike,
    contrasts: npt.ArrayLike,
    participants: Column,
    items: Column,
    *,
    systems: Sequence[str] | None = None,
    covariates: Mapping[str, npt.ArrayLike] | None = None,
    random: Sequence[Random] = BOTH,
    confidence: float = 0.95,
    alpha: float | None = None,
) -> AnovaTypeTest:
    """Whether systems differ, from values each of which compares some of them: preferences, ranks within a trial.

    Purpose: find out which systems are preferred, or ranked better, with participants and items as random.

    The ANOVA-type statistic (Brunner, Dette & Munk 1997) as in `anova_type_test`, with the places of the systems on one
    scale as means: a value is the difference of the places that its contrast says, plus covariates.

    R: none: with one answer per participant and two systems F is `t.test(values)$statistic^2`.

    Example:
        >>> values, contrasts = [1, 1, -1, 1, 1, 1], [[1, -1]] * 6
        >>> people, items = [1, 1, 2, 2, 3, 3], [1, 2, 3, 1, 2, 3]
        >>> found = anova_type_contrasts(values, contrasts, people, items, systems=["a", "b"])
        >>> round(found.pairs["a", "b"].difference, 6)  # the mean of the values
        0.666667

    Args:
        values: One number per comparison.
        contrasts: Shape (comparisons, systems); each row sums to 0.
        participants: Their labels.
        items: Their labels.
        systems: Names of the systems; without, they are numbered from 1.
        covariates: Columns whose effects are taken out, such as the side.
        random: Who stands for others; the rest are taken as they are.
        confidence: Of the intervals.
        alpha: Level at which pairs count as different; 1 - confidence unless given.

    Raises:
        DataError: unequal lengths, a missing label, a value that is missing or infinite, or a row that does not sum
            to 0.
        UsageError: nobody is random, or a share is not one.
    """
    y = finite_vector(values, "values")
    rows = np.asarray(contrasts, dtype=float).reshape(y.size, -1)
    same_length(("values", y), ("participants", participants), ("items", items))
    names = tuple(map(str, range(1, rows.shape[1] + 1))) if systems is None else tuple(systems)
    if rows.shape[1] != len(names) and y.size:
        raise DataError(f"contrasts have {rows.shape[1]} columns for {len(names)} systems")
    if y.size and np.max(np.abs(rows.sum(axis=1))) > _NOTHING * max(1.0, float(np.max(np.abs(rows)))):
        raise DataError("each row of contrasts must sum to 0: a value compares systems")
    given = _Given(y, rows, names, *_units(participants, items), _columns(covariates, y.size))
    return _tested(given, random, confidence, alpha)


def _columns(covariates: Mapping[str, npt.ArrayLike] | None, n: int) -> FloatArray:
    columns = {name: finite_vector(column, name) for name, column in (covariates or {}).items()}
    for name, column in columns.items():
        same_length(("values", range(n)), (name, column))
    return np.column_stack(list(columns.values())) if columns else np.zeros((n, 0))


@dataclass(frozen=True, eq=False)
class _Given:
    """Values and their design."""

    values: FloatArray
    rows: FloatArray
    systems: tuple[str, ...]
    participants: IntArray
    items: IntArray
    covariates: FloatArray

    @property
    def counts(self) -> tuple[int, int]:
        """Participants and items."""
        return (
            int(self.participants.max(initial=-1)) + 1,
            int(self.items.max(initial=-1)) + 1,
        )


def _units(participants: Column, items: Column) -> tuple[IntArray, IntArray]:
    return coded(participants, "participants")[0].astype(np.int64), coded(items, "items")[0].astype(np.int64)


@one_blas_thread
def _tested(given: _Given, random: Sequence[Random], confidence: float, alpha: float | None) -> AnovaTypeTest:
    check_share("confidence", confidence)
    unknown = [each for each in random if each not in BOTH]
    if unknown or not random:
        raise UsageError(f"random must name participants, items or both, got {', '.join(unknown) or 'nothing'}")
    kinds = tuple(kind for kind, name in ((PARTICIPANT, "participants"), (ITEM, "items")) if name in random)
    result = _without_p(given, kinds, confidence, alpha)
    reason = _undefined(given, kinds)
    if reason:
        return replace(result, warnings=(reason,))
    try:
        return _of_design(given, kinds, confidence, result)
    except MemoryError:
        answers, systems = given.rows.shape
        return replace(
            result, warnings=(f"no p: {answers} answers to {systems} systems need more memory than there is",)
        )


def _of_design(given: _Given, kinds: tuple[int, ...], confidence: float, result: AnovaTypeTest) -> AnovaTypeTest:
    """The result with means, pairs and F, as far as the design allows."""
    prepare = _prepared if given.rows.nbytes < _REMEMBERED else _prepared.__wrapped__
    variances = prepare(given.rows.shape[1], kinds, *_keys(given))
    design = variances.design
    means = system_means(design, given.values, kinds)
    result = replace(result, means=_estimates(given.systems, means, confidence))
    if design.rank < 1:
        return replace(result, warnings=("no p: there is one system only",) if given.rows.shape[1] < 2 else (_APART,))
    if design.df_left < 1:
        return replace(result, means=(), warnings=(_COMPLETE,))
    y = given.values - (0.0 if design.contrasts else given.values.mean())
    found, at = variances.of(y), means.means
    least = _NOTHING * float(y @ y) / len(y) * float(np.mean(np.sum(design.weights**2, axis=0)))
    if not found.trace > least:
        return replace(result, means=(), warnings=(_EQUAL,))
    pairs = replace(result.pairs, pairs=_pairs(given, at, variances, found, confidence, least), family=-1)
    nested = [name for name, groups in zip(BOTH, design.groups, strict=False) if groups.system is not None]
    result = replace(
        result, pairs=pairs, settings={**result.settings, "nested in systems": ", ".join(nested) or "none"}
    )
    if not design.connected.all():
        return replace(result, warnings=(_APART,))
    f = float(np.sum((at - at.mean()) ** 2)) / found.trace
    return replace(result, f=f, df=found.df, p=f_upper(f, *found.df))


_COMPLETE = "no p: participants, items and systems explain the values completely, and nothing is left to compare with"
_EQUAL = "no p: systems differ equally for every participant and item, and nothing is left to compare with"
_APART = (
    "no p for all systems together: the design falls into parts that share no participant, or no item, and nothing is "
    "said of systems of different parts"
)


def _estimates(systems: Sequence[str], means: SystemMeans, confidence: float) -> tuple[AdjustedMean, ...]:
    found = []
    columns = (means.means.tolist(), means.se.tolist(), means.df.tolist())
    for name, mean, se, df in zip(systems, *columns, strict=True):
        half = t_quantile(0.5 + confidence / 2, df) * se
        found.append(AdjustedMean(name, mean, se, df, (mean - half, mean + half)))
    return tuple(found)


def _undefined(given: _Given, kinds: Sequence[int]) -> str:
    """Why there is no test; empty where there is one."""
    if not given.values.size:
        return "no p: there are no values"
    if not np.any(given.rows):
        return "no p: no two systems are compared"
    if all_equal(given.values) and not np.any(given.rows.sum(axis=1) == 0):
        return f"no p: all values are equal ({given.values[0]:g})"
    for kind in kinds:
        count = given.counts[kind]
        if count < FEWEST:
            name = BOTH[kind]
            few = f"{count} {name if count != 1 else name[:-1]}"
            return f"no p for other {name}: {few} cannot stand for others (at least {FEWEST} can)"
    return ""


def _keys(given: _Given) -> tuple[bytes, ...]:
    arrays = (given.rows, given.participants, given.items, given.covariates)
    return tuple(np.ascontiguousarray(each).tobytes() for each in arrays)


@lru_cache(maxsize=4)  # criteria mostly share a design, and power by simulation asks it hundreds of times
def _prepared(
    systems: int, kinds: tuple[int, ...], rows: bytes, participants: bytes, items: bytes, covariates: bytes
) -> MeanVariances:
    people, things = np.frombuffer(participants, dtype=np.int64), np.frombuffer(items, dtype=np.int64)
    beside = np.frombuffer(covariates).reshape(people.size, -1)
    return MeanVariances(CrossedDesign(np.frombuffer(rows).reshape(-1, systems), people, things, beside), kinds)


def _pairs(
    given: _Given,
    means: FloatArray,
    variances: MeanVariances,
    found: MeanVariance,
    confidence: float,
    least: float,
) -> tuple[PairwiseComparison, ...]:
    """All pairs that the design connects."""
    pairs = []
    family = max(len(found.pairs), 1)
    counted = np.count_nonzero(given.rows, axis=0)
    for first, second, variance, df in zip(
        variances.first.tolist(), variances.second.tolist(), found.pairs.tolist(), found.df_pairs.tolist(), strict=True
    ):
        difference = float(means[first] - means[second])
        known = variance > least
        se = math.sqrt(variance) if known else math.nan
        p = student_p(difference / se, df, "two-sided") if known else math.nan
        wide = t_quantile(1 - (1 - confidence) / (2 * family), df) * se if known else math.nan
        pairs.append(
            PairwiseComparison(
                first=given.systems[first],
                second=given.systems[second],
                difference=difference,
                ci=(difference - wide, difference + wide),
                p=p,
                p_raw=p,
                n=int(counted[first] + counted[second]),
                se=se,
                test_value=difference / se if known else math.nan,
                df=df if known else math.nan,
            )
        )
    return adjust_pairs(pairs)


def _without_p(given: _Given, kinds: Sequence[int], confidence: float, alpha: float | None) -> AnovaTypeTest:
    """The result as far as it is known before anything is computed."""
    people, items = given.counts
    holds: Others = "participants and items" if len(kinds) > 1 else BOTH[kinds[0]]
    settings = {
        "random": holds,
        "variances": "of each system and pair, none below that of participants or items alone",
        "df": "Satterthwaite",
        "confidence": confidence,
        "n": given.values.size,
    }
    method = "ANOVA-type test"
    return AnovaTypeTest(
        method=method,
        settings=settings,
        by="system",
        f=math.nan,
        df=(math.nan, math.nan),
        p=math.nan,
        holds_for=holds,
        means=(),
        pairs=PairwiseComparisons(
            method=method,
            settings=settings,
            pairs=(),
            by="system",
            adjustment="Holm",
            alpha=math.nan if alpha is None else alpha,
            confidence=confidence,
            interval="simultaneous",
            test="t",
        ),
        participants=people,
        items=items,
        n=given.values.size,
    )
