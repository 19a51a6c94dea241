"""Analysis of variance of repeated measures, with factors within and between subjects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy.typing as npt

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.stats.samples import Column
from textassay.stats.variance.anova_table import AnovaTable, ErrorTerm
from textassay.stats.variance.cell_means import CellMeans, cell_means
from textassay.stats.variance.split_plot import Sums, WithinEffect, split_plot


@dataclass(frozen=True, kw_only=True)
class RmAnova(AnovaTable[WithinEffect]):
    """A table of variance in which each effect has its own error term.

    `f`, `p` and `df` are short for those of the only effect; its p assumes sphericity, `effect.p_gg` does not. `n` is
    the number of values before several of one subject and condition were averaged.
    """

    subjects: int
    """How many; in an analysis by items, how many items."""

    def error_of(self, effect: WithinEffect) -> ErrorTerm:
        """The error term of the effect."""
        return effect.error

    def effect_sizes(self, effect: WithinEffect) -> dict[str, Any]:
        """Partial and generalised η², and the corrections for lack of sphericity where they apply."""
        sizes = {"partial_eta2": effect.partial_eta2, "generalised_eta2": effect.generalised_eta2}
        found = effect.sphericity
        if found is None:
            return sizes
        return {
            **sizes,
            "epsilon_gg": found.gg,
            "p_gg": effect.p_gg,
            "epsilon_hf": found.hf,
            "p_hf": effect.p_hf,
            "mauchly_w": found.mauchly_w,
            "mauchly_p": found.mauchly_p,
        }


def rm_anova(
    values: npt.ArrayLike,
    subjects: Column,
    within: Mapping[str, Column],
    *,
    between: Mapping[str, Column] | None = None,
    sums: Sums = "II",
    observed: Sequence[str] = (),
) -> RmAnova:
    """Repeated-measures analysis of variance: any number of factors within subjects, and between them.

    Purpose: find out whether systems differ when the same participants judged all of them.

    Each effect within subjects is tested against its own interaction with subjects: F = MS_effect / MS_effect×subject;
    an effect between subjects against the subjects within groups. Several values of one subject in one condition are
    averaged first. Beside p, which assumes sphericity, come Mauchly's test and p with the degrees of
    freedom of Greenhouse & Geisser (1959) and of Huynh & Feldt (1976). Partial η² = SS / (SS + SS_error); generalised
    η² = SS / (SS + all error terms), with the sums of squares of observed factors added below (Olejnik & Algina 2003).

    R: `afex::aov_ez("subject", "value", data, within = c(...), between = c(...), type = sums)`.

    Example:
        >>> result = rm_anova([1, 2, 4, 2, 4, 5, 3, 4, 8], list("aaabbbccc"), {"order": [1, 2, 3] * 3})
        >>> round(result.f, 4), result.df, round(result.p, 4)  # SS 20.6667 on 2; of order × subject 2.6667 on 4
        (15.5, (2, 4), 0.0131)
        >>> round(result.effect.sphericity.gg, 4), round(result.effect.p_gg, 4)
        (0.5714, 0.0471)

    Args:
        values: One number per observation.
        subjects: Whose it is, one label per observation.
        within: Factors that vary within each subject, by name, one label per observation.
        between: Factors of which each subject has one level, such as list, cohort or expertise.
        sums: How unequal groups are dealt with: type II or type III sums of squares.
        observed: Factors that were measured and not manipulated, such as expertise; they change generalised η² only.

    Raises:
        DataError: unequal lengths, missing labels or values, a factor with one level, subjects without a value in
            some condition (the message lists the cells), a subject with two levels of a factor between subjects.
        UsageError: no factor within subjects, a factor given twice, or an unknown `sums` or `observed` factor.
    """
    if not within:
        raise UsageError("within names no factor; where every subject has one value, use anova")
    return rm_anova_of(cell_means(values, subjects, within, between), sums=sums, observed=observed)


def rm_anova_of(cells: CellMeans, *, sums: Sums = "II", observed: Sequence[str] = ()) -> RmAnova:
    """The same of means that are there already; without a factor within units it is an ANOVA of one mean each."""
    check_choice("sums", sums, get_args(Sums))
    unknown = [name for name in observed if name not in cells.levels and name not in cells.between]
    if unknown:
        known = ", ".join([*cells.levels, *cells.between])
        raise UsageError(f"observed names {unknown[0]!r}, which is not a factor; there are {known}")
    table = split_plot(cells, sums, observed)
    settings: dict[str, Any] = {f"within {cells.unit}s": _with_level_counts(cells.levels)} if cells.levels else {}
    if cells.between:
        settings[f"between {cells.unit}s"] = _with_level_counts({name: set(own) for name, own in cells.between.items()})
        settings["sums of squares"] = sums
    if observed:
        settings["observed"] = ", ".join(observed)
    return RmAnova(
        method="repeated-measures ANOVA" if cells.levels else "ANOVA of means",
        settings={**settings, f"{cells.unit}s": len(cells.units), "cells": cells.means.size, "n": cells.n},
        warnings=(*cells.warnings(), *table.warnings),
        effects=table.effects,
        subjects=len(cells.units),
        n=cells.n,
    )


def _with_level_counts(levels: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} ({len(own)})" for name, own in levels.items())
