"""The normal form of an annotated text (Gatt & Portet 2010): a tree of paragraphs over relations over events.

Below the root `TEXT` are the paragraphs (`P`), below them the relations that they state (labelled by their names) and
the events that are no argument of any relation (labelled by their types), in the order of the text. Below a relation
are its two arguments; an event or relation that is an argument of several is copied. The label of a timestamp
is `TIMESTAMP`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from textassay.content.annotated_text import AnnotatedText, Event, Relation, is_timestamp
from textassay.errors import DataError
from textassay.kernels.lcs import lcs_lengths
from textassay.kernels.trees import tree_distances

ROOT, PARAGRAPH, TIME = "TEXT", "P", "TIMESTAMP"
_MOST_NODES = 20_000
"""Relations of relations are copied, so that a short text can become an arbitrarily large tree."""


@dataclass(frozen=True)
class LabelledTree:
    """An ordered tree in preorder."""

    labels: tuple[str, ...]
    depths: tuple[int, ...]
    """How far each node is below the root, which has 0."""

    def __len__(self) -> int:
        return len(self.labels)

    def postorder(self) -> tuple[list[str], list[int]]:
        """Labels in postorder, and for each node the place of its leftmost leaf."""
        labels: list[str] = []
        leftmost: list[int] = []
        open_nodes: list[tuple[int, int]] = []  # place in preorder, and where the first leaf below it is in postorder
        for place in range(len(self)):
            while len(open_nodes) > self.depths[place]:
                self._close(open_nodes, labels, leftmost)
            open_nodes.append((place, len(labels)))
        while open_nodes:
            self._close(open_nodes, labels, leftmost)
        return labels, leftmost

    def _close(self, open_nodes: list[tuple[int, int]], labels: list[str], leftmost: list[int]) -> None:
        place, first = open_nodes.pop()
        labels.append(self.labels[place])
        leftmost.append(first)

    def __str__(self) -> str:
        """Indented, one node per line."""
        return "\n".join("  " * depth + label for label, depth in zip(self.labels, self.depths, strict=True))


def normal_form(text: AnnotatedText) -> LabelledTree:
    """The tree of a text.

    Raises:
        DataError: relations of relations make it too large.
    """
    nodes = list(_nodes(text))
    labels, depths = zip(*nodes, strict=True)
    return LabelledTree(labels, depths)


def _nodes(text: AnnotatedText) -> Iterator[tuple[str, int]]:
    known: dict[str, Event | Relation] = {event.id: event for event in text.events}
    known |= {relation.id: relation for relation in text.relations}
    arguments = {argument for relation in text.relations for argument in relation.arguments}
    yield ROOT, 0
    for paragraph in text.paragraphs:
        yield PARAGRAPH, 1
        spans: list[Event | Relation] = [*paragraph.events, *paragraph.relations]
        for span in sorted(spans, key=lambda each: each.start):
            if span.id not in arguments:
                yield from _below(span, known, text)


def _below(
    top: Event | Relation, known: Mapping[str, Event | Relation], text: AnnotatedText
) -> Iterator[tuple[str, int]]:
    waiting: list[tuple[Event | Relation | None, int]] = [(top, 2)]
    count = 0
    while waiting:
        span, depth = waiting.pop()
        count += 1
        if count > _MOST_NODES:
            raise DataError(f"item {text.item}, system {text.system}: relations of relations make too large a tree")
        if span is None:
            yield TIME, depth
        elif isinstance(span, Event):
            yield span.type, depth
        else:
            yield span.name, depth
            below = [None if is_timestamp(each) else known[each] for each in reversed(span.arguments)]
            waiting.extend((each, depth + 1) for each in below)


def preorder_distances(pairs: Sequence[tuple[LabelledTree, LabelledTree]]) -> list[int]:
    """Edit distance of the preorder labels with cost 1 for insert and delete, 2 for substitute, for each pair.

    That is |a| + |b| - 2·LCS(a, b). It never exceeds the tree edit distance with the same costs.
    """
    numbers: dict[str, int] = {}
    flat = [[numbers.setdefault(label, len(numbers)) for label in tree.labels] for pair in pairs for tree in pair]
    offsets = np.cumsum([0, *map(len, flat)])
    left = np.arange(0, len(flat), 2)
    common = lcs_lengths(np.array([label for tree in flat for label in tree], dtype=np.int64), offsets, left, left + 1)
    return [len(a) + len(b) - 2 * each for (a, b), each in zip(pairs, common.tolist(), strict=True)]


def edit_distances(pairs: Sequence[tuple[LabelledTree, LabelledTree]], substitution: int = 2) -> list[int]:
    """Tree edit distance (Zhang & Shasha 1989) with cost 1 for insert and delete, for each pair.

    >>> chain, fork = LabelledTree(("a", "b", "c"), (0, 1, 2)), LabelledTree(("a", "b", "c"), (0, 1, 1))
    >>> preorder_distances([(chain, fork)]), edit_distances([(chain, fork)])
    ([0], [2])
    """
    numbers: dict[str, int] = {}
    both = [tree.postorder() for pair in pairs for tree in pair]
    flat = [[numbers.setdefault(label, len(numbers)) for label in labels] for labels, _ in both]
    offsets = np.cumsum([0, *map(len, flat)])
    left = np.arange(0, len(flat), 2)
    labels = np.array([label for tree in flat for label in tree], dtype=np.int64)
    leaves = np.array([leaf for _, leftmost in both for leaf in leftmost], dtype=np.int64)
    found: list[int] = tree_distances(labels, leaves, offsets, left, left + 1, substitution).tolist()
    return found
