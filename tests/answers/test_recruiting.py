"""Pausing and inviting, on SQLite and on a real PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.answers.records import Invitation, Participant, Referral
from textassay.answers.recruiting import LONGEST_NAME, RecruitingPaused, RefusedNameError, clean_names, derived_token
from textassay.answers.store import Store
from textassay.design.plan import Slot
from textassay.errors import UsageError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SLOTS = [Slot(1, "", ()), Slot(2, "", ())]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_database"))
    return f"sqlite:///{(tmp_path / 'answers.db').as_posix()}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store.open(url) as opened:
        yield opened


def join(store: Store, referral: Referral | None = None, who: str | None = None) -> tuple[Participant, str]:
    return store.join(
        SLOTS, cohort="", now=NOON, release_after=timedelta(hours=1), external_id=who, referral=referral or Referral()
    )


def test_pause_keeps_newcomers_out_and_survives_a_restart(store: Store, url: str) -> None:
    assert not store.recruiting.paused()
    store.recruiting.resume()  # nothing to resume
    known, _ = join(store, Referral(token="mine"))
    store.recruiting.pause()
    store.recruiting.pause()
    with Store.open(url) as other:
        assert other.recruiting.paused()
        with pytest.raises(RecruitingPaused, match="recruiting is paused; resume it"):
            join(other)
        assert join(other, Referral(token="mine"))[0].id == known.id  # has begun, so goes on
        other.recruiting.resume()
    assert not store.recruiting.paused()
    assert join(store)[0].id != known.id


def test_known_token_is_the_same_participant(store: Store) -> None:
    first, token = join(store, Referral("mine", "study", "session 1", "https://www.mturk.com"), "ada")
    assert token == "mine"
    assert store.participant("mine") == first
    assert (first.platform_study, first.platform_session, first.platform_return) == (
        "study", "session 1", "https://www.mturk.com"
    )  # fmt: skip
    again, _ = join(store, Referral("mine", "study", "session 2"), "ada")
    assert (again.id, again.platform_session, again.platform_return) == (first.id, "session 2", None)
    # a personal link has no session, and takes none away
    assert join(store, Referral("mine"))[0].platform_session == "session 2"
    assert len(store.participants()) == 1


def test_invited_people_are_found_by_their_link(store: Store) -> None:
    made = store.recruiting.invite(["Ada", "Grace"], cohort="", now=NOON)
    assert made == [Invitation("Ada", ""), Invitation("Grace", "")]
    token = store.recruiting.token_of_invited("Ada")
    assert token == derived_token(store.secret("invited"), "Ada")
    assert store.recruiting.token_of_sent("Ada") != token
    assert store.recruiting.invitation(token) == Invitation("Ada", "")
    assert store.recruiting.invitation(derived_token("other", "Ada")) is None
    assert store.recruiting.invitation("Ada") is None
    person, _ = join(store, Referral(token=token), "Ada")
    assert store.recruiting.invitation(token) == Invitation("Ada", "", "active")
    store.finish(person.id, "completed", NOON)
    # inviting again changes nothing, and adds who is new
    again = store.recruiting.invite(["Ada", "Edsger"], cohort="", now=NOON + timedelta(minutes=1))
    assert again == [Invitation("Ada", "", "completed"), Invitation("Edsger", "")]
    assert [each.name for each in store.recruiting.invitations()] == ["Ada", "Grace", "Edsger"]


def test_people_who_were_invited_together_are_listed_by_name(store: Store) -> None:
    store.recruiting.invite(["Zoe"], cohort="", now=NOON)
    made = store.recruiting.invite(["Grace", "Ada"], cohort="", now=NOON + timedelta(minutes=1))
    assert [each.name for each in made] == ["Ada", "Grace"]
    assert [each.name for each in store.recruiting.invitations()] == ["Zoe", "Ada", "Grace"]


def test_invitation_is_taken_back_until_the_person_begins(store: Store) -> None:
    store.recruiting.invite(["Ada", "Grace"], cohort="", now=NOON)
    token = store.recruiting.token_of_invited("Ada")
    store.recruiting.cancel_invitation("Ada")
    assert store.recruiting.invitation(token) is None
    assert [each.name for each in store.recruiting.invitations()] == ["Grace"]
    with pytest.raises(RefusedNameError, match="'Ada' was not invited; see the list"):
        store.recruiting.cancel_invitation("Ada")
    join(store, Referral(token=store.recruiting.token_of_invited("Grace")), "Grace")
    with pytest.raises(RefusedNameError, match="'Grace' has already started") as refused:
        store.recruiting.cancel_invitation("Grace")
    assert (refused.value.why, refused.value.values) == ("begun", {"name": "Grace"})
    store.recruiting.invite(["Ada"], cohort="expert", now=NOON)  # into whichever cohort: the old invitation is gone
    assert store.recruiting.invitation(token) == Invitation("Ada", "expert")


def test_nobody_is_invited_into_two_cohorts(store: Store) -> None:
    store.recruiting.invite(["Ada"], cohort="lay", now=NOON)
    with pytest.raises(UsageError, match=r"'Ada' is already invited into cohort 'lay'; use another name"):
        store.recruiting.invite(["Grace", "Ada"], cohort="expert", now=NOON)
    assert [each.name for each in store.recruiting.invitations()] == ["Ada"]  # all or none


def test_names_that_no_database_can_hold_are_cleaned() -> None:
    assert clean_names(["A\0da", "\ud83d", "e\u0301", "\u00e9"]) == ["A\ufffdda", "\ufffd", "\u00e9"]


def test_too_long_a_name_is_told() -> None:
    assert clean_names(["x" * LONGEST_NAME]) == ["x" * LONGEST_NAME]
    with pytest.raises(UsageError, match=r"the name 'x{40}'… has 201 characters; use at most 200, and one name"):
        clean_names(["x" * 201])


@given(st.text(max_size=50), st.text(max_size=50))
def test_tokens_differ_with_the_name_and_fit_into_a_link(one: str, other: str) -> None:
    tokens = {derived_token("key", one.encode("utf-8", "replace").decode()), derived_token("key", one)}
    assert all(len(token) == 32 and token.replace("-", "").replace("_", "").isalnum() for token in tokens)
    if one.encode("utf-8", "replace") != other.encode("utf-8", "replace"):
        assert derived_token("key", one) != derived_token("key", other)
