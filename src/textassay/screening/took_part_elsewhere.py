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
        # in an unpacked bundle, who took part in which other study is in the tables, and the other studies are far away
        refuse = self.if_missing == "refuse" and not study.bundle_path.exists()
        for other in self.studies:
            where = (study.directory / other).resolve()
            if where == study.directory.resolve():
                return f"{other!r} is this study itself; name another, or use the rule took-part-twice"
            if refuse and not _is_study(where):
                return f"{other!r} is not a study directory (no study.yaml in it); correct the path"
        return None

    @override
    def warnings(self, study: Study, plan: Plan) -> Iterator[str]:
        del plan
        for other in self.studies:
            if not _is_study(study.directory / other):
                yield f"there is no study in {other!r}, so nobody is excluded for having taken part in it"

    @override
    def criterion(self, study: Study) -> str:
        named = [study.directory / other for other in self.studies]
        gone = [each.resolve().name for each in named if not _is_study(each)]
        unknown = f" (nobody could be recognised from {' or '.join(gone)}, which was not there)" if gone else ""
        names = " or ".join(each.resolve().name for each in named)
        return f"had taken part in {names}, by a keyed hash of the e-mail address{unknown}"

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        kept = case.emails(study)
        others = dict.fromkeys(str(other) for answer in kept.values() for other in answer.get("elsewhere") or ())
        if others:
            yield RuleFinding("elsewhere", {"studies": ", ".join(others)})


def _is_study(directory: Path) -> bool:
    return (directory / "study.yaml").is_file()
