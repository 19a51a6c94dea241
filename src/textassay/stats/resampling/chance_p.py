"""The p of a sum by what chance makes of the same numbers: counted where that is cheap, else by draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from textassay.errors import DataError
from textassay.seeds import Stream
from textassay.stats.resampling.chance_sums import ENUMERATED, sign_flip_tails, subset_sum_tails
from textassay.stats.resampling.resamples import check_draws, in_parts, random_signs, random_subsets
from textassay.stats.samples import FloatArray
from textassay.stats.tails import Alternative, check_alternative, check_choice, p_of_tails

CountedP = Literal["auto", "exact", "monte carlo"]
"""`auto`: counted where that is cheap, else by draws; `exact`: counted, or an error; `monte carlo`: by draws."""


@dataclass(frozen=True)
class Chance:
    """How p is found.

    Raises:
        UsageError: an unknown or impossible setting.
    """

    alternative: Alternative
    how: CountedP
    draws: int
    seed: int

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
        check_choice("p", self.how, get_args(CountedP))
        check_draws(self.draws)

    def flipped_signs(self, differences: FloatArray) -> tuple[float, bool]:
        """The p of the sum of differences whose signs chance sets, and whether it is exact."""
        if self.how != "monte carlo":
            tails = sign_flip_tails(differences)
            if tails is not None:
                return p_of_tails(*tails, self.alternative), True

        def sums(stream: Stream, draws: int) -> FloatArray:
            return np.asarray(random_signs(stream, differences.size, draws) @ differences)

        return self._drawn(sums, float(differences.sum()), np.abs(differences)), False

    def exchanged_labels(self, values: FloatArray, size: int) -> tuple[float, bool]:
        """The p of the sum of the first `size` values where chance says which are first, and whether it is exact."""
        if self.how != "monte carlo":
            tails = subset_sum_tails(values, size)
            if tails is not None:
                return p_of_tails(*tails, self.alternative), True
        centred = values - values.mean()

        def sums(stream: Stream, draws: int) -> FloatArray:
            return np.asarray(random_subsets(stream, centred.size, size, draws) @ centred)

        return self._drawn(sums, float(centred[:size].sum()), np.abs(centred)), False

    def _drawn(self, sums: Callable[[Stream, int], FloatArray], observed: float, sizes: FloatArray) -> float:
        """Each tail (b+1)/(draws+1): the observed sum is one of those that chance can make (Davison & Hinkley 1997)."""
        if self.how == "exact":
            raise DataError(
                f"{sizes.size} units are too many to count all outcomes of chance: up to {ENUMERATED} are counted, and "
                "more where the values are whole numbers in some unit; use p='auto'"
            )
        stream = Stream(self.seed, "randomisation")
        slack = 1e-10 * float(sizes.sum())
        lower = upper = 1
        for part in in_parts(self.draws, sizes.size):
            made = sums(stream, part)
            lower += int(np.count_nonzero(made <= observed + slack))
            upper += int(np.count_nonzero(made >= observed - slack))
        return p_of_tails(lower / (self.draws + 1), upper / (self.draws + 1), self.alternative)
