"""Left out: whoever gave answers that the task does not allow."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from textassay.screening.contract import Case, Rule
from textassay.study.study import Study


class OutsideScale(Rule):
    """Leave out whoever gave values outside the scale; only tables collected elsewhere can hold such."""

    name: ClassVar[str] = "outside-scale"

    allowed: int = Field(default=0, ge=0)
    """How many such values are tolerated."""

    def judge(self, case: Case, study: Study) -> str | None:  # noqa: ARG002 -- as every rule
        """See `Rule.judge`."""
        scored = [trial for trial in case.trials if trial.kind in ("main", "repeat")]
        said = [trial.block.task.outside(trial.block, row) for trial in scored for row in trial.rows]
        wrong = [reason for reason in said if reason is not None]
        if len(wrong) <= self.allowed:
            return None
        return f"{len(wrong)} of {len(said)} values cannot be answers, the first because {wrong[0]}"
