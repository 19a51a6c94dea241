from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textassay.answers import columns
from textassay.study.study import Study
from textassay.tables.schema import JUDGEMENTS


def test_tables_of_a_study(study: Study) -> None:
    found = columns.schemas(study)
    assert list(found) == ["participants", "judgements", "judgements-unscored"]
    assert found["judgements"] is JUDGEMENTS


def test_questionnaire_stands_between_who_and_verdict(study: Study) -> None:
    schema = columns.participants_schema(study)
    names = [column.name for column in schema.columns]
    assert names[:3] == ["participant", "cohort", "slot"]
    assert names[-9:] == [
        "native", "age", "job", "email", "email_plausible", "email_elsewhere", "email_domain", "verdict", "reasons",
    ]  # fmt: skip
    assert {column.name for column in schema.columns if column.personal} == {
        "external_id", "platform_study", "platform_session", "job", "email", "email_domain",
    }  # fmt: skip
    age = schema.column("age")
    assert age is not None
    assert (age.kind, age.description) == ("number", "How old are you?")


def test_unscored_twin_needs_no_system(study: Study) -> None:
    twin = columns.unscored_schema(JUDGEMENTS)
    assert [column.name for column in twin.columns] == [column.name for column in JUDGEMENTS.columns]
    assert [column.name for column in twin.columns if column.required] == ["participant"]
    assert columns.blocks_of(study, twin.name) == columns.blocks_of(study, "judgements") == list(study.blocks)
    assert columns.blocks_of(study, "rankings") == []


def test_answers_become_cells_and_answers_again(study: Study) -> None:
    answers: dict[str, Any] = {
        "native": "yes",
        "age": 34,
        "job": "nurse",
        "email": {"hash": "ab", "plausible": False, "elsewhere": ["../one", "../two and a half"], "domain": "x.org"},
    }
    cells = columns.questionnaire_cells(study, answers)
    assert cells["email"] == "ab"
    assert cells["email_elsewhere"] == "../one; ../two and a half"
    assert columns.questionnaire_answers(study, cells) == answers
    assert columns.email_hashes(study, answers) == {"ab"}


def test_what_was_not_answered_is_empty(study: Study) -> None:
    cells = columns.questionnaire_cells(study, {})
    assert not any(cells.values())
    assert columns.questionnaire_answers(study, cells) == {}
    assert columns.email_hashes(study, {}) == set()
    assert columns.email_hashes(study, {"email": "not kept as it should"}) == set()


def test_zero_is_an_answer(study: Study) -> None:
    assert columns.questionnaire_answers(study, {"age": 0}) == {"age": 0}


def test_study_without_questionnaire(write_study: Callable[..., Study]) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["questionnaire"]
        data["screening"] = {}

    study = write_study(change)
    assert columns.questionnaire_cells(study, {"x": 1}) == {}
