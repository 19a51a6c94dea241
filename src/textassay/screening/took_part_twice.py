"""Left out: the second and later participations of one person."""

from __future__ import annotations

from typing import ClassVar

from textassay.screening import emails
from textassay.screening.contract import Case, Rule
from textassay.study.study import Study


class TookPartTwice(Rule):
    """Leave out every participation after the first under one e-mail address."""

    name: ClassVar[str] = "took-part-twice"

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        return None if emails.asks_for_email(study) else emails.NO_FIELD

    def judge(self, case: Case, study: Study) -> str | None:
        """See `Rule.judge`."""
        known = [name for name, kept in emails.given(case, study).items() if kept.get("hash") in case.earlier]
        return f"{', '.join(known)}: the address of somebody who had begun this study before" if known else None
