"""Methods against what theory says of them, on data drawn from a known truth.

A check draws a data set and runs methods on it. Each claim says of one of their answers where its mean over many data
sets has to lie: the share of true null hypotheses that are rejected, of intervals that hold the true value, or the
estimate itself. Where theory gives a number, the two bounds are that number; where it gives a distance, the bounds are
that far apart; a method that is known to be liberal has to be found so. A claim fails only where chance is no excuse:
where the probability of a mean so far outside of the bounds is below LEVEL divided by the number of claims.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from scipy.stats import binom
from scipy.stats import t as student

LEVEL = 0.001
"""Chance that any claim of a run fails although all methods are as they should be."""
UNDEFINED = 0.01
"""A method may leave so large a share of the data sets without an answer."""

Draw = Callable[[np.random.Generator], Sequence[float]]
"""Draws one data set: an answer a claim, True or False or a number; nan where the method has none."""


@dataclass(frozen=True)
class Claim(ABC):
    """What theory says of one answer of a method."""

    statistic: str
    """Its public name in `textassay.stats`."""
    what: str
    """Which variant, and what is counted or averaged."""
    low: float
    high: float
    """Between what the mean of the answers has to lie."""
    why: str
    """Where the bounds come from."""

    @abstractmethod
    def chance(self, seen: Outcome) -> float:
        """Probability of a mean at least so far outside of the bounds, if the truth lies on the nearer one."""

    @abstractmethod
    def shown(self, seen: Outcome) -> str:
        """The mean for the table."""


@dataclass(frozen=True)
class Share(Claim):
    """How often something happens: exact binomial probabilities."""

    def chance(self, seen: Outcome) -> float:
        """Probability of a share at least so far outside."""
        events = round(seen.mean * seen.n)
        below = binom.cdf(events, seen.n, self.low) if seen.mean < self.low else 1.0
        above = binom.sf(events - 1, seen.n, self.high) if seen.mean > self.high else 1.0
        return float(min(below, above))

    def shown(self, seen: Outcome) -> str:
        """The share."""
        return f"{seen.mean:.3f}"


@dataclass(frozen=True)
class Average(Claim):
    """The mean of an estimate: Student's t over the data sets."""

    def chance(self, seen: Outcome) -> float:
        """Probability of a mean at least so far outside."""
        outside = max(self.low - seen.mean, seen.mean - self.high)
        if outside <= 0:
            return 1.0
        return float(student.sf(outside / seen.se, seen.n - 1)) if seen.se > 0 else 0.0

    def shown(self, seen: Outcome) -> str:
        """The mean and its standard error."""
        return f"{seen.mean:.3f} ± {seen.se:.3f}"


@dataclass(frozen=True)
class Check:
    """Methods in one situation."""

    situation: str
    """What is drawn: the truth."""
    draw: Draw
    claims: tuple[Claim, ...]
    """One an answer, in the same order."""
    cost: float = 1.0
    """Dear checks get so many times fewer draws."""

    @property
    def name(self) -> str:
        """Different for each check: its random numbers depend on it."""
        return f"{self.claims[0].statistic}: {self.situation}"


Families = Mapping[str, Sequence[Check]]
"""The checks under the headings of the page."""


@dataclass(frozen=True)
class Outcome:
    """What was seen of one claim."""

    situation: str
    claim: Claim
    n: int
    """Data sets with an answer."""
    mean: float
    sd: float
    undefined: int
    """Data sets without."""

    @property
    def se(self) -> float:
        """Standard error of the mean; nan for a single data set."""
        return self.sd / math.sqrt(self.n)

    @property
    def chance(self) -> float:
        """Probability of what was seen if the claim is just so true; twice one tail, as either bound may be missed."""
        if self.n == 0:
            return 0.0
        answers = binom.sf(self.undefined - 1, self.n + self.undefined, UNDEFINED) if self.undefined else 1.0
        return min(1.0, 2 * self.claim.chance(self), float(answers))

    def holds(self, claims: int) -> bool:
        """Whether the mean is where it should be, or chance is excuse enough, for one of so many claims."""
        return self.chance >= LEVEL / claims


def run(check: Check, draws: int) -> list[Outcome]:
    """Run one check; its random numbers depend on its name only."""
    generator = np.random.Generator(np.random.PCG64(crc32(check.name.encode())))
    answers = np.array([check.draw(generator) for _ in range(max(2, round(draws / check.cost)))], dtype=float)
    return [_outcome(check, claim, column) for claim, column in zip(check.claims, answers.T, strict=True)]


def _outcome(check: Check, claim: Claim, answers: np.ndarray) -> Outcome:
    there = answers[~np.isnan(answers)]
    mean = float(there.mean()) if there.size else math.nan
    sd = float(there.std(ddof=1)) if there.size > 1 else math.nan
    return Outcome(check.situation, claim, there.size, mean, sd, answers.size - there.size)


def table(families: Mapping[str, Sequence[Outcome]]) -> str:
    """The outcomes as tables in Markdown, one a family, for the docs."""
    claims = sum(map(len, families.values()))
    head = "| method | drawn from | seen of it | by theory | seen | draws |\n|---|---|---|---|---|---|"
    parts = [
        "\n".join([f"## {name}\n", head, *(_row(seen, claims) for seen in rows)]) for name, rows in families.items()
    ]
    return "\n\n".join(parts) + "\n"


def _row(seen: Outcome, claims: int) -> str:
    claim = seen.claim
    shown = claim.shown(seen) if seen.holds(claims) else f"**{claim.shown(seen)}**"
    draws = f"{seen.n:,}" + (f" ({seen.undefined} undefined)" if seen.undefined else "")
    theory = f"{bounds(claim)}: {claim.why}"
    return f"| `{claim.statistic}` | {seen.situation} | {claim.what} | {theory} | {shown} | {draws} |"


def bounds(claim: Claim) -> str:
    """The bounds in words."""
    low, high = f"{claim.low:.4g}", f"{claim.high:.4g}"
    if claim.low == claim.high:
        return low
    if math.isinf(claim.low) or (isinstance(claim, Share) and claim.low <= 0):
        return f"at most {high}"
    if math.isinf(claim.high) or (isinstance(claim, Share) and claim.high >= 1):
        return f"at least {low}"
    return f"{low} to {high}"
