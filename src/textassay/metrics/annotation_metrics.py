"""Metrics of annotated content: how much a text says, and how far that is from what a reference says.

What all share comes first; then the counts, which need no reference, the distances of the normal forms, and the events
that both have. The first four are those of Gatt & Portet (2010): their "tree edit distance" is the edit distance of
the trees in preorder; beside it stands the edit distance of the trees themselves.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.content.annotated_text import AnnotatedText
from textassay.content.annotation_tree import LabelledTree, edit_distances, normal_form, preorder_distances
from textassay.content.ontology import Ontology
from textassay.errors import DataError
from textassay.metrics.contract import Floats, Limits, Metric, Settings, Statistics, setting
from textassay.metrics.references import PairMetric
from textassay.metrics.segments import Segments

_MOST_EVENTS = 2000
"""Events of unequal types that are matched with each other; the time grows with the cube."""


class AnnotationSegments(Segments[AnnotatedText]):
    """Annotated texts, each with its annotated references."""

    kind: ClassVar[str] = "annotation"
    value_type: ClassVar[type] = AnnotatedText

    def pairs(self) -> list[tuple[AnnotatedText, AnnotatedText]]:
        """Each text with each of its references, flat."""
        both = zip(self.hypotheses, self.references, strict=True)
        return [(text, reference) for text, references in both for reference in references]


class _Count(Metric):
    """A count of something in the text itself."""

    takes = AnnotationSegments
    needs_references = False
    scale = (0.0, math.inf)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The count."""
        return np.asarray(statistics[:, 0], dtype=np.float64)


@dataclass(frozen=True)
class EventCountSettings(Settings):
    """What can be chosen for the number of events."""

    cardinality: bool = setting(default=True, sign="cardinality", words={True: "counted", False: "ignored"})
    """Whether an event counts as many times as it says that it occurred."""


class EventCount(_Count):
    """Number of events that a text tells of, each as often as it occurred.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
    >>> from textassay.metrics import score
    >>> text = AnnotatedText("1", "A", (Paragraph("two falls", (Event("e1", "fall", 0, 9, cardinality=2),)),))
    >>> score("event-count", [text]).segments.tolist()
    [2.0]
    """

    name = "event-count"
    Settings = EventCountSettings
    settings: EventCountSettings

    def statistics(self, segments: AnnotationSegments) -> Statistics:
        """The number for each text."""
        counted = self.settings.cardinality
        counts = [sum(event.cardinality if counted else 1 for event in text.events) for text in segments.hypotheses]
        return np.array(counts, dtype=np.float64).reshape(-1, 1)

    def remarks(self, segments: AnnotationSegments) -> Mapping[str, int]:
        """How many texts tell of nothing."""
        return {"texts have no events": sum(not text.events for text in segments.hypotheses)}


@dataclass(frozen=True)
class RelationCountSettings(Settings):
    """What can be chosen for the number of relations."""

    kind: str = setting("all", sign="kind", choices=("all", "temporal", "discourse"))
    """Which relations are counted."""


class RelationCount(_Count):
    """Number of temporal and discourse relations that a text states.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph, Relation
    >>> from textassay.metrics import score
    >>> started = Relation("r1", "temporal", "STARTS", ("14:15", "e1"))
    >>> text = AnnotatedText("1", "A", (Paragraph("a fall", (Event("e1", "fall", 0, 6),), (started,)),))
    >>> [score("relation-count", [text], kind=kind).corpus for kind in ("all", "discourse")]
    [1.0, 0.0]
    """

    name = "relation-count"
    Settings = RelationCountSettings
    settings: RelationCountSettings

    def statistics(self, segments: AnnotationSegments) -> Statistics:
        """The number for each text."""
        kind = self.settings.kind
        counts = [sum(kind in ("all", each.kind) for each in text.relations) for text in segments.hypotheses]
        return np.array(counts, dtype=np.float64).reshape(-1, 1)

    def remarks(self, segments: AnnotationSegments) -> Mapping[str, int]:
        """How many texts state none."""
        return {"texts have no relations": sum(not text.relations for text in segments.hypotheses)}


@dataclass(frozen=True)
class TreeDistanceSettings(Settings):
    """What can be chosen for the distances of trees."""

    form: str = setting("raw", sign="form", choices=("raw", "normalised"))
    """The number of edits, or that number over the nodes of both trees, which is the most that it can be."""
    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the nearest, or the mean."""


class _TreeDistance(PairMetric):
    """A distance of the normal forms of two texts."""

    takes = AnnotationSegments
    scale = (0.0, math.inf)
    higher_is_better = False
    Settings: ClassVar[type[TreeDistanceSettings]] = TreeDistanceSettings
    settings: TreeDistanceSettings
    counts = ("edits", "hypothesis_nodes", "reference_nodes")
    scores = ("distance",)

    @abstractmethod
    def distances(self, pairs: Sequence[tuple[LabelledTree, LabelledTree]]) -> list[int]:
        """The distance of each pair."""

    def pair_statistics(self, segments: AnnotationSegments) -> npt.NDArray[np.int32]:
        """Edits and the nodes of both trees."""
        pairs = [(normal_form(text), normal_form(reference)) for text, reference in segments.pairs()]
        sizes = [(len(first), len(second)) for first, second in pairs]
        rows = [(edits, *both) for edits, both in zip(self.distances(pairs), sizes, strict=True)]
        return np.array(rows, dtype=np.int32).reshape(-1, 3)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """Edits, or edits over the nodes of both trees."""
        edits = statistics[:, :1].astype(np.float64)
        return edits / statistics[:, 1:].sum(axis=1, keepdims=True) if self.settings.form == "normalised" else edits

    def remarks(self, segments: AnnotationSegments) -> Mapping[str, int]:
        """How many texts have no annotation."""
        return _without_annotation(segments)


class TreePreorderDistance(_TreeDistance):
    """Edit distance of the normal forms in preorder, with cost 1 for insert and delete, 2 for substitute.

    That is the number of nodes of both trees less twice those of their longest common subsequence.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
    >>> from textassay.metrics import score
    >>> one = AnnotatedText("1", "A", (Paragraph("a fall", (Event("e1", "fall", 0, 6),)),))
    >>> other = AnnotatedText("1", "B", (Paragraph("a rise", (Event("e1", "rise", 0, 6),)),))
    >>> score("tree-preorder-distance", [one], [[other]]).corpus
    2.0
    """

    name = "tree-preorder-distance"

    def distances(self, pairs: Sequence[tuple[LabelledTree, LabelledTree]]) -> list[int]:
        """The distance of each pair."""
        return preorder_distances(pairs)


@dataclass(frozen=True)
class TreeEditSettings(TreeDistanceSettings):
    """What can be chosen for the tree edit distance."""

    substitution: int = setting(2, sign="sub", limits=Limits(1, 2))
    """What it costs to change a label: 2 as in the preorder distance, or 1."""


class TreeEditDistance(_TreeDistance):
    """Edit distance of the normal forms as trees (Zhang & Shasha 1989), never below that of their preorder.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
    >>> from textassay.metrics import score
    >>> one = AnnotatedText("1", "A", (Paragraph("a fall", (Event("e1", "fall", 0, 6),)),))
    >>> other = AnnotatedText("1", "B", (Paragraph("a rise", (Event("e1", "rise", 0, 6),)),))
    >>> score("tree-edit-distance", [one], [[other]], substitution=1).corpus
    1.0
    """

    name = "tree-edit-distance"
    Settings = TreeEditSettings
    settings: TreeEditSettings

    def distances(self, pairs: Sequence[tuple[LabelledTree, LabelledTree]]) -> list[int]:
        """The distance of each pair."""
        return edit_distances(pairs, self.settings.substitution)


@dataclass(frozen=True)
class EventSettings(EventCountSettings):
    """What can be chosen for the F of events."""

    partial: str = setting("is-a", sign="partial", choices=("none", "is-a", "common"))
    """Credit for unequal types: none, where one is a kind of the other, or for any common superconcept."""
    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the best, or the mean."""


class EventF(PairMetric):
    """F of events: which of the reference's events a text tells of.

    Events of equal types match. What is left is matched one to one so that the sum of credits is greatest, where two
    types have the credit |S(a) ∩ S(b)| / |S(a) ∪ S(b)|, S being a concept with all its superconcepts. Precision is the
    sum of credits over the events of the text, recall over those of the reference. Without an ontology only equal
    types match.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
    >>> from textassay.metrics import score
    >>> events = (Event("e1", "fall", 0, 4), Event("e2", "rise", 5, 9))
    >>> one, other = (AnnotatedText("1", "A", (Paragraph("fall rise", events[:n]),)) for n in (1, 2))
    >>> score("event-f", [one], [[other]]).parts["recall"].tolist()
    [0.5]
    """

    name = "event-f"
    takes = AnnotationSegments
    Settings = EventSettings
    settings: EventSettings
    counts = ("credit", "hypothesis_events", "reference_events")
    scores = ("f", "precision", "recall")

    def pair_statistics(self, segments: AnnotationSegments) -> Statistics:
        """The sum of credits, and the events of both."""
        rows = [self._row(text, reference) for text, reference in segments.pairs()]
        return np.array(rows, dtype=np.float64).reshape(-1, 3)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision and recall; 1 where neither text has events, 0 where one has none."""
        credit, ours, theirs = statistics.T
        pairs = ((2 * credit, ours + theirs), (credit, ours), (credit, theirs))
        found = [np.divide(a, b, out=np.zeros_like(a), where=b > 0) for a, b in pairs]
        return np.where((ours + theirs == 0)[:, None], 1.0, np.stack(found, axis=1))

    def remarks(self, segments: AnnotationSegments) -> Mapping[str, int]:
        """How many texts have no annotation, and how many types are not compared beyond equality."""
        without = sum(text.ontology is None for text in segments.hypotheses) if self.settings.partial != "none" else 0
        return {**_without_annotation(segments), "texts have no ontology, so that only equal types match": without}

    def _row(self, text: AnnotatedText, reference: AnnotatedText) -> tuple[float, float, float]:
        ours, theirs = self._types(text), self._types(reference)
        equal = ours & theirs
        credit = float(equal.total())
        ontology = text.ontology
        if self.settings.partial != "none" and ontology is not None:
            left, right = list((ours - equal).elements()), list((theirs - equal).elements())
            if max(len(left), len(right)) > _MOST_EVENTS:
                more = f"item {text.item}, system {text.system}: {max(len(left), len(right))} events to match"
                raise DataError(f"{more}; count each event once with cardinality=no")
            credit += _best_credit(left, right, ontology, any_common=self.settings.partial == "common")
        return credit, float(ours.total()), float(theirs.total())

    def _types(self, text: AnnotatedText) -> Counter[str]:
        found: Counter[str] = Counter()
        for event in text.events:
            name = text.ontology.checked(event.type) if text.ontology is not None else event.type
            found[name] += event.cardinality if self.settings.cardinality else 1
        return found


def _best_credit(left: Sequence[str], right: Sequence[str], ontology: Ontology, *, any_common: bool) -> float:
    """The greatest sum of credits of types that are matched one to one."""
    if not left or not right:
        return 0.0
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 -- scipy takes a third of a second to load

    above = {name: ontology.superconcepts(name) for name in {*left, *right}}
    known: dict[tuple[str, str], float] = {}
    for a in set(left):
        for b in set(right):
            related = any_common or a in above[b] or b in above[a]
            known[a, b] = len(above[a] & above[b]) / len(above[a] | above[b]) if related else 0.0
    table = np.array([[known[a, b] for b in right] for a in left])
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(table[rows, columns].sum())


def _without_annotation(segments: AnnotationSegments) -> dict[str, int]:
    references: list[Any] = [reference for references in segments.references for reference in references]
    return {
        "hypotheses have no annotation": sum(not len(text) for text in segments.hypotheses),
        "references have no annotation": sum(not len(text) for text in references),
    }
