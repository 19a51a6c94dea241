"""What the answers depend on: system, text, evaluator — and how far evaluators agree (Belz & Kow 2010)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from textassay.analysis import system_tables
from textassay.analysis.agreement import (
    RepeatConsistency,
    WithinEvaluators,
    between_evaluators,
    repeat_consistency,
    within_evaluators,
)
from textassay.analysis.judgements import Judgements, in_order, read_judgements
from textassay.analysis.options import ItemFactors, RecipeOptions
from textassay.analysis.wording import slug
from textassay.results import Analysis, Figure, Result
from textassay.stats import Anova, KendallW, MeanInterval, Tukey, anova, mean_interval, tukey

FACTORS = {"System": "system", "Text": "item", "Evaluator": "participant"}
"""Factor as papers call it → column."""
NOT_INDEPENDENT = (
    "the one-way analyses of variance, Tukey's HSD and the intervals take all answers as independent, but each "
    "participant and each item gives several: this is the analysis that Belz & Kow (2010) published, and its p are "
    "not exact; Kendall's W and its test, on each participant's mean for each system, do not take that for granted"
)


@dataclass(frozen=True)
class OfCriterion:
    """All results for one criterion."""

    criterion: str
    means: tuple[MeanInterval, ...]
    """One a system; its name is in `by`."""
    variance: tuple[Anova, ...]
    """One a factor: System, Text, Evaluator, then properties of the items."""
    pairs: Tukey
    between: KendallW
    within: WithinEvaluators
    repeats: RepeatConsistency

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        return *self.of_variance, self.between, self.within, self.repeats

    @property
    def of_variance(self) -> tuple[Result, ...]:
        """Those that compare means, without agreement."""
        return *self.means, *self.variance, self.pairs


def system_text_evaluator(
    judgements: pd.DataFrame,
    *,
    alpha: float = 0.05,
    confidence: float = 0.95,
    scales: Mapping[str, tuple[float, float]] | None = None,
    systems: Sequence[str] = (),
    item_factors: ItemFactors | None = None,
) -> Analysis:
    """For each criterion: means, F for System, Text and Evaluator, Tukey's HSD, Kendall's W between and within.

    Repeats of a trial do not enter means and F ratios; they tell how consistent participants are with themselves.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; where known `kind, practice, repeat,
            position`.
        alpha: Level of Tukey's comparisons.
        confidence: Level of the intervals of the means.
        scales: Ends of the scale of each criterion, for the figures; by default those of the values seen.
        systems: The order in which systems are shown; those not named follow by name.
        item_factors: Properties of items, by name and item; each is a factor of its own.

    Raises:
        DataError: a column is missing.
    """
    judged = read_judgements(judgements)
    parts = of_criteria(judged, RecipeOptions(alpha, confidence, systems=systems, item_factors=item_factors or {}))
    return Analysis(
        name="system-text-evaluator",
        title="Systems, texts and evaluators",
        results=tuple(result for part in parts for result in part.results),
        tables=system_tables.tables(parts, confidence) if parts else (),
        figures=tuple(_means_figure(part, judged, scales or {}, confidence) for part in parts),
        warnings=warnings_of(judged, parts),
    )


def of_criteria(judged: Judgements, options: RecipeOptions) -> tuple[OfCriterion, ...]:
    """The results of each criterion, in the order in which criteria first appear."""
    return tuple(_analyse(judged.of(criterion), criterion, options) for criterion in judged.criteria)


def warnings_of(judged: Judgements, parts: Sequence[OfCriterion], *, agreement: bool = True) -> tuple[str, ...]:
    """What a reader of these results must know; of agreement too, unless it is said elsewhere."""
    warnings = list(judged.warnings)
    if not parts:
        warnings.append("there are no answers to analyse")
    if _has_repeated_measures(judged.main):
        warnings.append(NOT_INDEPENDENT)
    told = [(part, part.results if agreement else part.of_variance) for part in parts]
    warnings += [f"{part.criterion}: {warning}" for part, results in told for warning in _warnings(results)]
    return tuple(warnings)


def _analyse(judged: Judgements, criterion: str, options: RecipeOptions) -> OfCriterion:
    main = judged.main
    values, labels = main["value"].to_numpy(dtype=float), main["system"].to_numpy()
    mode = {"mode": "published (Belz & Kow 2010)", "answers": "taken as independent"}
    variance = [anova(values, main[column].to_numpy(), factor=factor) for factor, column in FACTORS.items()]
    variance += [_of_item_factor(main, name, levels) for name, levels in options.item_factors.items()]
    return OfCriterion(
        criterion=criterion,
        means=tuple(
            mean_interval(values[labels == system], confidence=options.confidence).about(criterion, system)
            for system in in_order(set(labels), options.systems)
        ),
        variance=tuple(replace(result, of=criterion, settings={**result.settings, **mode}) for result in variance),
        pairs=tukey(values, labels, alpha=options.alpha, factor="System").about(criterion, better="higher"),
        between=between_evaluators(judged).about(criterion),
        within=within_evaluators(judged).about(criterion),
        repeats=repeat_consistency(judged).about(criterion),
    )


def _of_item_factor(main: pd.DataFrame, name: str, levels: Mapping[str, str]) -> Anova:
    """One-way over a property of items; a name that is taken says where it comes from."""
    known = main[main["item"].isin(list(levels))]
    factor = f"{name} (items)" if name in FACTORS else name
    found = anova(known["value"].to_numpy(dtype=float), known["item"].map(levels).to_numpy(), factor=factor)
    lost = len(main) - len(known)
    left_out = (f"{lost} of {len(main)} answers are to items without {name}; its F leaves them out",) if lost else ()
    return replace(found, warnings=(*found.warnings, *left_out))


def _has_repeated_measures(main: pd.DataFrame) -> bool:
    return any(bool(main.duplicated(["criterion", column]).any()) for column in ("participant", "item"))


def _warnings(results: Sequence[Result]) -> list[str]:
    named = [f"{each.by}: {text}" for each in results if isinstance(each, MeanInterval) for text in each.warnings]
    others = [text for each in results if not isinstance(each, MeanInterval) for text in each.warnings]
    return list(dict.fromkeys([*named, *others]))


def _means_figure(
    part: OfCriterion, judged: Judgements, scales: Mapping[str, tuple[float, float]], confidence: float
) -> Figure:
    seen = judged.of(part.criterion).main["value"]
    low, high = scales.get(part.criterion, (float(seen.min()), float(seen.max())))
    groups = [
        {"system": mean.by, "mean": mean.mean, "low": mean.ci[0], "high": mean.ci[1], "n": mean.n}
        for mean in part.means
    ]
    return Figure(
        name=f"means-{slug(part.criterion)}",
        title=f"Mean {part.criterion} of each system",
        kind="means",
        data={"criterion": part.criterion, "scale_from": low, "scale_to": high, "groups": groups},
        note=f"With {confidence * 100:g} % confidence intervals.",
    )
