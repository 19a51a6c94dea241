"""Excludes participants of other studies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from textassay.screening.contract import NO_EMAIL_FIELD, Case, Need, Rule, RuleFinding, asks_for_email
from textassay.study.model import FilePath
from textassay.study.study import Study


class TookPartElsewhere(Rule):
    """Exclude participants who took part in one of the named studies with the same e-mail address."""

    name: ClassVar[str] = "took-part-elsewhere"
    needs: ClassVar[Need | None] = "elsewhere"

    studies: list[FilePath] = Field(min_length=1)
    """Directories of the other studies, relative to this one."""

    @override
    def check(self, study: Study) -> str | None:
        if not asks_for_email(study):
            return NO_EMAIL_FIELD
        for other in self.studies:
            where = (study.directory / other).resolve()
            if where == study.directory.resolve():
                return f"{other!r} is this study itself; name another, or use the rule took-part-twice"
            if not (where / "study.yaml").is_file():
                return f"{other!r} is not a study directory (no study.yaml in it); correct the path"
        return None

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        kept = case.emails(study)
        others = dict.fromkeys(str(other) for answer in kept.values() for other in answer.get("elsewhere") or ())
        if others:
            yield RuleFinding("elsewhere", {"studies": ", ".join(others)})
