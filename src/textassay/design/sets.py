"""Which systems are shown together.

Where each participant sees an item once: all of them; or every set of k; or, where those would be too many, a cyclic
design: a set is developed round the circle of systems, each of its members one step on at a time, so that every system
comes up k times in each round. Which sets are developed is chosen so that pairs of systems, too, meet about equally
often.

Where all texts of an item are shown, each once: pages of k, divided differently for each item so that pairs meet
about equally often over items.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, pairwise

from textassay.design.assignment import Cell
from textassay.seeds import Stream

MOST_SETS = 300
"""Up to this many sets, all are used."""
_TRIED = 200
"""Number of sets tried in each round; the one that keeps pairs most even is taken."""
_CUTS = 20
"""Number of ways tried to cut an item's texts into pages."""


def system_sets(systems: Sequence[str], size: int, stream: Stream) -> list[tuple[str, ...]]:
    """Sets of systems that are shown together; every system is in equally many.

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


def page_sizes(texts: int, most: int) -> list[int]:
    """How many texts each page of an item has: as few pages as can be, as even as can be.

    >>> page_sizes(6, 3), page_sizes(7, 3), page_sizes(2, 3)
    ([3, 3], [3, 2, 2], [2])
    """
    pages = -(-texts // most)
    return [texts // pages + (page < texts % pages) for page in range(pages)]


@lru_cache(maxsize=8)  # a plan asks for them several times
def cut_into_pages(
    texts: tuple[tuple[str, tuple[str, ...]], ...], most: int, seed: int, name: str
) -> tuple[Cell[tuple[str, ...]], ...]:
    """Pages on which every text is once: an item with the systems whose texts are on the page.

    >>> pages = cut_into_pages((("i", ("a", "b", "c")), ("j", ("a", "b"))), 3, 1, "example")
    >>> [cell.condition for cell in pages]
    [('a', 'b', 'c'), ('a', 'b')]

    Args:
        texts: Items, each with the systems that have a text for it.
        most: How many texts a page has at most.
        seed: Of random draws.
        name: What they are for.
    """
    met: Counter[frozenset[str]] = Counter()
    found = []
    for item, systems in texts:
        ends = [0, *accumulate(page_sizes(len(systems), most))]
        tried = []
        own = Stream(seed, "pages", name, item)
        for _ in range(_CUTS if len(ends) > 2 else 1):
            order = own.permutation(len(systems))
            tried.append([sorted(order[start:end]) for start, end in pairwise(ends)])
        cuts = [[tuple(systems[place] for place in page) for page in each] for each in tried]
        pages = min(cuts, key=lambda each: sum(2 * met[pair] + 1 for pair in _pairs(each)))
        met.update(_pairs(pages))
        found += [Cell(item, page) for page in pages]
    return tuple(found)


def _pairs(pages: Sequence[Sequence[str]]) -> list[frozenset[str]]:
    return [frozenset(pair) for page in pages for pair in combinations(page, 2)]
