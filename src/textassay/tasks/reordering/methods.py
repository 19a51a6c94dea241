"""What participants did in a reordering block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.prose import number, quoted, spread
from textassay.study.units import shared_units
from textassay.tasks.contract import Task
from textassay.tasks.reordering.settings import ReorderingSettings

_UNITS = {"table": "units", "sentences": "sentences", "lines": "lines"}


def procedure(task: Task[ReorderingSettings]) -> Iterator[str]:
    """What was moved, from which order on."""
    settings, study = task.settings, task.study
    sizes = [len(shared_units(study, item, system, settings.units_are)) for item, system in study.texts]
    units = _UNITS[settings.units_are]
    many = f"{number(sizes[0])} {units}" if len(set(sizes)) == 1 else f"{units} ({spread(sizes)} per text)"
    first = "in the order of one of the systems" if settings.start == "data" else "in an order drawn at random"
    yield (
        f"In each trial, participants saw the {many} of one text {first} and rearranged them "
        f"({quoted(settings.question)}); leaving the order as it was had to be confirmed."
    )
    if settings.first_fixed:
        yield "The first unit stayed in its place and could not be moved."


def measures(task: Task[ReorderingSettings]) -> Iterator[str]:
    """How an order became a number."""
    if task.settings.start == "data":
        yield (
            "For each answer we computed Kendall's tau between the order that the participant made and the order shown "
            "first: 1 if nothing was moved, −1 if the text was reversed (Lapata 2006)."
        )
        return
    yield (
        "For each answer we computed Kendall's tau with the orders of the other participants for the same text "
        "(Lapata 2006)."
    )
