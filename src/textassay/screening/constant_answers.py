"""Left out: whoever answered always the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from textassay.design.plan import Plan
from textassay.screening.contract import Case, Rule
from textassay.screening.finding import Finding
from textassay.study.study import Study


class ConstantAnswers(Rule):
    """Leave out whoever gave the same answer throughout a block."""

    name: ClassVar[str] = "constant-answers"

    trials: int = Field(default=5, ge=2)
    """How many main trials of a block must be answered before the rule says anything."""
    share: float = Field(default=1.0, gt=0.5, le=1.0)
    """Share of a block's main trials that, answered alike, leaves a participant out; by default all."""

    def findings(self, case: Case, study: Study) -> Iterator[Finding]:
        """See `Rule.findings`: the first block in which it is so."""
        for block in study.blocks:
            most, total = self._alike(
                block.task.response(trial.rows)
                for trial in case.trials
                if trial.kind == "main" and trial.block.name == block.name
            )
            if most:
                yield Finding("constant_answers", {"most": most, "total": total, "block": block.name})
                return

    def warnings(self, study: Study, plan: Plan) -> Iterator[str]:
        """See `Rule.warnings`: whether right answers are so alike that the rule would leave out whoever gives them."""
        for block in study.blocks:
            right = block.task.correct_responses()
            if not right:
                continue
            main = [
                [trial.item for trial in slot.trials if (trial.kind, trial.block) == ("main", block.name)]
                for slot in plan.slots
            ]
            # What has no right answer is like nothing else.
            out = sum(self._alike(right.get(item, object()) for item in items)[0] > 0 for items in main)
            if out:
                people = f"{out} of {len(plan.slots)} participants if they answered all rightly"
                yield (
                    f"block {block.name!r}: so many right answers are alike that {self.name} would leave out {people}; "
                    "let the right answers differ, or remove the rule"
                )

    def _alike(self, responses: Iterable[Hashable]) -> tuple[int, int]:
        """How many responses are the same, and of how many; 0 where those are too few to leave somebody out."""
        counted = Counter(responses)
        total, most = counted.total(), max(counted.values(), default=0)
        return (most if total >= self.trials and most >= self.share * total else 0), total
