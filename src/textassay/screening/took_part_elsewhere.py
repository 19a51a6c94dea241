"""Left out: whoever took part in another study that is named here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from textassay.screening import emails
from textassay.screening.contract import Case, Need, Rule
from textassay.screening.finding import Finding
from textassay.study.model import FilePath
from textassay.study.study import Study


class TookPartElsewhere(Rule):
    """Leave out whoever took part in one of the named studies under the same e-mail address."""

    name: ClassVar[str] = "took-part-elsewhere"
    needs: ClassVar[Need | None] = "elsewhere"

    studies: list[FilePath] = Field(min_length=1)
    """Directories of the other studies, relative to this one."""

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        if not emails.asks_for_email(study):
            return emails.NO_FIELD
        for other in self.studies:
            where = (study.directory / other).resolve()
            if where == study.directory.resolve():
                return f"{other!r} is this study itself; name another, or use the rule took-part-twice"
            if not (where / "study.yaml").is_file():
                return f"{other!r} is not a study directory (no study.yaml in it); correct the path"
        return None

    def findings(self, case: Case, study: Study) -> Iterator[Finding]:
        """See `Rule.findings`."""
        kept = emails.given(case, study)
        others = dict.fromkeys(str(other) for answer in kept.values() for other in answer.get("elsewhere") or ())
        if others:
            yield Finding("elsewhere", {"studies": ", ".join(others)})
