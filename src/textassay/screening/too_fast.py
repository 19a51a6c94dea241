"""Excludes implausibly fast responders."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.screening.contract import Case, Rule, RuleFinding
from textassay.study.study import Study


class TooFast(Rule):
    """Exclude participants who answered too many main trials too fast, or whose median time is too short."""

    name: ClassVar[str] = "too-fast"
    outcome: ClassVar[str] = "answered too fast"

    seconds: float = Field(default=1.0, gt=0)
    """A trial answered in less time is too fast."""
    share: float = Field(default=0.25, ge=0, lt=1)
    """Share of main trials that may be too fast."""
    median: float | None = Field(default=None, gt=0)
    """Median time in seconds below which a participant is excluded, too; by default not checked."""

    @override
    def criterion(self, study: Study) -> str:
        many = f"more than {100 * self.share:g} % of the main trials" if self.share else "any main trial"
        median = "" if self.median is None else f", or had a median response time below {self.median:g} s"
        return f"answered {many} in less than {self.seconds:g} s{median}"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        times = [trial.rt_ms / 1000 for trial in case.trials if trial.kind == "main" and trial.rt_ms is not None]
        if not times:
            return
        fast = sum(time < self.seconds for time in times)
        if fast > self.share * len(times):
            yield RuleFinding("too_fast", {"fast": fast, "total": len(times), "seconds": self.seconds})
        middle = statistics.median(times)
        if self.median is not None and middle < self.median:
            yield RuleFinding("median", {"median": f"{middle:.2f}", "limit": self.median})
