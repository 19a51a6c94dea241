"""Texts put in order: by the path, by an entity grid, or by a baseline (original, reversed, random, chronological)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.entity_grid import EntityGrid, GridModel, Mention, entity_grid, fit_grid
from textassay.ordering.arranging.scorers import Scorer
from textassay.ordering.orders import (
    Order,
    Unit,
    align,
    chronological_order,
    original_order,
    random_order,
    reversed_order,
    unit_list,
)
from textassay.ordering.paths.shortest_path import Clock, ShortestPath, path_cost, shortest_path
from textassay.ordering.permutations import Floats
from textassay.ordering.unit_similarity import Embedding, Of, distances_of, square, tf_idf, vector_similarity
from textassay.results import Record
from textassay.stats.statistic import Statistic

Method = Literal["path", "random", "original", "reversed", "chronological", "grid"]
"""Shortest path by similarity, baselines, and the path that a model of entities finds most likely."""
Sentences = Mapping[str, str]
"""Unit id → its text, in the original order."""


@dataclass(frozen=True)
class ArrangeSettings:
    """What the methods go by."""

    similarity: Of | Embedding | Mapping[str, Any] = "words"
    """tf-idf of words or characters, a function from sentences to vectors, or item → matrix; for `path`."""
    first: Literal["keep", "free"] = "keep"
    """Whether `path`, `random` and `grid` leave the first unit in its place, as Madnani et al. (2007) do."""
    times: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Item → the time of each unit; for `chronological`."""
    mentions: Mapping[str, Sequence[Mention]] = field(default_factory=dict)
    """Item → the entities of its units; for `grid`."""
    train: Sequence[EntityGrid] | None = None
    """Grids that `grid` learns from; without them it learns, for each text, from all others in the original order."""
    seed: int = 0
    """Of `random`, and of the local search."""
    time_limit: float = 10.0
    """Seconds for the path of each text; see `shortest_path`."""
    clock: Clock | None = None
    """What tells the seconds, such as `time.monotonic`; without one the limit does not cover local search."""


@dataclass(frozen=True)
class ArrangedText:
    """One text in one order."""

    item: str
    by: Method
    order: tuple[Unit, ...]
    path: ShortestPath | None = None
    """Where the order is a path: its cost and bound."""
    notes: tuple[str, ...] = ()
    """What a reader must know about this order."""


Maker = Callable[[str, Mapping[str, Sentences], ArrangeSettings], ArrangedText]
"""From the item, all texts and the settings to the item's order."""


def _original(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:  # noqa: ARG001 -- as all
    return ArrangedText(item, "original", original_order(list(texts[item])))


def _reversed(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:  # noqa: ARG001 -- as all
    return ArrangedText(item, "reversed", reversed_order(list(texts[item])))


def _random(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:
    fixed = settings.first == "keep"
    return ArrangedText(
        item, "random", random_order(list(texts[item]), seed=settings.seed, first_fixed=fixed, name=item)
    )


def _chronological(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:
    if item not in settings.times:
        raise DataError(f"item {item} has no times of its units; give them, or omit the method 'chronological'")
    times = settings.times[item]
    order = chronological_order(list(texts[item]), times)
    tied = len(times) - len(set(times))
    said = f"{tied} unit(s) have the same time as another before them and stay behind it"
    return ArrangedText(item, "chronological", order, notes=(said,) if tied else ())


def _by_path(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:
    sentences = list(texts[item].values())
    if callable(settings.similarity):
        similarity = vector_similarity(sentences, settings.similarity)
    elif isinstance(settings.similarity, str):
        similarity = tf_idf(sentences, settings.similarity)
    elif item in settings.similarity:
        similarity = settings.similarity[item]
    else:
        raise DataError(f"item {item} has no similarities of its units; give a matrix for each item")
    distances = distances_of(similarity)
    alone = [unit for unit, row in zip(texts[item], distances, strict=False) if np.count_nonzero(row < 1) < 2]
    said = f"{len(alone)} unit(s) have nothing in common with any other, so their places are arbitrary: "
    notes = (said + unit_list(alone),) if alone and len(distances) > 1 else ()
    return _path(item, "path", texts[item], distances, settings, notes)


def _by_grid(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:
    if not settings.mentions.get(item):
        raise DataError(f"item {item} has no entities; give them, or omit the method 'grid'")
    grid = entity_grid(list(texts[item]), settings.mentions[item])
    return _path(item, "grid", texts[item], _model(item, texts, settings).distances(grid), settings)


def _model(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> GridModel:
    if settings.train is not None:
        return fit_grid(settings.train)
    others = [
        entity_grid(list(texts[other]), mentions)
        for other, mentions in settings.mentions.items()
        if other != item and other in texts
    ]
    if not others:
        raise DataError(f"item {item}: there is no other text with entities to learn from; give texts to learn from")
    return fit_grid(others)


def _path(
    item: str,
    by: Method,
    sentences: Sentences,
    distances: Floats,
    settings: ArrangeSettings,
    notes: tuple[str, ...] = (),
) -> ArrangedText:
    units = original_order(list(sentences))
    if len(distances) != len(units):
        raise DataError(f"item {item} has {len(units)} units, but its similarities are of {len(distances)}")
    first = 0 if settings.first == "keep" else None
    found = shortest_path(distances, first, seed=settings.seed, time_limit=settings.time_limit, clock=settings.clock)
    return ArrangedText(item, by, tuple(units[place] for place in found.order), found, (*notes, *found.warnings))


METHODS: dict[str, Maker] = {
    "path": _by_path,
    "random": _random,
    "original": _original,
    "reversed": _reversed,
    "chronological": _chronological,
    "grid": _by_grid,
}
"""Every method by its name."""


@dataclass(frozen=True, kw_only=True)
class Arrangement(Statistic):
    """Texts in the orders that methods gave them."""

    arranged: tuple[ArrangedText, ...]
    """Item by item, the methods as they were asked for."""

    def records(self) -> list[Record]:
        """One record per text and method: how many units, their order, and the path's figures where it is one."""
        found = []
        for each in self.arranged:
            path = each.path
            figures = {"cost": path.cost, "lower_bound": path.lower_bound, "exact": path.exact} if path else {}
            order = " ".join(map(str, each.order))
            found.append(self.record("units", len(each.order), of=each.item, by=each.by, order=order, **figures))
        return found


def arrange(
    texts: Mapping[str, Sentences], methods: Sequence[Method] = ("path",), settings: ArrangeSettings | None = None
) -> Arrangement:
    """Put the units of each text in order.

    Args:
        texts: Item → unit id → text, in the original order.
        methods: One or several.
        settings: What the methods go by.

    Raises:
        DataError: no texts, or something that a method needs is not in the data.
        UsageError: a method that there is not.

    >>> text = {"1": "The cat sat.", "2": "Dogs bark.", "3": "A cat and dogs play."}
    >>> [each.order for each in arrange({"t": text}, ["path", "reversed"]).arranged]
    [('1', '3', '2'), ('3', '2', '1')]
    """
    chosen = settings or ArrangeSettings()
    unknown = [method for method in methods if method not in METHODS]
    if unknown or not methods:
        raise UsageError(f"methods must be among {', '.join(METHODS)}; got {', '.join(unknown) or 'none'}")
    if not texts or not all(texts.values()):
        raise DataError("there must be at least one text, and each must have units")
    arranged = [METHODS[method](item, texts, chosen) for item in texts for method in methods]
    unlike = "a function" if callable(chosen.similarity) else "given"
    return Arrangement(
        method="arrangement",
        settings={
            "similarity": chosen.similarity if isinstance(chosen.similarity, str) else unlike,
            "first": chosen.first,
            "seed": chosen.seed,
        },
        warnings=tuple(f"item {each.item}, {each.by}: {said}" for each in arranged for said in each.notes),
        arranged=tuple(arranged),
    )


def path_scorer(distances: npt.ArrayLike, units: Order | None = None) -> Scorer:
    """The negative cost of an order's path: higher is better.

    Args:
        distances: Shape (n, n): entry (j, k) from unit j to unit k.
        units: The ids of the units in the order of the rows; 0 to n-1 if not given.

    Raises:
        DataError: not a square matrix of finite numbers, or another number of units.

    >>> score = path_scorer([[0, 1, 9], [1, 0, 2], [9, 2, 0]], "abc")
    >>> score("abc"), score("bac")
    (-3.0, -10.0)
    """
    given = square(distances, "distances")
    rows = range(len(given)) if units is None else units
    if len(rows) != len(given):
        raise DataError(f"there are {len(rows)} units for {len(given)} rows of distances; each row is one unit's")
    names = list(rows)

    def score(order: Order) -> float:
        return -path_cost(given, align(order, names).places)

    return score
