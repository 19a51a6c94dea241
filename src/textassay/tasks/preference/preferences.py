"""Which systems are preferred: all of them on one scale, each pair by itself, and the sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textassay.analysis.contrast_models import contrast_systems
from textassay.analysis.judgements import Judgements
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import PublishedResults
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis, Result
from textassay.tasks.preference import preference_tables
from textassay.tasks.preference.by_pair import DirectPairs, Sides, direct_pairs, sides_of
from textassay.tasks.preference.comparisons import comparisons
from textassay.tasks.preference.one_scale import OneScale, one_scale


@dataclass(frozen=True)
class CriterionPreferences:
    """What is preferred on one criterion, by every method."""

    criterion: str
    scale: OneScale
    pairs: DirectPairs
    sides: Sides | None
    published: PublishedResults
    alpha: float

    @property
    def results(self) -> tuple[Result, ...]:
        """Models, pairs, sides, and whether participants agree on the order of the systems."""
        sides = () if self.sides is None else self.sides.results
        return *self.scale.results, self.pairs, *sides, self.published.between


def preferences(judged: Judgements, published: Sequence[PublishedResults], options: RecipeOptions) -> Analysis:
    """Systems on one scale, wins and tests of each pair, and sides.

    Args:
        judged: As `read_preferences` gives it.
        published: The published results of each criterion, for comparison.
        options: What is known besides.
    """
    parts = [_preferred(judged.of(part.criterion), part, options) for part in published]
    tables = preference_tables.tables(parts, options.confidence) if parts else ()
    return Analysis(
        name="preferences",
        title="Preferences between systems",
        results=tuple(result for part in parts for result in part.results),
        tables=tables,
        figures=tuple(
            preference_tables.figure(part, options.scales.get(part.criterion), options.confidence)
            for part in parts
            if part.pairs.pairs
        ),
        warnings=(*_of_answers(judged), *named_warnings(_said(parts))),
    )


def preferences_in_brief(judged: Judgements, options: RecipeOptions) -> Analysis:
    """What is set side by side with and without exclusions: means of pairs, and the mixed model."""
    results: list[Result] = []
    levels = {"alpha": options.alpha, "confidence": options.confidence}
    for name in judged.criteria:
        main = judged.of(name).main
        results += direct_pairs(main, name, **levels).means
        results += contrast_systems(
            comparisons(main, options.systems).contrasts, of=name, better="higher", **levels
        ).results
    return Analysis("brief", "In brief", results=tuple(results))


def _preferred(judged: Judgements, published: PublishedResults, options: RecipeOptions) -> CriterionPreferences:
    name, main = published.criterion, judged.main
    found = comparisons(main, options.systems)
    return CriterionPreferences(
        criterion=name,
        scale=one_scale(found, name, alpha=options.alpha, confidence=options.confidence),
        pairs=direct_pairs(main, name, alpha=options.alpha, confidence=options.confidence),
        sides=sides_of(main, name, options.confidence),
        published=published,
        alpha=options.alpha,
    )


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


def _said(parts: Sequence[CriterionPreferences]) -> Iterator[tuple[str, Sequence[str]]]:
    for part in parts:
        yield part.criterion, part.scale.warnings
        yield part.criterion, part.pairs.warnings
        if part.sides is not None:
            for text in dict.fromkeys(text for result in part.sides.results for text in result.warnings):
                yield f"{part.criterion}, {part.sides.mean.by}", [text]
        yield part.criterion, part.published.between.warnings
