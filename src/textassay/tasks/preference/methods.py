"""What participants did in a preference block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.prose import counted, listed, quoted
from textassay.tasks.contract import Task
from textassay.tasks.preference.settings import PreferenceSettings

_FORMS = {
    "slider": "how strongly they preferred one of the two, on an unmarked slider that started in the middle",
    "choice": "which of the two they preferred; neither was not an option",
    "choice-with-tie": "which of the two they preferred, or neither",
}
_MARKS = {
    "differences": "Words that the two texts had in common were marked in one colour, those that differed in another.",
    "given": "Spans named in the items table were marked, in one colour where both texts had them, else in another.",
}


def procedure(task: Task[PreferenceSettings]) -> Iterator[str]:
    """What was compared, and how answers were given."""
    settings = task.settings
    asked = listed(f"{each.name} ({quoted(each.question)})" for each in settings.criteria)
    yield (
        "In each trial, participants saw the texts of two systems for the same item side by side and said for "
        f"{asked} {_FORMS[settings.form]}."
    )
    yield "Which system's text was on the left was drawn at random for each trial."
    yield _pairs(task)
    if settings.marks in _MARKS:
        yield _MARKS[settings.marks]


def _pairs(task: Task[PreferenceSettings]) -> str:
    scheme, pairs = task.settings.pairs, task.conditions()
    alone = any(first == second for first, second in pairs)
    itself = ", also with itself as a control" if alone else ""
    number = counted(len(pairs), "pair")
    match scheme.scheme:
        case "topline":
            return f"Every system was compared with {scheme.topline}{itself} ({number})."
        case "references":
            return f"Every system was compared with {listed(scheme.references)} ({number})."
        case "subset":
            return f"Of all pairs of systems, {number} were drawn so that every system was in equally many."
        case "stated":
            return f"The pairs compared were {listed(f'{first} and {second}' for first, second in pairs)}."
        case _:
            return f"Every system was compared with every other ({number})."


def measures(task: Task[PreferenceSettings]) -> Iterator[str]:
    """Signed preferences."""
    furthest = task.settings.furthest
    what = f"whole numbers from −{furthest} to {furthest}" if task.settings.form == "slider" else "−1 or 1"
    what = "−1, 0 or 1" if task.settings.form == "choice-with-tie" else what
    yield (
        f"Preferences were coded as {what}, negative for the first system of a pair whichever side it was on, and "
        "analysed as differences between the places of two systems on one scale, the side as a covariate."
    )
