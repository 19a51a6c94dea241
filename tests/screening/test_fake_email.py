from __future__ import annotations

from typing import Any

from textassay.screening.fake_email import FakeEmail


def test_implausible_address_is_left_out(study: Any, case: Any) -> None:
    fake = case(questionnaire={"email": {"hash": "x", "plausible": False}})
    assert FakeEmail().judge(fake, study) == "email: not a plausible e-mail address"


def test_plausible_or_missing_address_is_not(study: Any, case: Any) -> None:
    assert FakeEmail().judge(case(questionnaire={"email": {"hash": "x", "plausible": True}}), study) is None
    assert FakeEmail().judge(case(), study) is None


def test_needs_an_email_field(study: Any, load: Any) -> None:
    def without(data: dict[str, Any]) -> None:
        data["questionnaire"].pop()
        data["screening"] = {}

    assert FakeEmail().check(study) is None
    assert FakeEmail().check(load(without)) == (
        "the questionnaire has no field of type email; add one or remove this rule"
    )
