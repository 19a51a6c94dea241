"""What runs of one evaluation have in common on one criterion, in the measures of QRA++ and in differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from textassay.analysis.evaluation_runs import EvaluationRun, paired_answers
from textassay.analysis.options import RecipeOptions
from textassay.analysis.system_means import system_correlation
from textassay.errors import DataError
from textassay.results import Record, Result
from textassay.stats import (
    Correlation,
    CvStar,
    FleissKappa,
    KrippendorffAlpha,
    RunDifferences,
    cv_star,
    fleiss_kappa,
    krippendorff_alpha,
    pearson,
    run_differences,
    spearman,
)
from textassay.stats.statistic import Statistic

MOST_LABELS = 11
"""Answers with more different values are no labels."""


@dataclass(frozen=True, kw_only=True)
class FindingsUpheld(Statistic):
    """Which findings of an original a replication upholds."""

    runs: tuple[str, str]
    pairs: int
    same_order: int
    """Pairs of systems with the same one ahead in both."""
    significant: int | None
    """Pairs that differ significantly in the original; nothing where that is not known."""
    upheld: int
    """Of these, with the same winner, significant in the replication too."""
    opposite: int
    """Of these, with the other winner, significant in the replication."""

    def records(self) -> list[Record]:
        """The share of pairs in the same order, and of significant ones upheld."""
        between = {"first": self.runs[0], "second": self.runs[1]}
        share = self.same_order / self.pairs if self.pairs else math.nan
        found = [self.record("share of pairs in the same order", share, n=self.pairs, **between)]
        if self.significant is not None:
            upheld = self.upheld / self.significant if self.significant else math.nan
            more: dict[str, Any] = {"upheld": self.upheld, "opposite": self.opposite, **between}
            found.append(self.record("share of significant findings upheld", upheld, n=self.significant, **more))
        return found


@dataclass(frozen=True)
class ReplicatedCriterion:
    """What was found on one criterion."""

    criterion: str
    systems: list[str]
    differences: tuple[RunDifferences, ...]
    """Of the original and each replication of which answers are known."""
    variation: Mapping[str, CvStar | str]
    """By system; or why there is none."""
    correlations: tuple[tuple[str, Correlation, Correlation], ...]
    """Over what, Pearson's, Spearman's."""
    labels: tuple[FleissKappa | KrippendorffAlpha, ...]
    upheld: tuple[FindingsUpheld, ...]
    warnings: tuple[str, ...]

    @property
    def results(self) -> Iterator[Result]:
        """In the order of the tables."""
        yield from self.differences
        yield from (each for each in self.variation.values() if isinstance(each, CvStar))
        yield from (each for _, *both in self.correlations for each in both)
        yield from self.labels
        yield from self.upheld


def replicated_criterion(
    runs: Sequence[EvaluationRun],
    criterion: str,
    systems: list[str],
    options: RecipeOptions,
    begins: Mapping[str, float],
) -> ReplicatedCriterion:
    """All measures of one criterion, the original run first.

    Args:
        runs: Two or more.
        criterion: Its name in all of them.
        systems: Those that all have.
        options: Levels of tests and intervals.
        begins: By criterion the least value of its scale, where the runs do not know it.
    """
    original, *others = runs
    differences, said = [], []
    for other in others:
        if original.answers is None or other.answers is None:
            continue
        table, same = paired_answers(original, other, criterion, systems)
        columns = [table[name].to_numpy() for name in ("value", "run", "system", "participant", "item")]
        found = run_differences(*columns, confidence=options.confidence).about(criterion)
        differences.append(found)
        said += [f"{criterion}: {text}" for text in found.warnings]
        if not same:
            said.append(
                f"{original.name} and {other.name} have different texts under the same names of items and systems"
            )
    start = _beginning(runs, criterion, begins)
    return ReplicatedCriterion(
        criterion,
        systems,
        tuple(differences),
        {system: _variation(runs, criterion, system, start, options) for system in systems},
        tuple(_correlations(original, others, criterion, systems)),
        tuple(_labels(runs, criterion, systems, options)),
        tuple(_upheld(original, other, criterion, systems) for other in others),
        tuple(said),
    )


def _beginning(runs: Sequence[EvaluationRun], criterion: str, begins: Mapping[str, float]) -> float:
    known = [run.begins[criterion] for run in runs if criterion in run.begins]
    return begins.get(criterion, known[0] if known else 0.0)


def _variation(
    runs: Sequence[EvaluationRun], criterion: str, system: str, begins: float, options: RecipeOptions
) -> CvStar | str:
    scores = [run.scores[criterion][system] for run in runs]
    try:
        return cv_star(scores, begins=begins, confidence=options.confidence).about(criterion, system)
    except DataError as error:
        return str(error)


def _correlations(
    original: EvaluationRun, others: Sequence[EvaluationRun], criterion: str, systems: Sequence[str]
) -> Iterator[tuple[str, Correlation, Correlation]]:
    for other in others:
        one, two = ({system: run.scores[criterion][system] for system in systems} for run in (original, other))
        if len(systems) > 1:
            yield "systems", *system_correlation(one, two, f"{criterion}, {original.name}", other.name)
        if original.answers is None or other.answers is None:
            continue
        table, _ = paired_answers(original, other, criterion, systems)
        means = table.groupby(["item", "system", "run"])["value"].mean().unstack("run").dropna()
        if len(means) > 2:
            x, y = means[original.name].to_numpy(dtype=float), means[other.name].to_numpy(dtype=float)
            names = f"{criterion}, {original.name}", other.name
            yield "texts", pearson(x, y).about(*names), spearman(x, y).about(*names)


def _labels(
    runs: Sequence[EvaluationRun], criterion: str, systems: Sequence[str], options: RecipeOptions
) -> Iterator[FleissKappa | KrippendorffAlpha]:
    """The most frequent answer to each text is its label in a run; runs take the place of raters."""
    rows = []
    for run in runs:
        if run.answers is None:
            return
        own = run.answers[(run.answers["criterion"] == criterion) & run.answers["system"].isin(systems)]
        if own["value"].nunique() > MOST_LABELS:
            return
        rows.append(own.groupby(["item", "system"])["value"].agg(_most_frequent))
    labels = pd.concat(rows, axis=1).dropna()
    if len(labels) < 2 or len(pd.unique(labels.to_numpy().ravel())) < 2:
        return
    table = labels.to_numpy(dtype=float).T
    yield fleiss_kappa(table, confidence=options.confidence).about(criterion, "labels of texts")
    alpha = krippendorff_alpha(
        table, level="nominal", draws=options.draws, seed=options.seed, confidence=options.confidence
    )
    yield alpha.about(criterion, "labels of texts")


def _most_frequent(values: pd.Series[float]) -> float:
    """Nothing where two are equally frequent."""
    counts = values.value_counts()
    return math.nan if len(counts) > 1 and counts.iloc[0] == counts.iloc[1] else float(counts.index[0])


def _upheld(one: EvaluationRun, other: EvaluationRun, criterion: str, systems: Sequence[str]) -> FindingsUpheld:
    pairs = list(combinations(systems, 2))
    mine, theirs = one.scores[criterion], other.scores[criterion]
    same = sum(
        (mine[a] > mine[b]) == (theirs[a] > theirs[b]) and (mine[a] < mine[b]) == (theirs[a] < theirs[b])
        for a, b in pairs
    )
    known = criterion in one.pairs and criterion in other.pairs
    winners = (
        [
            (one.pairs[criterion].get(frozenset(pair), ""), other.pairs[criterion].get(frozenset(pair), ""))
            for pair in pairs
        ]
        if known
        else []
    )
    return FindingsUpheld(
        method="findings upheld",
        settings={"findings": "pairs of systems"},
        of=criterion,
        by="pair of systems",
        runs=(one.name, other.name),
        pairs=len(pairs),
        same_order=same,
        significant=sum(bool(own) for own, _ in winners) if known else None,
        upheld=sum(bool(own) and own == again for own, again in winners),
        opposite=sum(bool(own) and bool(again) and own != again for own, again in winners),
    )
