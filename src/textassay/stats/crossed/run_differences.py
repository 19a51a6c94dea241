"""Two runs of one evaluation: how far systems moved, and whether all moved alike, for other participants and items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.adjust_p import adjust_p
from textassay.stats.crossed.anova_type import BOTH, FEWEST, AnovaTypeTest, Others, Random, anova_type_test
from textassay.stats.distributions import t_quantile
from textassay.stats.samples import Column, FloatArray, IntArray, check_share, coded, finite_vector, same_length
from textassay.stats.statistic import Statistic

ALL = "all systems"
"""What the difference of the runs over all systems is called."""
_MOST_ITEMS = 300
"""Shared items whose effects are taken out one by one; beyond, that would take too long."""


@dataclass(frozen=True)
class RunDifference:
    """How far one system, or all together, moved from the first run to the second."""

    system: str
    difference: float
    se: float
    df: float
    ci: tuple[float, float]
    """Of systems: for all of them together (Bonferroni)."""
    p: float
    """Of systems: corrected after Holm for their number."""
    p_raw: float


@dataclass(frozen=True, kw_only=True)
class RunDifferences(Statistic):
    """Two runs compared."""

    runs: tuple[str, str]
    f: float
    """Of heterogeneity: whether systems moved unequally, the interaction of system and run."""
    df: tuple[float, float]
    p: float
    shift: RunDifference
    """Of all systems together."""
    systems: tuple[RunDifference, ...]
    holds_for: Others
    participants: tuple[int, int]
    shared_items: int
    n: int

    def records(self) -> list[Record]:
        """Heterogeneity, the shift, and the difference of each system."""
        people = dict(zip(self.runs, self.participants, strict=True))
        units: dict[str, Any] = {"participants": people, "shared_items": self.shared_items, "holds_for": self.holds_for}
        found = [self.record("F of heterogeneity", self.f, df=self.df, p=self.p, n=self.n, **units)]
        for each in (self.shift, *self.systems):
            more: dict[str, Any] = {"se": each.se, "p_raw": each.p_raw, "first": self.runs[0], "second": self.runs[1]}
            found.append(
                self.record(
                    "difference of runs",
                    each.difference,
                    by=each.system,
                    df=each.df,
                    p=each.p,
                    ci=each.ci,
                    n=self.n,
                    **more,
                )
            )
        return found


def run_differences(
    values: npt.ArrayLike,
    runs: Column,
    systems: Column,
    participants: Column,
    items: Column,
    *,
    confidence: float = 0.95,
) -> RunDifferences:
    """How far the systems moved from one run of an evaluation to another, and whether they moved alike.

    Purpose: compare a replication with its original; both are samples, so their difference has an interval.

    Each system by itself: the answers to it are compared between runs by the ANOVA-type test (Brunner, Dette & Munk
    1997; `anova_type_test`), participants being nested in runs and items crossed with them where both runs have them.
    p is corrected after Holm, intervals hold for all systems together (Bonferroni). The shift is the same over all
    systems. Heterogeneity: with y the answer and ±1 its run, ±y = ±(what systems and shared items do in both runs) +
    half of what systems do differently, and that half is tested by the ANOVA-type test. Participants of the two runs
    are different people, even if they have the same names.

    R: none: where everyone answers once and no item is shared, `t.test(value ~ run)` for each system.

    Example:
        >>> people, items = np.divmod(np.arange(24), 4)  # 6 people judge 4 items of one system; 3 of them in each run
        >>> values = [3, 4, 3, 5, 2, 4, 4, 4, 3, 5, 4, 5, 4, 5, 4, 6, 3, 4, 5, 5, 5, 5, 4, 6]
        >>> found = run_differences(values, people // 3, ["a"] * 24, people, items)
        >>> round(found.shift.difference, 4), round(found.systems[0].difference, 4)  # 56/12 less 46/12
        (0.8333, 0.8333)

    Args:
        values: One number per answer.
        runs: Their labels, two different ones; differences are the second less the first, in the order of the answers.
        systems: Their labels; systems that are not in both runs are refused.
        participants: Their labels.
        items: Their labels; the same label in both runs is the same item.
        confidence: Of the intervals.

    Raises:
        DataError: unequal lengths, a missing label, a value that is missing or infinite, other than two runs, or a
            system that is not in both.
        UsageError: confidence is not a share.
    """
    check_share("confidence", confidence)
    y = finite_vector(values, "values")
    same_length(("values", y), ("runs", runs), ("systems", systems), ("participants", participants), ("items", items))
    given = _Given(
        y, *_in_order(runs), coded(systems, "systems"), coded(participants, "participants")[0], *_items(items)
    )
    given.check()
    return _compared(given, confidence)


def _compared(given: _Given, confidence: float) -> RunDifferences:
    """Systems one by one, all together, and whether they moved alike."""
    names = given.system[1]
    level = 1 - (1 - confidence) / len(names)
    each = [_moved(given, name, confidence=level) for name in names]
    adjusted = adjust_p([one.p_raw for one, _ in each]).adjusted
    shift, of_shift = _moved(given, ALL, confidence=confidence)
    pattern = _heterogeneity(given)
    tests = [of_shift, *(test for _, test in each), *([pattern] if pattern is not None else [])]
    said = [*given.warnings(), *(text for test in tests for text in test.warnings)]
    return RunDifferences(
        method="difference of two runs",
        settings={"random": given.holds_for, "df": "Satterthwaite", "adjustment": "Holm", "confidence": confidence},
        warnings=tuple(dict.fromkeys(said)),
        by="run",
        runs=(given.runs[0], given.runs[1]),
        f=math.nan if pattern is None else pattern.f,
        df=(math.nan, math.nan) if pattern is None else pattern.df,
        p=math.nan if pattern is None else pattern.p,
        shift=shift,
        systems=tuple(replace(one, p=p) for (one, _), p in zip(each, adjusted, strict=True)),
        holds_for=given.holds_for,
        participants=given.people,
        shared_items=len(given.shared),
        n=given.values.size,
    )


@dataclass(frozen=True, eq=False)
class _Given:
    """The answers of both runs."""

    values: FloatArray
    run: IntArray
    runs: tuple[str, ...]
    system: tuple[IntArray, tuple[str, ...]]
    participant: IntArray
    item: IntArray
    items: int

    def check(self) -> None:
        if len(self.runs) != 2:
            raise DataError(f"two runs are compared; got {len(self.runs)}: {', '.join(self.runs) or 'none'}")
        codes, names = self.system
        for place, name in enumerate(names):
            own = set(self.run[codes == place].tolist())
            if len(own) < 2:
                raise DataError(f"system {name!r} is in run {self.runs[own.pop()]!r} only; leave it out")

    @property
    def people(self) -> tuple[int, int]:
        first, second = (len(np.unique(self.participant[self.run == place])) for place in (0, 1))
        return first, second

    @property
    def shared(self) -> list[int]:
        """Items that both runs have."""
        one, other = (set(self.item[self.run == place].tolist()) for place in (0, 1))
        return sorted(one & other)

    @property
    def random(self) -> tuple[Random, ...]:
        return BOTH if self.items >= FEWEST else ("participants",)

    @property
    def holds_for(self) -> Others:
        return "participants and items" if len(self.random) > 1 else "participants"

    def warnings(self) -> list[str]:
        said = []
        for name, count in zip(self.runs, self.people, strict=True):
            if count < 2:
                said.append(f"no p and no interval: one participant in run {name!r} cannot stand for others")
        if len(self.system[1]) < 2:
            said.append("no test of heterogeneity: one system alone cannot move unequally")
        if len(self.random) < 2:
            said.append(f"{self.items} items cannot stand for others: intervals and p are for these items only")
        if len(self.shared) > _MOST_ITEMS:
            said.append(f"more than {_MOST_ITEMS} items are shared: the test of heterogeneity errs on the safe side")
        return said

    @property
    def who(self) -> IntArray:
        """Participants, those of the two runs told apart."""
        return self.participant * 2 + self.run


def _in_order(runs: Column) -> tuple[IntArray, tuple[str, ...]]:
    """Codes of the runs, in the order in which they appear."""
    labels = [str(run) for run in runs]
    names = tuple(dict.fromkeys(labels))
    return np.array([names.index(label) for label in labels], dtype=np.int64), names


def _items(items: Column) -> tuple[IntArray, int]:
    codes, names = coded(items, "items")
    return codes, len(names)


def _moved(given: _Given, system: str, *, confidence: float) -> tuple[RunDifference, AnovaTypeTest]:
    """The difference of one system, or of all with the systems' own effects taken out."""
    codes, names = given.system
    rows = np.ones(len(codes), dtype=bool) if system == ALL else codes == names.index(system)
    columns = _dummies(codes, range(len(names)), "system") if system == ALL else {}
    test = anova_type_test(
        given.values[rows], given.run[rows], given.who[rows], given.item[rows], covariates=columns, random=given.random
    )
    plain = [float(np.mean(given.values[rows & (given.run == place)])) for place in (0, 1)]
    if min(given.people) < 2 or not test.pairs.pairs:
        nothing = RunDifference(
            system, plain[1] - plain[0], math.nan, math.nan, (math.nan, math.nan), math.nan, math.nan
        )
        return nothing, test
    (pair,) = test.pairs
    difference = -pair.difference  # the second less the first
    half = t_quantile(0.5 + confidence / 2, pair.df) * pair.se
    found = RunDifference(
        system, difference, pair.se, pair.df, (difference - half, difference + half), pair.p_raw, pair.p_raw
    )
    return found, test


def _heterogeneity(given: _Given) -> AnovaTypeTest | None:
    """Whether systems moved unequally; nothing where there is one system."""
    codes, names = given.system
    if len(names) < 2 or min(given.people) < 2:
        return None
    sign = np.where(given.run == 1, 1.0, -1.0)
    shared = given.shared if len(given.shared) <= _MOST_ITEMS else []
    both = {**_dummies(codes, range(len(names)), "system"), **_dummies(given.item, shared, "item")}
    columns = {name: sign * column for name, column in both.items()}
    # Items are crossed with runs where they are shared; the others are each in one run.
    return anova_type_test(sign * given.values, codes, given.who, given.item, covariates=columns, random=given.random)


def _dummies(codes: IntArray, levels: Sequence[int], name: str) -> Mapping[str, FloatArray]:
    """A column per level but the last, which is -1 in all of them."""
    *others, last = levels if len(levels) else (0,)
    return {f"{name} {level}": (codes == level) * 1.0 - (codes == last) * 1.0 for level in others}
