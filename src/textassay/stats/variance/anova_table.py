"""The table of an analysis of variance: its effects, each measured by an error term."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.results import Record
from textassay.stats.statistic import Statistic

SumsOfSquares = Literal["I", "II", "III"]
"""`I`: each term after those before it; `II`: after all that do not contain it; `III`: after all others."""


@dataclass(frozen=True)
class ErrorTerm:
    """The residual variation that the F ratios, and the comparisons that follow, are measured by."""

    ss: float
    df: int

    @property
    def ms(self) -> float:
        """Mean square; nan without degrees of freedom."""
        return self.ss / self.df if self.df > 0 else math.nan


@dataclass(frozen=True)
class EffectLine:
    """One line of the table."""

    name: str
    """The factor, or the factors of an interaction joined by colons."""
    ss: float
    """Sum of squares."""
    df: int
    f: float
    p: float

    @property
    def ms(self) -> float:
        """Mean square; nan without degrees of freedom."""
        return self.ss / self.df if self.df > 0 else math.nan


Line = TypeVar("Line", bound=EffectLine)


@dataclass(frozen=True, kw_only=True)
class AnovaTable(Statistic, Generic[Line]):
    """A table of variance; `f`, `p` and `df` are short for those of the only effect."""

    effects: tuple[Line, ...]
    n: int
    """Values used."""

    @abstractmethod
    def error_of(self, effect: Line) -> ErrorTerm:
        """What the effect is measured by."""

    @abstractmethod
    def effect_sizes(self, effect: Line) -> dict[str, Any]:
        """Further figures of the effect, for its record."""

    def __getitem__(self, name: str) -> Line:
        """The effect of that name, such as `system` or `system:text`; the factors may be in any order.

        Raises:
            UsageError: there is none; the message names those that there are.
        """
        return effect_by_name(self.effects, name)

    @property
    def effect(self) -> Line:
        """The only effect.

        Raises:
            UsageError: there are several; take one by its name.
        """
        if len(self.effects) != 1:
            raise UsageError(f"this analysis has {len(self.effects)} effects; take one by its name, as result['order']")
        return self.effects[0]

    @property
    def f(self) -> float:
        """The F ratio."""
        return self.effect.f

    @property
    def p(self) -> float:
        """P of an F at least as large without an effect."""
        return self.effect.p

    @property
    def df(self) -> tuple[int, int]:
        """Degrees of freedom of the effect and of its error."""
        return self.effect.df, self.error_of(self.effect).df

    @property
    def f_by_effect(self) -> dict[str, float]:
        """The F ratio of each effect."""
        return {effect.name: effect.f for effect in self.effects}

    def records(self) -> list[Record]:
        """One record per effect."""
        return [self._record(effect, self.error_of(effect)) for effect in self.effects]

    def _record(self, effect: Line, error: ErrorTerm) -> Record:
        return self.record(
            "F",
            effect.f,
            by=effect.name,
            df=(effect.df, error.df),
            p=effect.p,
            n=self.n,
            ss=(effect.ss, error.ss),
            ms=(effect.ms, error.ms),
            **self.effect_sizes(effect),
        )


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=_Named)


def effect_by_name(effects: Iterable[Named], name: str) -> Named:
    """The effect of that name; the factors of an interaction may be in any order.

    Raises:
        UsageError: there is none; the message names those that there are.
    """
    known = {tuple(sorted(effect.name.split(":"))): effect for effect in effects}
    found = known.get(tuple(sorted(name.split(":"))))
    if found is None:
        raise UsageError(unknown("effect", name, (each.name for each in known.values())))
    return found
