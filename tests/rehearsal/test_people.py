from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest
from small_study import write_small_study

from textassay.errors import UsageError
from textassay.rehearsal.people import ORDINARY_CROWD, Crowd, Manner, manner_of, person
from textassay.screening.questionnaire import exclusion
from textassay.study.load import load_study
from textassay.study.study import Study

EVEN = Crowd(*[0.1] * 7)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


def test_crowd_names_every_wayward_manner() -> None:
    assert {field.name for field in fields(Crowd)} == set(Manner) - {Manner.ORDINARY}


@pytest.mark.parametrize(
    ("draw", "expected"),
    [(0.0, "constant"), (0.0999, "constant"), (0.15, "too_fast"), (0.65, "excluded"), (0.7001, "ordinary")],
)
def test_draw_decides_by_shares(draw: float, expected: str) -> None:
    assert EVEN.manner(draw) == expected


def test_shares_must_be_shares() -> None:
    with pytest.raises(UsageError, match=r"the share of drop_out people is -0.1; make it 0 or more"):
        Crowd(drop_out=-0.1)
    with pytest.raises(UsageError, match=r"sum to 1\.\d+; make them sum to 1 at most"):
        Crowd(constant=0.9)


def test_same_study_same_people(study: Study) -> None:
    assert [person(study, number, EVEN) for number in range(1, 30)] == [
        person(study, number, EVEN) for number in range(1, 30)
    ]
    other = replace(study, file=study.file.model_copy(update={"seed": 99}))
    assert [person(study, n, EVEN) for n in range(1, 30)] != [person(other, n, EVEN) for n in range(1, 30)]


def test_as_many_come_as_the_shares_say(study: Study) -> None:
    manners = Counter(manner_of(study, number, EVEN) for number in range(1, 401))
    # 400 times 0.1, dealt evenly; only the first of those who come twice may have nobody before them
    assert all(38 <= manners[manner] <= 42 for manner in Manner if manner is not Manner.ORDINARY)


@pytest.mark.parametrize("seed", range(20))
def test_small_crowd_has_some_of_each(study: Study, seed: int) -> None:
    seeded = replace(study, file=study.file.model_copy(update={"seed": seed}))
    manners = Counter(manner_of(seeded, number, Crowd()) for number in range(1, 36))
    # 34 points of the golden sequence leave no gap above g⁷ = 0.0344 (g = 0.618), and no share is below 0.04;
    # one point more, for the first of them may be dealt "twice" and have nobody before it
    assert set(manners) == set(Manner)


def test_nobody_is_wayward_in_an_ordinary_crowd(study: Study) -> None:
    assert {manner_of(study, number, ORDINARY_CROWD) for number in range(1, 100)} == {Manner.ORDINARY}


def people_of(study: Study, manner: Manner) -> list[Any]:
    people = [person(study, number, EVEN) for number in range(1, 121)]
    found = [each for each in people if each.manner is manner]
    assert found
    return found


def test_ordinary_people_give_no_answer_that_excludes(study: Study) -> None:
    for somebody in people_of(study, Manner.ORDINARY):
        answers = {name: value for name, value in somebody.questionnaire.items() if name != "email"}
        for field in study.file.questionnaire:
            assert exclusion(field, answers.get(field.name)) is None
        assert somebody.stops_at is None


def test_excluded_people_give_exactly_one(study: Study) -> None:
    asked = [field for field in study.file.questionnaire if field.name != "email"]
    for somebody in people_of(study, Manner.EXCLUDED):
        assert sum(exclusion(field, somebody.questionnaire[field.name]) is not None for field in asked) == 1


def test_who_comes_twice_uses_the_address_of_an_ordinary_person_before(study: Study) -> None:
    ordinary = {each.questionnaire["email"]: each.number for each in people_of(study, Manner.ORDINARY)}
    for somebody in people_of(study, Manner.TWICE):
        assert ordinary[somebody.questionnaire["email"]] < somebody.number


def test_only_those_addresses_are_shared(study: Study) -> None:
    people = [person(study, number, EVEN) for number in range(1, 121)]
    single = [each.questionnaire["email"] for each in people if each.manner not in (Manner.TWICE, Manner.FAKE_EMAIL)]
    assert len(single) == len(set(single))


def test_drop_outs_stop_somewhere(study: Study) -> None:
    places = [somebody.stops_at for somebody in people_of(study, Manner.DROP_OUT)]
    assert all(0 <= place < 1 for place in places)
    assert len(set(places)) == len(places)


def test_whoever_cannot_be_wayward_here_is_ordinary(study: Study, tmp_path: Any) -> None:
    def bare(data: dict[str, Any]) -> None:
        data["questionnaire"], data["screening"] = [], {}
        del data["blocks"][0]["attention_checks"]

    plain = load_study(write_small_study(tmp_path, bare))
    manners = Counter(manner_of(plain, number, EVEN) for number in range(1, 121))
    impossible = (Manner.INATTENTIVE, Manner.TWICE, Manner.FAKE_EMAIL, Manner.EXCLUDED)
    assert [manners[manner] for manner in impossible] == [0, 0, 0, 0]
    assert manners[Manner.CONSTANT]


def test_first_person_of_all_cannot_come_twice(study: Study) -> None:
    everybody_twice = Crowd(0, 0, 0, 0, twice=1.0, fake_email=0, excluded=0)
    assert {manner_of(study, number, everybody_twice) for number in range(1, 9)} == {Manner.ORDINARY}
