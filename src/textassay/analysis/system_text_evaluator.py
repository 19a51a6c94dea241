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
    """One a factor."""
    pairs: Tukey
    between: KendallW
    within: WithinEvaluators
    repeats: RepeatConsistency

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        return *self.means, *self.variance, self.pairs, self.between, self.within, self.repeats


def system_text_evaluator(
    judgements: pd.DataFrame,
    *,
    alpha: float = 0.05,
    confidence: float = 0.95,
    scales: Mapping[str, tuple[float, float]] | None = None,
    systems: Sequence[str] = (),
) -> Analysis:
    """For each criterion: means, F for System, Text and Evaluator, Tukey's HSD, Kendall's W between and within.

    Only first answers of main trials count; repeats tell how consistent participants are with themselves.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; where known `kind, practice, repeat,
            position`.
        alpha: Level of Tukey's comparisons.
        confidence: Level of the intervals of the means.
        scales: Ends of the scale of each criterion, for the figures; by default those of the values seen.
        systems: The order in which systems are shown; those not named follow by name.

    Raises:
        DataError: a column is missing.
    """
    judged = read_judgements(judgements)
    parts = tuple(
        _analyse(judged.of(criterion), criterion, alpha, confidence, systems) for criterion in judged.criteria
    )
    warnings = list(judged.warnings)
    if not parts:
        warnings.append("there are no answers to analyse")
    if _has_repeated_measures(judged.main):
        warnings.append(NOT_INDEPENDENT)
    warnings += [f"{part.criterion}: {warning}" for part in parts for warning in _warnings(part)]
    return Analysis(
        name="system-text-evaluator",
        title="Systems, texts and evaluators",
        results=tuple(result for part in parts for result in part.results),
        tables=system_tables.tables(parts, confidence) if parts else (),
        figures=tuple(_means_figure(part, judged, scales or {}, confidence) for part in parts),
        warnings=tuple(warnings),
    )


def _analyse(
    judged: Judgements, criterion: str, alpha: float, confidence: float, systems: Sequence[str]
) -> OfCriterion:
    main = judged.main
    values, labels = main["value"].to_numpy(dtype=float), main["system"].to_numpy()
    mode = {"mode": "published (Belz & Kow 2010)", "answers": "taken as independent"}
    variance = [anova(values, main[column].to_numpy(), factor=factor) for factor, column in FACTORS.items()]
    return OfCriterion(
        criterion=criterion,
        means=tuple(
            mean_interval(values[labels == system], confidence=confidence).about(criterion, system)
            for system in in_order(set(labels), systems)
        ),
        variance=tuple(replace(result, of=criterion, settings={**result.settings, **mode}) for result in variance),
        pairs=tukey(values, labels, alpha=alpha, factor="System").about(criterion),
        between=between_evaluators(judged).about(criterion),
        within=within_evaluators(judged).about(criterion),
        repeats=repeat_consistency(judged).about(criterion),
    )


def _has_repeated_measures(main: pd.DataFrame) -> bool:
    return any(bool(main.duplicated(["criterion", column]).any()) for column in ("participant", "item"))


def _warnings(part: OfCriterion) -> list[str]:
    named = [f"{mean.by}: {warning}" for mean in part.means for warning in mean.warnings]
    others = [warning for result in part.results if not isinstance(result, MeanInterval) for warning in result.warnings]
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
        name=f"means-{system_tables.slug(part.criterion)}",
        title=f"Mean {part.criterion} of each system",
        kind="means",
        data={"criterion": part.criterion, "scale_from": low, "scale_to": high, "groups": groups},
        note=f"With {confidence * 100:g} % confidence intervals.",
    )
