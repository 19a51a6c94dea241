"""How far several annotators of the same texts agree: on events, on relations, on trees.

Nobody can say how many stretches of text are *not* events, so that agreement on them is given as F, which needs no such
number and to which kappa tends as it grows (Hripcsak & Rothschild 2005): twice what both have over what each has. The
types of events that both found are compared by Cohen's kappa, which chance does have a meaning for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan

from textassay.content.annotated_text import AnnotatedText, Event, is_timestamp
from textassay.content.annotation_tree import edit_distances, normal_form, preorder_distances
from textassay.errors import DataError
from textassay.results import Record, Result
from textassay.stats.agreement.cohen_kappa import cohen_kappa

Place = tuple[int, int, int]
"""Number of the paragraph, first character, first character after the end."""


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators, over the texts that both annotated; nan where there is nothing to compare."""

    first: str
    second: str
    texts: int
    events: tuple[int, int]
    """How many events each found."""
    spans: float
    """F of events with equal ends, whatever their types."""
    overlapping: float
    """F of events that overlap, each matched once."""
    events_f: float
    """F of events with equal ends and equal types."""
    types_kappa: float
    """Cohen's kappa of the types of overlapping events."""
    matched: int
    """How many events overlap: those that kappa is about."""
    relations: float
    """F of relations with equal names between overlapping events."""
    tree_similarity: float
    """1 less the tree edit distance over the nodes of both trees, mean over texts."""
    preorder_similarity: float
    """The same for the distance of the trees in preorder."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnnotatorAgreement(Result):
    """The agreement of every pair of annotators."""

    pairs: tuple[PairAgreement, ...]

    def records(self) -> list[Record]:
        """One row per pair and measure."""
        measures = (
            "spans",
            "overlapping",
            "events_f",
            "types_kappa",
            "relations",
            "tree_similarity",
            "preorder_similarity",
        )
        return [
            self.record(name, getattr(pair, name), of=name, by=f"{pair.first}, {pair.second}", n=pair.texts)
            for pair in self.pairs
            for name in measures
        ]


def annotator_agreement(texts: Iterable[AnnotatedText]) -> AnnotatorAgreement:
    """Agreement of all pairs of annotators who annotated some of the same texts.

    Raises:
        DataError: no two annotators annotated the same text.
    """
    by_annotator: dict[str, dict[tuple[str, str, str], AnnotatedText]] = {}
    for text in texts:
        by_annotator.setdefault(text.annotator, {})[text.item, text.system, text.role] = text
    pairs = []
    for (first, ours), (second, theirs) in combinations(by_annotator.items(), 2):
        common = [(ours[key], theirs[key]) for key in ours if key in theirs]
        if common:
            pairs.append(_pair(first, second, common))
    if not pairs:
        raise DataError("no two annotators annotated the same text; name the annotator of each annotation")
    return AnnotatorAgreement(
        method="annotator agreement", settings={"annotators": len(by_annotator)}, pairs=tuple(pairs)
    )


def _pair(first: str, second: str, texts: Sequence[tuple[AnnotatedText, AnnotatedText]]) -> PairAgreement:
    found = [_compared(one, other) for one, other in texts]
    trees = [(normal_form(one), normal_form(other)) for one, other in texts]
    sizes = [len(one) + len(other) for one, other in trees]
    edits, preorder = edit_distances(trees), preorder_distances(trees)
    n = (sum(each.events[0] for each in found), sum(each.events[1] for each in found))
    types = [pair for each in found for pair in each.types]
    return PairAgreement(
        first=first,
        second=second,
        texts=len(texts),
        events=n,
        spans=_f(sum(each.equal for each in found), sum(n)),
        overlapping=_f(len(types), sum(n)),
        events_f=_f(sum(each.equal_types for each in found), sum(n)),
        types_kappa=_kappa(types),
        matched=len(types),
        relations=_f(sum(each.relations for each in found), sum(sum(each.stated) for each in found)),
        tree_similarity=_mean(1 - d / size for d, size in zip(edits, sizes, strict=True)),
        preorder_similarity=_mean(1 - d / size for d, size in zip(preorder, sizes, strict=True)),
    )


@dataclass(frozen=True)
class _Compared:
    """Counts of one text."""

    events: tuple[int, int]
    equal: int
    equal_types: int
    types: tuple[tuple[str, str], ...]
    """Of overlapping events."""
    stated: tuple[int, int]
    """Relations."""
    relations: int
    """Relations that both have."""


def _compared(one: AnnotatedText, other: AnnotatedText) -> _Compared:
    ours, theirs = _places(one), _places(other)
    matched = _matched(ours, theirs)
    equal = [(a, b) for a, b in matched if ours[a][0] == theirs[b][0]]
    types = [(ours[a][1].type, theirs[b][1].type) for a, b in matched]
    partner = dict(matched)
    stated = [
        (relation.name, tuple(each if is_timestamp(each) else partner.get(each, "") for each in relation.arguments))
        for relation in one.relations
    ]
    left = [(relation.name, relation.arguments) for relation in other.relations]
    both = 0
    for relation in stated:
        if relation in left:
            left.remove(relation)
            both += 1
    return _Compared(
        (len(ours), len(theirs)),
        len(equal),
        sum(ours[a][1].type == theirs[b][1].type for a, b in equal),
        tuple(types),
        (len(one.relations), len(other.relations)),
        both,
    )


def _places(text: AnnotatedText) -> dict[str, tuple[Place, Event]]:
    return {
        event.id: ((number, event.start, event.end), event)
        for number, paragraph in enumerate(text.paragraphs)
        for event in paragraph.events
    }


def _matched(ours: dict[str, tuple[Place, Event]], theirs: dict[str, tuple[Place, Event]]) -> list[tuple[str, str]]:
    """Events that overlap, each matched once: those that share most come first, equal types before others."""
    candidates = []
    for a, (one, event) in ours.items():
        for b, (other, with_it) in theirs.items():
            shared = min(one[2], other[2]) - max(one[1], other[1]) if one[0] == other[0] else 0
            if shared > 0:
                together = max(one[2], other[2]) - min(one[1], other[1])
                candidates.append((-shared / together, event.type != with_it.type, one, other, a, b))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for *_, a, b in sorted(candidates):
        if a not in found and b not in taken:
            found[a] = b
            taken.add(b)
    return list(found.items())


def _f(both: int, total: int) -> float:
    return 2 * both / total if total else nan


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else nan


def _kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa; nan where nothing was matched or both only ever used one type."""
    return cohen_kappa(*map(list, zip(*pairs, strict=True))).kappa if pairs else nan
