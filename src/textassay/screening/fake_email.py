"""Left out: whoever gave an e-mail address that cannot be one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textassay.screening import emails
from textassay.screening.contract import Case, Need, Rule
from textassay.screening.finding import Finding
from textassay.study.study import Study


class FakeEmail(Rule):
    """Leave out whoever gave an e-mail address that is not plausible."""

    name: ClassVar[str] = "fake-email"
    needs: ClassVar[Need | None] = "plausible"

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        return None if emails.asks_for_email(study) else emails.NO_FIELD

    def findings(self, case: Case, study: Study) -> Iterator[Finding]:
        """See `Rule.findings`."""
        fake = [name for name, kept in emails.given(case, study).items() if kept.get("plausible") is False]
        if fake:
            yield Finding("fake_email", {"fields": ", ".join(fake)})
