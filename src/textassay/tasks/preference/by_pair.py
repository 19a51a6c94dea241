"""What participants prefer in each pair, and whether they lean to one side: each participant counts once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from textassay.analysis.judgements import Judgements
from textassay.results import Analysis, Result
from textassay.stats import adjust_p, mean_interval
from textassay.tasks.preference.answers import label, pairs_in
from textassay.tasks.preference.pair_tables import Compared, counts, means, of_sides, tests
from textassay.tasks.preference.sign_test import sign_test

SIDES = "right over left"
ITEMS_AS_GIVEN = (
    "in the tests of pairs and sides each participant counts once, with the mean of the answers given; items are taken "
    "as they are. Tests over participants and items at once (mixed models), and all systems on one scale "
    "(Bradley–Terry), come with a later release"
)


def by_pair(
    judged: Judgements, *, alpha: float, confidence: float, scales: Mapping[str, tuple[float, float]]
) -> Analysis:
    """Wins, ties and losses, mean preference with its interval and sign test for each pair; the same for the sides.

    Args:
        judged: As `read_preferences` gives it.
        alpha: Level of significance.
        confidence: Level of the intervals.
        scales: Ends of the scale of each criterion, for the figures.
    """
    found = {name: _pairs(judged.of(name).main, name, confidence) for name in judged.criteria}
    pairs = [pair for of_criterion in found.values() for pair in of_criterion]
    sides = [side for name in judged.criteria if (side := _sides(judged.of(name).main, name, confidence))]
    results: list[Result] = [result for each in (*pairs, *sides) for result in (each.mean, each.test)]
    return Analysis(
        name="preferences",
        title="Preferences between systems",
        results=tuple(results),
        tables=(counts(pairs), tests(pairs, alpha, confidence), of_sides(sides, confidence)) if pairs else (),
        figures=tuple(means(name, of, scales.get(name), confidence) for name, of in found.items() if of),
        warnings=_warnings(judged, pairs, sides),
    )


def _pairs(main: pd.DataFrame, criterion: str, confidence: float) -> list[Compared]:
    found = []
    for first, second in pairs_in(main):
        if first != second:
            own = main[(main["system_a"] == first) & (main["system_b"] == second)]
            found.append(_compared(own, "value", (criterion, first, second), label(first, second), confidence))
    # one family of tests a criterion
    adjusted = adjust_p([each.test.p for each in found]).adjusted
    return [_adjusted(each, p) for each, p in zip(found, adjusted, strict=True)]


def _adjusted(pair: Compared, p: float) -> Compared:
    settings = {**pair.test.settings, "correction": "Holm, over the pairs of a criterion"}
    return replace(pair, test=replace(pair.test, p_adjusted=p, settings=settings))


def _sides(main: pd.DataFrame, criterion: str, confidence: float) -> Compared | None:
    known = main[main["towards_right"].notna()]
    return _compared(known, "towards_right", (criterion, "", ""), SIDES, confidence) if len(known) else None


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


def _warnings(judged: Judgements, pairs: list[Compared], sides: list[Compared]) -> tuple[str, ...]:
    if judged.main.empty:
        return (*judged.warnings, "there are no answers to analyse")
    found = [*judged.warnings, ITEMS_AS_GIVEN]
    same = int((judged.main["system_a"] == judged.main["system_b"]).sum())
    if same:
        found.append(f"{same} answer(s) compare a system with itself; they tell of sides only, and no pair counts them")
    unknown = int(judged.main["towards_right"].isna().sum())
    if unknown:
        found.append(f"{unknown} answer(s) do not say which system stood left; the test of sides leaves them out")
    named = [(each, result) for each in (*pairs, *sides) for result in (each.mean, each.test)]
    return (*found, *(f"{each.criterion}, {result.by}: {text}" for each, result in named for text in result.warnings))
