"""Mean ranks of systems, Friedman's test and all pairs after it, and how far participants rank alike."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from textassay.analysis.agreement import Concordance, concordance
from textassay.analysis.trial_contrasts import trial_columns
from textassay.results import Record
from textassay.stats import (
    Conover,
    Friedman,
    MeanInterval,
    Nemenyi,
    conover_friedman,
    friedman,
    kendall_w,
    mean_interval,
    nemenyi,
)
from textassay.stats.mean_interval import NO_BOUNDS, Bounds
from textassay.stats.statistic import Statistic

Counts = tuple[tuple[str, tuple[tuple[float, int], ...]], ...]
"""System → rank → how often."""
_TIE_DIGITS = 9
"""Means are compared to this many decimals, so that rounding does not break ties."""
_NAMES = ("Friedman", "Nemenyi", "Conover")


def mean_ranks(
    main: pd.DataFrame, criterion: str, systems: Sequence[str], confidence: float
) -> tuple[MeanInterval, ...]:
    """Means over participants of their own mean ranks: single ranks of one person are not independent."""
    own = main.groupby(["participant", "system"], sort=False)["value"].mean().reset_index()
    bounds = (1.0, float(main["value"].max())) if len(main) else NO_BOUNDS
    return tuple(
        _mean(own.loc[own["system"] == name, "value"], criterion, name, confidence, bounds) for name in systems
    )


def _mean(own: pd.Series[float], criterion: str, system: str, confidence: float, bounds: Bounds) -> MeanInterval:
    found = mean_interval(own.to_numpy(dtype=float), confidence=confidence, bounds=bounds)
    settings = {"of": "each participant's mean rank", **found.settings}
    return replace(found, method="mean rank with t interval", settings=settings, of=criterion, by=system)


def counts_of(main: pd.DataFrame, systems: Sequence[str]) -> Counts:
    """For each system how often it got which rank."""
    return tuple((system, _counted(main.loc[main["system"] == system, "value"])) for system in systems)


def _counted(ranks: pd.Series[float]) -> tuple[tuple[float, int], ...]:
    return tuple(sorted((float(rank), int(n)) for rank, n in Counter(ranks).items()))


@dataclass(frozen=True, kw_only=True)
class ItemConcordance(Statistic):
    """Kendall's W between those who ranked the texts of one item, for each item, and its mean."""

    mean_w: float
    per_item: tuple[tuple[str, float, int], ...]
    """Item, W, and how many ranked it; where trials show only some systems, an item has one row per set."""

    def records(self) -> list[Record]:
        """The mean."""
        w = [value for _, value, _ in self.per_item]
        least, most = min(w, default=math.nan), max(w, default=math.nan)
        return [self.record("mean W within items", self.mean_w, n=len(w), min=least, max=most)]


def complete_means(main: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Each participant's mean rank of each system, of those who have all of them; and what is to be said of that.

    It needs everybody to have ranked the same systems together; where trials show only some of them, mean ranks depend
    on the company, and nobody is left.
    """
    means = main.pivot_table(index="participant", columns="system", values="value", aggfunc="mean").round(_TIE_DIGITS)
    if not bool((main["k"] == means.shape[1]).all()):
        why = "trials show only some systems, so one person's mean ranks depend on which stood together"
        return means.iloc[:0], (f"Friedman's test on mean ranks is undefined: {why}",)
    complete = means.dropna()
    gone = len(means) - len(complete)
    said = (f"Friedman's test leaves out {gone} participant(s) without every system",) if gone else ()
    return complete, said


def rank_concordance(main: pd.DataFrame) -> Concordance:
    """Kendall's W between participants, on each participant's mean rank of each system.

    Its χ² is Friedman's test of whether the systems differ, with participants as blocks. Where trials show only some
    systems, or a participant lacks one, Krippendorff's alpha of mean ranks as shares of the texts of a trial, so that
    ranks among few and among many texts can be compared.
    """
    whole = bool((main["k"] == main["system"].nunique()).all())
    ranks = main if whole else main.assign(value=(main["value"] - 0.5) / main["k"])
    means = ranks.pivot_table(index="participant", columns="system", values="value", aggfunc="mean")
    why = "" if whole else "trials show only some systems"
    return concordance(means, between="participants", on="mean rank a system", incomplete=why)


def same_order(means: pd.DataFrame) -> float:
    """Share of participants whose own mean ranks put the systems into the order of all, a tie counting as another."""
    if means.empty or means.shape[1] < 2:
        return math.nan
    order = means.mean().sort_values(kind="stable").index
    return float(np.mean(np.all(np.diff(means[order].to_numpy(dtype=float), axis=1) > 0, axis=1)))


def item_concordance(main: pd.DataFrame) -> ItemConcordance:
    """Kendall's W between the participants who ranked the same texts of an item, for each item, and the mean."""
    found, left_out = [], 0
    together = main.groupby(trial_columns(main))["system"].transform(lambda systems: "\x1f".join(sorted(systems)))
    for (item, _), rows in main.groupby([main["item"], together], sort=False):
        table = rows.pivot_table(index="participant", columns="system", values="value")
        w = kendall_w(table.to_numpy(dtype=float)).w
        if math.isnan(w):
            left_out += 1
        else:
            found.append((str(item), w, len(table)))
    why = "fewer than two participants ranked the same texts, or all tied them"
    if not found:
        warnings: tuple[str, ...] = (f"W within items is undefined: of each set of texts {why}",)
    else:
        warnings = (f"W within items leaves out {left_out} set(s) of texts of which {why}",) if left_out else ()
    return ItemConcordance(
        method="mean Kendall's W within items",
        settings={"between": "participants", "ties": "corrected"},
        warnings=warnings,
        by="System",
        mean_w=float(np.mean([w for _, w, _ in found])) if found else math.nan,
        per_item=tuple(found),
    )


@dataclass(frozen=True)
class MeanRankTests:
    """Each participant counts once, and items are taken as they are."""

    friedman: Friedman
    nemenyi: Nemenyi
    conover: Conover
    between: Concordance
    same_order: float
    """Share of participants who put the systems into the order of all."""
    warnings: tuple[str, ...]

    @property
    def letters(self) -> dict[str, str]:
        """Of each system: those that share one do not differ after Nemenyi; the best has an a."""
        found = self.nemenyi.letters if self.friedman.n else ()
        used = sorted(set("".join(found)))
        turned = str.maketrans(dict(zip(used, reversed(used), strict=True)))
        names = zip(self.nemenyi.groups, found, strict=True) if found else ()
        return {name: "".join(sorted(own.translate(turned))) for name, own in names}

    @property
    def results(self) -> tuple[Statistic, ...]:
        """In the order of a report."""
        return self.friedman, self.nemenyi, self.conover, self.between


def mean_rank_tests(main: pd.DataFrame, systems: Sequence[str], *, alpha: float) -> MeanRankTests:
    """Friedman's test with participants as blocks, and what goes with it.

    Args:
        main: Rankings on one criterion, as `read_rankings` gives them.
        systems: In the order in which pairs name them.
        alpha: Level of all comparisons of pairs together.
    """
    means, said = complete_means(main)
    means = means.reindex(columns=list(systems))
    table, blocks, treatments = means.to_numpy(dtype=float), list(map(str, means.index)), list(systems)
    tests = (
        friedman(table, blocks=blocks, treatments=treatments),
        nemenyi(table, alpha=alpha, blocks=blocks, treatments=treatments).about("", better="lower"),
        conover_friedman(table, alpha=alpha, blocks=blocks, treatments=treatments).about("", better="lower"),
    )
    if not means.empty:
        said = (*said, *(f"{name}: {text}" for name, each in zip(_NAMES, tests, strict=True) for text in each.warnings))
    between = rank_concordance(main)
    said = (*said, *between.warnings)
    return MeanRankTests(*tests, between, same_order(means), tuple(dict.fromkeys(said)))
