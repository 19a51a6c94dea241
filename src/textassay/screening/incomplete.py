"""Excludes participants who did not finish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.screening.contract import Case, Rule, RuleFinding
from textassay.study.study import Study


class Incomplete(Rule):
    """Exclude participants who answered too few trials; the one rule that applies unless it is false."""

    name: ClassVar[str] = "incomplete"
    outcome: ClassVar[str] = "did not complete the study"

    share: float = Field(default=1.0, gt=0, le=1)
    """Share of the planned trials that must be answered; by default all."""

    @override
    def criterion(self, study: Study) -> str:
        return (
            "did not answer all trials" if self.share == 1 else f"answered less than {100 * self.share:g} % of trials"
        )

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        if case.status in ("withdrawn", "excluded"):
            return  # the status excludes them already, whatever the rules are
        figures = {"answered": len(case.trials), "planned": case.planned}
        if case.planned is not None and len(case.trials) < self.share * case.planned:
            yield RuleFinding("incomplete", figures)
        elif case.planned is None and case.status == "active" and self.share == 1:
            yield RuleFinding(
                "unfinished", figures
            )  # a table collected elsewhere does not say how many trials were planned
