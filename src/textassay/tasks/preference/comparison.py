"""Which systems are preferred: all of them on one scale, each pair by itself, and the sides; as tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from textassay.analysis.compare_systems import (
    SystemComparison,
    SystemTest,
    corrected_over,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.judgements import Judgements
from textassay.analysis.leading_test import ABOUT_LEADING, ABOUT_PAIRS, LeadingTest, for_whom, leading_contrasts
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import (
    OrderEffects,
    order_cautions,
    order_effects_of_contrasts,
    order_table,
    shown_before,
)
from textassay.analysis.published_analysis import PublishedResults
from textassay.analysis.system_means import Scale, groups_figure, means_figure
from textassay.analysis.variance_table import variance_table
from textassay.analysis.wording import named_warnings, per_cent, slug
from textassay.results import Analysis, Figure, Result, Table
from textassay.stats import Abilities
from textassay.tasks.preference.answers import LEAN, MOST_DEGREES, preference_arrays
from textassay.tasks.preference.by_pair import DirectPairs, Sides, direct_pairs, sides_of
from textassay.tasks.preference.headline import preference_headline, shares_won
from textassay.tasks.preference.one_scale import CUMULATIVE, LOGISTIC, OneScale, model_name, one_scale

PREFER = {
    "mixed model": "beside it: takes the variances of all systems as equal",
    CUMULATIVE: "beside it: where the steps from weak to strong may not be equal",
    LOGISTIC: "beside it: in odds; wants many participants and items",
    "Bradley–Terry": "for its scale; its p is right only where everybody answers once",
}
"""Test → when to prefer it."""


@dataclass(frozen=True)
class PreferenceComparison:
    """What is preferred on one criterion, by every method."""

    criterion: str
    leading: LeadingTest
    scale: OneScale
    pairs: DirectPairs
    sides: Sides | None
    published: PublishedResults
    participants: int
    items: int
    choices: bool = False
    """Whether an answer says which one is preferred, or neither, and not how strongly."""
    order: OrderEffects | None = None
    """Of having been in the trial before, where places are known."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Leading test, models, pairs, sides, and whether participants agree on the order of the systems."""
        sides = () if self.sides is None else self.sides.results
        order = () if self.order is None else (self.order,)
        return *self.leading.results, *self.scale.results, self.pairs, *sides, self.published.between, *order

    @cached_property
    def systems(self) -> SystemComparison:
        """Tests, places and pairs."""
        strength = self.scale.strength
        return SystemComparison(
            measure=self.criterion,
            tests=tuple(self._tests()),
            estimates=self.leading.estimates(),
            pairs=self.leading.pairs,
            equivalence=self.leading.equivalence,
            further_pairs={"p ordinal": None if strength is None else strength.pairs},
            direct={
                (pair.first, pair.second): (*counts, pair.difference, pair.p)
                for pair, counts in zip(self.pairs.pairs, self.pairs.answers, strict=True)
            },
        )

    def _tests(self) -> Iterator[SystemTest]:
        yield from self.leading.tests
        found, strength, wins = self.scale.mixed.model, self.scale.strength, self.scale.wins
        if found is not None:
            test = found.test
            yield SystemTest("mixed model", "F", test.f, test.df, test.p, PREFER["mixed model"])
        if strength is not None:
            name = model_name(strength)
            yield SystemTest(name, "χ²", strength.chi2, (strength.df, None), strength.p, PREFER[name])
        if wins is not None:
            name = "Bradley–Terry"
            yield SystemTest(name, "χ²", wins.chi2, (wins.df, None), wins.p, PREFER[name])


def preferences(judged: Judgements, published: Sequence[PublishedResults], options: RecipeOptions) -> Analysis:
    """Systems on one scale, wins and tests of each pair, and sides.

    Args:
        judged: As `read_preferences` gives it.
        published: The published results of each criterion, for comparison.
        options: What is known besides.
    """
    parts = [_compared(judged.of(part.criterion), part, options) for part in published]
    tables = _tables(parts, options.confidence) if parts else ()
    corrected = corrected_over([part.systems for part in parts])
    return Analysis(
        name="preferences",
        title="Preferences between systems",
        results=tuple(result for part in parts for result in part.results),
        tables=tables,
        figures=tuple(
            _figure(part, options.scales.get(part.criterion), options.confidence) for part in parts if part.pairs.pairs
        ),
        warnings=(*_of_answers(judged), *named_warnings(_said(parts))),
        headlines=tuple(preference_headline(part, options, corrected) for part in parts),
        cautions=tuple(order_cautions([part.order for part in parts])),
    )


def preferences_in_brief(judged: Judgements, options: RecipeOptions) -> Analysis:
    """What is set side by side with and without exclusions: means of pairs, and the leading test."""
    results: list[Result] = []
    levels = {"alpha": options.alpha, "confidence": options.confidence}
    for name in judged.criteria:
        main = judged.of(name).main
        results += direct_pairs(main, name, **levels).means
        given = preference_arrays(main, options.systems).contrasts
        results += leading_contrasts(given, of=name, options=options, better="higher").results
    return Analysis("brief", "In brief", results=tuple(results))


def _compared(judged: Judgements, published: PublishedResults, options: RecipeOptions) -> PreferenceComparison:
    name, main = published.criterion, judged.main
    found = preference_arrays(main, options.systems)
    leading = leading_contrasts(found.contrasts, of=name, options=options, better="higher")
    scale = one_scale(found, name, alpha=options.alpha, confidence=options.confidence)
    plain = options.scales.get(name) in (None, (-1, 1)) and bool(np.isin(found.values, (-1, 0, 1)).all())
    return PreferenceComparison(
        criterion=name,
        leading=leading.standardised(scale.mixed.answer_sd),
        scale=scale,
        pairs=direct_pairs(main, name, alpha=options.alpha, confidence=options.confidence),
        sides=sides_of(main, name, options.confidence),
        published=published,
        participants=main["participant"].nunique(),
        items=main["item"].nunique(),
        choices=plain,
        order=_order(main, found.contrasts, leading, name, options),
    )


def _order(
    main: pd.DataFrame, given: Contrasts, leading: LeadingTest, name: str, options: RecipeOptions
) -> OrderEffects | None:
    """Whether systems fare otherwise where they were in the trial before."""
    if "position" not in main:
        return None
    before = shown_before(main, (given.rows != 0).astype(float))
    return order_effects_of_contrasts(given, before, leading, of=name, options=options)


def _of_answers(judged: Judgements) -> Iterator[str]:
    """What is to be said of the answers themselves."""
    yield from judged.warnings
    if judged.main.empty:
        yield "there are no answers to analyse"
    same = int((judged.main["system_a"] == judged.main["system_b"]).sum())
    if same:
        yield f"{same} answer(s) compare a system with itself; they tell of sides only, and no pair counts them"
    unknown = int(judged.main["towards_right"].isna().sum())
    if unknown:
        yield f"{unknown} answer(s) do not say which system stood left; the test of sides leaves them out"


def _said(parts: Sequence[PreferenceComparison]) -> Iterator[tuple[str, Sequence[str]]]:
    for part in parts:
        yield part.criterion, part.leading.warnings
        yield part.criterion, part.scale.warnings
        yield part.criterion, part.pairs.warnings
        if part.sides is not None:
            for text in dict.fromkeys(text for result in part.sides.results for text in result.warnings):
                yield f"{part.criterion}, {part.sides.mean.by}", [text]
        yield part.criterion, part.published.between.warnings


def _tables(parts: Sequence[PreferenceComparison], confidence: float) -> tuple[Table, ...]:
    """All of them, the most important first."""
    found, level = [part.systems for part in parts], per_cent(confidence)
    spread = variance_table([part.scale.mixed for part in parts])
    return (
        system_tests_table(found, title="Is any system preferred to another?", note=_TESTS),
        _scale_table(parts, level),
        pairs_table(found, direct=_DIRECT, note=_PAIRS.format(level=level)),
        *([_sides_table(parts, level)] if any(part.sides for part in parts) else []),
        *([] if spread is None else [replace(spread, detail=True)]),
        *(table for table in (order_table([part.order for part in parts]),) if table is not None),
    )


_DIRECT = ("For 1st", "Neither", "For 2nd", "Mean", "p sign")
_TESTS = (
    f"{ABOUT_LEADING} Mixed, cumulative link and logistic models give each participant and each item (unless a warning "
    "says otherwise) tastes of its own, so that they hold for others too; each answer counts once. Where participants "
    "compare a text with several others, the mixed model gives them tastes for single texts too (participant × item). "
    "Bradley–Terry (with Davidson's ties) takes all answers as independent. Tests by χ² are rough with fewer than "
    "about 20 participants or items."
)
_PAIRS = (
    "For 1st, Neither, For 2nd: answers. Mean: of participants' means, above 0 where the first is preferred. p sign: "
    "each participant counts once (exact sign test, corrected after Holm); items are taken as they are. Difference: of "
    f"the places on one scale, from all comparisons that bear on the two. {ABOUT_PAIRS} p ordinal: "
    "of the cumulative link (or logistic) model, corrected after Holm. A Mean far from its "
    "Difference tells that one scale is not enough."
)


def _scale_table(parts: Sequence[PreferenceComparison], level: str) -> Table:
    """The place of each system."""
    columns = ("Criterion", "System", "n", "Mean score", "Estimate", "Low", "High", "Ordinal", "SE ordinal")
    return Table(
        "scale",
        "All systems on one scale",
        (*columns, "Bradley–Terry", "SE Bradley–Terry"),
        tuple(row for part in parts for row in _places(part)),
        note="Mean score: of all answers about the system, positive where it is preferred; it depends on what it was "
        f"compared with. Estimate: how far it is preferred to the average system, with its {level} interval, which "
        f"holds for {for_whom(part.leading for part in parts)}. Ordinal: ability in the cumulative link model of "
        f"strengths in degrees (of which there are {MOST_DEGREES} of about equal number to either side, if not fewer), "
        "or in the logistic model of choices; it and Bradley–Terry's are log odds about an average of 0.",
    )


def _places(part: PreferenceComparison) -> Iterator[tuple[object, ...]]:
    known = part.systems.estimates
    scores = {mean.by: mean for mean in part.published.means}
    for system in part.scale.systems:
        score = (scores[system].n, scores[system].mean) if system in scores else (None, None)
        abilities = (*_ability(part.scale.strength, system), *_ability(part.scale.wins, system))
        yield part.criterion, system, *score, *known.get(system, (None, None, None)), *abilities


def _ability(model: Abilities | None, system: str) -> tuple[float | None, float | None]:
    if model is None or system not in model.systems:
        return None, None
    found = model.ability(system)
    return found.value, found.se


def _sides_table(parts: Sequence[PreferenceComparison], level: str) -> Table:
    """Right against left."""
    return Table(
        "sides",
        "Whether participants lean to one side",
        (
            "Criterion",
            "Participants",
            "Mean",
            "Low",
            "High",
            "For left",
            "For neither",
            "For right",
            "p",
            "p mixed model",
        ),
        tuple(row for part in parts for row in _sides(part)),
        note="Means above 0 prefer the text on the right (the second one, on a narrow screen), with "
        f"{level} intervals over participants, who count once each; p: exact sign test. Sides are drawn "
        "for each trial: a lean shows here and cancels in pairs.",
        detail=True,
    )


def _sides(part: PreferenceComparison) -> Iterator[tuple[object, ...]]:
    if part.sides is None:
        return
    model = part.scale.mixed.model
    lean = [each.p for each in model.covariates if each.name == LEAN] if model is not None else []
    mean, test = part.sides.mean, part.sides.test
    counts = (test.below, test.ties, test.above)
    yield part.criterion, mean.n, mean.mean, *mean.ci, *counts, test.p, lean[0] if lean else None


def _figure(part: PreferenceComparison, ends: tuple[float, float] | None, confidence: float) -> Figure:
    """The places of the systems; without a model of them, what was preferred in each pair."""
    name, level = f"preferences-{slug(part.criterion)}", f"{confidence * 100:g} % intervals"
    if len(part.systems.estimates) < 3:
        note = f"Above 0 the system named first is preferred, below 0 the second. {level} over participants."
        means = part.pairs.means
        title = f"Mean preference on {part.criterion} in each pair"
        return means_figure(name, title, part.criterion, means, ends or (None, None), note)
    found = shares_won(part) if part.choices else part.systems.estimates
    groups = [
        {"system": each, "mean": value, "low": low, "high": high, "n": None}
        for each, (value, low, high) in found.items()
    ]
    scale: Scale = (0, 1) if part.choices else (None, None)
    if part.choices:
        title = f"Share of comparisons won on {part.criterion}"
        note = f"As if all systems had met equally often; {level} hold for {part.leading.whom}."
    else:
        title = f"Preference for each system over the average one on {part.criterion}"
        note = f"In units of the answers, with {level} that hold for {part.leading.whom}."
    figure = groups_figure(name, title, part.criterion, groups, scale, note)
    return replace(figure, data={**figure.data, "criterion": "share won"}) if part.choices else figure
