"""What the store's writer does, each inside a transaction that holds the write lock."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from textassay.answers import statements as sql
from textassay.answers.payloads import clean_text, encoded
from textassay.answers.records import NewAnswer, Participant, Referral, Status, StoredAnswer
from textassay.answers.recruiting import RecruitingPaused, is_paused, token_hash
from textassay.answers.slots import Fill, StudyFull, next_slot
from textassay.errors import StoreError

_LETTERS = "23456789bcdfghjkmnpqrstvwxz"  # no vowels, so no words; nothing that looks like something else
_CODE_LENGTH = 6
_CHANGES = {("completed", "withdrawn"), ("completed", "excluded")}
"""Ends that may still be followed by another one: who has completed the study may withdraw afterwards."""


class AnswerIdTaken(StoreError):  # noqa: N818 -- a browser's mistake, not the store's
    """The id belongs to another answer; sending it again will not help."""


@dataclass(frozen=True)
class Newcomer:
    """Somebody who wants to take part."""

    cohort: str
    external_id: str | None
    referral: Referral


def join(
    connection: Connection,
    numbers: Sequence[int],
    newcomer: Newcomer,
    *,
    now: datetime,
    silent_since: datetime,
    again: bool,
) -> tuple[Participant, str]:
    """Give the next slot to a new participant; see `Store.join`."""
    token, cohort = newcomer.referral.token, newcomer.cohort
    if token is not None:
        earlier = _by_token(connection, token)
        if earlier is not None:
            return _sent_again(connection, earlier, newcomer.referral), token
    if is_paused(connection):
        raise RecruitingPaused
    rows = connection.execute(sql.FILLS, {"cohort": cohort, "silent_since": silent_since})
    fills = {row.slot: Fill(int(row.completed), int(row.active)) for row in rows}
    slot = next_slot(numbers, fills, again=again)
    if slot is None:
        raise StudyFull(cohort)
    token = token or secrets.token_urlsafe(24)
    values = {
        "code": _new_code(connection),
        "token_hash": token_hash(token),
        "cohort": cohort,
        "slot": slot,
        "status": "active",
        "valid": True,
        "started_at": now,
        "last_seen_at": now,
        "external_id": _cleaned(newcomer.external_id),
        "platform_study": _cleaned(newcomer.referral.study),
        "platform_session": _cleaned(newcomer.referral.session),
        "platform_return": _cleaned(newcomer.referral.submit_to),
    }
    connection.execute(sql.NEW_PARTICIPANT, values)
    row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": values["token_hash"]}).mappings().one()
    return sql.participant_of(row), token


def _by_token(connection: Connection, token: str) -> Participant | None:
    row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": token_hash(token)}).mappings().first()
    return None if row is None else sql.participant_of(row)


def _sent_again(connection: Connection, earlier: Participant, referral: Referral) -> Participant:
    """The participant, with the names that the platform uses this time, if it uses any."""
    if referral.session is None:
        return earlier
    values = {
        "participant_id": earlier.id,
        "new_study": _cleaned(referral.study),
        "new_session": _cleaned(referral.session),
        "new_return": _cleaned(referral.submit_to),
    }
    connection.execute(sql.SENT_AGAIN, values)
    return known(connection, earlier.id)


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean_text(text)


def _new_code(connection: Connection) -> str:
    while True:
        code = "p-" + "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
        if connection.execute(sql.CODE_TAKEN, {"code": code}).first() is None:
            return code


def save(connection: Connection, participant_id: int, answer: NewAnswer, now: datetime) -> StoredAnswer:
    """Store an answer, or find it stored; see `Store.save`."""
    for name in (answer.answer_id, answer.page):
        _refuse_unfit(name)
    values = {
        "participant_id": participant_id,
        "page": answer.page,
        "answer_id": answer.answer_id,
        "payload": encoded(answer.payload),
        "started_at": answer.started_at,
        "answered_at": answer.answered_at,
        "rt_ms": answer.rt_ms,
        "client": encoded(answer.client),
        "received_at": now,
    }
    if answer.opened_at is not None:
        opened(connection, participant_id, answer.page, answer.opened_at)
    if _inserted(connection, values):
        connection.execute(sql.TOUCH, {"participant_id": participant_id, "now": now})
    stored = connection.execute(sql.ANSWER_BY_ID, {"answer_id": answer.answer_id}).mappings().one()
    if stored["participant_id"] != participant_id or stored["page"] != answer.page:
        # Says nothing of the other answer: whoever guesses ids is to learn nothing from it.
        raise AnswerIdTaken("this answer id is taken; send the answer again under a new one")
    return sql.answer_of(stored)


def opened(connection: Connection, participant_id: int, page: str, now: datetime) -> datetime:
    """When the page was first opened; see `Store.opened`."""
    _refuse_unfit(page)
    values = {"participant_id": participant_id, "page": page, "opened_at": now}
    try:
        connection.execute(sql.NEW_OPENING, values)
    except (
        IntegrityError
    ):  # found out under the lock that there is none yet, so it is the participant that is not there
        raise _unknown(participant_id) from None
    return cast("datetime", connection.execute(sql.OPENING, values).scalar_one())


def _refuse_unfit(name: str) -> None:
    if not name or clean_text(name) != name:
        raise StoreError(f"{name!r} can be neither an answer id nor a page; nothing was stored")


def _inserted(connection: Connection, values: dict[str, Any]) -> bool:
    try:
        return connection.execute(sql.NEW_ANSWER, values).rowcount > 0
    except IntegrityError:  # id and revision are taken under the lock, so it is the participant that is not there
        raise _unknown(values["participant_id"]) from None


def touch(connection: Connection, participant_id: int, now: datetime) -> None:
    """The participant was here; see `Store.touch`."""
    connection.execute(sql.TOUCH, {"participant_id": participant_id, "now": now})


def finish(connection: Connection, participant_id: int, status: Status, now: datetime, *, valid: bool) -> Participant:
    """The participant has come to an end; see `Store.finish`."""
    before = known(connection, participant_id)
    if before.status != status:
        if before.status != "active" and (before.status, status) not in _CHANGES:
            raise StoreError(f"participant {before.code} is {before.status} already and cannot become {status}")
        values = {
            "participant_id": participant_id,
            "new_status": status,
            "new_valid": valid,
            "new_completed_at": now if status == "completed" else before.completed_at,
        }
        connection.execute(sql.FINISH, values)
        connection.execute(sql.TOUCH, {"participant_id": participant_id, "now": now})
    return known(connection, participant_id)


def invalidate(connection: Connection, participant_id: int, *, valid: bool) -> Participant:
    """Screening has changed its mind; see `Store.invalidate`."""
    known(connection, participant_id)
    connection.execute(sql.INVALIDATE, {"participant_id": participant_id, "new_valid": valid})
    return known(connection, participant_id)


def known(connection: Connection, participant_id: int) -> Participant:
    """The participant as stored now."""
    row = connection.execute(sql.PARTICIPANT_BY_ID, {"participant_id": participant_id}).mappings().first()
    if row is None:
        raise _unknown(participant_id)
    return sql.participant_of(row)


def _unknown(participant_id: int) -> StoreError:
    return StoreError(f"there is no participant with the number {participant_id} in this store")


def secret(connection: Connection, name: str) -> str:
    """A secret by name, made where there is none; see `Store.secret`."""
    found = connection.execute(sql.SECRET, {"name": name}).scalar()
    if found is None:
        found = secrets.token_urlsafe(32)
        connection.execute(sql.NEW_SECRET, {"name": name, "value": found})
    return cast("str", found)
