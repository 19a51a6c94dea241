"""The methods by which a text is put in order, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from textassay.errors import DataError
from textassay.ordering.arranging.baselines import chronological_order, original_order, random_order, reversed_order
from textassay.ordering.arranging.entity_grid import EntityGrid, Mention, entity_grid
from textassay.ordering.arranging.grid_model import GridModel, fit_grid
from textassay.ordering.orders import Unit, named
from textassay.ordering.paths.distances import Floats, distances_of
from textassay.ordering.paths.shortest_path import ShortestPath, shortest_path
from textassay.ordering.similarity.tf_idf import Of, tf_idf
from textassay.ordering.similarity.vectors import Embedding, vector_similarity

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


@dataclass(frozen=True)
class Arranged:
    """One text in one order."""

    item: str
    by: Method
    order: tuple[Unit, ...]
    path: ShortestPath | None = None
    """Where the order is a path: its cost and bound."""
    notes: tuple[str, ...] = ()
    """What a reader must know about this order."""


Maker = Callable[[str, Mapping[str, Sentences], ArrangeSettings], Arranged]
"""From the item, all texts and the settings to the item's order."""


def _original(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> Arranged:  # noqa: ARG001 -- as all
    return Arranged(item, "original", original_order(list(texts[item])))


def _reversed(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> Arranged:  # noqa: ARG001 -- as all
    return Arranged(item, "reversed", reversed_order(list(texts[item])))


def _random(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> Arranged:
    fixed = settings.first == "keep"
    return Arranged(item, "random", random_order(list(texts[item]), seed=settings.seed, first_fixed=fixed, name=item))


def _chronological(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> Arranged:
    if item not in settings.times:
        raise DataError(f"item {item} has no times of its units; give them, or leave out the method 'chronological'")
    times = settings.times[item]
    order = chronological_order(list(texts[item]), times)
    tied = len(times) - len(set(times))
    said = f"{tied} unit(s) have the same time as another before them and stay behind it"
    return Arranged(item, "chronological", order, notes=(said,) if tied else ())


def _by_path(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> Arranged:
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
    notes = (said + named(alone),) if alone and len(distances) > 1 else ()
    return _path(item, "path", texts[item], distances, settings, notes)


def _by_grid(item: str, texts: Mapping[str, Sentences], settings: ArrangeSettings) -> Arranged:
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
) -> Arranged:
    units = original_order(list(sentences))
    if len(distances) != len(units):
        raise DataError(f"item {item} has {len(units)} units, but its similarities are of {len(distances)}")
    found = shortest_path(distances, 0 if settings.first == "keep" else None, seed=settings.seed)
    return Arranged(item, by, tuple(units[place] for place in found.order), found, (*notes, *found.warnings))


METHODS: dict[str, Maker] = {
    "path": _by_path,
    "random": _random,
    "original": _original,
    "reversed": _reversed,
    "chronological": _chronological,
    "grid": _by_grid,
}
"""Every method by its name."""
