"""Which systems are ranked together.

All of them; or every set of k; or, where those would be too many, a cyclic design: a set is developed round the circle
of systems, each of its members one step on at a time, so that every system comes up k times in each round. Which sets
are developed is chosen so that pairs of systems, too, meet about equally often.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from textassay.seeds import Stream

MOST_SETS = 300
"""Up to so many sets, all are used."""
_TRIED = 200
"""So many sets are tried for each round; the one that keeps pairs most even is taken."""


def system_sets(systems: Sequence[str], size: int, stream: Stream) -> list[tuple[str, ...]]:
    """Sets of systems that are ranked together; every system is in equally many.

    >>> system_sets(["a", "b", "c"], 2, Stream(1, "example"))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> len(system_sets([f"s{n}" for n in range(20)], 5, Stream(1, "example")))  # of 15504
    80
    """
    n = len(systems)
    if math.comb(n, size) <= MOST_SETS:
        return list(combinations(systems, size))
    names = stream.child("circle").shuffled(systems)
    # A round has n · size · (size - 1) / 2 meetings for n · (n - 1) / 2 pairs; each pair is to meet about twice.
    rounds = max(4, math.ceil(2 * (n - 1) / (size * (size - 1))))
    met: Counter[int] = Counter()
    found: dict[frozenset[str], None] = {}
    number = 0
    while len(found) < rounds * n:
        tried = [tuple(sorted(stream.child(number, each).permutation(n)[:size])) for each in range(_TRIED)]
        number += 1
        base = min(tried, key=lambda places: _unevenness(met, places, n))
        sets = [frozenset(names[(place + step) % n] for place in base) for step in range(n)]
        # A set that comes back to itself before the circle is through, or that is there already, would count double.
        if len(set(sets)) == n and not found.keys() & set(sets):
            met.update(_distances(base, n))
            found.update(dict.fromkeys(sets))
    return [tuple(system for system in systems if system in each) for each in found]


def _distances(places: Sequence[int], n: int) -> list[int]:
    """How far apart on the circle each two members are: all pairs at one distance meet equally often."""
    return [min(b - a, n - (b - a)) for a, b in combinations(places, 2)]


def _unevenness(met: Counter[int], places: Sequence[int], n: int) -> float:
    """Sum over all pairs of the squared number of their meetings, in circles."""
    counts = met + Counter(_distances(places, n))
    # Opposite places of an even circle make half as many pairs, which meet twice in a round.
    return sum(counts[distance] ** 2 * (2 if 2 * distance == n else 1) for distance in range(1, n // 2 + 1))
