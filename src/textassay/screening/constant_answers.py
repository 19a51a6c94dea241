"""Left out: whoever answered always the same."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from pydantic import Field

from textassay.screening.contract import Case, Rule
from textassay.study.study import Study


class ConstantAnswers(Rule):
    """Leave out whoever gave the same answer throughout a block."""

    name: ClassVar[str] = "constant-answers"

    trials: int = Field(default=5, ge=2)
    """How many main trials of a block must be answered before the rule says anything."""
    share: float = Field(default=1.0, gt=0.5, le=1.0)
    """Share of a block's main trials that, answered alike, leaves a participant out; by default all."""

    def judge(self, case: Case, study: Study) -> str | None:
        """See `Rule.judge`."""
        for block in study.blocks:
            answers = Counter(
                block.task.response(trial.rows)
                for trial in case.trials
                if trial.kind == "main" and trial.block.name == block.name
            )
            total = answers.total()
            most = max(answers.values(), default=0)
            if total >= self.trials and most >= self.share * total:
                return f"the same answer in {most} of {total} trials of block {block.name}"
        return None
