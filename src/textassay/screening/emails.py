"""What several rules need to know of the e-mail addresses that a participant gave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textassay.screening.contract import Case
from textassay.study.model import EmailField
from textassay.study.study import Study

NO_FIELD = "the questionnaire has no field of type email; add one or remove this rule"


def asks_for_email(study: Study) -> bool:
    """Whether the questionnaire has an e-mail field."""
    return any(isinstance(field, EmailField) for field in study.file.questionnaire)


def given(case: Case, study: Study) -> dict[str, Mapping[str, Any]]:
    """The kept form of each e-mail address that the participant gave, by field."""
    fields = [field.name for field in study.file.questionnaire if isinstance(field, EmailField)]
    answers = {name: case.questionnaire.get(name) for name in fields}
    return {name: answer for name, answer in answers.items() if isinstance(answer, Mapping)}
