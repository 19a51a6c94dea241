"""Left out: whoever failed attention checks."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from textassay.screening.contract import Case, Rule
from textassay.study.study import Study


class AttentionChecks(Rule):
    """Leave out whoever answered attention checks otherwise than their text said."""

    name: ClassVar[str] = "attention-checks"

    allowed: int = Field(default=0, ge=0)
    """How many failed checks are tolerated."""

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        there = sum(len(block.task.checks(block)) for block in study.blocks)
        if not there:
            return "no block has attention checks; add 'attention_checks' to a block or remove this rule"
        if self.allowed >= there:
            return f"allows {self.allowed} failures, but there are {there} attention checks in all; lower 'allowed'"
        return None

    def judge(self, case: Case, study: Study) -> str | None:  # noqa: ARG002 -- as every rule
        """See `Rule.judge`."""
        checks = [trial for trial in case.trials if trial.kind == "check"]
        failed = sum(not trial.block.task.passed(trial.block, trial.rows) for trial in checks)
        return f"{failed} of {len(checks)} attention checks failed" if failed > self.allowed else None
