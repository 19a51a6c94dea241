from __future__ import annotations

from typing import Any

import pytest

from textassay.screening.questionnaire import Questionnaire, exclusion
from textassay.study.model import EmailField, NumberField, TextField


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"native": "yes", "age": 30, "job": "baker"}, None),
        ({"native": "no"}, "native: no"),
        ({"age": 17}, "age: 17 is below 18"),
        ({"age": 18}, None),  # the limit itself does not exclude
        ({"job": " Linguist "}, "job: an excluding answer"),  # not the answer itself: reasons are exported
        ({"native": "no", "age": 12.5}, "native: no; age: 12.5 is below 18"),
        ({}, None),  # what was not answered does not exclude
        ({"native": None, "age": None, "job": ""}, None),
    ],
)
def test_answer_excludes(study: Any, case: Any, answers: dict[str, Any], expected: str | None) -> None:
    assert Questionnaire().judge(case(questionnaire=answers), study) == expected


def test_number_above_the_limit_excludes() -> None:
    field = NumberField(name="years", question="?", type="number", exclude_above=10)
    assert exclusion(field, 10) is None
    assert str(exclusion(field, 10.5)) == "years: 10.5 is above 10"


def test_excluded_domain_is_told_by_the_kept_form_of_the_address() -> None:
    field = EmailField(name="email", question="?", type="email", exclude=["example.org"])
    assert str(exclusion(field, {"hash": "x", "plausible": True, "domain": "example.org"})) == (
        "email: an address at an excluded domain"
    )
    assert exclusion(field, {"hash": "x", "plausible": True, "domain": None}) is None
    assert exclusion(field, {"hash": "x", "plausible": True}) is None


def test_zero_is_an_answer() -> None:
    field = NumberField(name="years", question="?", type="number", exclude_below=1)
    assert str(exclusion(field, 0)) == "years: 0 is below 1"


def test_texts_are_compared_without_regard_to_case() -> None:
    field = TextField(name="job", question="?", type="text", exclude=["Straßenbauer"])
    assert str(exclusion(field, "STRASSENBAUER")) == "job: an excluding answer"


def test_needs_an_answer_that_excludes(load: Any) -> None:
    def without(data: dict[str, Any]) -> None:
        del data["screening"]["questionnaire"]
        data["questionnaire"] = [{"name": "age", "question": "?", "type": "number"}, data["questionnaire"][3]]

    message = Questionnaire().check(load(without))
    assert (
        message == "no answer in the questionnaire excludes a participant; add 'exclude' to a field or remove this rule"
    )


@pytest.mark.parametrize("index", range(3))
def test_any_field_that_excludes_is_enough(load: Any, index: int) -> None:
    def only_one(data: dict[str, Any]) -> None:
        data["questionnaire"] = [data["questionnaire"][index], data["questionnaire"][3]]

    assert Questionnaire().check(load(only_one)) is None
