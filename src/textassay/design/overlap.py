"""Which texts several participants judge: how many any two share, and how well that tells their agreement."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

_Z = 1.96


@dataclass(frozen=True)
class Overlap:
    """What participants have in common."""

    least: int | None
    """Texts that two participants share, over all pairs of them; unknown where there are too many pairs to count."""
    most: int | None
    mean: float
    shared_texts: int
    """Texts that at least two participants judge."""
    judgements: float
    """Mean number of judgements of those texts."""
    groups: int
    """Groups of participants without a text in common with others; 1 if all are connected."""

    def agreement_known_to(self, icc: float = 0.5) -> float:
        """Half the width of a 95 % interval of the intraclass correlation, if it is about that (Fisher 1925).

        With n texts of k judgements each its variance is 2 (1 - ρ)² (1 + (k - 1) ρ)² / (k (k - 1) (n - 1)).

        >>> round(Overlap(0, 1, 0.3, 1000, 4.0, 1).agreement_known_to(), 3)
        0.032
        """
        n, k = self.shared_texts, self.judgements
        if n < 3 or k < 2:
            return math.nan
        return _Z * math.sqrt(2 / (k * (k - 1) * (n - 1))) * (1 - icc) * (1 + (k - 1) * icc)


def measure_overlap(slots: Sequence[Sequence[Hashable]]) -> Overlap:
    """Count what participants share.

    >>> measure_overlap([["i", "j"], ["j", "k"], ["k", "i"], ["l"]])
    Overlap(least=0, most=1, mean=0.5, shared_texts=3, judgements=2.0, groups=2)

    Args:
        slots: The texts of each participant.
    """
    holders = _holders(slots)
    counts = [len(people) for people in holders.values() if len(people) > 1]
    pairs = len(slots) * (len(slots) - 1) // 2
    together = sum(count * (count - 1) // 2 for count in counts)
    least: int | None = None
    most: int | None = None
    if together <= _MOST_PAIRS:
        least, most = _extremes_of_few(holders, pairs)
    elif len(slots) <= _MOST_PARTICIPANTS:
        least, most = _extremes_of_many(slots, list(holders))
    return Overlap(
        least=least,
        most=most,
        mean=together / pairs if pairs else math.nan,
        shared_texts=len(counts),
        judgements=sum(counts) / len(counts) if counts else math.nan,
        groups=len(set(sharing_groups(slots))),
    )


_MOST_PAIRS = 1_000_000
"""Pairs of judgements of one text that are counted one by one."""
_MOST_PARTICIPANTS = 5000
"""All pairs of more of them take too long."""
_ROWS = 256


def _extremes_of_few(holders: Mapping[Hashable, set[int]], pairs: int) -> tuple[int, int]:
    shared = Counter(pair for people in holders.values() for pair in combinations(sorted(people), 2))
    return min(shared.values(), default=0) if len(shared) == pairs else 0, max(shared.values(), default=0)


def _extremes_of_many(slots: Sequence[Sequence[Hashable]], texts: Sequence[Hashable]) -> tuple[int, int]:
    """The same by products of matrices, some rows at a time: many participants judge the same text."""
    number = {text: place for place, text in enumerate(texts)}
    seen = np.zeros((len(slots), len(texts)), dtype=np.float32)
    for person, own in enumerate(slots):
        seen[person, [number[text] for text in own]] = 1
    least, most = len(texts), 0
    for start in range(0, len(slots), _ROWS):
        shared = seen[start : start + _ROWS] @ seen[start:].T
        later = np.triu(np.ones(shared.shape, dtype=bool), 1)
        if later.any():
            least, most = min(least, int(shared[later].min())), max(most, int(shared[later].max()))
    return least, most


def sharing_groups(slots: Sequence[Sequence[Hashable]]) -> list[int]:
    """For each participant the first one to whom texts in common lead, over any number of others.

    >>> sharing_groups([["i", "j"], ["k"], ["j", "l"], ["l"]])
    [0, 1, 0, 0]
    """
    first = list(range(len(slots)))

    def leader(person: int) -> int:
        while first[person] != person:
            first[person] = first[first[person]]
            person = first[person]
        return person

    for people in _holders(slots).values():
        leaders = sorted({leader(person) for person in people})
        for other in leaders[1:]:
            first[other] = leaders[0]
    return [leader(person) for person in range(len(slots))]


def _holders(slots: Sequence[Sequence[Hashable]]) -> dict[Hashable, set[int]]:
    found: dict[Hashable, set[int]] = defaultdict(set)
    for person, texts in enumerate(slots):
        for text in texts:
            found[text].add(person)
    return found
