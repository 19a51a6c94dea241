"""How relevant what a text says is to the actions that a case asks for (Gatt & Portet 2010).

An event references an action if both are linked to a common functional concept, and if the state of the case does not
rule the action out. The weight of an event, its importance, is shared among the actions that it references in
proportion to their priors; the weight of an action is its part of the whole:

    W_a = Σ_e [ imp(e) · Pr(a) / Σ_{a' ∈ A_e} Pr(a') ] / Σ_e imp(e)

Both sums run over the events whose set of actions A_e is not empty after pruning and has an action of positive prior;
then Σ_a W_a = 1. REL is the weight of the appropriate actions, IRREL that of the inappropriate ones. Where no event is
left, both are undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, nan
from typing import Literal

from textassay.content.annotated_text import AnnotatedText
from textassay.content.conditions import Condition, State
from textassay.content.ontology import Ontology
from textassay.errors import DataError, UsageError

ZeroPriors = Literal["leave-out", "share-equally"]
"""What happens to an event all of whose actions have the prior 0."""


@dataclass(frozen=True)
class Importance:
    """How much an event counts."""

    usual: float = 1.0
    drastic: float = 3.0
    superconcepts: tuple[str, ...] = ()
    """Events that are kinds of these are drastic."""


@dataclass(frozen=True)
class Priors:
    """How likely each action is, whatever happened."""

    values: Mapping[str, float]
    counts: Mapping[str, int] = field(default_factory=dict)
    """How often each was logged, where they come from a log."""
    smoothing: float = 0.0

    @property
    def zero(self) -> tuple[str, ...]:
        """Actions with the prior 0."""
        return tuple(action for action, value in self.values.items() if value == 0)


def priors_from_log(actions: Sequence[str], log: Iterable[str], smoothing: float = 0.0) -> Priors:
    """Maximum-likelihood priors: (count + k) / (all counts + k · actions), where k is the smoothing.

    Args:
        actions: All actions.
        log: The action of each entry of the log.
        smoothing: What is added to every count; 0 for the maximum-likelihood estimate itself.

    Raises:
        UsageError: the smoothing is no number of at least 0.
        DataError: the log has an unknown action, or no entry at all.

    >>> dict(priors_from_log(["suction", "intubate"], ["suction", "suction", "suction", "intubate"]).values)
    {'suction': 0.75, 'intubate': 0.25}
    """
    if not (isfinite(smoothing) and smoothing >= 0):
        raise UsageError(f"smoothing is {smoothing}; it must be 0 or more")
    counts = Counter(log)
    unknown = [action for action in counts if action not in set(actions)]
    if unknown:
        raise DataError(f"the log has the action {unknown[0]!r}, which is not among the actions; add it or remove it")
    total = counts.total() + smoothing * len(actions)
    if total == 0:
        raise DataError("the log of actions is empty; give priors, or a smoothing above 0")
    values = {action: (counts[action] + smoothing) / total for action in actions}
    return Priors(values, {action: counts[action] for action in actions}, smoothing)


@dataclass(frozen=True)
class RelevanceModel:
    """What is known of a domain: which events have to do with which actions, and when."""

    ontology: Ontology
    links: tuple[str, ...]
    """Names of the links from events and actions to functional concepts."""
    actions: Mapping[str, str]
    """Each action's concept in the ontology."""
    priors: Priors
    importance: Importance = Importance()
    rules: Mapping[str, Condition] = field(default_factory=dict)
    """When an action is possible; one without a rule always is."""

    def __post_init__(self) -> None:
        for concept in (*self.actions.values(), *self.importance.superconcepts):
            self.ontology.checked(concept)
        for what, names in (("priors", self.priors.values), ("rules", self.rules)):
            unknown = [action for action in names if action not in self.actions]
            if unknown:
                raise UsageError(f"{what} name the action {unknown[0]!r}; the actions are: {', '.join(self.actions)}")
        without = [action for action in self.actions if action not in self.priors.values]
        if without:
            raise UsageError(f"no prior for the action {without[0]!r}; give one for each")
        wrong = [action for action, value in self.priors.values.items() if not (isfinite(value) and value >= 0)]
        if wrong:
            raise UsageError(f"the prior of {wrong[0]!r} is {self.priors.values[wrong[0]]}; it must be 0 or more")
        if min(self.importance.usual, self.importance.drastic) <= 0:
            raise UsageError("the importance of an event must be above 0")

    @cached_property
    def functions(self) -> dict[str, frozenset[str]]:
        """The functional concepts of each action."""
        return {action: self.ontology.linked(concept, self.links) for action, concept in self.actions.items()}

    def event_functions(self, event_type: str) -> frozenset[str]:
        """The functional concepts of a type of event, inherited along IS-A."""
        return self.ontology.linked(event_type, self.links)

    def event_importance(self, event_type: str) -> float:
        """How much a type of event counts."""
        above = self.ontology.superconcepts(event_type)
        drastic = any(self.ontology.checked(concept) in above for concept in self.importance.superconcepts)
        return self.importance.drastic if drastic else self.importance.usual

    def possible(self, state: State) -> frozenset[str]:
        """The actions that the state of a case does not rule out."""
        return frozenset(a for a in self.actions if a not in self.rules or self.rules[a].holds(state))


@dataclass(frozen=True)
class EventTrace:
    """What one event contributes."""

    event: str
    type: str
    importance: float
    """Its weight, cardinality included where that is counted."""
    functions: tuple[str, ...]
    """Its functional concepts."""
    referenced: tuple[str, ...]
    """The actions that share a functional concept with it."""
    pruned: tuple[str, ...]
    """Those of them that the state of the case rules out."""
    shares: Mapping[str, float]
    """How much of the text's whole weight it gives to each action; nothing where it does not count."""


@dataclass(frozen=True)
class TextRelevance:
    """The weights of all actions for one text and case, and where they come from."""

    weights: Mapping[str, float]
    """W_a of every action; all 0 where no event counts."""
    trace: tuple[EventTrace, ...]

    @property
    def defined(self) -> bool:
        """Whether any event counts."""
        return any(each.shares for each in self.trace)

    @property
    def uncounted(self) -> tuple[str, ...]:
        """Events that reference no possible action of positive prior."""
        return tuple(each.event for each in self.trace if not each.shares)

    def of(self, actions: Collection[str]) -> float:
        """The weight of some actions together: REL of the appropriate ones, IRREL of the inappropriate ones."""
        return sum(self.weights.get(action, 0.0) for action in set(actions)) if self.defined else nan


def relevance(
    text: AnnotatedText,
    model: RelevanceModel,
    state: State = frozenset(),
    *,
    cardinality: bool = False,
    zero_priors: ZeroPriors = "leave-out",
) -> TextRelevance:
    """How the content of a text weighs for each action.

    Args:
        text: Its events have types of the model's ontology.
        model: The domain.
        state: What holds in the case.
        cardinality: Whether an event counts as many times as it occurred.
        zero_priors: What happens to an event all of whose actions have the prior 0.

    Raises:
        UsageError: an event has a type that the ontology lacks.
    """
    possible = model.possible(state)
    found = []
    for event in text.events:
        functions = model.event_functions(event.type)
        referenced = [action for action, its in model.functions.items() if functions & its]
        weight = model.event_importance(event.type) * (event.cardinality if cardinality else 1)
        left = [action for action in referenced if action in possible]
        found.append((event, functions, referenced, weight, _shared(left, model.priors.values, zero_priors)))
    whole = sum(weight for *_, weight, shares in found if shares)
    trace = tuple(
        EventTrace(
            event.id,
            event.type,
            weight,
            tuple(sorted(functions)),
            tuple(referenced),
            tuple(action for action in referenced if action not in possible),
            {action: share * weight / whole for action, share in shares.items()},
        )
        for event, functions, referenced, weight, shares in found
    )
    weights = dict.fromkeys(model.actions, 0.0)
    for each in trace:
        for action, share in each.shares.items():
            weights[action] += share
    return TextRelevance(weights, trace)


def _shared(actions: Sequence[str], priors: Mapping[str, float], zero_priors: ZeroPriors) -> dict[str, float]:
    """Which part of an event each action gets; they sum to 1, or there are none."""
    total = sum(priors[action] for action in actions)
    if total > 0:
        return {action: priors[action] / total for action in actions}
    if actions and zero_priors == "share-equally":
        return {action: 1 / len(actions) for action in actions}
    return {}
