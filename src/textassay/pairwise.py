"""Comparisons of pairs: the one form in which every statistic says how two systems, groups or levels differ.

The convention holds everywhere: `difference` is first − second in the unit of the measure, `p` is adjusted for all
comparisons of the family, `p_raw` is the p of the pair alone, and `favours` names the better of the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Self, overload

from textassay.errors import UsageError
from textassay.results import Record, Result, Table

Better = Literal["higher", "lower", "none"]
"""Which values of a measure are the better ones; `none` where neither is, or where it is not known."""

Interval = Literal["simultaneous", "single", "none"]
"""`simultaneous`: all intervals together hold with the confidence; `single`: each does by itself; `none`: not given."""

Ends = tuple[float, float]
NO_INTERVAL: Ends = (math.nan, math.nan)


@dataclass(frozen=True, kw_only=True)
class PairwiseComparison:
    """Two of them compared: `first` with `second`."""

    first: str
    second: str
    difference: float
    """First − second, in the unit of the measure."""
    ci: Ends = NO_INTERVAL
    """Interval of the difference; nan where there is none."""
    p: float
    """Two-sided, adjusted for all comparisons of the family; equal to `p_raw` where nothing is adjusted."""
    p_raw: float
    """Two-sided, of this pair alone."""
    n: int
    """Observations that the comparison rests on."""
    se: float = math.nan
    """Standard error of the difference; nan where the method has none."""
    test_value: float = math.nan
    """The test statistic, with the sign of the difference; nan where the method has none."""
    df: float = math.nan
    """Degrees of freedom of the test; nan where the method has none."""
    effect_size: float = math.nan
    """How large the difference is, from the side of the first; nan where the method gives no effect size."""
    effect_size_ci: Ends = NO_INTERVAL
    no_effect: float = 0.0
    """The effect size of no difference: 0 for standardised differences, 1/2 for shares and probabilities."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further figures of the method, for the records: only such as do not depend on which of the two is the first."""
    favours: str = ""
    """The better of the two by the sign of the difference alone; empty where there is none. Set by the collection."""
    significant: bool = False
    """Whether `p` is below the level of the collection, which sets it."""

    @property
    def winner(self) -> str:
        """The better of the two where they differ significantly; otherwise empty."""
        return self.favours if self.significant else ""

    def turned(self) -> PairwiseComparison:
        """The same comparison from the other side: names, difference, test, interval and effect size are turned.

        The one place where a sign changes. Known answers that hold second − first are compared through it.

        >>> pair = PairwiseComparison(first="a", second="b", difference=2.0, ci=(0.5, 3.5), p=0.02, p_raw=0.01, n=9)
        >>> pair.turned().first, pair.turned().difference, pair.turned().ci
        ('b', -2.0, (-3.5, -0.5))
        """
        mirrored = self.no_effect in (0.0, 0.5)  # with ties, the interval of the other side is another one
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=0.0 - self.difference,
            ci=_mirrored(self.ci, 0.0),
            test_value=0.0 - self.test_value,
            effect_size=2 * self.no_effect - self.effect_size,
            effect_size_ci=_mirrored(self.effect_size_ci, self.no_effect) if mirrored else NO_INTERVAL,
        )


@dataclass(frozen=True, kw_only=True)
class PairwiseComparisons(Result):
    """Comparisons of pairs that belong together; found by place or by the two names, in either order.

    >>> pair = PairwiseComparison(first="a", second="b", difference=2.0, p=0.02, p_raw=0.01, n=9)
    >>> found = PairwiseComparisons(method="t tests", pairs=(pair,), adjustment="Holm", better="lower")
    >>> found["a", "b"].difference, found["b", "a"].difference, found["b", "a"].favours
    (2.0, -2.0, 'b')
    """

    pairs: tuple[PairwiseComparison, ...]
    of: str = ""
    """What was measured, for example a criterion."""
    by: str = ""
    """What the compared are: the factor."""
    unit: str = ""
    """What the differences are differences of, where it is not the measure itself: `mean rank`, `log odds` …"""
    better: Better = "none"
    adjustment: str
    """How `p` is adjusted: `Holm`, `Tukey` (the studentized range), `none` …"""
    family: int = -1
    """How many comparisons `p` is adjusted for; unless given, those that have a p."""
    alpha: float = math.nan
    """A pair whose adjusted p is below this is significant; unless given, 1 − confidence."""
    confidence: float = 0.95
    """Of the intervals."""
    interval: Interval = "none"
    test: str = ""
    """The name of the test statistic: `t`, `z`, `q` …; empty where there is none."""
    effect_size: str = ""
    """The name of the effect size; empty where there is none."""

    def __post_init__(self) -> None:
        if math.isnan(self.alpha):
            object.__setattr__(self, "alpha", round(1 - self.confidence, 12))  # without the rounding of the difference
        settled = tuple(
            replace(pair, favours=_favoured(pair, self.better), significant=bool(pair.p < self.alpha))
            for pair in self.pairs
        )
        object.__setattr__(self, "pairs", settled)
        if self.family < 0:
            family = 1 if self.adjustment == "none" else sum(not math.isnan(pair.p_raw) for pair in settled)
            object.__setattr__(self, "family", family)

    def __iter__(self) -> Iterator[PairwiseComparison]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, key: int | tuple[str, str]) -> PairwiseComparison: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[PairwiseComparison, ...]: ...
    def __getitem__(self, key: int | slice | tuple[str, str]) -> PairwiseComparison | tuple[PairwiseComparison, ...]:
        """A comparison by its place, or by its two names: `[a, b]` is a − b, however it is stored.

        Raises:
            UsageError: the two were not compared.
        """
        if not isinstance(key, tuple):
            return self.pairs[key]
        found = self.get(*key)
        if found is None:
            raise UsageError(f"{key[0]!r} and {key[1]!r} were not compared; compared were {', '.join(self.names)}")
        return found

    def get(self, first: str, second: str) -> PairwiseComparison | None:
        """The comparison first − second; None where the two were not compared."""
        found = self._by_names.get((first, second))
        if found is not None:
            return found
        other = self._by_names.get((second, first))
        return None if other is None else other.turned()

    @cached_property
    def _by_names(self) -> dict[tuple[str, str], PairwiseComparison]:
        return {(pair.first, pair.second): pair for pair in reversed(self.pairs)}  # the first of its names counts

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that was compared, in the order of the pairs."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in (pair.first, pair.second)))

    @property
    def n_significant(self) -> int:
        """Pairs that differ significantly, out of `len(pairs)`."""
        return sum(pair.significant for pair in self.pairs)

    def turned(self) -> Self:
        """All comparisons from the other side: second − first becomes first − second."""
        return replace(self, pairs=tuple(pair.turned() for pair in self.pairs))

    def about(
        self, of: str, by: str | None = None, *, better: Better | None = None, alpha: float | None = None
    ) -> Self:
        """The same comparisons under the names of what was measured, with what is better and what is significant."""
        return replace(
            self,
            of=of,
            by=self.by if by is None else by,
            better=self.better if better is None else better,
            alpha=self.alpha if alpha is None else alpha,
        )

    def records(self, within: Result | None = None) -> list[Record]:
        """One record per pair, its statistic `difference`.

        Args:
            within: The result that holds these comparisons; the records then have its method and signature.
        """
        holder: Result = self if within is None else within
        return [
            holder.record(
                "difference",
                pair.difference,
                of=self.of,
                by=self.by,
                df=_known(pair.df),
                p=pair.p,
                ci=pair.ci if self.interval != "none" else None,
                n=pair.n,
                first=pair.first,
                second=pair.second,
                unit=self.unit,
                better=self.better,
                favours=pair.favours,
                significant=pair.significant,
                p_raw=pair.p_raw,
                adjustment=self.adjustment,
                family=self.family,
                alpha=self.alpha,
                interval=self.interval,
                confidence=self.confidence if self.interval != "none" else None,
                se=_known(pair.se),
                test=self.test,
                test_value=pair.test_value if self.test else None,
                effect_size=pair.effect_size if self.effect_size else None,
                effect_size_name=self.effect_size,
                effect_size_ci=None if math.isnan(pair.effect_size_ci[0]) else pair.effect_size_ci,
                **pair.more,
            )
            for pair in self.pairs
        ]

    def table(self, name: str = "", title: str = "") -> Table:
        """One row per pair for people to read; the note says what p and intervals are."""
        columns = {
            "First": [pair.first for pair in self.pairs],
            "Second": [pair.second for pair in self.pairs],
            "Difference": [pair.difference for pair in self.pairs],
            "Low": [pair.ci[0] for pair in self.pairs] if self.interval != "none" else [],
            "High": [pair.ci[1] for pair in self.pairs] if self.interval != "none" else [],
            self.test or "test": [pair.test_value for pair in self.pairs] if self.test else [],
            "df": _unless_all_nan([pair.df for pair in self.pairs]),
            "p": [pair.p for pair in self.pairs],
            "p raw": [pair.p_raw for pair in self.pairs] if self.adjustment != "none" else [],
            "Significant": [pair.significant for pair in self.pairs],
            "Winner": [pair.winner for pair in self.pairs] if self.better != "none" else [],
            self.effect_size or "effect": [pair.effect_size for pair in self.pairs] if self.effect_size else [],
            "n": [pair.n for pair in self.pairs],
        }
        shown = {column: values for column, values in columns.items() if values}
        return Table(
            name or "pairs",
            title or self.method,
            tuple(shown),
            tuple(zip(*shown.values(), strict=True)),
            self.note,
        )

    @property
    def note(self) -> str:
        """What the numbers are, in a sentence or two for the foot of a table."""
        unit = f", in {self.unit}" if self.unit else ""
        adjusted = (
            "p is not adjusted"
            if self.adjustment == "none"
            else f"p is adjusted for {self.family} comparisons ({self.adjustment})"
        )
        interval = {
            "simultaneous": f"; the intervals hold for all pairs together ({self.confidence * 100:g} %)",
            "single": f"; the intervals ({self.confidence * 100:g} %) are those of each pair alone",
            "none": "",
        }
        return f"Difference: First − Second{unit}; {adjusted}{interval[self.interval]}."


def _favoured(pair: PairwiseComparison, better: Better) -> str:
    if better == "none" or math.isnan(pair.difference) or pair.difference == 0:
        return ""
    return pair.first if (pair.difference > 0) == (better == "higher") else pair.second


def _mirrored(ends: Ends, centre: float) -> Ends:
    return 2 * centre - ends[1], 2 * centre - ends[0]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _unless_all_nan(values: list[float]) -> list[float]:
    return [] if all(map(math.isnan, values)) else values
