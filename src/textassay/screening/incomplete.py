"""Left out: whoever did not finish."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from textassay.screening.contract import Case, Rule
from textassay.study.study import Study


class Incomplete(Rule):
    """Leave out whoever answered too few trials, or withdrew."""

    name: ClassVar[str] = "incomplete"

    share: float = Field(default=1.0, gt=0, le=1)
    """Share of the planned trials that must be answered; by default all."""

    def judge(self, case: Case, study: Study) -> str | None:  # noqa: ARG002 -- as every rule
        """See `Rule.judge`."""
        answered = len(case.trials)
        of = "" if case.planned is None else f" of {case.planned}"
        # Whoever withdraws asks not to be counted, however far the person had come.
        if case.status == "withdrawn":
            return f"withdrew after {answered}{of} trials"
        if case.planned is not None and answered < self.share * case.planned:
            return f"{answered}{of} trials answered"
        return None
