"""Orders of people who look for one order and stray from it, each as far as they do, in a Latin square."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textassay.ordering import GivenOrder

CONDITIONS = "ORT"


def people_orders(
    seed: int,
    *,
    people: int = 18,
    texts: int = 9,
    n: int = 8,
    pull: float = 0.0,
    spread: float = 0.5,
    noise: Sequence[float] = (1.0,),
) -> list[GivenOrder]:
    """One order a person and text: units by their place, drawn towards their place at the start, plus a deviation.

    Args:
        seed: Of the draws.
        people: In three groups, each with its own list.
        texts: In three groups.
        n: Units.
        pull: How much the place at the start counts, against that in the order looked for.
        spread: How much people differ in how far they stray (standard deviation of its logarithm).
        noise: How far people stray in each text, by turns.
    """
    random = np.random.default_rng(seed)
    strays = 1.5 * np.exp(spread * random.standard_normal(people))
    found = []
    for text in range(texts):
        starts = [np.arange(n), random.permutation(n), random.permutation(n)]
        for person in range(people):
            group = (person % 3 + text * 3 // texts) % 3
            wanted = (1 - pull) * np.arange(n) + pull * np.argsort(starts[group])
            deviation = strays[person] * noise[text % len(noise)] * random.standard_normal(n)
            order = tuple(map(str, np.argsort(wanted + deviation)))
            start = tuple(map(str, starts[group]))
            found.append(GivenOrder(f"S{text + 1}", f"p{person + 1}", order, CONDITIONS[group], start))
    return found


def starts_of(given: Sequence[GivenOrder]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Condition → text → the order shown first."""
    found: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in CONDITIONS}
    for each in given:
        found[each.condition][each.item] = tuple(each.start or ())
    return found
