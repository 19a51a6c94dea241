"""The operations that change the store, each inside a transaction that holds the write lock."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from textassay.answers import statements as sql
from textassay.answers.records import NewAnswer, Participant, Referral, Status, StoredAnswer
from textassay.answers.recruiting import RecruitingPaused, is_paused, token_hash
from textassay.answers.slots import Places, next_slot
from textassay.answers.statements import clean_text, encode_payload
from textassay.errors import StoreError

_LETTERS = "23456789bcdfghjkmnpqrstvwxz"  # no vowels, so no words; no characters that look alike
_CODE_LENGTH = 6
_LISTED = 5
_CLOCKS_DIFFER = timedelta(seconds=1)
"""How far a machine's clock may run ahead of what is known of it before that is noted anew."""


@dataclass(frozen=True)
class Newcomer:
    """A person who wants to take part."""

    external_id: str | None = None
    """The id on a recruiting platform, or the name in an invitation."""
    referral: Referral = field(default_factory=Referral)
    """How the person was referred; a known token belongs to a returning participant."""
    simulated: bool = False
    """Whether it is a program that a rehearsal sends."""


def join(connection: Connection, places: Places, newcomer: Newcomer, now: datetime) -> tuple[Participant, str]:
    """Assign the next slot to a new participant; see `Store.join`."""
    token = newcomer.referral.token
    if token is not None:
        earlier = _by_token(connection, token)
        if earlier is not None:
            return _returning(connection, earlier, newcomer.referral), token
    if is_paused(connection):
        raise RecruitingPaused
    slot = next_slot(connection, places, now, simulated=newcomer.simulated)
    token = token or secrets.token_urlsafe(24)
    moment = now.astimezone(UTC) if now.tzinfo else now  # without a time zone it is refused
    values: dict[str, Any] = {
        "code": _new_code(connection),
        "cohort": places.cohort,
        "slot": slot,
        "status": "active",
        "valid": True,
        "started_at": moment,
        "last_seen_at": moment,
        "external_id": _cleaned(newcomer.external_id),
        "platform_study": _cleaned(newcomer.referral.study),
        "platform_session": _cleaned(newcomer.referral.session),
        "platform_return": _cleaned(newcomer.referral.submit_to),
        "simulated": newcomer.simulated,
    }
    unseen = {"token_hash": token_hash(token), "held_until": moment + places.release_after}
    key = connection.execute(sql.NEW_PARTICIPANT, {**values, **unseen}).inserted_primary_key
    return Participant(id=cast("tuple[int]", key)[0], counted=False, **values), token


def _by_token(connection: Connection, token: str) -> Participant | None:
    row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": token_hash(token)}).first()
    return None if row is None else sql.to_participant(row)


def _returning(connection: Connection, earlier: Participant, referral: Referral) -> Participant:
    """The participant, with the ids that the platform passed this time, if any."""
    if referral.session is None:
        return earlier
    values = {
        "participant_id": earlier.id,
        "new_study": _cleaned(referral.study),
        "new_session": _cleaned(referral.session),
        "new_return": _cleaned(referral.submit_to),
    }
    connection.execute(sql.UPDATE_REFERRAL, values)
    return stored_participant(connection, earlier.id)


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean_text(text)


def _new_code(connection: Connection) -> str:
    while True:
        code = "p-" + "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
        if connection.execute(sql.ID_BY_CODE, {"code": code}).first() is None:
            return code


def save(connection: Connection, participant_id: int, answer: NewAnswer, now: datetime) -> StoredAnswer:
    """Store an answer, or find it stored; see `Store.save`."""
    values = _answer_values(participant_id, answer, now)
    if answer.opened_at is not None:
        opened(connection, participant_id, answer.page, answer.opened_at)
    if _inserted(connection, values):
        connection.execute(sql.SEEN, {"participant_id": participant_id, "now": now})
    stored = connection.execute(sql.ANSWER_BY_ID, {"answer_id": answer.answer_id}).one()
    if (stored.participant_id, stored.page) != (participant_id, answer.page):
        # Says nothing about the other answer, so that guessing ids reveals nothing.
        raise StoreError("this answer id is already used; send the answer with a new one")
    return sql.to_answer(stored)


def save_visit(connection: Connection, participant: Participant, answers: Sequence[StoredAnswer]) -> Participant:
    """Store a whole visit; see `Store.save_visit`."""
    rows = [_answer_values(participant.id, answer, answer.received_at) for answer in answers]
    opened_at = [
        {"participant_id": participant.id, "page": answer.page, "opened_at": answer.opened_at} for answer in answers
    ]
    if rows:
        try:
            connection.execute(sql.NEW_OPENING, opened_at)
            connection.execute(sql.NEW_ANSWER, rows)
        except IntegrityError:  # as in `opened`
            raise _unknown(participant.id) from None
        connection.execute(sql.SEEN, {"participant_id": participant.id, "now": participant.last_seen_at})
    if participant.status == "active":
        return stored_participant(connection, participant.id)
    return finish(connection, participant.id, participant.status, participant.last_seen_at, valid=participant.valid)


def _answer_values(participant_id: int, answer: NewAnswer | StoredAnswer, now: datetime) -> dict[str, Any]:
    """The row of an answer, without its revision."""
    for name in (answer.answer_id, answer.page):
        _refuse_invalid(name)
    return {
        "participant_id": participant_id,
        "page": answer.page,
        "answer_id": answer.answer_id,
        "payload": encode_payload(answer.payload),
        "started_at": answer.started_at,
        "answered_at": answer.answered_at,
        "rt_ms": answer.rt_ms,
        "client": encode_payload(answer.client),
        "received_at": now,
    }


def opened(connection: Connection, participant_id: int, page: str, now: datetime) -> datetime:
    """When the page was first opened; see `Store.opened`."""
    _refuse_invalid(page)
    values = {"participant_id": participant_id, "page": page, "opened_at": now}
    try:
        connection.execute(sql.NEW_OPENING, values)
    except IntegrityError:  # under the lock no opening can exist yet, so the participant is missing
        raise _unknown(participant_id) from None
    return cast("datetime", connection.execute(sql.OPENING, values).scalar_one())


def _refuse_invalid(name: str) -> None:
    if not name or clean_text(name) != name:
        raise StoreError(f"{name!r} is not a valid answer id or page; nothing was stored")


def _inserted(connection: Connection, values: dict[str, Any]) -> bool:
    try:
        return connection.execute(sql.NEW_ANSWER, values).rowcount > 0
    except IntegrityError:  # under the lock id and revision are unique, so the participant is missing
        raise _unknown(values["participant_id"]) from None


def touch(connection: Connection, participant_id: int, now: datetime) -> None:
    """Record that the participant was active; see `Store.touch`."""
    connection.execute(sql.TOUCH, {"participant_id": participant_id, "now": now})


def finish(connection: Connection, participant_id: int, status: Status, now: datetime, *, valid: bool) -> Participant:
    """Record the participant's final status; see `Store.finish`."""
    values = {"participant_id": participant_id, "new_status": status, "new_valid": valid, "now": now}
    changed = connection.execute(sql.FINISH, values).rowcount > 0
    after = stored_participant(connection, participant_id)
    if not changed and after.status != status:
        raise StoreError(f"participant {after.code} is {after.status} and cannot become {status}")
    return after


def set_valid(connection: Connection, participant_id: int, *, valid: bool) -> Participant:
    """Record whether the participant passed screening; see `Store.set_valid`."""
    stored_participant(connection, participant_id)
    connection.execute(sql.SET_VALID, {"participant_id": participant_id, "new_valid": valid})
    return stored_participant(connection, participant_id)


def release(connection: Connection, code: str, now: datetime) -> Participant:
    """Let the participant hold no slot until seen again; see `Store.release`."""
    participant_id = connection.execute(sql.ID_BY_CODE, {"code": code}).scalar()
    if participant_id is None:
        raise StoreError(f"this store has no participant {code!r}")
    connection.execute(sql.RELEASE, {"participant_id": participant_id, "now": now})
    return stored_participant(connection, participant_id)


def set_simulated(connection: Connection, participant_id: int) -> Participant:
    """Record that the participant is simulated; see `Store.set_simulated`."""
    stored_participant(connection, participant_id)
    connection.execute(sql.SET_SIMULATED, {"participant_id": participant_id})
    return stored_participant(connection, participant_id)


@dataclass(frozen=True)
class Rehearsed:
    """What of a store comes from rehearsals."""

    participants: int
    """Simulated participants."""
    answers: int
    """All revisions of their answers."""
    others: int
    """Participants who are not simulated."""


def rehearsed(connection: Connection) -> Rehearsed:
    """What of the store comes from rehearsals; see `Store.rehearsed`."""
    unclear = connection.execute(sql.UNCLEAR).scalars().all()
    if unclear:
        listed = ", ".join(unclear[:_LISTED]) + (f" and {len(unclear) - _LISTED} more" if unclear[_LISTED:] else "")
        raise StoreError(
            f"whether {listed} was simulated cannot be told: the flag and the answers disagree; nothing was removed, "
            "run the real study in a new directory"
        )
    people = [sql.to_participant(row) for row in connection.execute(sql.PARTICIPANTS)]
    simulated = sum(person.simulated for person in people)
    answers = connection.execute(sql.SIMULATED_ANSWERS).scalar_one()
    return Rehearsed(simulated, int(answers), len(people) - simulated)


def remove_simulated(connection: Connection) -> Rehearsed:
    """Remove simulated participants with all that they answered; see `Store.remove_simulated`."""
    found = rehearsed(connection)
    for statement in sql.REMOVE_SIMULATED:
        connection.execute(statement)
    return found


def stored_participant(connection: Connection, participant_id: int) -> Participant:
    """The participant as stored now."""
    row = connection.execute(sql.PARTICIPANT_BY_ID, {"participant_id": participant_id}).first()
    if row is None:
        raise _unknown(participant_id)
    return sql.to_participant(row)


def _unknown(participant_id: int) -> StoreError:
    return StoreError(f"this store has no participant with number {participant_id}")


def probe(connection: Connection) -> None:
    """Write something that nobody needs; see `Store.probe`."""
    connection.execute(sql.DELETE_SETTING, {"old_name": "probe"})
    connection.execute(sql.NEW_SETTING, {"name": "probe", "value": secrets.token_hex(8)})


def clock_reading(connection: Connection, boot: str, now: datetime, seconds: float) -> datetime:
    """The time by the clock and by the seconds since an earlier reading; see `Store.clock_reading`."""
    name = f"clock {boot}"
    found = connection.execute(sql.SETTING, {"name": name}).scalar()
    if found is not None:
        earlier, _, at = found.partition(" ")
        passed = datetime.fromisoformat(earlier) + timedelta(seconds=seconds - float(at))
        if now <= passed + _CLOCKS_DIFFER:
            return max(now, passed)
        connection.execute(sql.DELETE_SETTING, {"old_name": name})
    connection.execute(sql.NEW_SETTING, {"name": name, "value": f"{now.isoformat()} {seconds!r}"})
    return now


def secret(connection: Connection, name: str) -> str:
    """A secret by name, created if there is none; see `Store.secret`."""
    found = connection.execute(sql.SECRET, {"name": name}).scalar()
    if found is None:
        found = secrets.token_urlsafe(32)
        connection.execute(sql.NEW_SECRET, {"name": name, "value": found})
    return cast("str", found)
