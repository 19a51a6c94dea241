"""One- and two-sided p from the two tails of a distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

from textassay.errors import UsageError
from textassay.stats.distributions import normal_upper, t_upper

Alternative = Literal["two-sided", "greater", "less"]
"""`greater`: the first is larger than the second (or than 0)."""

ExactP = Literal["auto", "exact", "asymptotic"]
"""`auto`: exact where counting is cheap; `asymptotic`: the normal approximation."""


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse a setting that is none of its possible values.

    Raises:
        UsageError: with the value seen and the possible ones.
    """
    if value not in choices:
        raise UsageError(f"{name} must be one of {', '.join(choices)}; got {value!r}")


def check_alternative(alternative: Alternative) -> None:
    """Refuse an alternative that is none.

    Raises:
        UsageError: with the value seen and the possible ones.
    """
    check_choice("alternative", alternative, get_args(Alternative))


def p_of_tails(lower: float, upper: float, alternative: Alternative) -> float:
    """The p of P(T ≤ t) and P(T ≥ t); two-sided it is twice the smaller, at most 1; nan stays nan.

    >>> p_of_tails(0.98, 0.04, "two-sided"), p_of_tails(0.98, 0.04, "greater"), p_of_tails(0.6, 0.6, "two-sided")
    (0.08, 0.04, 1.0)
    """
    match alternative:
        case "greater":
            return min(upper, 1.0)
        case "less":
            return min(lower, 1.0)
    return min(2 * min(lower, upper), 1.0)


def normal_p(z: float, alternative: Alternative) -> float:
    """The p of a standard normal z.

    >>> round(normal_p(1.96, "two-sided"), 4), round(normal_p(1.96, "less"), 4)
    (0.05, 0.975)
    """
    return p_of_tails(normal_upper(-z), normal_upper(z), alternative)


def student_p(t: float, df: float, alternative: Alternative) -> float:
    """The p of Student's t.

    >>> round(student_p(2.086, 20, "two-sided"), 4)
    0.05
    """
    return p_of_tails(t_upper(-t, df), t_upper(t, df), alternative)


def corrected(deviation: float, alternative: Alternative, *, continuity: bool) -> float:
    """The deviation from the mean moved half a step towards it, as in R's `wilcox.test`.

    >>> [corrected(3.0, side, continuity=True) for side in ("two-sided", "greater", "less")]
    [2.5, 2.5, 3.5]
    """
    if not continuity:
        return deviation
    half = {"two-sided": 0.5 * math.copysign(1, deviation) if deviation else 0.0, "greater": 0.5, "less": -0.5}
    return deviation - half[alternative]


def how_p(*, exact: bool, continuity: bool) -> str:
    """Where a p comes from, for the signature."""
    if exact:
        return "exact"
    return "normal approximation, continuity corrected" if continuity else "normal approximation"
