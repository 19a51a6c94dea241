from __future__ import annotations

from typing import Any

from textassay.screening import emails


def test_only_kept_addresses_of_email_fields_are_given(study: Any, case: Any) -> None:
    kept = {"hash": "x", "plausible": True}
    assert emails.given(case(questionnaire={"email": kept, "job": "baker"}), study) == {"email": kept}
    assert emails.given(case(questionnaire={"email": None}), study) == {}
    assert emails.given(case(), study) == {}
