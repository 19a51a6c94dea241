"""What participants prefer in each pair, and whether they lean to one side: each participant counts once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record, Result
from textassay.stats import MeanInterval, SignTest, mean_interval, sign_test
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.samples import FloatArray
from textassay.stats.statistic import Statistic
from textassay.tasks.preference.answers import first_minus_second, label, pairs_in

SIDES = "right over left"
_UNIT = {"unit": "mean of a participant"}


@dataclass(frozen=True, kw_only=True)
class DirectPairs(Statistic):
    """The pairs of one criterion that were compared directly."""

    pairs: PairwiseComparisons
    """Means over participants, above 0 where the first is preferred; p of exact sign tests."""
    means: tuple[MeanInterval, ...]
    """The same means as results of their own; `by` names the pair."""
    answers: tuple[tuple[int, int, int], ...]
    """For the first, for neither, for the second."""

    def records(self) -> list[Record]:
        """One record per pair."""
        counts = (dict(zip(("for_first", "for_neither", "for_second"), each, strict=True)) for each in self.answers)
        return [record | more for record, more in zip(self.pairs.records(self), counts, strict=True)]


@dataclass(frozen=True)
class Sides:
    """Right against left."""

    mean: MeanInterval
    """Over participants; above 0 the right is preferred."""
    test: SignTest
    """Over participants."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Mean and test."""
        return self.mean, self.test


def direct_pairs(main: pd.DataFrame, criterion: str, *, alpha: float, confidence: float) -> DirectPairs:
    """Each pair that was compared directly, adjusted for all of them after Holm.

    Args:
        main: Answers to the criterion, as `read_preferences` gives them.
        criterion: Its name.
        alpha: Level at which pairs count as different.
        confidence: Level of the intervals.
    """
    found: list[PairwiseComparison] = []
    means, answers, said = [], [], []
    for first, second in pairs_in(main):
        if first == second:
            continue
        own = main[(main["system_a"] == first) & (main["system_b"] == second)]
        values = first_minus_second(own["value"].to_numpy(dtype=float))
        of_people = _of_people(own["participant"], values)
        mean, test = mean_interval(of_people, confidence=confidence), sign_test(of_people, confidence=confidence)
        found.append(_comparison(first, second, mean, test))
        means.append(replace(mean, settings={**mean.settings, **_UNIT}).about(criterion, label(first, second)))
        answers.append(_counts(values))
        said += [f"{label(first, second)}: {text}" for text in dict.fromkeys((*mean.warnings, *test.warnings))]
    method = "means of participants, exact sign tests"
    settings = {"over": "participants' means", "correction": "Holm, over the pairs of a criterion", **_UNIT}
    pairs = PairwiseComparisons(
        method=method,
        settings=settings,
        pairs=adjust_pairs(found),  # one family of tests per criterion
        of=criterion,
        by="system",
        better="higher",
        adjustment="Holm",
        alpha=alpha,
        confidence=confidence,
        interval="single",
        effect_size="share of participants for the first",
    )
    return DirectPairs(
        method=method,
        settings=settings,
        warnings=tuple(said),
        of=criterion,
        by="system",
        pairs=pairs,
        means=tuple(means),
        answers=tuple(answers),
    )


def sides_of(main: pd.DataFrame, criterion: str, confidence: float) -> Sides | None:
    """Right against left, of those answers of which it is known who stood where; nothing where there are none."""
    known = main[main["towards_right"].notna()]
    if not len(known):
        return None
    of_people = _of_people(known["participant"], known["towards_right"].to_numpy(dtype=float))
    mean, test = mean_interval(of_people, confidence=confidence), sign_test(of_people, confidence=confidence)
    return Sides(
        replace(mean, settings={**mean.settings, **_UNIT}).about(criterion, SIDES),
        replace(test, settings={**test.settings, **_UNIT}).about(criterion, SIDES),
    )


def _of_people(participants: pd.Series[str], values: FloatArray) -> FloatArray:
    means = pd.Series(values, index=participants.to_numpy()).groupby(level=0, sort=True).mean()
    return np.asarray(means.to_numpy(dtype=float))


def _counts(values: Sequence[float] | FloatArray) -> tuple[int, int, int]:
    signs = np.sign(values)
    return int(np.sum(signs > 0)), int(np.sum(signs == 0)), int(np.sum(signs < 0))


def _comparison(first: str, second: str, mean: MeanInterval, test: SignTest) -> PairwiseComparison:
    return PairwiseComparison(
        first=first,
        second=second,
        difference=mean.mean,
        ci=mean.ci,
        p=test.p,
        p_raw=test.p,
        n=mean.n,
        se=mean.se,
        df=mean.n - 1 if mean.n > 1 else math.nan,
        effect_size=test.share,
        effect_size_ci=test.ci,
        no_effect=0.5,
        more={"ties": test.ties, "sd": mean.sd},
    )
