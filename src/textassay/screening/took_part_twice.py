"""Excludes repeated participation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from typing_extensions import override

from textassay.screening.contract import NO_EMAIL_FIELD, Case, Need, Rule, RuleFinding, asks_for_email
from textassay.study.study import Study


class TookPartTwice(Rule):
    """Exclude every participation after the first with the same e-mail address."""

    name: ClassVar[str] = "took-part-twice"
    outcome: ClassVar[str] = "had taken part before"
    needs: ClassVar[Need | None] = "address"

    @override
    def check(self, study: Study) -> str | None:
        return None if asks_for_email(study) else NO_EMAIL_FIELD

    @override
    def criterion(self, study: Study) -> str:
        return "had taken part in this study before, by a keyed hash of the e-mail address"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        known = [name for name, kept in case.emails(study).items() if kept.get("hash") in case.earlier]
        if known:
            yield RuleFinding("twice", {"fields": ", ".join(known)})
