"""Which systems are compared with which: schemes of pairs, each pair in the order in which the tables name it.

Which of the two texts stands left is drawn for each trial and has nothing to do with the order here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

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


def topline(systems: Sequence[str], top: str) -> list[Pair]:
    """Every system with the topline, the topline against itself included: k pairs, as many as there are levels.

    >>> topline(["A", "B", "human"], "human")
    [('A', 'human'), ('B', 'human'), ('human', 'human')]

    Raises:
        ValueError: the topline is none of the systems.
    """
    _known(systems, [top])
    return [(system, top) for system in systems]


def references(systems: Sequence[str], chosen: Sequence[str]) -> list[Pair]:
    """Every other system with each of the chosen references, which are not compared with each other.

    >>> references(["A", "B", "C", "R"], ["R"])
    [('A', 'R'), ('B', 'R'), ('C', 'R')]

    Raises:
        ValueError: a reference is none of the systems, stands there twice, or nothing is left to compare with them.
    """
    _known(systems, chosen)
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"a reference stands there twice: {', '.join(chosen)}")
    others = [system for system in systems if system not in chosen]
    if not others or not chosen:
        raise ValueError(f"{len(chosen)} references and {len(others)} other systems; there must be one of each or more")
    return [(system, reference) for system in others for reference in chosen]


def subset(systems: Sequence[str], each: int, stream: Stream) -> list[Pair]:
    """Some of all pairs, every system in `each` of them and none cut off from the rest: k·each/2 pairs.

    The systems are laid in a circle at random, and each is compared with its nearest neighbours (a circulant graph;
    where `each` is odd, also with the one opposite). As neighbours are compared, everybody is connected with
    everybody, so that strengths on one scale can be estimated.

    >>> pairs = subset(["A", "B", "C", "D", "E", "F"], 3, Stream(1, "example"))
    >>> len(pairs), sorted(comparisons(pairs).values())
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
        raise ValueError(f"{k} systems cannot all be in {each} comparisons, for {k} × {each} is odd; take {remedy}")
    circle = stream.shuffled(range(k))
    distances = [*range(1, each // 2 + 1), *([k // 2] if each % 2 else [])]
    # The opposite place is reached from both sides, every other distance from one.
    found = {frozenset((circle[place], circle[(place + step) % k])) for step in distances for place in range(k)}
    ordered = sorted(sorted(pair) for pair in found)
    return [(systems[first], systems[second]) for first, second in ordered]


def stated(systems: Sequence[str], pairs: Sequence[Sequence[str]]) -> list[Pair]:
    """Pairs that the study names itself.

    Raises:
        ValueError: a pair names none of the systems, has not two, or stands there twice.
    """
    seen: set[frozenset[str]] = set()
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"a pair has two systems, got {', '.join(pair) or 'none'}")
        _known(systems, pair)
        if frozenset(pair) in seen:
            raise ValueError(f"the pair {pair[0]!r}, {pair[1]!r} stands there twice")
        seen.add(frozenset(pair))
    return [(pair[0], pair[1]) for pair in pairs]


def comparisons(pairs: Sequence[Pair]) -> Counter[str]:
    """In how many comparisons each system is; one with itself counts once.

    >>> comparisons([("A", "B"), ("B", "B")])["B"]
    2
    """
    return Counter(system for pair in pairs for system in dict.fromkeys(pair))


def _known(systems: Sequence[str], named: Sequence[str]) -> None:
    unknown = [system for system in named if system not in systems]
    if unknown:
        raise ValueError(f"there is no system {unknown[0]!r}; use one of: {', '.join(systems)}")
