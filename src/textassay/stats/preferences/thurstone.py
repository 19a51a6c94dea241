"""Thurstone's law of comparative judgement, case V."""

from __future__ import annotations

from typing import Literal

import numpy.typing as npt

from textassay.stats.labels import Column
from textassay.stats.preferences.comparisons import read_comparisons
from textassay.stats.preferences.pair_likelihood import GLENN_DAVID, THURSTONE
from textassay.stats.preferences.paired_comparison import PairedComparison, PairModelKind, PairOptions, fit_comparisons

ThurstoneTies = Literal["auto", "glenn-david", "half", "drop"]
"""`auto` is Glenn and David's model where there are ties; `half` counts a tie as half a win for each, `drop` not."""


def thurstone(
    first: Column,
    second: Column,
    outcome: npt.ArrayLike,
    *,
    ties: ThurstoneTies = "auto",
    order_effect: bool = False,
    confidence: float = 0.95,
    smoothing: float = 0.0,
) -> PairedComparison:
    """Scale values of systems from comparisons of two at a time, by a probit model.

    Purpose: put systems on one scale when each trial asks which of two texts is better, with a normal in place of a
    logistic curve.

    P(i beats j) = Φ(η), η = μᵢ - μⱼ + γ (Thurstone 1927, case V), with the advantage γ of being shown first on request;
    the unit is the standard deviation of the difference of two impressions (multiply by √2 for that of one). Ties:
    Glenn & David (1960) P(win) = Φ(η - τ), P(loss) = Φ(-η - τ). Estimates, tests and intervals as in `bradley_terry`.

    R: `glm(cbind(wins, losses) ~ contrasts, family = binomial("probit"))`, without ties.

    Example:
        >>> result = thurstone(["a"] * 5, ["b"] * 5, [1, 1, 1, 1, -1])
        >>> round(result.pairs[0].difference, 4)  # Φ⁻¹(4/5)
        0.8416

    Args:
        first: The system shown first, or on the left; one label per comparison.
        second: The other one.
        outcome: 1 where the first was preferred, -1 where the second, 0 for a tie.
        ties: What a tie is: an outcome of its own (`glenn-david`), half a win for each, or nothing.
        order_effect: Whether the advantage of being shown first is estimated.
        confidence: Of all intervals.
        smoothing: Wins added to each side of every pair, a remedy where a system won or lost everything.

    Raises:
        DataError: unequal lengths, a missing label, a system against itself, or another outcome.
        UsageError: an unknown or impossible setting.
    """
    data = read_comparisons(first, second, outcome)
    return fit_comparisons(data, _KIND, PairOptions(ties, order_effect, confidence, smoothing))


_KIND = PairModelKind(THURSTONE, {"glenn-david": (GLENN_DAVID, "τ")})
