"""Systems on one scale by who was preferred to whom: the Bradley–Terry model and Thurstone's law, case V.

The two differ in the curve, logistic or normal; `paired_comparison.py` fits both, with ties and an order effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy.typing as npt

from textassay.stats.preferences.comparisons import comparisons_of_matrices, read_comparisons
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON, GLENN_DAVID, RAO_KUPPER, THURSTONE
from textassay.stats.preferences.paired_comparison import PairedComparison, PairModelKind, PairOptions, fit_comparisons
from textassay.stats.samples import Column

Ties = Literal["auto", "davidson", "rao-kupper", "half", "drop"]
"""`auto` is Davidson's model where there are ties; `half` counts a tie as half a win for each, `drop` not at all."""
ThurstoneTies = Literal["auto", "glenn-david", "half", "drop"]
"""`auto` is Glenn and David's model where there are ties; `half` counts a tie as half a win for each, `drop` not
at all."""

_BRADLEY_TERRY = PairModelKind(BRADLEY_TERRY, {"davidson": (DAVIDSON, "log ν"), "rao-kupper": (RAO_KUPPER, "log θ")})
_THURSTONE = PairModelKind(THURSTONE, {"glenn-david": (GLENN_DAVID, "τ")})


def bradley_terry(
    first: Column,
    second: Column,
    outcome: npt.ArrayLike,
    *,
    ties: Ties = "auto",
    order_effect: bool = False,
    confidence: float = 0.95,
    smoothing: float = 0.0,
) -> PairedComparison:
    """Abilities of systems from comparisons of two at a time.

    Purpose: put systems on one scale when each trial asks which of two texts is better.

    P(i beats j) = 1 / (1 + e^-η), η = βᵢ - βⱼ + γ, with log abilities β and, on request, the advantage γ of being shown
    first (Bradley & Terry 1952; Davidson & Beaver 1977). Ties: Davidson (1970) P(win) : P(tie) : P(loss) =
    e^(η/2) : ν : e^(-η/2); Rao & Kupper (1967) P(win) = 1 / (1 + θ e^-η), P(loss) = 1 / (1 + θ e^η), θ ≥ 1.

    The maximum of the likelihood by Fisher's scoring; standard errors from the expected information; Wald intervals and
    tests, all pairs corrected by Holm; a likelihood-ratio test that all abilities are equal, and the deviance as a test
    that one scale is enough. The abilities sum to 0; `result.against("A")` gives differences from one system.
    Comparisons count as independent of each other: with many by each participant the standard errors are too small.

    R: `BradleyTerry2::BTm(cbind(wins, losses), first, second)`, without ties.

    Example:
        >>> result = bradley_terry(["a", "a", "a", "a", "a"], ["b", "b", "b", "b", "b"], [1, 1, 1, -1, 0])
        >>> difference = result.pairs[0]
        >>> round(difference.difference, 4), round(difference.effect_size, 4)  # log(3/1) and 3 wins of 5
        (1.0986, 0.6)
        >>> [round(value, 4) for value in result.values]
        [0.5493, -0.5493]

    Args:
        first: The system shown first, or on the left; one label per comparison.
        second: The other one.
        outcome: 1 where the first was preferred, -1 where the second, 0 for a tie.
        ties: What a tie is: an outcome of its own (`davidson`, `rao-kupper`), half a win for each, or nothing.
        order_effect: Whether the advantage of being shown first is estimated.
        confidence: Of all intervals.
        smoothing: Wins added to each side of every pair, a remedy where a system won or lost everything.

    Raises:
        DataError: unequal lengths, a missing label, a system against itself, or another outcome.
        UsageError: an unknown or impossible setting.
    """
    data = read_comparisons(first, second, outcome)
    return fit_comparisons(data, _BRADLEY_TERRY, PairOptions(ties, order_effect, confidence, smoothing))


def bradley_terry_matrix(
    wins: npt.ArrayLike,
    tied: npt.ArrayLike | None,
    *,
    systems: Sequence[str] | None = None,
    ties: Ties = "auto",
    confidence: float = 0.95,
    smoothing: float = 0.0,
) -> PairedComparison:
    """The same as `bradley_terry` from counts of wins and ties; who was shown first is not known.

    Purpose: put systems on one scale when only the table of wins is known, as printed in a paper.

    P(i beats j) = 1 / (1 + e^-(βᵢ - βⱼ)) (Bradley & Terry 1952), fitted to wᵢⱼ wins of i over j and tᵢⱼ ties.

    R: `BradleyTerry2::BTm(cbind(wins, losses), first, second)`, without ties.

    Example:
        >>> result = bradley_terry_matrix([[0, 3], [1, 0]], None, systems=["a", "b"])
        >>> round(result.against("b").values[0], 4)  # log(3/1)
        1.0986

    Args:
        wins: Shape (systems, systems): how often the row's system won against the column's; the diagonal is ignored.
        tied: The same for ties (both places, or one side of the diagonal); None where there are none.
        systems: Their names; numbered from 1 if not given.
        ties: As for `bradley_terry`.
        confidence: Of all intervals.
        smoothing: As for `bradley_terry`.

    Raises:
        DataError: not square, not counts, or of unequal size.
        UsageError: an unknown or impossible setting.
    """
    data = comparisons_of_matrices(wins, tied, systems)
    return fit_comparisons(data, _BRADLEY_TERRY, PairOptions(ties, confidence=confidence, smoothing=smoothing))


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
    return fit_comparisons(data, _THURSTONE, PairOptions(ties, order_effect, confidence, smoothing))
