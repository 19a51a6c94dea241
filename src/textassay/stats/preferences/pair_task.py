"""Which model of paired comparisons is fitted to which counts: ties, order and smoothing decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.stats.preferences.comparisons import LOSS, TIE, WIN, Comparisons
from textassay.stats.preferences.pair_families import Family
from textassay.stats.samples import FloatArray, check_share


@dataclass(frozen=True)
class Kind:
    """A model of preference: what it is without ties, and the ways in which it can have them."""

    plain: Family
    with_ties: Mapping[str, tuple[Family, str]]
    """Setting → family and name of its tie parameter; the first is the default."""


@dataclass(frozen=True)
class Options:
    """Settings of a fit, as the statistic's docstring explains them."""

    ties: str = "auto"
    order_effect: bool = False
    confidence: float = 0.95
    smoothing: float = 0.0


@dataclass(frozen=True)
class PairTask:
    """What is to be fitted."""

    data: Comparisons
    options: Options
    family: Family
    tie_name: str
    """Name of the tie parameter; empty where there is none."""
    ties: str
    """How ties are treated."""
    counts: FloatArray
    """Shape (2 or 3 outcomes, systems, systems), with halves and smoothing."""

    @property
    def n(self) -> int:
        """Comparisons used."""
        return self.data.n - (self.data.ties if self.ties == "drop" else 0)

    @property
    def exact_counts(self) -> bool:
        """Whether the counts are those of comparisons, nothing halved or added."""
        return self.ties != "half" and not self.options.smoothing

    @property
    def judged(self) -> FloatArray:
        """How often two systems were compared, those comparisons counted that were used."""
        won = self.data.won()
        return np.asarray(won + won.T + (0 if self.ties == "drop" else self.data.tied()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know of the choices made."""
        share = f"{self.data.ties} of {self.data.n} comparisons are ties"
        rough = "standard errors and tests are approximate, and there is no test of fit"
        said = {"drop": f"{share} and were left out", "half": f"{share}, counted as half a win for each: {rough}"}
        found = [said[self.ties]] if self.ties in said else []
        if self.options.smoothing:
            given = f"{self.options.smoothing:g} win(s) were added to each side of every pair (smoothing)"
            found.append(f"{given}, which draws the abilities together: {rough}")
        return tuple(found)


def pair_task(data: Comparisons, kind: Kind, options: Options) -> PairTask:
    """The task that the options set.

    Raises:
        UsageError: an option is unknown or out of range.
    """
    check_share("confidence", options.confidence)
    if not (math.isfinite(options.smoothing) and options.smoothing >= 0):
        raise UsageError(f"smoothing must be 0 or a positive number of wins, for example 0.5; got {options.smoothing}")
    choices = ("auto", *kind.with_ties, "half", "drop")
    if options.ties not in choices:
        raise UsageError(f"ties must be one of {', '.join(choices)}; got {options.ties!r}")
    ties = next(iter(kind.with_ties)) if options.ties == "auto" else options.ties
    if not data.ties:
        ties = "none"  # a tie parameter without a tie would be infinite
    family, tie_name = kind.with_ties.get(ties, (kind.plain, ""))
    counts = data.counts if options.order_effect else data.without_order()
    if not family.ties:
        counts = counts[[WIN, LOSS]] + (counts[TIE] / 2 if ties == "half" else 0.0)
    return PairTask(data, options, family, tie_name, ties, _smoothed(counts, options))


def _smoothed(counts: FloatArray, options: Options) -> FloatArray:
    k = counts.shape[1]
    pairs = (1 - np.eye(k)) / 2 if options.order_effect else np.triu(np.ones((k, k)), 1)
    more = counts.copy()
    more[[WIN, LOSS]] += options.smoothing * pairs
    return more
