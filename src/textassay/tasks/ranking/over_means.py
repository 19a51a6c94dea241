"""What participants' own mean ranks tell of the systems: Friedman's test, all pairs after it, and Kendall's W."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from textassay.stats import Conover, Friedman, KendallW, Nemenyi, conover_friedman, friedman, nemenyi
from textassay.stats.statistic import Statistic
from textassay.tasks.ranking.concordance import complete_means, over_means, same_order

_NAMES = ("Friedman", "Nemenyi", "Conover")


@dataclass(frozen=True)
class OverMeans:
    """Each participant counts once, and items are taken as they are."""

    friedman: Friedman
    nemenyi: Nemenyi
    conover: Conover
    between: KendallW
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


def of_means(main: pd.DataFrame, systems: Sequence[str], *, alpha: float) -> OverMeans:
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
    return OverMeans(*tests, over_means(means), same_order(means), tuple(dict.fromkeys(said)))
