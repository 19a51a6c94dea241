"""Excludes participants with an e-mail address that is not plausible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from typing_extensions import override

from textassay.screening.contract import NO_EMAIL_FIELD, Case, Need, Rule, RuleFinding, asks_for_email
from textassay.study.study import Study


class FakeEmail(Rule):
    """Exclude participants who gave an e-mail address that is not plausible."""

    name: ClassVar[str] = "fake-email"
    outcome: ClassVar[str] = "gave an implausible e-mail address"
    needs: ClassVar[Need | None] = "plausible"

    @override
    def check(self, study: Study) -> str | None:
        return None if asks_for_email(study) else NO_EMAIL_FIELD

    @override
    def criterion(self, study: Study) -> str:
        return self.outcome

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        fake = [name for name, kept in case.emails(study).items() if kept.get("plausible") is False]
        if fake:
            yield RuleFinding("fake_email", {"fields": ", ".join(fake)})
