"""Whether pairs of systems differ by less than what matters: two one-sided tests against a bound that a study declares.

Without a declared bound nothing is said: that no difference was found does not show that there is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from textassay.headline import Sentence, SystemName
from textassay.pairwise import PairwiseComparisons
from textassay.report.numbers import format_value
from textassay.results import Record
from textassay.stats import adjust_p
from textassay.stats.statistic import Statistic
from textassay.stats.variance.equivalence import two_one_sided


@dataclass(frozen=True)
class EquivalentPair:
    """One pair of systems."""

    first: str
    second: str
    difference: float
    p: float
    """The larger of the two one-sided p, corrected after Holm over the pairs; nan where the pair has no test."""
    equivalent: bool


@dataclass(frozen=True, kw_only=True)
class PairEquivalence(Statistic):
    """All pairs of systems on one measure."""

    bound: float
    """The smallest difference that matters."""
    pairs: tuple[EquivalentPair, ...]
    n: int

    def records(self) -> list[Record]:
        """One record per pair."""
        return [
            self.record(
                "equivalence",
                pair.difference,
                p=pair.p,
                n=self.n,
                first=pair.first,
                second=pair.second,
                bound=self.bound,
                equivalent=pair.equivalent,
            )
            for pair in self.pairs
        ]

    def get(self, first: str, second: str) -> EquivalentPair | None:
        """The pair, whichever of the two is named first; nothing where the two were not compared."""
        names = {first, second}
        return next((pair for pair in self.pairs if {pair.first, pair.second} == names), None)

    def in_words(self, *, ratio: bool = False) -> Sentence:
        """Which pairs are equivalent.

        Args:
            ratio: Whether differences are those of logarithms.
        """
        bound = f"a factor of {format_value(math.exp(self.bound))}" if ratio else f"±{self.bound:g}"
        found = [pair for pair in self.pairs if pair.equivalent]
        how = "two one-sided tests"
        if len(self.pairs) > 1:
            how += f", corrected for {len(self.pairs)} pairs"
        if not found:
            return (f"No two systems are shown to be equivalent within {bound} ({how}).",)
        if len(found) > _MOST_NAMES:
            return (f"{len(found)} of {len(self.pairs)} pairs of systems are equivalent within {bound} ({how}).",)
        named: list[str | SystemName] = []
        for pair in found:
            named += [", " if named else "", SystemName(pair.first), " and ", SystemName(pair.second)]
        return f"Equivalent within {bound}: ", *(piece for piece in named if piece), f" ({how})."


_MOST_NAMES = 4
"""A sentence names no more pairs than this."""


def pair_equivalence(pairs: PairwiseComparisons, bound: float, *, n: int) -> PairEquivalence:
    """Two one-sided tests of each pair, from its own difference, standard error and degrees of freedom.

    Args:
        pairs: Of the leading test; their alpha is the level.
        bound: The smallest difference that matters.
        n: Values.
    """
    raw = [two_one_sided(pair.difference, pair.se, pair.df, (-bound, bound))[1] for pair in pairs]
    known = [p for p in raw if not math.isnan(p)]
    adjusted = iter(adjust_p(known).adjusted if known else ())
    p = [math.nan if math.isnan(each) else float(next(adjusted)) for each in raw]
    return PairEquivalence(
        method="two one-sided tests",
        settings={"of": pairs.method, "bound": f"±{bound:g}", "correction": "holm", "alpha": pairs.alpha},
        of=pairs.of,
        by=pairs.by,
        bound=bound,
        pairs=tuple(
            EquivalentPair(pair.first, pair.second, pair.difference, own, own < pairs.alpha)
            for pair, own in zip(pairs, p, strict=True)
        ),
        n=n,
    )
