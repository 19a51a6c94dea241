"""Excludes participants who failed attention checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.screening.contract import Case, Need, Rule, RuleFinding
from textassay.study.study import Study


class AttentionChecks(Rule):
    """Exclude participants who did not answer attention checks as their text asked."""

    name: ClassVar[str] = "attention-checks"
    outcome: ClassVar[str] = "failed attention checks"
    needs: ClassVar[Need | None] = "checks"

    allowed: int = Field(default=0, ge=0)
    """Number of failed checks that are tolerated."""

    @override
    def check(self, study: Study) -> str | None:
        there = sum(len(block.task.attention_items()) for block in study.blocks)
        if not there:
            return "no block has attention checks; add 'attention_checks' to a block or remove this rule"
        if self.allowed >= there:
            return f"allows {self.allowed} failures, but the study has only {there} attention checks; lower 'allowed'"
        return None

    @override
    def criterion(self, study: Study) -> str:
        there = sum(len(block.task.attention_items()) for block in study.blocks)
        if there == 1:
            return "failed the attention check"
        return f"failed {f'more than {self.allowed}' if self.allowed else 'any'} of the {there} attention checks"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        checks = [trial for trial in case.trials if trial.kind == "check"]
        failed = sum(not trial.block.task.passed_attention_check(trial.rows) for trial in checks)
        if failed > self.allowed:
            yield RuleFinding("attention_checks", {"failed": failed, "total": len(checks)})
