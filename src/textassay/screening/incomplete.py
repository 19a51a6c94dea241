"""Left out: whoever did not finish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from textassay.screening.contract import Case, Rule
from textassay.screening.finding import Finding
from textassay.study.study import Study


class Incomplete(Rule):
    """Leave out whoever answered too few trials, or withdrew."""

    name: ClassVar[str] = "incomplete"

    share: float = Field(default=1.0, gt=0, le=1)
    """Share of the planned trials that must be answered; by default all."""

    def findings(self, case: Case, study: Study) -> Iterator[Finding]:  # noqa: ARG002 -- as every rule
        """See `Rule.findings`."""
        figures = {"answered": len(case.trials), "planned": case.planned}
        # Whoever withdraws asks not to be counted, however far the person had come.
        if case.status == "withdrawn":
            yield Finding("withdrew" if case.planned is None else "withdrew_of", figures)
        elif case.planned is not None and len(case.trials) < self.share * case.planned:
            yield Finding("incomplete", figures)
        elif case.planned is None and case.status == "active" and self.share == 1:
            yield Finding("unfinished", figures)  # in tables collected elsewhere nobody knows how much was asked
