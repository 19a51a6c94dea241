"""Paired tests of systems: what can be asked of one, what it found, and the frame that both tests share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from textassay.errors import UsageError
from textassay.known_names import check_choice, unknown
from textassay.metrics.significance.resampling import WHOLE_OUTPUT, Floats, SharedSegments, SystemSegments, shared
from textassay.metrics.table import ScoreTable
from textassay.pairwise import NO_INTERVAL, Better, PairwiseComparison, PairwiseComparisons
from textassay.results import Record, Result
from textassay.stats import adjust_p
from textassay.stats.resampling.resamples import check_draws
from textassay.stats.samples import check_share

Form = Literal["valid", "sacrebleu"]
"""`valid`: two-sided, ties count against the difference; `sacrebleu`: p as that package has it."""


@dataclass(frozen=True, kw_only=True)
class PairedOptions:
    """Options of a paired test.

    Raises:
        UsageError: an impossible value.
    """

    baseline: str | None = None
    """The system that the others are compared with; by default the first."""
    all_pairs: bool = False
    """Compare every system with every other instead."""
    draws: int = 1000
    """Resamples, or random ways to swap segments."""
    seed: int = 0
    """Of the draws: the same seed gives the same p anywhere."""
    confidence: float = 0.95
    """Of intervals."""
    form: Form = "valid"
    """How p is counted."""

    def __post_init__(self) -> None:
        check_draws(self.draws)
        check_share("confidence", self.confidence)
        check_choice("form", self.form, get_args(Form))
        if self.all_pairs and self.baseline is not None:
            raise UsageError(f"all pairs have no baseline; leave out either all_pairs or baseline ({self.baseline})")

    def pairs(self, systems: Sequence[str]) -> list[tuple[str, str]]:
        """What is compared: baseline and system.

        Raises:
            UsageError: there are no two systems, or the baseline is none of them.
        """
        if len(systems) < 2:
            raise UsageError(f"a paired test compares systems; got {len(systems)} ({', '.join(systems) or 'none'})")
        if self.all_pairs:
            return list(combinations(systems, 2))
        baseline = systems[0] if self.baseline is None else self.baseline
        if baseline not in systems:
            raise UsageError(unknown("system", baseline, systems))
        return [(baseline, system) for system in systems if system != baseline]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two systems compared by one metric, on the segments that both have."""

    metric: str
    baseline: str
    system: str
    scores: tuple[float, float]
    """Corpus scores of baseline and system on these segments."""
    p: float = math.nan
    """Adjusted for the number of comparisons by this metric (Holm)."""
    p_raw: float
    """Of this comparison alone."""
    ci: tuple[float, float] | None = None
    """Of the difference, where the test resamples."""
    better: Better = "none"
    """Which scores of the metric are the better ones."""
    won: float | None = None
    """Share of the resamples in which the system is better than the baseline (Koehn 2004)."""
    n: int
    """Segments that both systems have."""
    left_out: tuple[int, int]
    """Segments of the baseline and of the system that the other one lacks."""
    exact: bool = False
    """Whether all ways to swap were counted."""
    undefined: int = 0
    """Draws in which the difference is undefined; they count against it."""
    signature: str
    """That of the system's score."""

    @property
    def difference(self) -> float:
        """System less baseline."""
        return self.scores[1] - self.scores[0]


@dataclass(frozen=True, kw_only=True)
class PairedTest(Result):
    """Systems compared with a baseline, or each with each."""

    comparisons: tuple[Comparison, ...]

    @property
    def pairs(self) -> dict[str, PairwiseComparisons]:
        """By metric all comparisons: the system is the first, the baseline the second."""
        return {
            metric: self._pairs(metric, [each for each in self.comparisons if each.metric == metric])
            for metric in dict.fromkeys(each.metric for each in self.comparisons)
        }

    def _pairs(self, metric: str, own: Sequence[Comparison]) -> PairwiseComparisons:
        return PairwiseComparisons(
            method=self.method,
            settings=self.settings,
            pairs=tuple(
                PairwiseComparison(
                    first=one.system,
                    second=one.baseline,
                    difference=one.difference,
                    ci=NO_INTERVAL if one.ci is None else one.ci,
                    p=one.p,
                    p_raw=one.p_raw,
                    n=one.n,
                )
                for one in own
            ),
            of=metric,
            by="system",
            better=own[0].better,
            adjustment="Holm",
            interval="none" if any(one.ci is None for one in own) else "single",
        )

    def records(self) -> list[Record]:
        """One record per comparison: the difference (system less baseline) with its p."""
        return [
            self._record(one, stable)
            for metric, pairs in self.pairs.items()
            for one, stable in zip(
                (each for each in self.comparisons if each.metric == metric), pairs.records(self), strict=True
            )
        ]

    def _record(self, one: Comparison, stable: Record) -> Record:
        return {
            **stable,
            "signature": f"{one.signature}; {self.signature}",
            "baseline": one.baseline,
            "system": one.system,
            "baseline_score": one.scores[0],
            "system_score": one.scores[1],
            "won": one.won,
            "exact": one.exact,
            "left_out_of_baseline": one.left_out[0],
            "left_out_of_system": one.left_out[1],
            "undefined": one.undefined,
        }


@dataclass(frozen=True, eq=False)
class SystemPair:
    """Two systems under one metric, ready to be compared."""

    metric: str
    baseline: str
    system: str
    one: SystemSegments
    other: SystemSegments
    left_out: tuple[int, int]
    signature: str

    def compared(self, p: float, **more: Any) -> Comparison:
        """The comparison with what a test found."""
        return Comparison(
            metric=self.metric,
            baseline=self.baseline,
            system=self.system,
            scores=(self.one.value, self.other.value),
            p_raw=p if self.defined else math.nan,
            better=self.better,
            n=self.one.n,
            left_out=self.left_out,
            signature=self.signature,
            **more,
        )

    @property
    def better(self) -> Better:
        """Which scores of the metric are the better ones; none where the best lies within the scale."""
        metric = self.one.metric
        if metric.best is not None:
            return "none"
        return "higher" if metric.higher_is_better else "lower"

    @property
    def difference(self) -> float:
        """System less baseline."""
        return self.other.value - self.one.value

    @property
    def defined(self) -> bool:
        """Whether there is a difference to test."""
        return not math.isnan(self.difference)

    @property
    def slack(self) -> float:
        """How far two equal differences may lie apart by rounding."""
        return 1e-10 * max(abs(self.one.value), abs(self.other.value))


def system_pairs(table: ScoreTable, options: PairedOptions) -> list[SystemPair]:
    """All that is compared, metric by metric."""
    return list(_pairs(table, options.pairs(list(table.items))))


def _pairs(table: ScoreTable, compared: Sequence[tuple[str, str]]) -> Iterator[SystemPair]:
    known: dict[tuple[int, int], SharedSegments] = {}
    for metric, scores in table.scores.items():
        whole: dict[str, SystemSegments] = {}
        for baseline, system in compared:
            if baseline not in scores or system not in scores:  # one of them has nothing that this metric scores
                continue
            items = table.items_of(metric, baseline), table.items_of(metric, system)
            key = (id(items[0]), id(items[1]))
            both = known[key] if key in known else known.setdefault(key, shared(*items))
            if both.one is None:
                samples = [
                    whole.setdefault(name, SystemSegments.of(table, metric, name)) for name in (baseline, system)
                ]
            else:
                rows = {baseline: both.one, system: both.other}
                samples = [SystemSegments.of(table, metric, name, its) for name, its in rows.items()]
            yield SystemPair(metric, baseline, system, samples[0], samples[1], both.left_out, scores[system].signature)


def by_size(
    pairs: Sequence[SystemPair], compare: Callable[[int, list[SystemPair]], list[Comparison]]
) -> list[Comparison]:
    """Compare pairs that have equally many segments together, so that they share the draws; in their old order."""
    sizes: dict[int, list[int]] = {}
    for place, pair in enumerate(pairs):
        sizes.setdefault(pair.one.n if pair.one.metric.can_be_resampled else 0, []).append(place)
    found: dict[int, Comparison] = {}
    for n, places in sizes.items():
        chosen = [pairs[place] for place in places]
        done = compare(n, chosen) if n else [pair.compared(math.nan) for pair in chosen]
        found.update(zip(places, done, strict=True))
    return [found[place] for place in range(len(pairs))]


def drawn_p(drawn: Floats, pair: SystemPair, *, strict: bool) -> float:
    """(b+1)/(draws+1), b the draws at least as far from 0 as the difference; an undefined one counts as such.

    `strict` counts those further away only.
    """
    limit = abs(pair.difference)
    b = np.count_nonzero(drawn > limit) if strict else np.count_nonzero(~(drawn < limit - pair.slack))
    return (int(b) + 1) / (len(drawn) + 1)


def holm_adjusted(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """With Holm's correction over the comparisons by one metric."""
    found = list(comparisons)
    for metric in dict.fromkeys(each.metric for each in found):
        places = [place for place, each in enumerate(found) if each.metric == metric]
        adjusted = adjust_p([found[place].p_raw for place in places]).adjusted
        for place, value in zip(places, adjusted, strict=True):
            found[place] = replace(found[place], p=value)
    return tuple(found)


def comparison_warnings(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    """What a reader must know of any paired test: segments omitted, and p that are undefined."""
    said: dict[str, None] = {}
    for each in comparisons:
        where = f"{each.metric}, {each.system} and {each.baseline}"
        if any(each.left_out):
            of_one, of_other = each.left_out
            left_out = f"{of_one} of {each.baseline} and {of_other} of {each.system} are omitted"
            said[f"{each.system} and {each.baseline} are compared on the {each.n} segments of both; {left_out}"] = None
        if math.isnan(each.p_raw):
            undefined = math.isnan(each.difference) or each.undefined > 0
            why = "no segment is in both" if not each.n else "a score is undefined" if undefined else WHOLE_OUTPUT
            said[f"{where}: p is undefined, since {why}"] = None
        if each.undefined:
            said[f"{where}: the difference is undefined in {each.undefined} draws, which count against it"] = None
    return tuple(said)
