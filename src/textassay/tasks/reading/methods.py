"""What participants did in a reading block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from textassay.prose import counted
from textassay.tasks.contract import Task
from textassay.tasks.reading.settings import ReadingSettings

_UNITS = {"sentences": "sentence", "lines": "line", "words": "word", "table": "unit"}
_DISPLAYS = {
    "single": "each alone in the same place (earlier ones disappeared)",
    "cumulative": "each added to those before it",
    "moving-window": "each in its place in the text, the others masked by dashes (Just et al. 1982)",
}


def procedure(task: Task[ReadingSettings]) -> Iterator[str]:
    """How texts were read, and what was asked after them."""
    settings = task.settings
    unit = _UNITS[settings.units]
    yield (
        f"In each trial, participants read one text {unit} by {unit}, {_DISPLAYS[settings.display]}, and went on by "
        f"pressing the space bar or tapping; the time spent on each {unit} was recorded."
    )
    if settings.limit_seconds is not None:
        yield f"A text could be read for at most {settings.limit_seconds:g} seconds and then disappeared."
    asked = Counter(row["item"] for row in task.block.tables.get("questions", ()))
    numbers = [asked[item] for item in task.study.items_in_order]
    if any(numbers):
        few, many = min(numbers), max(numbers)
        each = counted(many, "question") if few == many else f"{few} to {counted(many, 'question')}"
        yield f"After each text they answered {each} with a known correct answer."


def measures(task: Task[ReadingSettings]) -> Iterator[str]:
    """Which times count, and on which scale."""
    settings, asked = task.settings, bool(task.block.tables.get("questions"))
    limited = settings.limit_seconds is not None
    right = " whose questions were all answered correctly" if asked else ""
    ended = "; of texts that the time limit ended, the units read before count" if limited else ""
    yield (
        f"Reading times were analysed for texts{right}; those begun again after the page had been reloaded were "
        f"omitted{ended}. Times further than {settings.cutoff_sd:g} standard deviations from the participant's mean "
        "were replaced by that limit (Lapata 2006). Means per text of the logarithms of times per word (per unit where "
        "words were not known) were compared, so that differences are ratios of times."
    )
    if asked:
        end = " and whether it was read to the end were" if limited else " was"
        yield f"Whether all questions on a text were answered correctly{end} analysed for all texts."
    if settings.predictor is not None:
        yield (
            f"Times were also regressed on {settings.predictor} for each participant, and the slopes tested against 0 "
            "(Lorch & Myers 1990)."
        )
