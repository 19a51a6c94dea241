"""Williams's t for two correlations that share a variable."""

from __future__ import annotations

import math

from textassay.stats.correlations.correlation_triple import DependentCorrelations, read_triple
from textassay.stats.tails import Alternative, check_alternative, student_p


def williams(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Williams's test: do variables 2 and 3 correlate with variable 1 to the same degree?

    t = (r12 - r13) √((n-1)(1 + r23) / (2 (n-1)/(n-3) |R| + r̄²(1 - r23)³)) on n-3 degrees of freedom, with r̄ the mean of
    r12 and r13 and |R| = 1 - r12² - r13² - r23² + 2 r12 r13 r23 (Williams 1959; Steiger 1980). The usual test of two
    metrics against the same human scores.

    R: `psych::r.test(n, r12, r13, r23)`, or `cocor::cocor.dep.groups.overlap(r12, r13, r23, n)`.

    Example:
        >>> result = williams(0.80, 0.65, 0.55, 20)
        >>> round(result.value, 4), result.df, round(result.p, 4)
        (1.1392, 17, 0.2704)

    Args:
        r12: The first correlation, for example of a metric with human scores.
        r13: The second, of another metric with the same scores.
        r23: Of the two metrics with each other.
        n: Observations, the same for all three.
        alternative: `greater`: r12 is larger.

    Raises:
        DataError: not correlations of three variables on the same observations.
        UsageError: an unknown alternative.
    """
    check_alternative(alternative)
    triple = read_triple(r12, r13, r23, n)
    t, reason = math.nan, ""
    if n < 4:
        reason = f"the comparison is undefined: it needs at least 4 observations, got {n}"
    elif triple.r23 == 1:
        reason = "the comparison is undefined: the two variables are the same (r23 = 1)"
    else:
        mean = (triple.r12 + triple.r13) / 2
        spread = 2 * (n - 1) / (n - 3) * max(triple.determinant, 0.0) + mean**2 * (1 - triple.r23) ** 3
        if spread > 0:
            t = (triple.r12 - triple.r13) * math.sqrt((n - 1) * (1 + triple.r23) / spread)
        else:
            reason = "the comparison is undefined: nothing is left to measure error by"
    return DependentCorrelations(
        method="Williams's test",
        settings={"alternative": alternative, "n": n},
        warnings=(reason,) if reason else (),
        r12=triple.r12,
        r13=triple.r13,
        r23=triple.r23,
        statistic="t",
        value=t,
        df=max(n - 3, 0),
        p=student_p(t, n - 3, alternative),
        n=n,
    )
