"""The published analysis of agreement between people: every pair counted as an observation of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from textassay.ordering.variability.reorderings import Reorderings
from textassay.results import Record
from textassay.stats import Anova, Tukey, anova, tukey
from textassay.stats.statistic import Statistic

NOT_VALID = (
    "published mode: pairs share people, so that their taus are not independent and this analysis finds differences "
    "where there are none; trust the tests with people as what was sampled, which stand beside it"
)
_MOST_CELLS = 20_000_000
"""Numbers in the table of the model; beyond that the factor pair is left out."""


@dataclass(frozen=True, kw_only=True)
class PairAnova(Statistic):
    """Tau of all pairs of people, by text, pair and condition."""

    anova: Anova
    tukey: Tukey | None
    """Between texts; None where there is one."""
    n: int

    def records(self) -> list[Record]:
        """F of each factor, and all pairs of texts."""
        parts = (self.anova,) if self.tukey is None else (self.anova, self.tukey)
        return [record for part in parts for record in replace(part, method=self.method, of=self.of).records()]


def pair_anova(people: Reorderings, *, alpha: float = 0.05) -> PairAnova | None:
    """Analysis of variance of tau over all pairs of people, with text, pair and condition as factors.

    As Madnani et al. (2007) did. The condition of a pair is that of both, or the two in which they had the text. None
    where no factor has two levels or there are fewer than two taus to a level.
    """
    first, second = np.triu_indices(len(people.people), 1)
    taus = people.taus[:, first, second]
    text, pair = np.nonzero(~np.isnan(taus))
    values = taus[text, pair]
    condition = np.sort(np.stack([people.condition[text, first[pair]], people.condition[text, second[pair]]]), axis=0)
    codes = {"text": text, "pair": pair, "condition": condition[0] * len(people.conditions) + condition[1]}
    factors = {name: code for name, code in codes.items() if len(np.unique(code)) > 1}
    warnings = [NOT_VALID]
    if sum(len(np.unique(code)) for code in factors.values()) * values.size > _MOST_CELLS and "pair" in factors:
        del factors["pair"]
        warnings.append(f"the factor pair is left out: {len(first)} pairs are too many to fit at once")
    left = values.size - 1 - sum(len(np.unique(code)) - 1 for code in factors.values())
    if not factors or left < 1 or np.ptp(values) == 0:
        return None
    found = anova(values, {name: code.astype(str) for name, code in factors.items()}, terms=list(factors))
    names = np.array(people.texts)[text]
    compared = tukey(values, names, factor="text", alpha=alpha, error=found.error) if "text" in factors else None
    return PairAnova(
        method="ANOVA over pairs of people (published)",
        settings={"factors": " + ".join(factors), "pairs": len(first), "n": values.size},
        warnings=(*warnings, *found.warnings, *(() if compared is None else compared.warnings)),
        of="tau between people",
        anova=found,
        tukey=compared,
        n=values.size,
    )


def greater_sets(pairs: Iterable[tuple[str, str]], order: Iterable[str]) -> list[tuple[list[str], list[str]]]:
    """Which texts lie above which, in as few lines as Madnani et al. print them: S₊ > S₋.

    Args:
        pairs: Greater and smaller text of each difference that was found.
        order: All texts, the one with the highest mean first.

    >>> greater_sets([("8", "7"), ("9", "7"), ("8", "4"), ("8", "2")], ["8", "9", "4", "2", "7"])
    [(['8', '9'], ['7']), (['8'], ['4', '2'])]
    """
    places = {name: place for place, name in enumerate(order)}
    above: dict[str, list[str]] = {}
    for more, less in pairs:
        above.setdefault(less, []).append(more)
    lines: dict[tuple[str, ...], list[str]] = {}
    for less in sorted(above, key=lambda name: (-len(above[name]), places[name])):
        lines.setdefault(tuple(sorted(above[less], key=places.__getitem__)), []).append(less)
    return [(list(more), less) for more, less in lines.items()]
