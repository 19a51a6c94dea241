"""The scores of systems compared over one set of items: means, analyses of variance, pairs, and a mixed model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from textassay.analysis.agreement import between_evaluators
from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.judgements import Judgements
from textassay.analysis.subjects_items import SubjectsItems, subjects_items
from textassay.results import Result
from textassay.stats import KendallW, MeanInterval, mean_interval
from textassay.study.model import AnalysisOptions
from textassay.tasks.decision.paired import PairedTests, paired_tests
from textassay.tasks.decision.scores import SCORES

ALL, SOME = "all items", "without items whose target is no action"


@dataclass(frozen=True)
class ComparedScore:
    """One score over one set of items."""

    items: str
    """`ALL` or `SOME`."""
    score: str
    means: tuple[MeanInterval, ...]
    """One per system, over participants' means."""
    ratios: SubjectsItems
    """F1, F2 and min F′."""
    model: CrossedModel
    pairs: PairedTests
    agreement: KendallW
    """Over participants' means; its test is Friedman's."""

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        return *self.means, *self.model.results, self.pairs, *self.ratios.results, self.agreement

    @property
    def warnings(self) -> list[tuple[str, Sequence[str]]]:
        """What they are about, and what is to be said."""
        means = [(f"{mean.of}, {mean.by}", mean.warnings) for mean in self.means]
        tests = (self.ratios.warnings, self.model.warnings, self.pairs.warnings, self.agreement.warnings)
        return [*means, *((self.ratios.of, texts) for texts in tests)]


def compared(
    part: pd.DataFrame, score: str, items: str, order: Sequence[str], options: AnalysisOptions
) -> ComparedScore:
    """A score over these items.

    Args:
        part: First answers: `participant, item, system` and the score; undefined scores are omitted.
        score: Its column.
        items: Which items they are, for names of results.
        order: The systems.
        options: Levels of tests and intervals.
    """
    of = score if items == ALL else f"{score} {items}"
    known = part[part[score].notna()]
    return ComparedScore(
        items,
        score,
        tuple(_mean(known, score, system, options.confidence).about(of, system) for system in order),
        subjects_items(known, score, of=of, alpha=None),
        crossed_model(known, score, of=of, better=SCORES[score], alpha=options.alpha, confidence=options.confidence),
        paired_tests(known, score, order=order, alpha=options.alpha, of=of, better=SCORES[score]),
        between_evaluators(Judgements(known.assign(value=known[score]), known.iloc[:0], ())).about(of),
    )


def _mean(known: pd.DataFrame, score: str, system: str, confidence: float) -> MeanInterval:
    per_person = known[known["system"] == system].groupby("participant")[score].mean()
    return mean_interval(per_person.to_numpy(dtype=float), confidence=confidence)
