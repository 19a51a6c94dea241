"""Answers to the questionnaire: validated and brought into the form in which they are stored."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from textassay.errors import AnswerError
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField

_LONGEST_EMAIL = 320
_AMBIGUOUS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
"""Thousands separators, or a decimal comma before three digits: ambiguous, so it is refused."""
EmailProcessor = Callable[[EmailField, str], Mapping[str, Any]]
"""Turns an e-mail address into what is stored of it."""


def read(
    fields: Sequence[QuestionnaireField],
    payload: Mapping[str, Any],
    process_email: EmailProcessor,
    earlier: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The given answers by field, as they are stored.

    Args:
        fields: The fields of the questionnaire.
        payload: What the browser sent.
        process_email: Turns an e-mail address into what is stored of it; called only if all answers are valid.
        earlier: The answers stored earlier, if any: an e-mail address left empty stays unchanged.

    Raises:
        AnswerError: With the message key for each invalid field.
    """
    wrong: dict[str, str] = {}
    answers: dict[str, Any] = {}
    for field in fields:
        given = payload.get(field.name)
        given = given.strip() if isinstance(given, str) else given
        if given is None or given == "":
            kept = earlier.get(field.name) if earlier and isinstance(field, EmailField) else None
            if kept is not None:
                answers[field.name] = kept
            elif field.required:
                wrong[field.name] = "questionnaire.missing"
            continue
        problem, answers[field.name] = _checked(field, given)
        if problem:
            wrong[field.name] = problem
    if wrong:
        raise AnswerError(wrong)
    return {
        field.name: process_email(field, answers[field.name])
        if isinstance(field, EmailField) and isinstance(answers[field.name], str)
        else answers[field.name]
        for field in fields
        if field.name in answers
    }


def _checked(field: QuestionnaireField, given: Any) -> tuple[str, Any]:
    """The key of the error message, and the answer."""
    match field:
        case NumberField():
            return _number(field, given)
        case ChoiceField():
            return ("", given) if given in field.choices else ("questionnaire.not_a_choice", None)
        case TextField() | EmailField():
            longest = field.max_length if isinstance(field, TextField) else _LONGEST_EMAIL
            if not isinstance(given, str) or len(given) > longest:
                return "questionnaire.too_long", None
            return "", given


def _number(field: NumberField, given: Any) -> tuple[str, Any]:
    number = _as_number(given)
    if number is None:
        return "questionnaire.not_a_number", None
    if field.min is not None and number < field.min:
        return "questionnaire.too_small", None
    if field.max is not None and number > field.max:
        return "questionnaire.too_great", None
    return "", number


def _as_number(given: Any) -> int | float | None:
    """A number in any notation; whole numbers stay whole.

    >>> _as_number("34"), _as_number("3,5"), _as_number("a"), _as_number(True), _as_number("1e999")
    (34, 3.5, None, None, None)
    >>> _as_number("1,000") is None  # a thousand or one, depending on the language
    True
    """
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        return None
    if isinstance(given, str) and _AMBIGUOUS.fullmatch(given.strip()):
        return None
    try:
        number = float(given.replace(",", ".") if isinstance(given, str) else given)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def message_values(field: QuestionnaireField | None) -> dict[str, object]:
    """Values for the messages about a field."""
    match field:
        case NumberField():
            return {"min": f"{field.min or 0:g}", "max": f"{field.max or 0:g}"}
        case TextField():
            return {"n": field.max_length}
        case _:
            return {"n": _LONGEST_EMAIL}
