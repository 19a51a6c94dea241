"""Left out: the second and later participations of one person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textassay.screening import emails
from textassay.screening.contract import Case, Need, Rule
from textassay.screening.finding import Finding
from textassay.study.study import Study


class TookPartTwice(Rule):
    """Leave out every participation after the first under one e-mail address."""

    name: ClassVar[str] = "took-part-twice"
    needs: ClassVar[Need | None] = "address"

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        return None if emails.asks_for_email(study) else emails.NO_FIELD

    def findings(self, case: Case, study: Study) -> Iterator[Finding]:
        """See `Rule.findings`."""
        known = [name for name, kept in emails.given(case, study).items() if kept.get("hash") in case.earlier]
        if known:
            yield Finding("twice", {"fields": ", ".join(known)})
