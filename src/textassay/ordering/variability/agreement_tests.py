"""Whether people agree more on some texts, or in some conditions, than in others; people are what was sampled.

Means over pairs of people become pseudo-values, one per person (the jackknife). Whether they differ is tested by F:
of texts among the values that come from flipping people's signs, of conditions among those that come from exchanging
between people the lists that say who saw which text in which condition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from textassay.errors import UsageError
from textassay.ordering.permutations import Floats
from textassay.ordering.variability.reorderings import EXCHANGE, Codes, Reorderings, exchanged_lists
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.distributions import t_quantile, t_upper
from textassay.stats.mean_interval import cut_interval
from textassay.stats.resampling.resamples import in_parts, random_signs
from textassay.stats.statistic import Statistic

_ENUMERATED = 12
"""Up to this number of people, all ways to flip signs are enumerated."""
_SLACK = 1e-9
_WAYS = 500
"""To exchange lists, at a time."""


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
    """Of F, by flipping the signs of whole people's pseudo-values, or exchanging lists: neither normal nor spherical
    data are assumed."""
    pairs: PairwiseComparisons
    """Differences of mean tau, adjusted after Holm."""
    sizes: tuple[int, ...]
    """Of each group, how many people have orders in it."""
    n: int
    """People."""

    def records(self) -> list[Record]:
        """Each mean, F, and all pairs."""
        found = [
            self.record("mean tau between people", mean, of=group, ci=ci, n=size)
            for group, mean, ci, size in zip(self.groups, self.means, self.intervals, self.sizes, strict=True)
        ]
        found.append(self.record("F", self.f, of="tau between people", df=self.df, p=self.p, n=self.n))
        return found + self.pairs.records(self)


_TAU = (-1.0, 1.0)
"""What a tau can be."""


@dataclass(frozen=True)
class Level:
    """How a test is made."""

    alpha: float = 0.05
    """Level of significance of a pair."""
    confidence: float = 0.95
    """Of the intervals, one at a time."""
    draws: int = 1999
    """Random sign flips, where there are too many to count all."""
    seed: int = 0


def agreement_test(
    groups: Sequence[str], means: Floats, left_out: Floats, sizes: Sequence[int], factor: str, level: Level
) -> AgreementTest:
    """Compare means over pairs of people, with people as what was sampled.

    Pairs share people, so they cannot be counted as observations. A mean over pairs is a U-statistic; leaving out each
    person once gives its pseudo-values n θ - (n-1) θ₋ₚ (Arvesen 1969), one per person, whose mean is θ and which can be
    taken as independent. Whether any groups differ: the F of a repeated-measures analysis of variance, among those that
    result from flipping the signs of people's values (see `sign_flip_test`). Which: a t test for each pair, corrected
    by Holm. It holds for other people and these texts.

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
        warnings.append(f"not all people have an order in every {factor}; those who have none add nothing to its error")
    several = usable and len(groups) > 1
    turned = sign_flip_test(pseudo if several else pseudo[:0], draws=level.draws, seed=level.seed)
    if several and turned.least > level.alpha:
        warnings.append(f"{n} people: p cannot be below {turned.least:.4g}, however much {factor}s differ")
    return AgreementTest(
        method=f"agreement between people by {factor}",
        settings={
            "people": "resampled",
            "pseudo-values": "leaving out one person",
            "p": f"signs of people flipped, {turned.how}; pairs: Holm",
        },
        warnings=tuple(warnings),
        by=factor,
        groups=tuple(groups),
        means=tuple(means.tolist()),
        intervals=tuple(
            cut_interval(_interval(pseudo[:, g], sizes[g] - 1, level.confidence), _TAU)
            if usable
            else (math.nan, math.nan)
            for g in range(len(groups))
        ),
        f=turned.f,
        df=turned.df,
        p=turned.p,
        pairs=_pairs(groups, pseudo, sizes, level, factor) if usable else _comparisons([], level, factor),
        sizes=tuple(sizes),
        n=n,
    )


def _interval(values: Floats, df: int, confidence: float) -> tuple[float, float]:
    mean, half = (
        float(values.mean()),
        t_quantile((1 + confidence) / 2, df) * float(values.std(ddof=1)) / math.sqrt(len(values)),
    )
    return mean - half, mean + half


def _pairs(
    groups: Sequence[str], pseudo: Floats, sizes: Sequence[int], level: Level, factor: str
) -> PairwiseComparisons:
    found = []
    for i, j in combinations(range(len(groups)), 2):
        values, df = pseudo[:, i] - pseudo[:, j], min(sizes[i], sizes[j]) - 1
        se = float(values.std(ddof=1)) / math.sqrt(len(values))
        difference = float(values.mean())
        p = 2 * t_upper(abs(difference) / se, df) if se > 0 else math.nan
        found.append(
            PairwiseComparison(
                first=groups[i],
                second=groups[j],
                difference=difference,
                ci=_interval(values, df, level.confidence),
                p=p,
                p_raw=p,
                n=len(values),
                se=se,
                test_value=difference / se if se > 0 else math.nan,
                df=df,
            )
        )
    return _comparisons(found, level, factor)


def _comparisons(pairs: Sequence[PairwiseComparison], level: Level, factor: str) -> PairwiseComparisons:
    return PairwiseComparisons(
        method="t tests of pseudo-values",
        settings={"correction": "holm", "confidence": level.confidence},
        pairs=adjust_pairs(pairs) if pairs else (),
        of="tau between people",
        by=factor,
        better="higher",
        adjustment="Holm",
        alpha=level.alpha,
        confidence=level.confidence,
        interval="single",
        test="t",
    )


@dataclass(frozen=True)
class SignFlipTest:
    """F of the columns, and its p."""

    f: float
    df: tuple[float, float]
    p: float
    least: float
    """No p can be lower with this number of people and draws."""
    how: str
    """For a signature."""


def sign_flip_test(values: Floats, *, draws: int, seed: int) -> SignFlipTest:
    """F of a repeated-measures analysis of variance, among those with the signs of whole rows flipped.

    Each row is centred first, so that it holds what is special to the columns. If no columns differ, a row is as likely
    as its opposite where deviations are symmetric, and so is every way to flip rows: however columns depend on each
    other and whatever their variances, the share of ways with an F as large is a valid p. Without symmetry it is so for
    many people (the wild bootstrap: Wu 1986, Liu 1988). All ways up to 12 people, beyond that random draws with
    p = (b+1)/(draws+1).

    Args:
        values: Shape (people, columns).
        draws: How many ways are drawn.
        seed: Of the draws.

    Raises:
        UsageError: not at least one draw.

    >>> sign_flip_test(np.array([[1.0, 3.0], [2.0, 5.0], [1.0, 2.0]]), draws=99, seed=0).p  # 2 of 8 ways
    0.25
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise UsageError(f"draws must be a whole number of at least 1, got {draws!r}")
    n, k = values.shape
    every = n <= _ENUMERATED
    how = "all ways" if every else f"{draws} draws, seed {seed}"
    least = 2.0 ** (1 - n) if every else 1 / (draws + 1)
    own = values - values.mean(axis=1, keepdims=True)
    total = float((own**2).sum())
    if n < 2 or k < 2 or total <= _SLACK * n * k:
        return SignFlipTest(math.nan, (math.nan, math.nan), math.nan, least, how)
    # The sum of squares of centred rows stays as it is, so that F rises with what the columns' means have of it.
    between = n * (own.mean(axis=0) ** 2).sum()
    error = (total - between) / ((n - 1) * (k - 1))
    f = float(between / (k - 1) / error) if error > _SLACK * total else math.inf
    as_large = sum(
        int(np.count_nonzero(((signs @ own) ** 2).sum(axis=1) / n >= between - _SLACK * total))
        for signs in (_all_signs(n) if every else _drawn_signs(n, draws, seed))
    )
    p = as_large / 2 ** (n - 1) if every else (as_large + 1) / (draws + 1)
    return SignFlipTest(f, (float(k - 1), float((n - 1) * (k - 1))), p, least, how)


def _all_signs(n: int) -> list[Floats]:
    """Every way but for the opposite of each, which has the same F."""
    turned = (np.arange(1 << (n - 1))[:, None] >> np.arange(n)) & 1
    return [np.where(turned, -1.0, 1.0)]


def _drawn_signs(n: int, draws: int, seed: int) -> Iterator[Floats]:
    stream = Stream(seed, "ordering", "turned people")
    return (random_signs(stream, n, part) for part in in_parts(draws, n))


def text_agreement(
    people: Reorderings, *, alpha: float = 0.05, confidence: float = 0.95, draws: int = 1999, seed: int = 0
) -> AgreementTest:
    """Mean tau over all pairs of people, compared between texts; see `agreement_test`.

    In simulated studies in which no text differs, 2 to 5 of 100 are significant at .05.

    Args:
        people: All orders.
        alpha: Level of significance of a pair of texts.
        confidence: Of the intervals, one at a time.
        draws: Random sign flips for the p of all texts together, where there are too many to count all.
        seed: Of the draws.

    >>> from textassay.ordering import GivenOrder, reorderings
    >>> given = [GivenOrder("s", by, order) for by, order in zip("pqr", ["abc", "abc", "acb"])]
    >>> round(text_agreement(reorderings(given)).means[0], 4)  # 1, 1/3 and 1/3
    0.5556
    """
    taus = people.taus
    n = len(people.people)
    left_out = np.array([_means(np.delete(np.delete(taus, p, axis=1), p, axis=2)) for p in range(n)])
    sizes = (people.which >= 0).sum(axis=1)
    level = Level(alpha, confidence, draws, seed)
    return agreement_test(people.texts, _means(taus), left_out, sizes.tolist(), "text", level)


def condition_agreement(
    people: Reorderings, *, alpha: float = 0.05, confidence: float = 0.95, draws: int = 1999, seed: int = 0
) -> AgreementTest:
    """Mean tau of people who had a text in the same condition, over texts, compared between conditions.

    Arguments as in `text_agreement`. p is the share of ways to exchange lists between people with an F as large. If
    conditions make no difference to orders it is exact; if they do, but not to how far people agree, F is measured by
    its own error in each way, so that it holds for many people (Chung & Romano 2013). Signs are flipped where no lists
    can be exchanged. Pairs are safe, but blunt: leaving out one of few people changes a mean more than another sample
    would.
    """
    means, left_out = _in_conditions(people, np.arange(len(people.people))[None])
    sizes = [int((people.condition == k).any(axis=0).sum()) for k in range(len(people.conditions))]
    level = Level(alpha, confidence, draws, seed)
    found = agreement_test(people.conditions, means[0], left_out[0], sizes, "condition", level)
    lists = exchanged_lists(people, draws=draws, seed=seed)
    if lists.reason or math.isnan(found.f):
        return found
    parts = [lists.whose[part : part + _WAYS] for part in range(0, len(lists.whose), _WAYS)]
    p = lists.p(np.concatenate([_f_of_ways(*_in_conditions(people, part)) for part in parts]))
    how = f"{EXCHANGE}, {'all ways' if lists.exact else lists.settings['p']}; pairs: Holm"
    few = tuple(text for text in found.warnings if "p cannot be below" not in text)
    return replace(found, p=p, settings={**found.settings, "p": how}, warnings=few)


def _in_conditions(people: Reorderings, whose: Codes) -> tuple[Floats, Floats]:
    """Mean tau in each condition, over texts, and without each person; shapes (ways, conditions), (ways, people, …).

    Args:
        people: All orders.
        whose: Shape (ways, people): whose list each person gets.
    """
    ways, n = whose.shape
    cells = np.full((len(people.conditions), len(people.texts), ways, n + 1), math.nan)
    for text, taus in enumerate(np.nan_to_num(people.taus)):
        condition = people.condition[text][whose]
        for number in range(len(people.conditions)):
            there = (condition == number).astype(float)
            own = there * (there @ taus)  # of each person the sum of tau with the others
            count, total = there.sum(axis=1, keepdims=True), own.sum(axis=1, keepdims=True)
            sums = np.hstack([total, total - 2 * own])
            left = np.hstack([count, count - there])
            known = left > 1
            np.divide(sums, left * (left - 1), out=cells[number, text], where=known)
    known = ~np.isnan(cells)
    count = known.sum(axis=1)
    means = np.divide(
        np.where(known, cells, 0.0).sum(axis=1), count, out=np.full(count.shape, math.nan), where=count > 0
    )
    turned = np.moveaxis(means, 0, -1)
    return turned[:, 0], turned[:, 1:]


def _f_of_ways(means: Floats, left_out: Floats) -> Floats:
    """F of a repeated-measures analysis of the pseudo-values, one for each way; nan where one is undefined."""
    n = left_out.shape[1]
    pseudo = n * means[:, None] - (n - 1) * left_out
    own = pseudo - pseudo.mean(axis=2, keepdims=True)
    between = n * (own.mean(axis=1) ** 2).sum(axis=1)
    error = (own**2).sum(axis=(1, 2)) - between
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(between * (n - 1) / error)


def _means(taus: Floats) -> Floats:
    """Mean over the known pairs of each text."""
    known = ~np.isnan(taus)
    count = known.sum(axis=(1, 2))
    total = np.where(known, taus, 0.0).sum(axis=(1, 2))
    return np.asarray(np.divide(total, count, out=np.full(len(taus), math.nan), where=count > 0))
