"""Texts put in order by one or several methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.baselines import chronological_order, original_order, random_order, reversed_order
from textassay.ordering.arranging.entity_grid import EntityGrid, Mention, entity_grid
from textassay.ordering.arranging.grid_model import GridModel, fit_grid
from textassay.ordering.orders import Unit
from textassay.ordering.paths.distances import Floats, distances_of
from textassay.ordering.paths.shortest_path import ShortestPath, shortest_path
from textassay.ordering.similarity.tf_idf import Of, tf_idf
from textassay.ordering.similarity.vectors import Embedding, vector_similarity
from textassay.results import Record
from textassay.stats.statistic import Statistic

Method = Literal["path", "random", "original", "reversed", "chronological", "grid"]
"""Shortest path by similarity, baselines, and the path that a model of entities finds most likely."""
Sentences = Mapping[str, str]
"""Unit id → its text, in the original order."""


@dataclass(frozen=True)
class Settings:
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
class Arranged:
    """One text in one order."""

    item: str
    by: Method
    order: tuple[Unit, ...]
    path: ShortestPath | None = None
    """Where the order is a path: its cost and bound."""


@dataclass(frozen=True, kw_only=True)
class Arrangement(Statistic):
    """Texts in the orders that methods gave them."""

    arranged: tuple[Arranged, ...]
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
    texts: Mapping[str, Sentences], methods: Sequence[Method] = ("path",), settings: Settings | None = None
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
    chosen = settings or Settings()
    unknown = [method for method in methods if method not in _METHODS]
    if unknown or not methods:
        raise UsageError(f"methods must be among {', '.join(get_args(Method))}; got {', '.join(unknown) or 'none'}")
    if not texts or not all(texts.values()):
        raise DataError("there must be at least one text, and each must have units")
    arranged = [_METHODS[method](item, texts, chosen) for item in texts for method in methods]
    unlike = "a function" if callable(chosen.similarity) else "given"
    return Arrangement(
        method="arrangement",
        settings={
            "similarity": chosen.similarity if isinstance(chosen.similarity, str) else unlike,
            "first": chosen.first,
            "seed": chosen.seed,
        },
        warnings=tuple(f"item {each.item}: {said}" for each in arranged if each.path for said in each.path.warnings),
        arranged=tuple(arranged),
    )


Maker = Callable[[str, Mapping[str, Sentences], Settings], Arranged]


def _original(item: str, texts: Mapping[str, Sentences], settings: Settings) -> Arranged:  # noqa: ARG001 -- as all
    return Arranged(item, "original", original_order(list(texts[item])))


def _reversed(item: str, texts: Mapping[str, Sentences], settings: Settings) -> Arranged:  # noqa: ARG001 -- as all
    return Arranged(item, "reversed", reversed_order(list(texts[item])))


def _random(item: str, texts: Mapping[str, Sentences], settings: Settings) -> Arranged:
    fixed = settings.first == "keep"
    return Arranged(item, "random", random_order(list(texts[item]), seed=settings.seed, first_fixed=fixed, name=item))


def _chronological(item: str, texts: Mapping[str, Sentences], settings: Settings) -> Arranged:
    if item not in settings.times:
        raise DataError(f"item {item} has no times of its units; give them, or leave out the method 'chronological'")
    return Arranged(item, "chronological", chronological_order(list(texts[item]), settings.times[item]))


def _by_path(item: str, texts: Mapping[str, Sentences], settings: Settings) -> Arranged:
    sentences = list(texts[item].values())
    if callable(settings.similarity):
        similarity = vector_similarity(sentences, settings.similarity)
    elif isinstance(settings.similarity, str):
        similarity = tf_idf(sentences, settings.similarity)
    elif item in settings.similarity:
        similarity = settings.similarity[item]
    else:
        raise DataError(f"item {item} has no similarities of its units; give a matrix for each item")
    return _path(item, "path", texts[item], distances_of(similarity), settings)


def _by_grid(item: str, texts: Mapping[str, Sentences], settings: Settings) -> Arranged:
    if not settings.mentions.get(item):
        raise DataError(f"item {item} has no entities; give them, or leave out the method 'grid'")
    grid = entity_grid(list(texts[item]), settings.mentions[item])
    return _path(item, "grid", texts[item], _model(item, texts, settings).distances(grid), settings)


def _model(item: str, texts: Mapping[str, Sentences], settings: Settings) -> GridModel:
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


def _path(item: str, by: Method, sentences: Sentences, distances: Floats, settings: Settings) -> Arranged:
    units = original_order(list(sentences))
    if len(distances) != len(units):
        raise DataError(f"item {item} has {len(units)} units, but its similarities are of {len(distances)}")
    found = shortest_path(distances, 0 if settings.first == "keep" else None, seed=settings.seed)
    return Arranged(item, by, tuple(units[place] for place in found.order), found)


_METHODS: dict[str, Maker] = {
    "path": _by_path,
    "random": _random,
    "original": _original,
    "reversed": _reversed,
    "chronological": _chronological,
    "grid": _by_grid,
}
