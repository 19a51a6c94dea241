"""Relevance and irrelevance: how much of what a text says has to do with what should be done (Gatt & Portet 2010).

See `textassay.content.relevance` for the formula. A text no event of which references a possible action has no value;
it is counted, and left out of the corpus score.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from textassay.content.annotated_text import AnnotatedText
from textassay.content.conditions import State
from textassay.content.relevance import RelevanceModel, TextRelevance, ZeroPriors, relevance
from textassay.metrics.contract import MeanOfDefined, Settings, Statistics, setting
from textassay.metrics.segments import Segments


@dataclass(frozen=True)
class RelevanceCase:
    """A text about a case, with what is known of the case and its domain."""

    text: AnnotatedText
    model: RelevanceModel
    appropriate: frozenset[str]
    """The actions that experts find appropriate."""
    inappropriate: frozenset[str] = frozenset()
    state: State = frozenset()
    """What holds in the case; it rules some actions out."""


@dataclass(frozen=True, eq=False)
class CaseSegments(Segments[RelevanceCase]):
    """Cases; they are compared with nothing."""

    kind: ClassVar[str] = "case"
    value_type: ClassVar[type] = RelevanceCase

    _weighed: dict[RelevanceSettings, list[TextRelevance]] = field(default_factory=dict, init=False, repr=False)

    def weighed(self, settings: RelevanceSettings) -> list[TextRelevance]:
        """The weights of all actions for each text; made once for all metrics that ask for the same."""
        if settings not in self._weighed:
            zero = cast("ZeroPriors", settings.zero_priors)
            self._weighed[settings] = [
                relevance(case.text, case.model, case.state, cardinality=settings.cardinality, zero_priors=zero)
                for case in self.hypotheses
            ]
        return self._weighed[settings]


@dataclass(frozen=True)
class RelevanceSettings(Settings):
    """What can be chosen for relevance."""

    cardinality: bool = setting(default=False, sign="cardinality", words={True: "counted", False: "ignored"})
    """Whether an event counts as many times as it says that it occurred."""
    zero_priors: str = setting("leave-out", sign="zero-priors", choices=("leave-out", "share-equally"))
    """What happens to an event all of whose actions have the prior 0."""


class _WeightOfActions(MeanOfDefined):
    takes = CaseSegments
    needs_references = False
    Settings: ClassVar[type[Settings]] = RelevanceSettings
    settings: RelevanceSettings

    @abstractmethod
    def value(self, case: RelevanceCase, found: TextRelevance) -> float:
        """The value of one case."""

    def statistics(self, segments: CaseSegments) -> Statistics:
        """The value, and how many events count and do not."""
        rows = []
        for case, found in zip(segments.hypotheses, segments.weighed(self.settings), strict=True):
            left = len(found.uncounted)
            rows.append((self.value(case, found), len(found.trace) - left, left))
        return np.array(rows, dtype=np.float64).reshape(-1, 3)

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """How many events count, and how many do not."""
        return {"events_counted": statistics[:, 1], "events_without_action": statistics[:, 2]}

    def remarks(self, segments: CaseSegments) -> Mapping[str, int]:
        """How many texts have no value, and how many events reference no possible action."""
        found = segments.weighed(self.settings)
        return {
            "texts reference no possible action and have no value": sum(not each.defined for each in found),
            "events reference no possible action of positive prior": sum(len(each.uncounted) for each in found),
        }


class Relevance(_WeightOfActions):
    """REL: the weight of the appropriate actions.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
    >>> from textassay.content.ontology import Concept, Ontology
    >>> from textassay.content.relevance import Priors, RelevanceModel
    >>> from textassay.metrics import score
    >>> from textassay.metrics.relevance_metrics import RelevanceCase
    >>> links = {"concerns": ("breath",)}
    >>> ward = Ontology([Concept("breath"), Concept("fall", links=links), Concept("tube", links=links)])
    >>> actions, priors = {"intubate": "tube", "wait": "tube"}, Priors({"intubate": 1, "wait": 3})
    >>> model = RelevanceModel(ward, ("concerns",), actions, priors)
    >>> text = AnnotatedText("1", "A", (Paragraph("a fall", (Event("e1", "fall", 0, 6),)),))
    >>> score("relevance", [RelevanceCase(text, model, frozenset(["intubate"]))]).corpus
    0.25
    """

    name = "relevance"

    def value(self, case: RelevanceCase, found: TextRelevance) -> float:
        """The weight of the appropriate actions."""
        return found.of(case.appropriate)


class Irrelevance(_WeightOfActions):
    """IRREL: the weight of the inappropriate actions; the lower the better.

    >>> from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
    >>> from textassay.content.ontology import Concept, Ontology
    >>> from textassay.content.relevance import Priors, RelevanceModel
    >>> from textassay.metrics import score
    >>> from textassay.metrics.relevance_metrics import RelevanceCase
    >>> links = {"concerns": ("breath",)}
    >>> ward = Ontology([Concept("breath"), Concept("fall", links=links), Concept("tube", links=links)])
    >>> actions, priors = {"intubate": "tube", "wait": "tube"}, Priors({"intubate": 1, "wait": 3})
    >>> model = RelevanceModel(ward, ("concerns",), actions, priors)
    >>> text = AnnotatedText("1", "A", (Paragraph("a fall", (Event("e1", "fall", 0, 6),)),))
    >>> score("irrelevance", [RelevanceCase(text, model, frozenset(["intubate"]), frozenset(["wait"]))]).corpus
    0.75
    """

    name = "irrelevance"
    higher_is_better = False

    def value(self, case: RelevanceCase, found: TextRelevance) -> float:
        """The weight of the inappropriate actions."""
        return found.of(case.inappropriate)
