"""What participants did in a decision block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.prose import counted, listed, quoted
from textassay.tasks.contract import Task
from textassay.tasks.decision.settings import DecisionSettings

_SHOWN = {"text": "a text", "plot": "a plot of measured values", "image": "an image"}
_COMBINED = {
    "majority": "what more than half of them said counted",
    "union": "what any of them said counted",
    "adjudicated": "their adjudicated view counted",
}


def procedure(task: Task[DecisionSettings]) -> Iterator[str]:
    """What was shown, and what could be chosen."""
    settings, systems = task.settings, task.study.systems
    asked = f"({quoted(settings.question)})"
    shown: dict[str, list[str]] = {}
    for system in systems:
        shown.setdefault(settings.shows.get(system, "text"), []).append(system)
    each = [f"{_SHOWN[kind]}{f' ({listed(names)})' if len(shown) > 1 else ''}" for kind, names in shown.items()]
    actions = counted(len(task.block.tables["actions"]), "action")
    yield f"In each trial, participants saw {listed(each, 'or')} and chose one or more of {actions} {asked}."
    order = "in one random order per participant" if settings.action_order == "random" else "in the same order for all"
    last = ", doing nothing last" if settings.action_order == "random" and settings.no_action else ""
    yield f"The actions were listed {order}{last}."
    if settings.limit_seconds is not None:
        yield f"A trial ended after at most {settings.limit_seconds:g} seconds; what had been chosen by then counted."


def measures(task: Task[DecisionSettings]) -> Iterator[str]:
    """How choices became scores."""
    experts = {str(row.get("expert") or "") for row in task.block.tables["targets"]} - {""}
    who = f", as judged by {counted(len(experts), 'expert')} ({_COMBINED[task.settings.experts]})"
    yield (
        f"Each choice was scored against the actions that were appropriate and inappropriate for the item"
        f"{who if len(experts) > 1 else ''}: P_AP is "
        "the share of appropriate actions chosen, P_INAP that of inappropriate ones, P = P_AP − P_INAP, and SP_AP the "
        "share of chosen actions that were appropriate (Gatt & Portet 2010)."
    )
