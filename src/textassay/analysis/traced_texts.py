"""Texts with the weights of all actions, and which of their events these come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan

from textassay.content.relevance import EventTrace, RelevanceModel, TextRelevance
from textassay.errors import DataError
from textassay.metrics.relevance_metrics import CaseSegments, RelevanceCase, RelevanceSettings
from textassay.report.numbers import NumberFormat, format_value

KINDS = ("appropriate", "neutral", "inappropriate")
USUAL = RelevanceSettings()


@dataclass(frozen=True)
class TracedText:
    """A text with the weights of all actions, and where they come from."""

    case: RelevanceCase
    found: TextRelevance

    @property
    def item(self) -> str:
        """What the text is about."""
        return self.case.text.item

    @property
    def system(self) -> str:
        """Who wrote it."""
        return self.case.text.system

    @cached_property
    def weights(self) -> dict[str, float]:
        """The weight of all actions of each kind; undefined where no event counts."""
        if not self.found.defined:
            return dict.fromkeys(KINDS, nan)
        return {
            kind: sum(weight for action, weight in self.found.weights.items() if self.kind(action) == kind)
            for kind in KINDS
        }

    @property
    def rel(self) -> float:
        """The weight of the appropriate actions."""
        return self.weights["appropriate"]

    @property
    def counted(self) -> int:
        """How many events count."""
        return len(self.found.trace) - len(self.found.uncounted)

    def events(self) -> Iterator[tuple[EventTrace, str]]:
        """Each event with its words."""
        words = {
            event.id: paragraph.text[event.start : event.end]
            for paragraph in self.case.text.paragraphs
            for event in paragraph.events
        }
        return ((event, words.get(event.event, "")) for event in self.found.trace)

    def kind(self, action: str) -> str:
        """Whether an action is appropriate in the case."""
        if action in self.case.appropriate:
            return "appropriate"
        return "inappropriate" if action in self.case.inappropriate else "neutral"


def traced_texts(
    cases: Mapping[tuple[str, str], RelevanceCase], settings: RelevanceSettings = USUAL
) -> list[TracedText]:
    """Each text with the weights of all actions.

    Raises:
        DataError: there is no text.
    """
    if not cases:
        raise DataError("no annotated text is about a case with targets; annotate texts, or add rows to the targets")
    given = list(cases.values())
    weighed = CaseSegments(given, [()] * len(given)).weighed(settings)
    return [TracedText(case, found) for case, found in zip(given, weighed, strict=True)]


ZERO_PRIORS = "all actions left have the prior 0"


def why_not(event: EventTrace, model: RelevanceModel) -> str:
    """Why an event does not count; empty for one that does."""
    if event.shares:
        return ""
    if not event.functions:
        return "the type has no functional concept"
    if not event.referenced:
        return "no action shares a functional concept with it"
    left = [action for action in event.referenced if action not in event.pruned]
    if not left:
        return "the state of the case rules all its actions out"
    return ZERO_PRIORS if not any(model.priors.values[action] for action in left) else "its actions have no weight"


def mean_of_defined(values: Sequence[float]) -> float:
    """The mean of those values that are defined."""
    known = [value for value in values if not isnan(value)]
    return sum(known) / len(known) if known else nan


def share_in_words(value: float) -> str:
    """A share as readers see it: `.375`."""
    return format_value(float(value), NumberFormat.BOUNDED)
