"""Analyses by subjects (F1) and by items (F2), and min F′, which generalises to both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy.typing as npt

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.distributions import f_upper
from textassay.stats.samples import Column, check_columns, coded
from textassay.stats.statistic import Statistic
from textassay.stats.variance.anova_table import effect_by_name
from textassay.stats.variance.cell_means import cell_means
from textassay.stats.variance.rm_anova import RmAnova, rm_anova_of
from textassay.stats.variance.split_plot import Sums

Across = Literal["within", "between"]
"""`within`: each subject (or item) has every level of the factor; `between`: each has one."""


@dataclass(frozen=True)
class MinF:
    """One effect over subjects and items at once."""

    name: str
    min_f: float
    df: tuple[int, float]
    p: float


@dataclass(frozen=True, kw_only=True)
class BySubjectsItems(Statistic):
    """The same effects by subjects, by items, and over both."""

    by_subjects: RmAnova
    """F1, of each subject's means over items."""
    by_items: RmAnova
    """F2, of each item's means over subjects."""
    min_f: tuple[MinF, ...]
    n: int
    """Values used."""

    @property
    def min_f_by_effect(self) -> dict[str, float]:
        """The min F′ of each effect."""
        return {effect.name: effect.min_f for effect in self.min_f}

    def __getitem__(self, name: str) -> MinF:
        """The effect of that name.

        Raises:
            UsageError: there is none; the message names those that there are.
        """
        return effect_by_name(self.min_f, name)

    def records(self) -> list[Record]:
        """Three records per effect: F1, F2 and min F′."""
        records = []
        for both in self.min_f:
            for short, table in (("F1", self.by_subjects), ("F2", self.by_items)):
                effect = table[both.name]
                records.append(
                    self.record(
                        short,
                        effect.f,
                        by=both.name,
                        df=(effect.df, effect.error.df),
                        p=effect.p,
                        n=self.n,
                        ms=(effect.ms, effect.error.ms),
                        partial_eta2=effect.partial_eta2,
                        p_gg=effect.p_gg,
                    )
                )
            records.append(self.record("min F′", both.min_f, by=both.name, df=both.df, p=both.p, n=self.n))
        return records


def by_subjects_items(
    values: npt.ArrayLike,
    subjects: Column,
    items: Column,
    factors: Mapping[str, Column],
    *,
    across_items: Across | Mapping[str, Across] | None = None,
    across_subjects: Across | Mapping[str, Across] = "within",
    sums: Sums = "II",
) -> BySubjectsItems:
    """F1 by subjects, F2 by items, and min F′.

    Purpose: find out whether an effect holds for other participants and for other items, by two analyses of variance
    joined to min F′.

    F1 is the analysis of variance of each subject's means over items, F2 that of each item's means over subjects; an
    effect can be significant in both and still hold for these subjects or these items only. A bound for both at once
    is min F′ = F1·F2 / (F1 + F2) on the effect's and (F1 + F2)² / (F1²/n2 + F2²/n1) degrees of freedom, n1 and n2
    those of the error of F1 and F2 (Clark 1973). It is conservative; a mixed model with random subjects and items is
    the sharper answer.

    R: `afex::aov_ez("subject", "value", data, within = "A")`, the same with `"item"`, and the formula above.

    Example:
        >>> values = [10, 14, 11, 18, 9, 12, 16, 13, 10, 15, 9, 16]
        >>> subjects, items = [1, 1, 2, 2, 3, 3] * 2, ["i1"] * 6 + ["i2"] * 6
        >>> order = ["a", "b", "a", "b", "a", "b", "b", "a", "a", "b", "a", "b"]
        >>> found = by_subjects_items(values, subjects, items, {"order": order}, across_items="within")
        >>> [(record["statistic"], round(record["value"], 2), record["df"][0]) for record in found.records()]
        [('F1', 44.26, 1), ('F2', 841.0, 1), ('min F′', 42.05, 1)]

    Args:
        values: One number per observation.
        subjects: Who gave it.
        items: What it was given to. Where a factor lies between items each version of a text is an item of its own.
        factors: By name, one label per observation.
        across_items: Whether a factor varies `within` items or `between` them, for all factors or by name. It has to
            be said: the degrees of freedom depend on it, and a look at the data cannot tell a design from an accident.
        across_subjects: The same for subjects.
        sums: How unequal groups are dealt with: type II or type III sums of squares.

    Raises:
        UsageError: `across_items` is not said, or names no factor.
        DataError: what was said does not fit the data, or cells are empty; as for `rm_anova`.
    """
    if not factors:
        raise UsageError("factors names no factor")
    check_columns("factors", factors)
    if across_items is None:
        raise UsageError(
            "say whether the factors vary within items or between them: across_items='within', 'between', or by name; "
            f"the data have {_seen(items, factors)}"
        )
    tables = []
    for unit, units, across in (("subject", subjects, across_subjects), ("item", items, across_items)):
        placed = _placed(factors, across, f"across_{unit}s")
        within, between = ({name: factors[name] for name in factors if placed[name] == where} for where in _PLACES)
        tables.append(rm_anova_of(cell_means(values, units, within, between, unit=unit), sums=sums))
    return _joined(*tables)


_PLACES = get_args(Across)


def _placed(factors: Mapping[str, Column], across: Across | Mapping[str, Across], setting: str) -> Mapping[str, Across]:
    placed = dict.fromkeys(factors, across) if isinstance(across, str) else dict(across)
    unplaced = [name for name in factors if name not in placed]
    unknown = [name for name in placed if name not in factors]
    wrong = [f"{name}: {place!r}" for name, place in placed.items() if place not in _PLACES]
    if unplaced or unknown or wrong:
        said = [*unplaced, *(f"{name} (no such factor)" for name in unknown), *wrong]
        raise UsageError(f"{setting} must say 'within' or 'between' for each of {', '.join(factors)}; see {said[0]}")
    return placed


def _seen(items: Column, factors: Mapping[str, Column]) -> str:
    """How the factors lie in the data, for a message."""
    rows, names = coded(items, "items")
    shown = []
    for name, column in factors.items():
        codes, _ = coded(column, name)
        several = len(set(zip(rows.tolist(), codes.tolist(), strict=False))) > len(names)
        shown.append(f"{name} {'in several levels' if several else 'in one level'} per item")
    return ", ".join(shown)


def _joined(by_subjects: RmAnova, by_items: RmAnova) -> BySubjectsItems:
    effects = tuple(_min_f(effect.name, by_subjects, by_items) for effect in by_subjects.effects)
    warnings = [f"by {unit}: {text}" for unit, table in _units(by_subjects, by_items) for text in _kept(table)]
    zero = [effect.name for effect in effects if math.isnan(effect.min_f)]
    if zero:
        warnings.append(f"min F′ is undefined for {', '.join(zero)}: F1 or F2 is undefined, or both are 0")
    settings = {
        f"{unit}s": f"{table.subjects}, " + _placement(table, unit) for unit, table in _units(by_subjects, by_items)
    }
    return BySubjectsItems(
        method="ANOVA by subjects and by items with min F′",
        settings={**settings, "n": by_subjects.n},
        warnings=tuple(warnings),
        by_subjects=by_subjects,
        by_items=by_items,
        min_f=effects,
        n=by_subjects.n,
    )


def _units(by_subjects: RmAnova, by_items: RmAnova) -> tuple[tuple[str, RmAnova], ...]:
    return (("subject", by_subjects), ("item", by_items))


def _placement(table: RmAnova, unit: str) -> str:
    places = [
        f"{place} {table.settings[f'{place} {unit}s']}" for place in _PLACES if f"{place} {unit}s" in table.settings
    ]
    return "; ".join(places)


def _kept(table: RmAnova) -> list[str]:
    # These analyses always average values; only unequal numbers deserve a warning.
    return [text for text in table.warnings if "were averaged" not in text or "counts the same" in text]


def _min_f(name: str, by_subjects: RmAnova, by_items: RmAnova) -> MinF:
    first, second = by_subjects[name], by_items[name]
    total = first.f + second.f
    if not total > 0:
        return MinF(name, math.nan, (first.df, math.nan), math.nan)
    value = first.f * second.f / total
    df = total**2 / (first.f**2 / second.error.df + second.f**2 / first.error.df)
    return MinF(name, value, (first.df, df), f_upper(value, first.df, df))
