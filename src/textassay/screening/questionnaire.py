"""Excludes participants by their answers in the questionnaire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from typing_extensions import override

from textassay.screening.contract import Case, Need, Rule, RuleFinding
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField
from textassay.study.study import Study


class Questionnaire(Rule):
    """Exclude participants who gave an excluding answer, as each field of the questionnaire defines."""

    name: ClassVar[str] = "questionnaire"
    outcome: ClassVar[str] = "gave an excluding answer in the questionnaire"
    needs: ClassVar[Need | None] = "answers"

    @override
    def check(self, study: Study) -> str | None:
        if any(can_exclude(field) for field in study.file.questionnaire):
            return None
        return "no answer in the questionnaire excludes a participant; add 'exclude' to a field or remove this rule"

    @override
    def criterion(self, study: Study) -> str:
        return " or ".join(_in_words(field) for field in study.file.questionnaire if can_exclude(field))

    @override
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        found = (exclusion(field, case.questionnaire.get(field.name)) for field in study.file.questionnaire)
        yield from (finding for finding in found if finding is not None)


def can_exclude(field: QuestionnaireField) -> bool:
    """Whether the field has an excluding answer."""
    if isinstance(field, NumberField):
        return field.exclude_below is not None or field.exclude_above is not None
    return bool(field.exclude)


def exclusion(field: QuestionnaireField, answer: Any) -> RuleFinding | None:
    """Why this answer excludes, or nothing; no answer never excludes.

    Reasons are shown in reports and exports, so they contain no answer that could identify a participant.

    Args:
        field: The field of the questionnaire.
        answer: The answer as it is stored: a number, a text, or, for an e-mail address, a mapping whose `domain` is
            one of the excluded domains or nothing.
    """
    if answer is None or answer == "":
        return None
    match field:
        case NumberField():
            return _number_excluded(field, answer)
        case ChoiceField():
            return RuleFinding("choice", {"field": field.name, "answer": answer}) if answer in field.exclude else None
        case TextField():
            barred = {text.strip().casefold() for text in field.exclude}
            is_barred = str(answer).strip().casefold() in barred
            return RuleFinding("excluding_text", {"field": field.name}) if is_barred else None
        case EmailField():
            domain = answer.get("domain") if isinstance(answer, Mapping) else None
            return RuleFinding("excluding_domain", {"field": field.name}) if domain else None


def _number_excluded(field: NumberField, answer: Any) -> RuleFinding | None:
    if field.exclude_below is not None and answer < field.exclude_below:
        return RuleFinding("below", _figures(field, answer, field.exclude_below))
    if field.exclude_above is not None and answer > field.exclude_above:
        return RuleFinding("above", _figures(field, answer, field.exclude_above))
    return None


def _figures(field: NumberField, answer: float, limit: float) -> dict[str, object]:
    return {"field": field.name, "answer": f"{answer:g}", "limit": f"{limit:g}"}


def _in_words(field: QuestionnaireField) -> str:
    """The answers to a field that exclude."""
    match field:
        case NumberField():
            below, above = field.exclude_below, field.exclude_above
            limits = [
                *([] if below is None else [f"below {below:g}"]),
                *([] if above is None else [f"above {above:g}"]),
            ]
            return f"gave a number {' or '.join(limits)} to “{field.question}”"
        case EmailField():
            return f"gave an e-mail address at {' or '.join(field.exclude)}"
        case _:
            return f"answered {' or '.join(f'“{answer}”' for answer in field.exclude)} to “{field.question}”"
