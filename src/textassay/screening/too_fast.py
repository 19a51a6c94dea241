"""Excludes implausibly fast responders."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.screening.contract import AnsweredTrial, Case, Rule, RuleFinding
from textassay.study.study import Study


class TooFast(Rule):
    """Exclude participants who answered too many main trials too fast, or whose median time is too short."""

    name: ClassVar[str] = "too-fast"
    outcome: ClassVar[str] = "answered too fast"

    seconds: float = Field(default=1.0, gt=0)
    """A trial answered in less time is too fast; where several texts are rated on one page, less for each text."""
    share: float = Field(default=0.25, ge=0, lt=1)
    """Share of main trials that may be too fast."""
    median: float | None = Field(default=None, gt=0)
    """Median time in seconds below which a participant is excluded, too; by default not checked."""

    @override
    def criterion(self, study: Study) -> str:
        many = f"more than {100 * self.share:g} % of the main trials" if self.share else "any main trial"
        median = "" if self.median is None else f", or had a median response time below {self.median:g} s"
        pages = any(len(block.task.judged("", block.task.conditions()[0])) > 1 for block in study.blocks)
        each = " for each text on a page" if pages else ""
        return f"answered {many} in less than {self.seconds:g} s{each}{median}"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        timed = [trial for trial in case.trials if trial.kind == "main" and trial.rt_ms is not None]
        times = [(trial.rt_ms or 0.0) / 1000 for trial in timed]
        if not times:
            return
        texts = [_texts(trial) for trial in timed]
        fast = sum(time < self.seconds * number for time, number in zip(times, texts, strict=True))
        if fast > self.share * len(times):
            numbers = {"fast": fast, "total": len(times), "seconds": self.seconds}
            pages = max(texts) > 1
            yield RuleFinding("too_fast_pages", numbers) if pages else RuleFinding("too_fast", numbers)
        middle = statistics.median(times)
        if self.median is not None and middle < self.median:
            yield RuleFinding("median", {"median": f"{middle:.2f}", "limit": self.median})


def _texts(trial: AnsweredTrial) -> int:
    """How many texts a trial asked to judge, each by itself."""
    systems = tuple(dict.fromkeys(str(row.get("system") or "") for row in trial.rows))
    return len(trial.block.task.judged("", systems))
