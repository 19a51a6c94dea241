"""Excludes participants who always gave the same answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.design.plan import Plan
from textassay.screening.contract import Case, Rule, RuleFinding
from textassay.study.study import Study


class ConstantAnswers(Rule):
    """Exclude participants who gave the same answer throughout a block, or rated all texts of every page alike."""

    name: ClassVar[str] = "constant-answers"
    outcome: ClassVar[str] = "gave constant answers"

    trials: int = Field(default=5, ge=2)
    """Number of main trials of a block that must be answered before the rule applies."""
    share: float = Field(default=1.0, gt=0.5, le=1.0)
    """Share of a block's main trials with the same answer that excludes a participant; by default all."""

    @override
    def criterion(self, study: Study) -> str:
        much = "all" if self.share == 1 else f"at least {100 * self.share:g} % of the"
        pages = any(len(block.task.judged("", block.task.conditions()[0])) > 1 for block in study.blocks)
        what = "the same answer (or all texts of a page the same)" if pages else "the same answer"
        return f"gave {what} in {much} main trials of a block (with {self.trials} or more answered)"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        """The first block with constant answers."""
        for block in study.blocks:
            most, total = self._alike(
                block.task.response(trial.rows)
                for trial in case.trials
                if trial.kind == "main" and trial.block.name == block.name
            )
            if most:
                yield RuleFinding("constant_answers", {"most": most, "total": total, "block": block.name})
                return

    @override
    def warnings(self, study: Study, plan: Plan) -> Iterator[str]:
        """Whether participants who answer everything correctly would be excluded."""
        for block in study.blocks:
            right = block.task.correct_responses()
            if not right:
                continue
            main = [
                [trial.item for trial in slot.trials if (trial.kind, trial.block) == ("main", block.name)]
                for slot in plan.slots
            ]
            # An item without a correct answer is unlike any other.
            out = sum(self._alike(right.get(item, object()) for item in items)[0] > 0 for items in main)
            if out:
                people = f"{out} of {len(plan.slots)} participants even if all their answers were correct"
                yield (
                    f"block {block.name!r}: too many correct answers are the same, so that {self.name} would exclude "
                    f"{people}; vary the correct answers, or remove the rule"
                )

    def _alike(self, responses: Iterable[Hashable]) -> tuple[int, int]:
        """How many responses are the same, and of how many; 0 where these are too few to exclude."""
        counted = Counter(responses)
        total, most = counted.total(), max(counted.values(), default=0)
        return (most if total >= self.trials and most >= self.share * total else 0), total
