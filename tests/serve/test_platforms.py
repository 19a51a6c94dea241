"""What platforms pass in their links, and how people get back to them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from textassay.answers.records import Participant, Referral
from textassay.serve.platforms import Arrival, MTurk, Platform, Prolific, ReturnLink

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TURK = {"workerId": "A1", "hitId": "H1", "assignmentId": "S1", "turkSubmitTo": "https://workersandbox.mturk.com/"}


def participant(**more: Any) -> Participant:
    return Participant(1, "p-1", "", 1, "completed", True, True, NOON, NOON, NOON, **more)


def test_prolific_passes_three_ids() -> None:
    query = {"PROLIFIC_PID": " 5f3c ", "STUDY_ID": "st", "SESSION_ID": "se", "cohort": "lay", "x": "y"}
    assert Prolific().arrival(query) == Arrival("5f3c", Referral(None, "st", "se", None))
    assert Prolific().kept(query) == {"PROLIFIC_PID": "5f3c", "STUDY_ID": "st", "SESSION_ID": "se"}
    assert Prolific().arrival({}) == Arrival()


def test_too_long_an_id_is_cut() -> None:
    assert Prolific().arrival({"PROLIFIC_PID": "x" * 500}).external_id == "x" * 200


def test_placeholders_that_were_not_filled_in_are_nobodys_id() -> None:
    query = {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}", "STUDY_ID": "st", "SESSION_ID": "{{%SESSION_ID%}}"}
    assert Prolific().arrival(query) == Arrival(None, Referral(None, "st", None, None))
    assert MTurk().arrival({**TURK, "workerId": "${workerId}"}).external_id is None


def test_prolific_is_told_by_a_link_with_the_code() -> None:
    back = Prolific().way_back("completed", "C1 &2", None)
    assert back == ReturnLink("Prolific", "C1 &2", "https://app.prolific.com/submissions/complete?cc=C1%20%262")
    assert Prolific().way_back("withdrawn", None, None) == ReturnLink("Prolific")


def test_mturk_passes_four_parameters() -> None:
    came = MTurk().arrival(TURK)
    assert came == Arrival("A1", Referral(None, "H1", "S1", "https://workersandbox.mturk.com"))
    assert MTurk().kept(TURK) == TURK


@pytest.mark.parametrize(
    "told",
    [
        "https://evil.example",
        "https://www.mturk.com.evil.example",
        "http://www.mturk.com",
        "https://www.mturk.com@evil.example",
        "javascript:alert(1)",
        "https://www.mturk.com/evil",
        "",
    ],
)
def test_only_mturk_itself_is_told_anything(told: str) -> None:
    came = MTurk().arrival({**TURK, "turkSubmitTo": told})
    assert came.referral.submit_to is None
    # nor where such an address has got into the store in another way
    who = participant(platform_session="S1", platform_return=told)
    assert MTurk().way_back("completed", "C1", who) == ReturnLink("MTurk", "C1")


def test_mturk_shows_the_study_before_it_is_accepted() -> None:
    assert MTurk().arrival({**TURK, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}) == Arrival(only_looks=True)


def test_mturk_is_told_by_a_form() -> None:
    who = participant(platform_session="S1", platform_return="https://www.mturk.com")
    url = "https://www.mturk.com/mturk/externalSubmit"
    assert MTurk().way_back("completed", None, who) == ReturnLink(
        "MTurk", "", url, {"assignmentId": "S1", "outcome": "completed"}
    )
    with_code = MTurk().way_back("screened_out", "C2", who)
    assert with_code.fields == {"assignmentId": "S1", "outcome": "screened_out", "code": "C2"}
    # who is sent away hands in nothing, unless the study has a code for it
    assert MTurk().way_back("screened_out", None, who) == ReturnLink("MTurk")


def test_mturk_that_only_links_gets_a_code_to_paste() -> None:
    assert MTurk().way_back("completed", "C1", participant()) == ReturnLink("MTurk", "C1")


def test_any_other_platform_passes_an_id_and_gets_a_code() -> None:
    assert Platform("pid").arrival({"pid": "7", "SESSION_ID": "x"}) == Arrival("7")
    assert Platform().arrival({"": "7", "pid": "7"}) == Arrival()
    assert Platform().way_back("completed", "C1", participant()) == ReturnLink(code="C1")
    assert Platform().way_back("withdrawn", None, participant()) == ReturnLink()
