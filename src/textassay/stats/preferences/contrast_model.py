"""The linear mixed model of values that compare systems: signed strengths of preference, contrasts of ranks.

Each value is a contrast of systems; covariates, participants' own preferences and order effects are further columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.pairwise import Better, PairwiseComparisons
from textassay.results import Record
from textassay.stats.mixed.large_reml import LargeFit, large_reml
from textassay.stats.mixed.marginal_means import compare_all_means
from textassay.stats.mixed.mixed_fit import factorable
from textassay.stats.mixed.mixed_model import VarianceComponent
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm, consecutive
from textassay.stats.mixed.reml import mixed_products
from textassay.stats.mixed.reml_search import Minimum, least_criterion
from textassay.stats.mixed.satterthwaite import FixedEffect, FixedInference, TermTest, fixed_inference
from textassay.stats.preferences.separation import not_on_one_scale
from textassay.stats.samples import (
    Column,
    FloatArray,
    IntArray,
    as_floats,
    check_columns,
    check_share,
    coded,
    finite_vector,
)
from textassay.stats.statistic import Statistic

_EXACT = 1e-10
TASTE = "taste"
"""What varies between the levels of a grouping: how each of them likes a system, all with one variance."""
_ROUNDING = 1e-9
Slopes = Mapping[str, Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class ContrastModel(Statistic):
    """Places of systems by values that compare them, with the spread of tastes."""

    systems: tuple[str, ...]
    places: tuple[FixedEffect, ...]
    """Of each system, in units of the values; they sum to 0."""
    test: TermTest
    """That all places are equal."""
    covariates: tuple[FixedEffect, ...]
    components: tuple[VarianceComponent, ...]
    """Of each grouping how far the tastes of its levels spread about a system's place, and how far they lean."""
    sigma: float
    """Standard deviation of the residuals."""
    log_likelihood: float
    """Of the residuals (REML)."""
    singular: bool
    """A variance is 0."""
    converged: bool
    n: int
    alpha: float
    confidence: float
    better: Better = "none"
    """Of the values: `higher` for preferences, `lower` for ranks."""
    rows: FloatArray = field(repr=False, compare=False)
    """Shape (systems, coefficients): what of the coefficients makes each place."""
    inference: FixedInference = field(repr=False, compare=False)

    @cached_property
    def pairs(self) -> PairwiseComparisons:
        """All pairs of systems compared; computed when first asked for, because Tukey's p take their time."""
        named = {"method": self.method, "settings": self.settings, "of": self.of, "by": self.by}
        more = {"alpha": self.alpha, "better": self.better}
        return compare_all_means(self.systems, self.rows, self.inference, self.confidence, n=self.n, **named, **more)

    @property
    def values(self) -> tuple[float, ...]:
        """The places in the order of `systems`."""
        return tuple(each.estimate for each in self.places)

    @property
    def n_significant(self) -> int:
        """Pairs whose p, adjusted for all pairs by the studentized range, lies below alpha."""
        return self.pairs.n_significant

    def records(self) -> list[Record]:
        """The test, the places, all pairs, covariates, and what varies how much."""
        test = self.test
        return [
            self.record("F", test.f, by=test.name, df=test.df, p=test.p, n=self.n),
            *(
                self.record("place", one.estimate, by=one.name, df=one.df, ci=one.ci, n=self.n, se=one.se)
                for one in self.places
            ),
            *self.pairs.records(self),
            self.record("significant pairs", self.n_significant, n=self.n, pairs=len(self.pairs), alpha=self.alpha),
            *(
                self.record("coefficient", c.estimate, by=c.name, df=c.df, p=c.p, ci=c.ci, n=self.n, se=c.se, t=c.t)
                for c in self.covariates
            ),
            *(
                self.record("SD", each.sd, by=each.group, n=self.n, effect=each.name, levels=each.levels)
                for each in self.components
            ),
            self.record("SD", self.sigma, by="residual", n=self.n),
        ]


def contrast_model(  # noqa: PLR0913 -- the parts of the model
    values: npt.ArrayLike,
    contrasts: npt.ArrayLike,
    random: Mapping[str, Column],
    *,
    systems: Sequence[str] | None = None,
    covariates: Mapping[str, npt.ArrayLike] | None = None,
    slopes: Slopes | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> ContrastModel:
    """Places of systems on one scale, by values that compare them, with crossed participants and items.

    Purpose: put systems on one scale where each value compares two of them, such as a slider between two texts.

    y = Σⱼ cⱼ (λⱼ + vⱼ + uⱼ) + δ s + ε, where c is the row of contrasts (for a preference 1 for the one system, -1 for
    the other), λ are the places of the systems, vⱼ ~ N(0, τ²) the taste of the row's participant for system j, uⱼ the
    same for its item (how good this system's text of it is), s a covariate such as the side, and ε ~ N(0, σ²). Each
    value counts once, unlike in an ANOVA of both signs. It is the analysis of variance for paired comparisons of
    Scheffé (1952) with random tastes; REML, with Satterthwaite's degrees of freedom. A ranking of m texts is m-1 values
    with orthogonal contrasts of length 1; which ones makes no difference.

    R: `lme4::lmer(y ~ 0 + c2 + c3 + (0 + c1 | participant) + (0 + c2 | participant) + …)` with all θ of a grouping made
    equal in its deviance function.

    Example:
        >>> import numpy as np
        >>> values = [3, 4, 2, 5, 1, 3]  # of three people how strongly they prefer b to a, twice each
        >>> contrasts = np.tile([-1, 1], (6, 1))
        >>> result = contrast_model(values, contrasts, {"participant": list("ppqqrr")}, systems=["a", "b"])
        >>> pair = result.pairs[0]  # means 3.5, 3.5 and 2 spread less than 2 values each: the variance of tastes is 0
        >>> round(pair.difference, 4), round(pair.test_value, 4), result.singular  # as a t-test of 6 values
        (-3.0, -5.1962, True)

    Args:
        values: One number per comparison.
        contrasts: Shape (comparisons, systems), rows that sum to 0; a row of zeros informs about covariates only.
        random: Groupings by name, one label per comparison; all their levels have tastes of their own.
        systems: Their names; numbered from 1 if not given.
        covariates: Columns of numbers by name, for example 1 and -1 for the two sides.
        slopes: For a grouping the covariates whose effect differs between its levels.
        alpha: Level at which pairs are counted as different.
        confidence: Of the intervals; those of pairs hold together.

    Raises:
        DataError: unequal lengths, missing or infinite values, contrasts that do not sum to 0, a grouping with one
            level or with as many tastes as there are values, or values that the model explains exactly.
        UsageError: an unknown or impossible setting.
    """
    check_share("alpha", alpha)
    check_share("confidence", confidence)
    design = contrast_design(values, contrasts, random, systems, covariates or {}, slopes or {})
    x = design.x
    if x.shape[0] <= x.shape[1]:
        raise DataError(f"{x.shape[0]} values cannot carry {x.shape[1]} effects and a residual")
    if design.disconnected or np.linalg.matrix_rank(x) < x.shape[1]:
        why = design.disconnected or "a covariate is not identifiable from the differences between systems"
        return _result(design, _unknown(design), None, alpha, confidence, f"places are undefined: {why}")
    if not factorable(design.effects):
        found = large_reml(design.values, x, design.effects, _owners(design))
        return _result(design, found.inference, found, alpha, confidence)
    products = mixed_products(design.values, x, design.effects)
    if math.sqrt(products.ee) <= _EXACT * float(np.linalg.norm(design.values)):
        raise DataError("the fixed part explains the values exactly: no variance is left for tastes")
    minimum = least_criterion(products, "REML", _ties(design, products.bases))
    return _result(design, fixed_inference(minimum), minimum, alpha, confidence)


@dataclass(frozen=True)
class ContrastDesign:
    """The parts of the model of the values."""

    values: FloatArray
    contrasts: FloatArray
    """Shape (n, systems); each row sums to 0."""
    systems: tuple[str, ...]
    covariates: FloatArray
    """Shape (n, covariates)."""
    names: tuple[str, ...]
    """Of the covariates."""
    effects: RandomEffects
    owners: tuple[tuple[str, str, int], ...]
    """For each variance the grouping, what varies, and how many levels there are."""
    owner_of: tuple[int, ...]
    """For each column of each grouping, one after the other, whose variance it has."""
    disconnected: str
    """Why the systems are not on one scale; empty where they are."""

    @property
    def x(self) -> FloatArray:
        """The fixed part: the first system is at 0."""
        return np.hstack([self.contrasts[:, 1:], self.covariates])

    @property
    def places(self) -> FloatArray:
        """Shape (systems, columns of x): what of the coefficients makes each system's place, which sum to 0."""
        k = len(self.systems)
        rows = np.zeros((k, k - 1 + len(self.names)))
        rows[1:, : k - 1] = np.eye(k - 1)
        return np.asarray(rows - rows.mean(axis=0))


def contrast_design(
    values: npt.ArrayLike,
    contrasts: npt.ArrayLike,
    random: Mapping[str, Column],
    systems: Sequence[str] | None,
    covariates: Mapping[str, npt.ArrayLike],
    slopes: Slopes,
) -> ContrastDesign:
    """The parts, checked.

    Raises:
        DataError: unequal lengths, missing or infinite values, contrasts that do not sum to 0 or compare nothing, no
            grouping, or one whose spread is not identifiable from the residuals.
        UsageError: a lean of a grouping or to a covariate that is not there.
    """
    y = finite_vector(values, "values")
    rows, names = _contrasts(contrasts, systems, y.size)
    columns = {name: _column(column, name, y.size) for name, column in covariates.items()}
    _refuse_unknown(random, columns, slopes)
    terms = []
    for group, labels in random.items():
        own_slopes = slopes.get(group, ())
        both = np.column_stack([rows, *(columns[name] for name in own_slopes)])
        terms.append(_term(group, labels, both, (*names, *own_slopes)))
    terms.sort(key=lambda term: -term.size)  # the largest grouping first: its block of Z'Z is solved level by level
    owners: list[tuple[str, str, int]] = []
    owner_of: list[int] = []
    for term in terms:
        own_slopes = slopes.get(term.group, ())
        owner_of += [len(owners)] * len(names) + [len(owners) + 1 + place for place in range(len(own_slopes))]
        owners += [(term.group, what, len(term.levels)) for what in (TASTE, *own_slopes)]
    met = (rows != 0).astype(float)
    return ContrastDesign(
        values=y,
        contrasts=rows,
        systems=names,
        covariates=np.column_stack([np.zeros((y.size, 0)), *columns.values()]),
        names=tuple(columns),
        effects=RandomEffects(tuple(terms)),
        owners=tuple(owners),
        owner_of=tuple(owner_of),
        disconnected=not_on_one_scale(met.T @ met > 0, names),
    )


def _ties(design: ContrastDesign, bases: Sequence[FloatArray]) -> FloatArray:
    """One variance for all tastes of a grouping: θ is that of columns scaled by `bases`."""
    scales = np.concatenate([1 / np.diagonal(base) for base in bases])
    ties = np.zeros((scales.size, len(design.owners)))
    ties[np.arange(scales.size), list(design.owner_of)] = scales
    return ties


def _owners(design: ContrastDesign) -> IntArray:
    """For each random effect whose variance it has."""
    terms = design.effects.terms
    each = zip(terms, consecutive([term.width for term in terms]), strict=True)
    return np.concatenate([np.tile(design.owner_of[place], len(term.levels)) for term, place in each])


def _unknown(design: ContrastDesign) -> FixedInference:
    p = design.x.shape[1]
    return FixedInference(np.full(p, np.nan), np.full((p, p), np.nan), np.zeros((1, p, p)), np.full((1, 1), np.nan))


def _result(
    design: ContrastDesign,
    inference: FixedInference,
    found: Minimum | LargeFit | None,
    alpha: float,
    confidence: float,
    reason: str = "",
) -> ContrastModel:
    places, n = design.places, design.values.size
    rest = np.eye(places.shape[1])[len(design.systems) - 1 :]
    nowhere = TermTest("system", math.nan, (len(places) - 1, math.nan), math.nan)
    components, sigma = _spread(design, found)
    converged = found is not None and found.converged
    return ContrastModel(
        method="linear mixed model of contrasts",
        settings={
            "random": ", ".join(f"{count} {group} ({what})" for group, what, count in design.owners),
            "covariates": ", ".join(design.names) or "none",
            "likelihood": "REML",
            **({"solver": found.solver} if isinstance(found, LargeFit) else {}),
            "df": "Satterthwaite",
            "pairs": "Tukey",
            "confidence": confidence,
            "n": n,
        },
        warnings=_warnings(reason, components, converged=converged),
        by="system",
        systems=design.systems,
        places=tuple(inference.effect(s, row, confidence) for s, row in zip(design.systems, places, strict=True)),
        test=inference.test("system", places[1:] - places[0]) if found else nowhere,
        covariates=tuple(inference.effect(s, row, confidence) for s, row in zip(design.names, rest, strict=True)),
        components=components,
        sigma=sigma,
        log_likelihood=-found.fit.criterion / 2 if isinstance(found, Minimum) else math.nan,
        singular=any(each.sd == 0 for each in components),
        converged=converged,
        n=n,
        alpha=alpha,
        confidence=confidence,
        rows=places,
        inference=inference,
    )


def _spread(design: ContrastDesign, found: Minimum | LargeFit | None) -> tuple[tuple[VarianceComponent, ...], float]:
    sds = np.full(1 + len(design.owners), math.nan)
    if isinstance(found, LargeFit):
        sds = np.sqrt(found.variances)
    elif found is not None and found.ties is not None:
        relative = np.linalg.lstsq(found.ties, found.fit.theta, rcond=None)[0]
        sds = math.sqrt(found.fit.sigma2) * np.concatenate([[1.0], relative])
    sigma, *others = sds.tolist()
    each = zip(design.owners, others, strict=True)
    return tuple(VarianceComponent(group, what, sd, n) for (group, what, n), sd in each), sigma


def _warnings(reason: str, components: Sequence[VarianceComponent], *, converged: bool) -> tuple[str, ...]:
    if reason:
        return (reason,)
    nothing = [f"{each.name} by {each.group}" for each in components if each.sd == 0]
    found = [f"the data put variances at 0 (singular fit): {', '.join(nothing)}"] if nothing else []
    if not converged:
        found.append("the search for the variances did not converge: do not trust the figures of this model")
    return tuple(found)


def _contrasts(contrasts: npt.ArrayLike, systems: Sequence[str] | None, n: int) -> tuple[FloatArray, tuple[str, ...]]:
    rows = as_floats(contrasts, "contrasts")
    if rows.ndim != 2 or len(rows) != n:
        raise DataError(f"contrasts must have the shape (values, systems); got {rows.shape} for {n} values")
    if not np.all(np.isfinite(rows)):
        raise DataError("contrasts have missing or infinite values")
    off = np.flatnonzero(np.abs(rows.sum(axis=1)) > _ROUNDING * np.abs(rows).max(initial=1.0))
    if off.size:
        raise DataError(
            f"each row of contrasts must sum to 0, or it says more than how systems differ; {off.size} do not, the "
            f"first at index {off[0]} ({rows[off[0]].sum():g})"
        )
    if rows.shape[1] < 2 or not np.any(rows):
        raise DataError(f"the contrasts of {rows.shape[1]} system(s) compare nothing; give at least two systems")
    if systems is not None and len(systems) != rows.shape[1]:
        raise DataError(f"contrasts have {rows.shape[1]} columns, but there are {len(systems)} systems")
    return rows, tuple(systems) if systems is not None else tuple(f"system {i + 1}" for i in range(rows.shape[1]))


def _column(values: npt.ArrayLike, name: str, n: int) -> FloatArray:
    column = finite_vector(values, name)
    if column.size != n:
        raise DataError(f"the lengths must be equal: the covariate {name} has {column.size}, values has {n}")
    return column


def _refuse_unknown(random: Mapping[str, Column], covariates: Mapping[str, FloatArray], slopes: Slopes) -> None:
    check_columns("random", random)
    if not random:
        raise DataError("a mixed model needs at least one grouping, for example random={'participant': labels}")
    for group, names in slopes.items():
        unknown = [name for name in names if name not in covariates]
        if group not in random or unknown:
            there = f"groupings {', '.join(random)} and covariates {', '.join(covariates) or 'none'}"
            raise UsageError(f"slopes names {unknown[0] if unknown else group!r}; there are {there}")


def _term(group: str, labels: Column, columns: FloatArray, names: tuple[str, ...]) -> RandomTerm:
    n = len(columns)
    if len(labels) != n:
        raise DataError(f"the lengths must be equal: the grouping {group} has {len(labels)}, values has {n}")
    codes, levels = coded(labels, group)
    if len(levels) < 2:
        raise DataError(
            f"the grouping {group} has one level only ({', '.join(levels)}): its variance cannot be estimated"
        )
    term = RandomTerm(group, levels, codes, columns, names, correlated=False)
    if int(np.sum(np.linalg.matrix_rank(term.gram(), hermitian=True))) >= n:
        raise DataError(
            f"the grouping {group} has {len(levels)} levels, each with tastes of its own, for {n} values: their spread "
            "is not identifiable from the residuals; leave the grouping out"
        )
    return term
