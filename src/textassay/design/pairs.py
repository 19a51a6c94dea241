"""Which systems are compared: schemes of pairs, each pair in the order in which the tables name it.

Which of the two texts is shown on the left is randomised for each trial and does not depend on the order here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from textassay.known_names import unknown
from textassay.seeds import Stream

Pair = tuple[str, str]


def all_pairs(systems: Sequence[str]) -> list[Pair]:
    """Every system with every other: k(k-1)/2 pairs.

    >>> all_pairs(["A", "B", "C"])
    [('A', 'B'), ('A', 'C'), ('B', 'C')]

    Raises:
        ValueError: there is only one system.
    """
    if len(systems) < 2:
        raise ValueError(f"pairs need two systems or more, got {len(systems)}")
    return list(combinations(systems, 2))


def pairs_with_topline(systems: Sequence[str], top: str) -> list[Pair]:
    """Every system with the topline, the topline against itself included: k pairs, as many as there are levels.

    >>> pairs_with_topline(["A", "B", "human"], "human")
    [('A', 'human'), ('B', 'human'), ('human', 'human')]

    Raises:
        ValueError: the topline is not one of the systems.
    """
    _refuse_unknown(systems, [top])
    return [(system, top) for system in systems]


def pairs_with_references(systems: Sequence[str], chosen: Sequence[str]) -> list[Pair]:
    """Every other system with each of the chosen references, which are not compared with each other.

    >>> pairs_with_references(["A", "B", "C", "R"], ["R"])
    [('A', 'R'), ('B', 'R'), ('C', 'R')]

    Raises:
        ValueError: a reference is not one of the systems or a duplicate, or there is no other system.
    """
    _refuse_unknown(systems, chosen)
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"duplicate reference: {', '.join(chosen)}")
    others = [system for system in systems if system not in chosen]
    if not others or not chosen:
        raise ValueError(f"{len(chosen)} references and {len(others)} other systems; at least one of each is needed")
    return [(system, reference) for system in others for reference in chosen]


def balanced_pairs(systems: Sequence[str], each: int, stream: Stream) -> list[Pair]:
    """Some of all pairs: every system is in `each` of them, and all systems are connected; k·each/2 pairs.

    The systems are placed on a circle at random, and each is compared with its nearest neighbours (a circulant graph;
    where `each` is odd, also with the opposite one). As neighbours are compared, the graph is connected, so that
    strengths can be estimated on one scale.

    >>> pairs = balanced_pairs(["A", "B", "C", "D", "E", "F"], 3, Stream(1, "example"))
    >>> len(pairs), sorted(comparisons_per_system(pairs).values())
    (9, [3, 3, 3, 3, 3, 3])

    Raises:
        ValueError: the numbers do not allow it; the message says which would.
    """
    k = len(systems)
    if k < 3 or not 2 <= each < k:
        least, most = (2, k - 1) if k > 2 else (1, 1)
        raise ValueError(f"{k} systems can be in {least} to {most} comparisons each, got {each}")
    if k * each % 2:
        near = [number for number in (each - 1, each + 1) if 2 <= number < k]
        remedy = " or ".join(map(str, near))
        raise ValueError(f"{k} systems cannot all be in {each} comparisons, since {k} × {each} is odd; take {remedy}")
    circle = stream.shuffled(range(k))
    distances = [*range(1, each // 2 + 1), *([k // 2] if each % 2 else [])]
    # The opposite position is reached from both sides, every other distance from one.
    found = {frozenset((circle[place], circle[(place + step) % k])) for step in distances for place in range(k)}
    ordered = sorted(sorted(pair) for pair in found)
    return [(systems[first], systems[second]) for first, second in ordered]


def stated_pairs(systems: Sequence[str], pairs: Sequence[Sequence[str]]) -> list[Pair]:
    """The pairs that the study file lists, checked.

    Raises:
        ValueError: a pair does not have two systems, names an unknown one, or is a duplicate.
    """
    seen: set[frozenset[str]] = set()
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"a pair has two systems, got {', '.join(pair) or 'none'}")
        _refuse_unknown(systems, pair)
        if frozenset(pair) in seen:
            raise ValueError(f"duplicate pair {pair[0]!r}, {pair[1]!r}")
        seen.add(frozenset(pair))
    return [(pair[0], pair[1]) for pair in pairs]


def comparisons_per_system(pairs: Sequence[Pair]) -> Counter[str]:
    """The number of comparisons of each system; one with itself counts once.

    >>> comparisons_per_system([("A", "B"), ("B", "B")])["B"]
    2
    """
    return Counter(system for pair in pairs for system in dict.fromkeys(pair))


def _refuse_unknown(systems: Sequence[str], listed: Sequence[str]) -> None:
    others = [system for system in listed if system not in systems]
    if others:
        raise ValueError(unknown("system", others[0], systems))
