"""The contract of rules: findings in every language of the interface, and the e-mail addresses of a case."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from textassay.screening.contract import MESSAGES, PREFIX, RuleFinding, in_english, untranslated
from textassay.serve.messages import languages, load_messages

NAMED = re.compile(r"""Finding\(\s*(?:["']([a-z_]+)["'])(?: if .* else ["']([a-z_]+)["'])?""")


def named() -> set[str]:
    """The messages that rules name in their code."""
    modules = Path(MESSAGES).parent.glob("*.py")
    return {
        key for path in modules for found in NAMED.findall(path.read_text(encoding="utf-8")) for key in found if key
    }


@pytest.mark.parametrize("language", languages())
def test_every_finding_of_a_rule_has_words_and_no_words_are_left_over(language: str) -> None:
    assert languages(MESSAGES) == languages()
    known = {key.removeprefix(PREFIX) for key in load_messages(language, [MESSAGES]).texts if key.startswith(PREFIX)}
    assert named() == known


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
