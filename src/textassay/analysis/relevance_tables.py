"""Relevance to actions as tables: of systems, texts, events, shares and actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textassay.analysis.traced_texts import TracedText, mean_of_defined, share_in_words, why_not
from textassay.content.relevance import EventTrace, RelevanceModel
from textassay.results import Table
from textassay.stats import MeanInterval


def systems_table(of_systems: Mapping[str, Sequence[TracedText]], means: Mapping[str, MeanInterval]) -> Table:
    """One row per system: means over its texts."""
    rows = tuple(
        (
            system,
            len(its),
            sum(not text.found.defined for text in its),
            means[system].mean,
            *means[system].ci,
            mean_of_defined([text.weights["neutral"] for text in its]),
            mean_of_defined([text.weights["inappropriate"] for text in its]),
            sum(text.counted for text in its),
            sum(len(text.found.uncounted) for text in its),
        )
        for system, its in of_systems.items()
    )
    columns = ("System", "Texts", "Without a value", "REL", "Low", "High", "Neutral", "IRREL", *_EVENTS)
    note = (
        "Shares of the weight of what a text says, means over texts. REL: that of appropriate actions, IRREL: that of "
        "inappropriate ones, neutral: the rest. An event counts if it references an action that the case allows."
    )
    return Table("relevance-systems", "Relevance by system", columns, rows, note)


_EVENTS = ("Events that count", "Events that do not")


def texts_table(texts: Sequence[TracedText]) -> Table:
    """One row per text."""
    rows = tuple(
        (x.item, x.system, x.rel, x.weights["neutral"], x.weights["inappropriate"], x.counted, len(x.found.uncounted))
        for x in texts
    )
    columns = ("Item", "System", "REL", "Neutral", "IRREL", *_EVENTS)
    return Table("relevance-texts", "Relevance of each text", columns, rows, detail=True)


def events_table(texts: Sequence[TracedText]) -> Table:
    """One row per text and event: what it is, which actions it references, and what it gives them."""
    rows = tuple(
        (text.item, text.system, number, event.event, words, *_cells(event, text))
        for text in texts
        for number, (event, words) in enumerate(text.events(), 1)
    )
    columns = (
        *("Item", "System", "No.", "Event", "Words", "Type", "Importance", "Functional concepts"),
        *("Actions referenced", "Ruled out", "Share of the text", "Given to"),
    )
    note = (
        "No.: place in the text, as in the figures. "
        "Ruled out: referenced actions that the state of the case does not allow. Share of the text: importance over "
        "that of all events that count. Given to: that share divided in proportion to the priors of the actions left."
    )
    return Table("relevance-events", "Which event gives which action how much", columns, rows, note, detail=True)


def _cells(event: EventTrace, text: TracedText) -> tuple[Any, ...]:
    given = ", ".join(f"{action} {share_in_words(share)}" for action, share in event.shares.items())
    reason = why_not(event, text.case.model)
    return (
        event.type,
        int(event.importance) if event.importance == int(event.importance) else event.importance,
        ", ".join(event.functions),
        ", ".join(event.referenced),
        ", ".join(event.pruned),
        sum(event.shares.values()),
        given or f"nothing: {reason}",
    )


def shares_table(texts: Sequence[TracedText]) -> Table:
    """One row per text, event and action that gets something."""
    rows = tuple(
        (
            text.item,
            text.system,
            event.event,
            event.type,
            action,
            text.kind(action),
            text.case.model.priors.values[action],
            share,
        )
        for text in texts
        for event in text.found.trace
        for action, share in event.shares.items()
    )
    columns = ("Item", "System", "Event", "Type", "Action", "Kind", "Prior", "Share")
    note = "The same with one row per text, event and action, for programs; the shares of a text sum to 1."
    return Table("relevance-shares", "Shares of events and actions", columns, rows, note, detail=True)


def actions_table(model: RelevanceModel, of_systems: Mapping[str, Sequence[TracedText]]) -> Table:
    """One row per action: what is known of it, and its mean weight in the texts of each system."""
    cases = {text.item: text for its in of_systems.values() for text in its}
    rows = tuple(
        (
            action,
            concept,
            model.priors.values[action],
            model.priors.counts.get(action),
            ", ".join(sorted(model.functions[action])),
            str(model.rules.get(action, "")),
            *(sum(text.kind(action) == kind for text in cases.values()) for kind in ("appropriate", "inappropriate")),
            *(
                mean_of_defined([x.found.weights[action] for x in its if x.found.defined])
                for its in of_systems.values()
            ),
        )
        for action, concept in model.actions.items()
    )
    columns = (
        *("Action", "Concept", "Share in practice (prior)", "Times in the log", "Functional concepts", "Possible if"),
        *("Appropriate in", "Inappropriate in"),
        *(f"Share, {system}" for system in of_systems),
    )
    note = f"Appropriate in, inappropriate in: of {len(cases)} cases. Share: mean weight of the action over texts."
    return Table("relevance-actions", "Actions, their priors and mean weights", columns, rows, note, detail=True)
