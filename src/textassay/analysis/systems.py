"""Whether the systems differ: the valid tests first, the published ones beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from textassay.analysis import systems_tables
from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.ordinal_systems import OrdinalSystems, ordinal_systems
from textassay.analysis.subjects_items import SubjectsItems
from textassay.analysis.system_text_evaluator import OfCriterion
from textassay.analysis.wording import named_warnings, slug
from textassay.results import Analysis, Figure, Record, Result
from textassay.stats import MarginalMeans
from textassay.stats.statistic import Statistic

MEANS_OF_ORDINAL = (
    "ratings are ordered answers, and their means take the steps of the scale as equal. The cumulative link model does "
    "not: where the two disagree and answers crowd at an end of the scale, trust it; its tests are approximations that "
    "want many participants and items"
)


@dataclass(frozen=True, kw_only=True)
class SignificantPairs(Statistic):
    """How many pairs of systems differ, out of all."""

    significant: int
    pairs: int
    alpha: float
    n: int
    """Answers."""

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("significant pairs", self.significant, n=self.n, pairs=self.pairs, alpha=self.alpha)]


@dataclass(frozen=True)
class SystemsOn:
    """Systems compared on one criterion, in every way."""

    criterion: str
    published: OfCriterion
    model: CrossedModel
    ordinal: OrdinalSystems
    subjects_items: SubjectsItems
    alpha: float
    independent: bool = False
    """Whether each participant and each item has one answer only: then the published analysis is the valid one."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Mixed model, count of pairs, cumulative link model, and whether evaluators agree on the order of systems."""
        counted = () if self.model.means is None else (significant_pairs(self.model.means),)
        return *self.model.results, *counted, *self.ordinal.results, self.published.between


def significant_pairs(means: MarginalMeans) -> SignificantPairs:
    """Those whose p, adjusted for all pairs, is below alpha."""
    alpha = means.pairs.alpha
    return SignificantPairs(
        method="mixed model, Tukey's adjustment",
        settings={"alpha": alpha, **means.settings},
        of=means.of,
        by="system",
        significant=means.pairs.n_significant,
        pairs=len(means.pairs),
        alpha=alpha,
        n=means.n,
    )


def systems_on(
    main: pd.DataFrame, published: OfCriterion, by: SubjectsItems, *, alpha: float, confidence: float
) -> SystemsOn:
    """Fit both models to the answers to one criterion.

    Args:
        main: First answers; columns `participant, item, system, value`.
        published: The published results of the criterion.
        by: Its analysis by subjects and by items.
        alpha: Level of significance.
        confidence: Level of intervals.
    """
    criterion = published.criterion
    linear = crossed_model(main, "value", of=criterion, better="higher", alpha=alpha, confidence=confidence)
    varying = None if linear.model is None else {each.group for each in linear.model.components}
    ordered = ordinal_systems(main, "value", of=criterion, varying=varying, confidence=confidence)
    independent = not any(main.duplicated(column).any() for column in ("participant", "item"))
    return SystemsOn(criterion, published, linear, ordered, by, alpha, independent)


def systems_compared(
    parts: Sequence[SystemsOn], *, scales: Mapping[str, tuple[float, float]], confidence: float
) -> Analysis:
    """Means, tests and pairs of all criteria.

    Args:
        parts: One a criterion.
        scales: Ends of the scale of each criterion, for the figures.
        confidence: Level of the intervals.
    """
    if not parts:
        return Analysis("systems", "Systems compared", warnings=("there are no answers to analyse",))
    said = [(part.criterion, [*part.model.warnings, *part.ordinal.warnings]) for part in parts]
    ordered = systems_tables.ordered(parts, confidence)
    return Analysis(
        "systems",
        "Systems compared",
        results=tuple(result for part in parts for result in part.results),
        tables=(
            systems_tables.means(parts, confidence),
            systems_tables.tests(parts),
            systems_tables.pairs(parts, confidence),
            *((ordered,) if ordered else ()),
        ),
        figures=tuple(_figure(part, scales.get(part.criterion), confidence) for part in parts),
        warnings=(MEANS_OF_ORDINAL, *named_warnings(said)),
    )


def _figure(part: SystemsOn, scale: tuple[float, float] | None, confidence: float) -> Figure:
    """Means of the model; without one, plain means, without intervals where theirs would be too narrow."""
    model = part.model.means
    known = {} if model is None else {mean.name: (mean.estimate, *mean.ci) for mean in model.means}
    groups = []
    for each in part.published.means:
        plain = each.ci if part.independent else (math.nan, math.nan)
        mean, low, high = known.get(each.by, (each.mean, *plain))
        groups.append({"system": each.by, "mean": mean, "low": low, "high": high, "n": each.n})
    ends = scale or (None, None)
    level = f"{100 * confidence:g} %"
    note = f"Means of the mixed model with {level} intervals, which hold for other participants and other items."
    return Figure(
        name=f"means-{slug(part.criterion)}",
        title=f"Mean {part.criterion} of each system",
        kind="means",
        data={"criterion": part.criterion, "scale_from": ends[0], "scale_to": ends[1], "groups": groups},
        note=note if known else "Plain means; there is no mixed model.",
    )
