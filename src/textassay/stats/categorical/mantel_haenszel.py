"""Whether a yes or no depends on groups, within strata: the generalised Cochran–Mantel–Haenszel test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.distributions import chi2_upper
from textassay.stats.resampling.resamples import check_draws, in_parts, random_subsets
from textassay.stats.samples import Column, FloatArray, IntArray, coded, finite_vector, same_length
from textassay.stats.statistic import Statistic

_NOTHING = 1e-9
_LARGEST = 200_000_000
"""Draws × observations up to which p is drawn; with more observations χ² is as good."""


@dataclass(frozen=True)
class GroupRate:
    """How often one group has a yes."""

    name: str
    n: int
    count: int
    rate: float


@dataclass(frozen=True, kw_only=True)
class MantelHaenszel(Statistic):
    """Rates of groups compared within strata."""

    chi2: float
    df: int
    p: float
    """By exchange within strata, or of χ², as the settings say."""
    rates: tuple[GroupRate, ...]
    strata: int
    """Those that tell something: they have a yes, a no, and groups that differ."""
    n: int

    def records(self) -> list[Record]:
        """The test, then the rate of each group."""
        test = self.record("chi2", self.chi2, df=self.df, p=self.p, n=self.n, strata=self.strata)
        return [test, *(self.record("rate", x.rate, by=x.name, n=x.n, count=x.count) for x in self.rates)]


def mantel_haenszel(
    outcomes: npt.ArrayLike,
    groups: Sequence[str | tuple[str, ...]],
    strata: Column,
    *,
    draws: int = 9999,
    seed: int = 0,
) -> MantelHaenszel:
    """Whether the rate of a yes differs between groups, each stratum compared with itself.

    Purpose: find out whether answers are missing more often for some systems than for others.

    Within a stratum, for example a participant, every way to distribute its yes over its observations is equally
    likely unless groups matter. With U the numbers of yes by group less their expectations, and V their covariances,
    both summed over strata, χ² = U′V⁻U with rank(V) degrees of freedom (Mantel & Haenszel 1959; Landis, Heyman & Koch
    1978). p by draws, (b + 1) / (draws + 1), so that few yes are no trouble; of χ² where there are very many
    observations. An observation may belong to several groups, as a trial that shows several systems does.

    R: `mantelhaen.test(table(outcomes, groups, strata))$statistic`; of two groups with `correct = FALSE`.

    Example:
        >>> found = mantel_haenszel([1, 0, 1, 0, 1, 0], ["a", "b"] * 3, [1, 1, 2, 2, 3, 3])
        >>> round(found.chi2, 6), found.df, round(found.p, 2)  # all three for a: 2 of 8 ways are as far from even
        (3.0, 1, 0.25)

    Args:
        outcomes: 1 for a yes, 0 for a no.
        groups: The group of each observation, or the groups that it belongs to.
        strata: Labels; nothing is compared between strata.
        draws: Draws for p.
        seed: Of the stream of draws.

    Raises:
        DataError: unequal lengths, a missing label, or an outcome other than 0 and 1.
        UsageError: draws are no whole number from 1 on.
    """
    check_draws(draws)
    yes = finite_vector(outcomes, "outcomes")
    same_length(("outcomes", yes), ("groups", groups), ("strata", strata))
    if not np.isin(yes, (0.0, 1.0)).all():
        raise DataError("outcomes must be 0 or 1")
    shown, names = _memberships(groups)
    parts = _strata(yes, shown, coded(strata, "strata")[0].astype(np.int64))
    score = sum((part.centred.T @ part.yes for part in parts), start=np.zeros(len(names)))
    covariance = sum((part.covariance for part in parts), start=np.zeros((len(names), len(names))))
    inverse: FloatArray = np.asarray(np.linalg.pinv(covariance, rcond=_NOTHING, hermitian=True), dtype=float)
    df = int(np.linalg.matrix_rank(covariance, tol=_NOTHING * max(float(np.trace(covariance)), 1e-300), hermitian=True))
    drawn = draws * sum(part.yes.size for part in parts) <= _LARGEST
    chi2 = float(score @ inverse @ score) if df else math.nan
    p = math.nan if not df else _drawn_p(parts, inverse, chi2, draws, seed) if drawn else chi2_upper(chi2, df)
    counts = zip(names, shown.sum(axis=0).tolist(), (shown.T @ yes).tolist(), strict=True)
    return MantelHaenszel(
        method="Cochran–Mantel–Haenszel test",
        settings={"p": f"{draws} exchanges within strata" if drawn else "χ²", "strata": len(parts), "n": yes.size},
        warnings=() if df else ("no p: no stratum has both a yes and a no for groups that differ",),
        chi2=chi2,
        df=df,
        p=p,
        rates=tuple(GroupRate(name, int(n), int(count), count / n) for name, n, count in counts),
        strata=len(parts),
        n=yes.size,
    )


@dataclass(frozen=True, eq=False)
class _Stratum:
    """A stratum that tells something."""

    yes: FloatArray
    centred: FloatArray
    """Membership in groups, less its mean in the stratum."""

    @property
    def covariance(self) -> FloatArray:
        """Of the numbers of yes by group, if they are distributed at random over the observations."""
        n, count = self.yes.size, float(self.yes.sum())
        return np.asarray(count * (n - count) / (n * (n - 1)) * (self.centred.T @ self.centred))


def _memberships(groups: Sequence[str | tuple[str, ...]]) -> tuple[FloatArray, tuple[str, ...]]:
    """Shape (observations, groups): 1 where the observation belongs to the group; and the groups' names."""
    each = [tuple(group) if isinstance(group, (tuple, list)) else (group,) for group in groups]
    labels = [name for group in each for name in group]
    codes, names = coded(labels, "groups")
    shown = np.zeros((len(each), len(names)))
    shown[np.repeat(np.arange(len(each)), [len(group) for group in each]), codes] = 1.0
    return shown, names


def _strata(yes: FloatArray, shown: FloatArray, codes: IntArray) -> list[_Stratum]:
    order = np.argsort(codes, kind="stable")
    found = []
    for rows in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1) if yes.size else []:
        own = shown[rows]
        centred = own - own.mean(axis=0)
        if 0 < yes[rows].sum() < rows.size and np.abs(centred).max() > _NOTHING:
            found.append(_Stratum(yes[rows], centred))
    return found


def _drawn_p(parts: Sequence[_Stratum], inverse: FloatArray, chi2: float, draws: int, seed: int) -> float:
    """The share of draws at least as far from what is expected."""
    stream = Stream(seed, "mantel_haenszel")
    reached = 0
    for some in in_parts(draws, max(part.yes.size for part in parts)):
        score = np.zeros((some, len(inverse)))
        for part in parts:
            score += random_subsets(stream, part.yes.size, int(part.yes.sum()), some) @ part.centred
        reached += int(np.count_nonzero(np.einsum("ij,jk,ik->i", score, inverse, score) >= chi2 * (1 - _NOTHING)))
    return (reached + 1) / (draws + 1)
