"""Means over pairs of people compared, with people as what was sampled: pseudo-values of leaving out each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.ordering.variability.turned_people import turned_people
from textassay.results import Record
from textassay.stats import adjust_p
from textassay.stats.distributions import t_quantile, t_upper
from textassay.stats.statistic import Statistic


@dataclass(frozen=True)
class AgreementPair:
    """Two texts, or two conditions."""

    first: str
    second: str
    difference: float
    """Mean tau of the first less that of the second."""
    ci: tuple[float, float]
    p: float
    p_adjusted: float
    """After Holm's correction for all pairs."""
    significant: bool


@dataclass(frozen=True, kw_only=True)
class AgreementTest(Statistic):
    """Mean tau between people, compared."""

    groups: tuple[str, ...]
    """Texts or conditions."""
    means: tuple[float, ...]
    """Mean tau over pairs of people."""
    intervals: tuple[tuple[float, float], ...]
    f: float
    """Of a repeated-measures analysis of variance of the pseudo-values."""
    df: tuple[float, float]
    p: float
    """Of F, by turning the signs of whole people's pseudo-values: neither normal nor spherical data are assumed."""
    pairs: tuple[AgreementPair, ...]
    n: int
    """People."""

    def records(self) -> list[Record]:
        """Each mean, F, and all pairs."""
        found = [
            self.record("mean tau between people", mean, of=group, ci=ci, n=self.n)
            for group, mean, ci in zip(self.groups, self.means, self.intervals, strict=True)
        ]
        found.append(self.record("F", self.f, of="tau between people", df=self.df, p=self.p, n=self.n))
        for pair in self.pairs:
            more: Record = {"first": pair.first, "second": pair.second, "p_adjusted": pair.p_adjusted}
            more |= {"significant": pair.significant}
            found.append(
                self.record(
                    "difference", pair.difference, of="tau between people", ci=pair.ci, p=pair.p, n=self.n, **more
                )
            )
        return found


@dataclass(frozen=True)
class Level:
    """How a test is made."""

    alpha: float = 0.05
    """Level of significance of a pair."""
    confidence: float = 0.95
    """Of the intervals, one at a time."""
    draws: int = 1999
    """How often people's signs are turned, where there are too many ways for all."""
    seed: int = 0


def agreement_test(
    groups: Sequence[str], means: Floats, left_out: Floats, sizes: Sequence[int], factor: str, level: Level
) -> AgreementTest:
    """Compare means over pairs of people, with people as what was sampled.

    Pairs share people, so they cannot be counted as observations. A mean over pairs is a U-statistic; leaving out each
    person once gives its pseudo-values n θ - (n-1) θ₋ₚ (Arvesen 1969), one a person, whose mean is θ and which can be
    taken as independent. Whether any groups differ: the F of a repeated-measures analysis of variance, among those that
    come from turning the signs of whole people's values (see `turned_people`). Which: a t test for each pair, corrected
    after Holm. It holds for other people and these texts.

    Args:
        groups: Texts or conditions.
        means: Of each group.
        left_out: Shape (people, groups): the means without each person.
        sizes: How many people have orders in each group.
        factor: What the groups are.
        level: Of significance and confidence; draws and their seed.
    """
    n = len(left_out)
    pseudo = n * means - (n - 1) * left_out
    usable = n > 2 and not np.isnan(pseudo).any()
    warnings = []
    if not usable:
        warnings.append(f"no test: leaving out a person leaves some {factor} without two people to compare")
    elif min(sizes) < n:
        warnings.append(f"not everybody has an order in every {factor}; those who have none add nothing to its error")
    several = usable and len(groups) > 1
    turned = turned_people(pseudo if several else pseudo[:0], draws=level.draws, seed=level.seed)
    if several and turned.least > level.alpha:
        warnings.append(f"{n} people: p cannot be below {turned.least:.4g}, however much {factor}s differ")
    return AgreementTest(
        method=f"agreement between people by {factor}",
        settings={
            "people": "resampled",
            "pseudo-values": "leaving out one person",
            "p": f"signs of people turned, {turned.how}; pairs: Holm",
        },
        warnings=tuple(warnings),
        by=factor,
        groups=tuple(groups),
        means=tuple(means.tolist()),
        intervals=tuple(
            _interval(pseudo[:, g], sizes[g] - 1, level.confidence) if usable else (math.nan, math.nan)
            for g in range(len(groups))
        ),
        f=turned.f,
        df=turned.df,
        p=turned.p,
        pairs=_pairs(groups, pseudo, sizes, level) if usable else (),
        n=n,
    )


def _interval(values: Floats, df: int, confidence: float) -> tuple[float, float]:
    mean, half = (
        float(values.mean()),
        t_quantile((1 + confidence) / 2, df) * float(values.std(ddof=1)) / math.sqrt(len(values)),
    )
    return mean - half, mean + half


def _pairs(groups: Sequence[str], pseudo: Floats, sizes: Sequence[int], level: Level) -> tuple[AgreementPair, ...]:
    found = []
    for i, j in combinations(range(len(groups)), 2):
        values, df = pseudo[:, i] - pseudo[:, j], min(sizes[i], sizes[j]) - 1
        se = float(values.std(ddof=1)) / math.sqrt(len(values))
        difference = float(values.mean())
        p = 2 * t_upper(abs(difference) / se, df) if se > 0 else math.nan
        found.append((groups[i], groups[j], difference, _interval(values, df, level.confidence), p))
    adjusted = adjust_p([each[-1] for each in found]).adjusted if found else ()
    return tuple(
        AgreementPair(*each, corrected, corrected < level.alpha)
        for each, corrected in zip(found, adjusted, strict=True)
    )
