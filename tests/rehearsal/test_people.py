from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import write_small_study

from textassay.answers import emails
from textassay.errors import UsageError
from textassay.rehearsal import people
from textassay.rehearsal.people import ALL_ORDINARY, Behaviour, BehaviourShares, behaviour_of, person
from textassay.screening.questionnaire import exclusion
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import ChoiceField, EmailField, NumberField, StudyFile, TextField
from textassay.study.study import Study


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"exclude_below": 18}, 17),
        ({"exclude_below": 18, "min": 16}, 17),
        ({"exclude_below": 18, "min": 17.5}, 17.5),
        ({"exclude_above": 65}, 66),
        ({"exclude_above": 65, "max": 100}, 66),
        ({"exclude_above": 65, "max": 65.5}, 65.5),
        ({"exclude_below": 18, "exclude_above": 65, "min": 18}, 66),
        ({"min": 1, "max": 9}, None),
    ],
)
def test_a_number_that_excludes_lies_just_beyond_the_limit(limits: dict[str, float], expected: float | None) -> None:
    field = NumberField.model_validate({"name": "age", "question": "Age?", "type": "number", **limits})
    assert people._excluding_number(field) == expected


EVEN = BehaviourShares(*[0.1] * 7)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


def test_crowd_names_every_wayward_manner() -> None:
    assert {field.name for field in fields(BehaviourShares)} == set(Behaviour) - {Behaviour.ORDINARY}


@pytest.mark.parametrize(
    ("draw", "expected"),
    [(0.0, "constant"), (0.0999, "constant"), (0.15, "too_fast"), (0.65, "excluded"), (0.7001, "ordinary")],
)
def test_draw_decides_by_shares(draw: float, expected: str) -> None:
    assert EVEN.behaviour(draw) == expected
    assert ALL_ORDINARY.behaviour(draw) is Behaviour.ORDINARY


def test_shares_must_be_shares() -> None:
    with pytest.raises(UsageError, match=r"the share of drop_out people is -0.1; make it 0 or more"):
        BehaviourShares(drop_out=-0.1)
    with pytest.raises(UsageError, match=r"sum to 1\.\d+; make them sum to 1 at most"):
        BehaviourShares(constant=0.9)


def test_same_study_same_people(study: Study) -> None:
    assert [person(study, number, EVEN) for number in range(1, 30)] == [
        person(study, number, EVEN) for number in range(1, 30)
    ]
    other = replace(study, file=study.file.model_copy(update={"seed": 99}))
    assert [person(study, n, EVEN) for n in range(1, 30)] != [person(other, n, EVEN) for n in range(1, 30)]


def test_as_many_come_as_the_shares_say(study: Study) -> None:
    manners = Counter(behaviour_of(study, number, EVEN) for number in range(1, 401))
    # 400 times 0.1, dealt evenly; only the first of those who come twice may have nobody before them
    assert all(38 <= manners[behaviour] <= 42 for behaviour in Behaviour if behaviour is not Behaviour.ORDINARY)


def test_another_seed_deals_manners_to_others(study: Study) -> None:
    dealt = {
        tuple(
            behaviour_of(replace(study, file=study.file.model_copy(update={"seed": seed})), number, EVEN)
            for number in range(1, 41)
        )
        for seed in range(5)
    }
    assert len(dealt) > 1


@pytest.mark.parametrize("seed", range(20))
def test_small_crowd_has_some_of_each(study: Study, seed: int) -> None:
    seeded = replace(study, file=study.file.model_copy(update={"seed": seed}))
    manners = Counter(behaviour_of(seeded, number, BehaviourShares()) for number in range(1, 36))
    # 34 points of the golden sequence leave no gap above g⁷ = 0.0344 (g = 0.618), and no share is below 0.04;
    # one point more, for the first of them may be dealt "twice" and have nobody before it
    assert set(manners) == set(Behaviour)


def test_nobody_is_wayward_in_an_ordinary_crowd(study: Study) -> None:
    assert {behaviour_of(study, number, ALL_ORDINARY) for number in range(1, 100)} == {Behaviour.ORDINARY}


def people_of(study: Study, behaviour: Behaviour) -> list[Any]:
    people = [person(study, number, EVEN) for number in range(1, 121)]
    found = [each for each in people if each.behaviour is behaviour]
    assert found
    return found


def test_ordinary_people_give_no_answer_that_excludes(study: Study) -> None:
    for somebody in people_of(study, Behaviour.ORDINARY):
        answers = {name: value for name, value in somebody.questionnaire.items() if name != "email"}
        for field in study.file.questionnaire:
            assert exclusion(field, answers.get(field.name)) is None
        assert somebody.stops_at is None


def test_excluded_people_give_exactly_one(study: Study) -> None:
    asked = [field for field in study.file.questionnaire if field.name != "email"]
    for somebody in people_of(study, Behaviour.EXCLUDED):
        assert sum(exclusion(field, somebody.questionnaire[field.name]) is not None for field in asked) == 1


def test_who_comes_twice_uses_the_address_of_an_ordinary_person_before(study: Study) -> None:
    ordinary = {each.questionnaire["email"]: each.number for each in people_of(study, Behaviour.ORDINARY)}
    for somebody in people_of(study, Behaviour.TWICE):
        assert ordinary[somebody.questionnaire["email"]] < somebody.number


def test_only_those_addresses_are_shared(study: Study) -> None:
    people = [person(study, number, EVEN) for number in range(1, 121)]
    single = [
        each.questionnaire["email"] for each in people if each.behaviour not in (Behaviour.TWICE, Behaviour.FAKE_EMAIL)
    ]
    assert len(single) == len(set(single))


def test_drop_outs_stop_somewhere(study: Study) -> None:
    places = [somebody.stops_at for somebody in people_of(study, Behaviour.DROP_OUT)]
    assert all(0 <= place < 1 for place in places)
    assert len(set(places)) == len(places)


def test_whoever_cannot_be_wayward_here_is_ordinary(study: Study, tmp_path: Any) -> None:
    def bare(data: dict[str, Any]) -> None:
        data["questionnaire"], data["screening"] = [], {}
        del data["blocks"][0]["attention_checks"]

    plain = load_study(write_small_study(tmp_path, bare))
    manners = Counter(behaviour_of(plain, number, EVEN) for number in range(1, 121))
    impossible = (Behaviour.INATTENTIVE, Behaviour.TWICE, Behaviour.FAKE_EMAIL, Behaviour.EXCLUDED)
    assert [manners[behaviour] for behaviour in impossible] == [0, 0, 0, 0]
    assert manners[Behaviour.CONSTANT]


def test_first_person_of_all_cannot_come_twice(study: Study) -> None:
    everybody_twice = BehaviourShares(0, 0, 0, 0, twice=1.0, fake_email=0, excluded=0)
    assert {behaviour_of(study, number, everybody_twice) for number in range(1, 9)} == {Behaviour.ORDINARY}


limits = st.none() | st.floats(-1000, 1000)
STREAM = Stream(3, "test")


def study_with(*fields: Any) -> Study:
    file = StudyFile.model_construct(questionnaire=list(fields), seed=3)
    return Study(Path(), file, (), {}, {}, {}, {}, ())


def ordinary(field: Any, number: int = 1) -> Any:
    return people.ordinary_answers(study_with(field), number, STREAM.child(number))[field.name]


def excluding(field: Any, number: int = 1) -> dict[str, Any]:
    return people.excluding_answer(study_with(field), number, STREAM.child(number))


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
    assert not emails.is_plausible_email(people.fake_email(number))


def test_nothing_excludes_where_nothing_can() -> None:
    field = TextField(name="t", question="?", type="text")
    assert excluding(field) == {}


def test_one_block_with_attention_checks_is_enough_to_be_inattentive(study: Study) -> None:
    without = SimpleNamespace(task=SimpleNamespace(attention_items=list))
    for blocks, possible in (((study.blocks[0], without), True), ((without,), False)):
        changed: Any = SimpleNamespace(file=study.file, blocks=blocks)
        seen = {behaviour_of(changed, number, EVEN) for number in range(1, 60)}
        assert (Behaviour.INATTENTIVE in seen) is possible
