"""Texts put in order: by the path, by an entity grid, or by a baseline (original, reversed, random, chronological)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.entity_grid import EntityGrid, GridModel, Mention, entity_grid, fit_grid
from textassay.ordering.evaluation.scorers import Scorer
from textassay.ordering.orders import Order, Unit, align, read_order, unit_list
from textassay.ordering.paths.shortest_path import ShortestPath, path_cost, shortest_path
from textassay.ordering.unit_similarity import Embedding, Floats, Of, distances_of, square, tf_idf, vector_similarity
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.statistic import Statistic

Key = TypeVar("Key", float, str)
Method = Literal["path", "random", "original", "reversed", "chronological", "grid"]
"""Shortest path by similarity, baselines, and the path that a model of entities finds most likely."""
Sentences = Mapping[str, str]
"""Unit id → its text, in the original order."""


def original_order(units: Order) -> tuple[Unit, ...]:
    """The units as they are given.

    >>> original_order("abc")
    ('a', 'b', 'c')
    """
    found = read_order(units, "units")
    if len(set(found)) < len(found):
        raise DataError(
            f"units are named more than once: {unit_list([unit for unit in found if found.count(unit) > 1])}"
        )
    return found


def reversed_order(units: Order) -> tuple[Unit, ...]:
    """The units from last to first.

    >>> reversed_order("abc")
    ('c', 'b', 'a')
    """
    return original_order(units)[::-1]


def random_order(units: Order, *, seed: int = 0, first_fixed: bool = False, name: str = "") -> tuple[Unit, ...]:
    """The units in random order, each order equally likely; with the first in its place if wanted.

    Args:
        units: Unit ids.
        seed: Of the draw.
        first_fixed: Keep the first unit where it is, as Madnani et al. (2007) do.
        name: Of the text: each draws from a stream of its own.

    >>> sorted(random_order("abcd", seed=1)), random_order("abcd", seed=1, first_fixed=True)[0]
    (['a', 'b', 'c', 'd'], 'a')
    """
    found = original_order(units)
    kept = found[:1] if first_fixed else ()
    return (*kept, *Stream(seed, "ordering", "random order", name).shuffled(found[len(kept) :]))


def chronological_order(units: Order, times: Sequence[Key]) -> tuple[Unit, ...]:
    """The units by their times; those of the same time as they are given.

    Args:
        units: Unit ids.
        times: One for each unit: numbers, or texts that sort by time, such as dates like 2007-04-22.

    Raises:
        DataError: another number of times than of units, or a unit without one.
        UsageError: numbers and texts together.

    >>> chronological_order("abc", ["2007-04-22", "1999-01-01", "2003-10-30"])
    ('b', 'c', 'a')
    """
    found = original_order(units)
    if len(times) != len(found):
        raise DataError(f"there are {len(found)} units and {len(times)} times; each unit needs one")
    missing = [unit for unit, time in zip(found, times, strict=True) if _is_missing(time)]
    if missing:
        raise DataError(f"units without a time: {unit_list(missing)}; give each one")
    if len({isinstance(time, str) for time in times}) > 1:
        raise UsageError("times must be all numbers or all texts; got both")
    return tuple(found[place] for place in sorted(range(len(found)), key=lambda place: times[place]))


def _is_missing(time: Any) -> bool:
    return time is None or time == "" or time != time  # noqa: PLR0124 -- only nan differs from itself


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
        raise DataError(f"item {item} has no times of its units; give them, or leave out the method 'chronological'")
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
    said = f"{len(alone)} unit(s) have nothing in common with any other, so that their places mean nothing: "
    notes = (said + unit_list(alone),) if alone and len(distances) > 1 else ()
    return _path(item, "path", texts[item], distances, settings, notes)


def _by_grid(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> ArrangedText:
    if not settings.mentions.get(item):
        raise DataError(f"item {item} has no entities; give them, or leave out the method 'grid'")
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
    found = shortest_path(distances, 0 if settings.first == "keep" else None, seed=settings.seed)
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
        """One record a text and method: how many units, their order, and the path's figures where it is one."""
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
