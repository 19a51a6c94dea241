"""Left out: whoever gave an answer that excludes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from textassay.screening.contract import Case, Need, Rule
from textassay.screening.finding import Finding
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField
from textassay.study.study import Study


class Questionnaire(Rule):
    """Leave out whoever gave an answer that excludes; which ones do, each field of the questionnaire says itself."""

    name: ClassVar[str] = "questionnaire"
    needs: ClassVar[Need | None] = "answers"

    def check(self, study: Study) -> str | None:
        """See `Rule.check`."""
        if any(can_exclude(field) for field in study.file.questionnaire):
            return None
        return "no answer in the questionnaire excludes anybody; add 'exclude' to a field or remove this rule"

    def findings(self, case: Case, study: Study) -> Iterator[Finding]:
        """See `Rule.findings`."""
        found = (excluded(field, case.questionnaire.get(field.name)) for field in study.file.questionnaire)
        yield from (finding for finding in found if finding is not None)


def can_exclude(field: QuestionnaireField) -> bool:
    """Whether there is an answer to this field that excludes."""
    if isinstance(field, NumberField):
        return field.exclude_below is not None or field.exclude_above is not None
    return bool(field.exclude)


def excluded(field: QuestionnaireField, answer: Any) -> Finding | None:
    """Why this answer excludes, or nothing; no answer never excludes.

    Reasons stand in reports and exports, so they repeat no answer that could tell who somebody is.

    Args:
        field: The field of the questionnaire.
        answer: The answer as it is kept: a number, a text, or, for an e-mail address, a mapping whose `domain` is
            one of the excluded domains or nothing.
    """
    if answer is None or answer == "":
        return None
    match field:
        case NumberField():
            return _number_excluded(field, answer)
        case ChoiceField():
            return Finding("choice", {"field": field.name, "answer": answer}) if answer in field.exclude else None
        case TextField():
            barred = {text.strip().casefold() for text in field.exclude}
            is_barred = str(answer).strip().casefold() in barred
            return Finding("excluding_text", {"field": field.name}) if is_barred else None
        case EmailField():
            domain = answer.get("domain") if isinstance(answer, Mapping) else None
            return Finding("excluding_domain", {"field": field.name}) if domain else None


def _number_excluded(field: NumberField, answer: Any) -> Finding | None:
    if field.exclude_below is not None and answer < field.exclude_below:
        return Finding("below", _figures(field, answer, field.exclude_below))
    if field.exclude_above is not None and answer > field.exclude_above:
        return Finding("above", _figures(field, answer, field.exclude_above))
    return None


def _figures(field: NumberField, answer: float, limit: float) -> dict[str, object]:
    return {"field": field.name, "answer": f"{answer:g}", "limit": f"{limit:g}"}
