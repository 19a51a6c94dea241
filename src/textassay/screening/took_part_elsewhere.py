"""Excludes participants of other studies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from textassay.design.plan import Plan
from textassay.screening.contract import NO_EMAIL_FIELD, Case, Need, Rule, RuleFinding, asks_for_email
from textassay.study.model import FilePath
from textassay.study.study import Study


class TookPartElsewhere(Rule):
    """Exclude participants who took part in one of the named studies with the same e-mail address."""

    name: ClassVar[str] = "took-part-elsewhere"
    outcome: ClassVar[str] = "had taken part in an earlier study"
    needs: ClassVar[Need | None] = "elsewhere"

    studies: list[FilePath] = Field(min_length=1)
    """Directories of the other studies, relative to this one."""
    if_missing: Literal["refuse", "note"] = "refuse"
    """What happens if one is not there: the study is refused, or `check` notes that nobody can be excluded by it."""

    @override
    def check(self, study: Study) -> str | None:
        if not asks_for_email(study):
            return NO_EMAIL_FIELD
        if study.bundled:
            return None  # who took part in which other study is in its tables, and the other studies are far away
        for other in self.studies:
            where = (study.directory / other).resolve()
            if where == study.directory.resolve():
                return f"{other!r} is this study itself; name another, or use the rule took-part-twice"
            if self.if_missing == "refuse" and not _is_study(where):
                return f"{other!r} is not a study directory (no study.yaml in it); correct the path"
        return None

    @override
    def warnings(self, study: Study, plan: Plan) -> Iterator[str]:
        del plan
        for other in self.studies:
            if other not in self.known_studies(study):
                yield f"there is no study in {other!r}, so nobody is excluded for having taken part in it"

    def known_studies(self, study: Study) -> list[str]:
        """Those of the other studies whose participants can be recognised; in a bundle, as where it was made."""
        if study.bundled:
            return [other for other in self.studies if other in study.bundled.get("other_studies", ())]
        return [other for other in self.studies if _is_study(study.directory / other)]

    @override
    def criterion(self, study: Study) -> str:
        known = self.known_studies(study)
        gone = [(study.directory / other).resolve().name for other in self.studies if other not in known]
        unknown = f" (nobody could be recognised from {' or '.join(gone)}, which was not there)" if gone else ""
        names = " or ".join((study.directory / other).resolve().name for other in self.studies)
        return f"had taken part in {names}, by a keyed hash of the e-mail address{unknown}"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        kept = case.emails(study)
        others = dict.fromkeys(str(other) for answer in kept.values() for other in answer.get("elsewhere") or ())
        if others:
            yield RuleFinding("elsewhere", {"studies": ", ".join(others)})


def _is_study(directory: Path) -> bool:
    return (directory / "study.yaml").is_file()
