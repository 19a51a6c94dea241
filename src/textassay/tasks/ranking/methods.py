"""What participants did in a ranking block, and what was analysed, as sentences of a methods section."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.prose import counted, listed, number, quoted
from textassay.tasks.contract import Task
from textassay.tasks.ranking.settings import RankingSettings


def procedure(task: Task[RankingSettings]) -> Iterator[str]:
    """What was ranked, by what, and from which order on."""
    settings, systems = task.settings, len(task.study.systems)
    size = min(settings.systems_per_trial or systems, systems)
    asked = listed(f"{each.name} ({quoted(each.question)})" for each in settings.criteria)
    what = f"the texts of all {number(size)} systems" if size == systems else f"the texts of {counted(size, 'system')}"
    yield (
        f"In each trial, participants put {what} for the same item in order by {asked}; "
        f"{'texts could share a rank' if settings.ties else 'ties were not allowed'}."
    )
    yield "The texts were shown first in an order drawn at random for each trial, which had to be changed or confirmed."


def measures(task: Task[RankingSettings]) -> Iterator[str]:
    """Ranks within a trial."""
    ties = ", tied texts sharing the mean of their places" if task.settings.ties else ""
    yield f"Ranks within a trial (1 is best{ties}) were analysed."
