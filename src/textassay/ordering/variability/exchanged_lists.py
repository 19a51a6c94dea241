"""What chance makes of a statistic when people exchange their lists: which text they saw in which condition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from textassay.errors import UsageError
from textassay.ordering.measures.measure import Floats
from textassay.ordering.variability.reorderings import Codes, Reorderings
from textassay.seeds import Stream

_ENUMERATED = 10_000
"""Up to this number of exchanges, all of them are made."""
_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class ExchangedLists:
    """Ways to hand the lists out again.

    A list says in which condition each text is shown. Handing lists to people is what chance did in the study; if
    conditions make no difference, people would have given the same orders with any other list. So a statistic of the
    orders with the lists exchanged is as likely as the one seen, however people, texts and pairs hang together.
    """

    whose: Codes
    """Shape (ways, people): whose list each person gets; the first way is the one seen."""
    exact: bool
    """Whether these are all ways; else a sample, and p = (b+1)/(ways), with the way seen as one of them."""
    reason: str = ""
    """Why there is no test; empty where there is one."""

    def p(self, values: Floats) -> float:
        """Share of the ways whose value is at least as large as the one seen; an undefined one counts as larger."""
        if self.reason or math.isnan(values[0]):
            return math.nan
        return float(np.mean(~(values < values[0] - _SLACK)))

    @property
    def settings(self) -> dict[str, object]:
        """For a signature."""
        return {
            "test": "lists exchanged between people",
            "p": "exact" if self.exact else f"{len(self.whose) - 1} draws",
        }


def exchanged_lists(people: Reorderings, *, draws: int = 1999, seed: int = 0) -> ExchangedLists:
    """Ways to exchange lists between people who ordered the same texts: all where there are few, else random draws.

    Raises:
        UsageError: not at least one draw.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise UsageError(f"draws must be a whole number of at least 1, got {draws!r}")
    n = len(people.people)
    seen = np.arange(n)
    groups = _alike(people)
    if len(people.conditions) < 2:
        return ExchangedLists(seen[None], exact=True, reason="there is one condition only")
    if not any(len({tuple(people.condition[:, p]) for p in group}) > 1 for group in groups):
        reason = "no two people ordered the same texts in different conditions, so nothing can be exchanged"
        return ExchangedLists(seen[None], exact=True, reason=reason)
    if math.prod(math.factorial(len(group)) for group in groups) <= _ENUMERATED:
        ways = [np.concatenate(way) for way in product(*(list(permutations(group)) for group in groups))]
        whose = np.empty((len(ways), n), dtype=np.int64)
        whose[:, np.concatenate(groups)] = ways  # the first of all permutations is the order seen
        return ExchangedLists(whose, exact=True)
    stream = Stream(seed, "ordering", "exchanged lists")
    whose = np.tile(seen, (draws + 1, 1))
    for group in groups:
        order = np.argsort(stream.uniforms(draws * len(group)).reshape(draws, -1), axis=1)
        whose[1:, group] = np.asarray(group)[order]
    return ExchangedLists(whose, exact=False)


def _alike(people: Reorderings) -> list[list[int]]:
    """People by the texts that they ordered."""
    groups: dict[bytes, list[int]] = {}
    for person, there in enumerate(people.which.T >= 0):
        groups.setdefault(there.tobytes(), []).append(person)
    return list(groups.values())
