from __future__ import annotations

from typing import Any

from textassay.screening.took_part_twice import TookPartTwice


def test_second_participation_is_left_out_and_the_first_is_not(study: Any, case: Any) -> None:
    answers = {"email": {"hash": "same", "plausible": True}}
    first = case(questionnaire=answers, earlier=frozenset({"other"}))
    second = case(questionnaire=answers, earlier=frozenset({"other", "same"}))
    assert TookPartTwice().judge(first, study) is None
    assert TookPartTwice().judge(second, study) == ("email: the address of an earlier participant of this study")


def test_no_address_is_no_second_participation(study: Any, case: Any) -> None:
    assert TookPartTwice().judge(case(earlier=frozenset({"x"})), study) is None


def test_needs_an_email_field(load: Any) -> None:
    def without(data: dict[str, Any]) -> None:
        data["questionnaire"].pop()
        data["screening"] = {}

    assert TookPartTwice().check(load(without)) is not None
