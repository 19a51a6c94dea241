"""The contract of rules: findings in every language of the interface, and the e-mail addresses of a case."""

from __future__ import annotations

from typing import Any

from textassay.screening.contract import MESSAGES, RuleFinding, in_english, untranslated
from textassay.serve.messages import load_messages


def test_english_is_for_reports() -> None:
    found = [RuleFinding("below", {"field": "age", "answer": "17", "limit": "18"}), RuleFinding("withdrawn")]
    assert in_english(found) == "age: 17 is below 18; withdrew their answers"
    assert in_english([]) == ""


def test_words_of_others_are_said_as_they_are() -> None:
    said = untranslated("clicked {everything} away")
    assert str(said) == "clicked {everything} away"
    assert load_messages("ar", [MESSAGES])(said.key, **said.values) == "clicked {everything} away"


def test_emails_of_a_case_are_the_stored_forms_of_its_email_fields(study: Any, case: Any) -> None:
    stored = {"hash": "x", "plausible": True}
    assert case(questionnaire={"email": stored, "job": "baker"}).emails(study) == {"email": stored}
    assert case(questionnaire={"email": None}).emails(study) == {}
    assert case().emails(study) == {}
