"""All pairs of systems compared within participants: paired t-tests with Holm's correction (Gatt & Portet 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd

from textassay.results import Record
from textassay.stats import TTest, adjust_p, paired_t
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class PairedTests(Statistic):
    """The differences of all pairs of systems."""

    tests: tuple[TTest, ...]
    """One a pair; `by` names it, as `second - first`."""
    adjusted: tuple[float, ...]
    """p of each, after Holm."""
    alpha: float

    @property
    def significant(self) -> tuple[bool, ...]:
        """Whether each pair differs."""
        return tuple(p < self.alpha for p in self.adjusted)

    def records(self) -> list[Record]:
        """One record a pair, then how many differ."""
        pairs = [
            {**record, "p_holm": p, "significant": differs}
            for test, p, differs in zip(self.tests, self.adjusted, self.significant, strict=True)
            for record in test.records()
        ]
        n = max((test.n for test in self.tests), default=0)
        count = sum(self.significant)
        return [
            *pairs,
            self.record("significant pairs", count, n=n, pairs=len(self.tests), alpha=self.alpha),
        ]


def paired_tests(part: pd.DataFrame, score: str, *, order: Sequence[str], alpha: float, of: str) -> PairedTests:
    """The means of each participant with two systems, for all pairs of systems.

    Args:
        part: Columns `participant, system` and that of the score.
        score: Its column.
        order: The systems; of a pair, the later one less the earlier one.
        alpha: Level of all comparisons of the score together.
        of: What the score is called in results.
    """
    means = part.pivot_table(index="participant", columns="system", values=score, aggfunc="mean")
    pairs = [pair for pair in combinations(order, 2) if set(pair) <= set(means.columns)]
    # Bonferroni's level: all intervals hold together. Holm's p are sharper, but have no intervals.
    level = 1 - alpha / max(len(pairs), 1)
    tests = []
    for first, second in pairs:
        both = means[[first, second]].dropna().astype(float)
        found = paired_t(both[second].to_numpy(), both[first].to_numpy(), confidence=level)
        tests.append(found.about(of, f"{second} - {first}"))
    adjusted = adjust_p([test.p for test in tests])
    return PairedTests(
        method="paired t-tests, Holm",
        settings={"over": "participants' means", "correction": "holm", "intervals": "bonferroni", "pairs": len(tests)},
        warnings=tuple(f"{test.by}: {text}" for test in tests for text in test.warnings),
        of=of,
        by="system",
        tests=tuple(tests),
        adjusted=adjusted.adjusted,
        alpha=alpha,
    )
