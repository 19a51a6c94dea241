"""Left out: whoever gave an e-mail address that cannot be one."""

from __future__ import annotations

from typing import ClassVar

from textassay.screening import emails
from textassay.screening.contract import Case, Rule
from textassay.study.study import Study


class FakeEmail(Rule):
    """Leave out whoever gave an e-mail address that is not plausible."""

    name: ClassVar[str] = "fake-email"

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        return None if emails.asks_for_email(study) else emails.NO_FIELD

    def judge(self, case: Case, study: Study) -> str | None:
        """See `Rule.judge`."""
        fake = [name for name, kept in emails.given(case, study).items() if kept.get("plausible") is False]
        return f"{', '.join(fake)}: not a plausible e-mail address" if fake else None
