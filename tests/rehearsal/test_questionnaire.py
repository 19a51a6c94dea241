from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.answers import emails
from textassay.rehearsal import questionnaire
from textassay.screening.questionnaire import exclusion
from textassay.seeds import Stream
from textassay.study.model import ChoiceField, EmailField, NumberField, StudyFile, TextField
from textassay.study.study import Study

limits = st.none() | st.floats(-1000, 1000)
STREAM = Stream(3, "test")


def study_with(*fields: Any) -> Study:
    file = StudyFile.model_construct(questionnaire=list(fields), seed=3)
    return Study(Path(), file, (), {}, {}, {}, {}, ())


def ordinary(field: Any, number: int = 1) -> Any:
    return questionnaire.ordinary(study_with(field), number, STREAM.child(number))[field.name]


def excluding(field: Any, number: int = 1) -> dict[str, Any]:
    return questionnaire.excluding(study_with(field), number, STREAM.child(number))


def test_choice_is_one_that_does_not_exclude() -> None:
    field = ChoiceField(name="c", question="?", type="choice", choices=["a", "b", "c"], exclude=["b"], required=True)
    assert {ordinary(field, number) for number in range(60)} == {"a", "c"}
    assert excluding(field) == {"c": "b"}


@given(low=limits, high=limits, below=limits, above=limits, number=st.integers(1, 10**6))
def test_number_is_within_all_limits(low: Any, high: Any, below: Any, above: Any, number: int) -> None:
    floor = max((x for x in (low, below) if x is not None), default=None)
    ceiling = min((x for x in (high, above) if x is not None), default=None)
    field = NumberField(
        name="n",
        question="?",
        type="number",
        min=low,
        max=high,
        exclude_below=below,
        exclude_above=above,
        required=True,
    )
    if floor is not None and ceiling is not None and floor > ceiling:
        return  # no answer is acceptable; the study check tells when min is above max
    answer = ordinary(field, number)
    assert floor is None or answer >= floor
    assert ceiling is None or answer <= ceiling
    assert exclusion(field, answer) is None


@given(low=limits, high=limits, below=limits, above=limits)
def test_number_that_excludes_is_still_accepted_by_the_page(low: Any, high: Any, below: Any, above: Any) -> None:
    field = NumberField(
        name="n", question="?", type="number", min=low, max=high, exclude_below=below, exclude_above=above
    )
    for answer in excluding(field).values():
        assert exclusion(field, answer) is not None
        assert low is None or answer >= low
        assert high is None or answer <= high


def test_ages_are_those_of_adults() -> None:
    field = NumberField(name="age", question="?", type="number", min=0, max=120, exclude_below=18, required=True)
    ages = [ordinary(field, number) for number in range(200)]
    assert min(ages) >= 18
    assert max(ages) <= 78
    assert all(isinstance(age, int) for age in ages)
    assert excluding(field) == {"age": 17}


def test_text_fits_and_does_not_exclude() -> None:
    field = TextField(name="t", question="?", type="text", max_length=4, exclude=["Cook"], required=True)
    answers = {ordinary(field, number) for number in range(100)}
    assert max(map(len, answers)) <= 4
    assert "cook" not in answers
    assert excluding(field) == {"t": "Cook"}


def test_text_is_found_even_where_every_usual_word_excludes() -> None:
    words = ["teac", "nurs", "engi", "gard", "stud", "bake", "cler", "musi", "farm", "cook"]
    field = TextField(name="t", question="?", type="text", max_length=4, exclude=words, required=True)
    assert exclusion(field, ordinary(field)) is None


def test_email_is_always_given_and_tells_people_apart() -> None:
    field = EmailField(name="e", question="?", type="email")
    addresses = {ordinary(field, number) for number in range(1, 101)}
    assert len(addresses) == 100
    assert all(emails.is_plausible_email(address) for address in addresses)


@pytest.mark.parametrize("barred", [["textassay-rehearsal.net", "org"], ["ORG", "net", "info"], ["example.org"]])
def test_email_avoids_excluded_domains_and_finds_them_when_it_should(barred: list[str]) -> None:
    field = EmailField(name="e", question="?", type="email", exclude=barred)
    for number in range(1, 20):
        address, wrong = ordinary(field, number), excluding(field, number)["e"]
        assert exclusion(field, emails.stored_email(address, "key", barred=barred)) is None
        assert exclusion(field, emails.stored_email(wrong, "key", barred=barred)) is not None


def test_fields_that_may_stay_empty_sometimes_do() -> None:
    field = TextField(name="t", question="?", type="text")
    empty = sum(ordinary(field, number) is None for number in range(200))
    # 200 draws of 0.15: 30 expected, standard deviation 5
    assert 15 < empty < 45


@pytest.mark.parametrize("number", range(8))
def test_fake_address_is_none(number: int) -> None:
    assert not emails.is_plausible_email(questionnaire.fake_email(number))


def test_nothing_excludes_where_nothing_can() -> None:
    field = TextField(name="t", question="?", type="text")
    assert excluding(field) == {}
