"""Excludes participants with answers that the task does not allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.screening.contract import Case, Rule, RuleFinding
from textassay.study.study import Study


class OutsideScale(Rule):
    """Exclude participants with values outside the scale; only tables collected elsewhere can have them."""

    name: ClassVar[str] = "outside-scale"
    outcome: ClassVar[str] = "gave answers that the task does not allow"

    allowed: int = Field(default=0, ge=0)
    """Number of such values that are tolerated."""

    @override
    def criterion(self, study: Study) -> str:
        many = "an answer" if not self.allowed else f"more than {self.allowed} answers"
        return f"had {many} outside what the task allows"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        scored = [trial for trial in case.trials if trial.kind in ("main", "repeat")]
        said = [trial.block.task.invalid_reason(row) for trial in scored for row in trial.rows]
        wrong = [reason for reason in said if reason is not None]
        if len(wrong) > self.allowed:
            yield RuleFinding("outside_scale", {"wrong": len(wrong), "total": len(said), "why": wrong[0]})
