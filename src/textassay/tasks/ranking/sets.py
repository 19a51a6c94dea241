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
"""Up to this many sets, all are used."""
_TRIED = 200
"""Number of sets tried in each round; the one that keeps pairs most even is taken."""


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
    for number in range(rounds):
        developed = [
            (places, [frozenset(names[(place + step) % n] for place in places) for step in range(n)])
            for places in _tried(n, size, stream.child("round", number))
        ]
        # A set that comes back to itself before the circle is through, or that is there already, would count double.
        fresh = [(places, sets) for places, sets in developed if len(set(sets)) == n and not found.keys() & set(sets)]
        if not fresh:
            break  # few sets are left, and those that there are hold every system equally often
        places, sets = min(fresh, key=lambda each: _unevenness(met, each[0], n))
        met.update(_distances(places, n))
        found.update(dict.fromkeys(sets))
    return [tuple(system for system in systems if system in each) for each in found]


def _tried(n: int, size: int, stream: Stream) -> list[tuple[int, ...]]:
    """Some sets of places on the circle, each with the first place in it, for sets are the same all round."""
    return [(0, *sorted(1 + place for place in stream.permutation(n - 1)[: size - 1])) for _ in range(_TRIED)]


def _distances(places: Sequence[int], n: int) -> list[int]:
    """How far apart on the circle each two members are: all pairs at one distance meet equally often."""
    return [min(b - a, n - (b - a)) for a, b in combinations(places, 2)]


def _unevenness(met: Counter[int], places: Sequence[int], n: int) -> float:
    """Sum over all pairs of the squared number of their meetings, in circles."""
    counts = met + Counter(_distances(places, n))
    # Opposite places of an even circle make half as many pairs, which meet twice in a round.
    return sum(counts[distance] ** 2 * (2 if 2 * distance == n else 1) for distance in range(1, n // 2 + 1))
