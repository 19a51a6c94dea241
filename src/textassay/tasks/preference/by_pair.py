"""What participants prefer in each pair, and whether they lean to one side: each participant counts once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from textassay.results import Result
from textassay.stats import MeanInterval, SignTest, adjust_p, mean_interval, sign_test
from textassay.tasks.preference.answers import label, pairs_in

SIDES = "right over left"


@dataclass(frozen=True)
class Compared:
    """One pair on one criterion; or, without names, the two sides."""

    criterion: str
    first: str
    second: str
    answers: tuple[int, int, int]
    """For the first, for neither, for the second."""
    mean: MeanInterval
    """Over participants; above 0 the second is preferred."""
    test: SignTest
    """Over participants."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Mean and test."""
        return self.mean, self.test


def pairs_of(main: pd.DataFrame, criterion: str, confidence: float) -> list[Compared]:
    """Each pair that was compared directly, corrected for all of them after Holm.

    Args:
        main: Answers to the criterion, as `read_preferences` gives them.
        criterion: Its name.
        confidence: Level of the intervals.
    """
    found = []
    for first, second in pairs_in(main):
        if first != second:
            own = main[(main["system_a"] == first) & (main["system_b"] == second)]
            found.append(_compared(own, "value", (criterion, first, second), label(first, second), confidence))
    # one family of tests a criterion
    adjusted = adjust_p([each.test.p for each in found]).adjusted
    return [_adjusted(each, p) for each, p in zip(found, adjusted, strict=True)]


def sides_of(main: pd.DataFrame, criterion: str, confidence: float) -> Compared | None:
    """Right against left, of those answers of which it is known who stood where; nothing where there are none."""
    known = main[main["towards_right"].notna()]
    return _compared(known, "towards_right", (criterion, "", ""), SIDES, confidence) if len(known) else None


def _adjusted(pair: Compared, p: float) -> Compared:
    settings = {**pair.test.settings, "correction": "Holm, over the pairs of a criterion"}
    return replace(pair, test=replace(pair.test, p_adjusted=p, settings=settings))


def _compared(own: pd.DataFrame, column: str, names: tuple[str, str, str], by: str, confidence: float) -> Compared:
    values = own[column].to_numpy(dtype=float)
    of_people = own.groupby("participant", sort=True)[column].mean().to_numpy(dtype=float)
    sides = tuple(int(np.count_nonzero(np.sign(values) == sign)) for sign in (-1, 0, 1))
    mean, test = mean_interval(of_people, confidence=confidence), sign_test(of_people, confidence=confidence)
    unit = {"unit": "mean of a participant"}
    return Compared(
        *names,
        answers=(sides[0], sides[1], sides[2]),
        mean=replace(mean, settings={**mean.settings, **unit}).about(names[0], by),
        test=replace(test, settings={**test.settings, **unit}).about(names[0], by),
    )
