"""Answers to the questionnaire in their one form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import AnswerError
from textassay.serve.questionnaire import read
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField

FIELDS: list[QuestionnaireField] = [
    ChoiceField(name="sex", question="?", type="choice", choices=["f", "m"], required=True),
    NumberField(name="age", question="?", type="number", min=1, max=120),
    TextField(name="job", question="?", type="text", max_length=10),
    EmailField(name="email", question="?", type="email", required=True),
]


def kept(field: EmailField, email: str) -> dict[str, str]:
    return {"kept": f"{field.name}:{email}"}


def test_given_answers_are_kept_in_the_order_of_the_fields() -> None:
    answers = read(FIELDS, {"email": " a@b.de ", "age": "40", "job": "", "sex": "f", "more": 1}, kept)
    assert answers == {"sex": "f", "age": 40, "email": {"kept": "email:a@b.de"}}
    assert list(answers) == ["sex", "age", "email"]


def test_all_problems_at_once_and_no_address_is_looked_at() -> None:
    def refuse(field: EmailField, email: str) -> dict[str, str]:
        pytest.fail("an address was handled although the answers are wrong")

    with pytest.raises(AnswerError) as raised:
        read(FIELDS, {"sex": "x", "age": "0", "job": "x" * 11, "email": "a@b.de"}, refuse)
    assert raised.value.fields == {
        "sex": "questionnaire.not_a_choice",
        "age": "questionnaire.too_small",
        "job": "questionnaire.too_long",
    }


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"age": 1}, None),
        ({"age": "120"}, None),
        ({"age": 0.99}, "questionnaire.too_small"),
        ({"age": 120.01}, "questionnaire.too_great"),
        ({"job": "x" * 10}, None),
        ({"job": "x" * 11}, "questionnaire.too_long"),
        ({"email": "x" * 320}, None),
        ({"email": "x" * 321}, "questionnaire.too_long"),
    ],
)
def test_limits_themselves_are_allowed(answer: dict[str, Any], problem: str | None) -> None:
    payload = {"sex": "f", "email": "a@b.de", **answer}
    if problem is None:
        assert set(answer) <= set(read(FIELDS, payload, kept))
        return
    with pytest.raises(AnswerError) as raised:
        read(FIELDS, payload, kept)
    assert list(raised.value.fields.values()) == [problem]


def test_address_left_empty_stays_as_it_was() -> None:
    earlier = {"sex": "m", "email": {"hash": "x"}}
    assert read(FIELDS, {"sex": "f", "email": ""}, kept, earlier) == {"sex": "f", "email": {"hash": "x"}}
    assert read(FIELDS, {"sex": "f", "email": "c@d.de"}, kept, earlier)["email"] == {"kept": "email:c@d.de"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.fixed_dictionaries({}, optional={field.name: json_values for field in FIELDS}))
def test_whatever_a_browser_sends_is_read_or_refused(payload: dict[str, Any]) -> None:
    try:
        answers = read(FIELDS, payload, kept)
    except AnswerError:
        return
    assert answers["sex"] in ("f", "m")
    assert 1 <= answers.get("age", 1) <= 120
    assert len(answers.get("job", "")) <= 10
