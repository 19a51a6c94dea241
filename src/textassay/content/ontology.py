"""Concepts, what each is a kind of (IS-A), and named links between them; both closed over IS-A once.

A concept is called by its id (the last part of its IRI, or the key in a YAML file), by its whole IRI, or by its label.
Concepts that are kinds of each other, which OWL allows, mean the same: each has the other as a superconcept.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.known_names import did_you_mean

_MOST_PAIRS = 50_000_000
"""Pairs of concept and superconcept that are kept; real ontologies have a few million."""
_LOOKED_AT = 20_000
"""Names among which a mistyped one is looked for."""


NO_LINKS: Mapping[str, tuple[str, ...]] = {}


class Concept(NamedTuple):
    """What an ontology says of one concept itself."""

    id: str
    label: str = ""
    iri: str = ""
    parents: tuple[str, ...] = ()
    """Ids of the concepts that it is directly a kind of."""
    links: Mapping[str, tuple[str, ...]] = NO_LINKS
    """Name of a link → ids of the concepts that it leads to."""


class Ontology:
    """Concepts by name, with their superconcepts and links.

    Args:
        concepts: Each with its own id; parents and targets of links that are no concepts are reported in `problems`.
        name: What to call the ontology in messages.
        problems: What was found wrong when it was read.

    >>> animals = Ontology([Concept("animal"), Concept("dog", parents=("animal",)), Concept("pug", parents=("dog",))])
    >>> animals.is_a("pug", "animal"), sorted(animals.superconcepts("pug"))
    (True, ['animal', 'dog', 'pug'])
    """

    def __init__(self, concepts: Iterable[Concept], name: str = "ontology", problems: Sequence[str] = ()) -> None:
        self.name = name
        self.concepts: Mapping[str, Concept] = {concept.id: concept for concept in concepts}
        self._read_problems = tuple(problems)

    def __reduce__(self) -> tuple[type[Ontology], tuple[tuple[Concept, ...], str, tuple[str, ...]]]:
        # Closures stay in their process; they are quicker to make than to send.
        return type(self), (tuple(self.concepts.values()), self.name, self._read_problems)

    def __len__(self) -> int:
        return len(self.concepts)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """What is odd in it: concepts that are not declared, and circles of IS-A."""
        found = [*self._read_problems]
        for what, missing in (
            ("superconcept", self._undeclared_parents),
            ("target of a link", self._undeclared_targets),
        ):
            if missing:
                shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
                verb = "is" if len(missing) == 1 else "are"
                found.append(f"{shown} {verb} used as {what} but not declared")
        found += map(circle_message, self.circles)
        return tuple(found)

    @cached_property
    def circles(self) -> tuple[tuple[str, ...], ...]:
        """Groups of concepts that are kinds of each other, or one that is a kind of itself."""
        groups: dict[int, list[int]] = {}
        for number, group in enumerate(self._groups):
            groups.setdefault(group, []).append(number)
        return tuple(
            tuple(self._ids[number] for number in members)
            for members in groups.values()
            if len(members) > 1 or members[0] in self._parents[members[0]]
        )

    @cached_property
    def link_names(self) -> tuple[str, ...]:
        """The names of all links, in alphabetical order."""
        return tuple(sorted({name for concept in self.concepts.values() for name in concept.links}))

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """Concepts that are a kind of nothing else."""
        return tuple(concept.id for concept in self.concepts.values() if not set(concept.parents) - {concept.id})

    @cached_property
    def depth(self) -> int:
        """Steps of IS-A on the longest way from a concept to a root."""
        return max(self._levels, default=0)

    def find(self, name: str) -> str | None:
        """The id of the concept with that id, IRI or label; nothing if there is none, or if several have the label."""
        if name in self._number:
            return name
        found = self._by_iri.get(name) or self._by_label.get(_plain(name))
        return found or None

    def checked(self, name: str) -> str:
        """The id of the concept of that name.

        Raises:
            UsageError: there is none, or there are several; the message has names that are near.
        """
        found = self.find(name)
        if found is not None:
            return found
        if self._by_label.get(_plain(name)) == "":
            raise UsageError(f"{self.name}: several concepts have the label {name!r}; use an id")
        known = [*self.concepts, *(concept.label for concept in self.concepts.values() if concept.label)]
        hint = did_you_mean(name, known[:_LOOKED_AT]) or f"; it has {len(self)} concepts"
        raise UsageError(f"{self.name} has no concept {name!r}{hint}")

    def superconcepts(self, name: str) -> frozenset[str]:
        """The concept and all that it is a kind of."""
        return frozenset(self._ids[number] for number in self._closure[self._number[self.checked(name)]])

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether one concept is the other, or a kind of it."""
        return self._number[self.checked(ancestor)] in self._closure[self._number[self.checked(name)]]

    def linked(self, name: str, links: Iterable[str]) -> frozenset[str]:
        """What the concept is linked to by one of these links, itself or through a concept that it is a kind of.

        Raises:
            UsageError: there is no such concept or link.
        """
        wanted = tuple(links)
        unknown = [link for link in wanted if link not in self.link_names]
        if unknown:
            known = ", ".join(self.link_names) or "none"
            raise UsageError(f"{self.name} has no link {unknown[0]!r}; it has: {known}")
        number = self._number[self.checked(name)]
        above = (self.concepts.get(self._ids[each]) for each in self._closure[number])
        return frozenset(
            target for concept in above if concept for link in wanted for target in concept.links.get(link, ())
        )

    def common_superconcepts(self, name: str, other: str) -> frozenset[str]:
        """What both are a kind of."""
        return self.superconcepts(name) & self.superconcepts(other)

    def level(self, name: str) -> int:
        """Steps of IS-A on the longest way from the concept to a root."""
        return self._levels[self._groups[self._number[self.checked(name)]]]

    def closed(self) -> int:
        """Close IS-A now rather than when it is first asked for; how many pairs of concept and superconcept there are.

        Raises:
            DataError: there are more than can be kept.
        """
        with collector_paused():
            return sum(map(len, self._closure))

    @cached_property
    def _undeclared_parents(self) -> list[str]:
        return sorted({each for concept in self.concepts.values() for each in concept.parents} - self.concepts.keys())

    @cached_property
    def _undeclared_targets(self) -> list[str]:
        targets = {each for concept in self.concepts.values() for targets in concept.links.values() for each in targets}
        return sorted(targets - self.concepts.keys())

    @cached_property
    def _ids(self) -> tuple[str, ...]:
        """All ids, those that are used but not declared last."""
        return (*self.concepts, *dict.fromkeys((*self._undeclared_parents, *self._undeclared_targets)))

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._ids)}

    @cached_property
    def _by_iri(self) -> dict[str, str]:
        return {concept.iri: concept.id for concept in self.concepts.values() if concept.iri}

    @cached_property
    def _by_label(self) -> dict[str, str]:
        """Label → id; an empty one for labels that several concepts have."""
        found: dict[str, str] = {}
        for concept in self.concepts.values():
            if concept.label:
                label = _plain(concept.label)
                found[label] = "" if label in found else concept.id
        return found

    @cached_property
    def _parents(self) -> list[tuple[int, ...]]:
        """For each concept the numbers of those that it is directly a kind of."""
        number = self._number
        found = [tuple([number[parent] for parent in concept.parents]) for concept in self.concepts.values()]
        return found + [()] * (len(self._ids) - len(found))

    @cached_property
    def _without_itself(self) -> list[tuple[int, ...]]:
        """Parents, but for a concept that is a kind of itself."""
        return [tuple([p for p in its if p != me]) if me in its else its for me, its in enumerate(self._parents)]

    @cached_property
    def _reached(self) -> list[int]:
        """All concepts, each after those above it, but for circles and what is below them."""
        return _downwards(self._without_itself)

    @property
    def _has_circles(self) -> bool:
        return len(self._reached) < len(self._ids)

    @cached_property
    def _groups(self) -> Sequence[int]:
        """For each concept the number of its group of concepts that are kinds of each other; nearly always alone."""
        n = len(self._ids)
        if not self._has_circles:
            return range(n)
        from scipy.sparse import coo_array  # noqa: PLC0415 -- scipy takes a third of a second to load
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

        edges = [(child, parent) for child, parents in enumerate(self._parents) for parent in parents]
        below, above = np.array(edges, dtype=np.int64).T
        graph = coo_array((np.ones(len(edges), dtype=np.int8), (below, above)), shape=(n, n))
        components: list[int] = connected_components(graph, connection="strong")[1].tolist()
        return components

    @cached_property
    def _above(self) -> list[tuple[int, ...]]:
        """For each group the groups directly above it."""
        if not self._has_circles:
            return self._without_itself
        above: list[set[int]] = [set() for _ in range(max(self._groups) + 1)]
        for child, parents in enumerate(self._parents):
            above[self._groups[child]].update([self._groups[parent] for parent in parents])
        return [tuple(sorted(each - {group})) for group, each in enumerate(above)]

    @cached_property
    def _order(self) -> list[int]:
        """All groups, each after those above it."""
        return _downwards(self._above) if self._has_circles else self._reached

    @cached_property
    def _levels(self) -> list[int]:
        levels = [0] * len(self._above)
        for group in self._order:
            levels[group] = 1 + max([levels[parent] for parent in self._above[group]], default=-1)
        return levels

    @cached_property
    def _closure(self) -> list[frozenset[int]]:
        """For each concept its own number and those of all its superconcepts."""
        members: list[list[int]] = [[] for _ in self._above]
        for number, group in enumerate(self._groups):
            members[group].append(number)
        closed: list[frozenset[int]] = [frozenset()] * len(members)
        pairs = 0
        for group in self._order:
            closed[group] = frozenset(members[group]).union(*[closed[parent] for parent in self._above[group]])
            pairs += len(closed[group])
            if pairs > _MOST_PAIRS:
                depth = f"it has {len(self)} concepts on {self.depth + 1} levels"
                raise DataError(f"{self.name}: more than {_MOST_PAIRS:,} pairs of concept and superconcept; {depth}")
        return [closed[group] for group in self._groups]


@contextmanager
def collector_paused() -> Iterator[None]:
    """For the making of very many objects none of which is garbage, which Python would look through again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def circle_message(circle: Sequence[str]) -> str:
    """What to say of concepts that are kinds of each other.

    >>> circle_message(["a", "b"]), circle_message(["a"])
    ('a and b are kinds of each other', 'a is a kind of itself')
    """
    return f"{' and '.join(circle)} {'are kinds of each other' if circle[1:] else 'is a kind of itself'}"


def _downwards(above: Sequence[tuple[int, ...]]) -> list[int]:
    """Whatever can be reached from the roots, everything after what is above it; what is in a circle is missing."""
    below: list[list[int]] = [[] for _ in above]
    waiting = [len(parents) for parents in above]
    for child, parents in enumerate(above):
        for parent in parents:
            below[parent].append(child)
    order = [number for number, count in enumerate(waiting) if count == 0]
    for number in order:  # grows while it is walked
        for child in below[number]:
            waiting[child] -= 1
            if waiting[child] == 0:
                order.append(child)
    return order


def _plain(label: str) -> str:
    """A label without regard to case, and to what separates its words."""
    return " ".join(label.casefold().replace("_", " ").replace("-", " ").split())
