"""The operations that change the store, each inside a transaction that holds the write lock."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Connection, Insert, RowMapping
from sqlalchemy.exc import IntegrityError

from textassay.answers import statements as sql
from textassay.answers.records import NewAnswer, Participant, Referral, Status, StoredAnswer
from textassay.answers.recruiting import RecruitingPaused, is_paused, token_hash
from textassay.answers.statements import clean_text, encode_payload
from textassay.errors import StoreError

_LETTERS = "23456789bcdfghjkmnpqrstvwxz"  # no vowels, so no words; no characters that look alike
_CODE_LENGTH = 6
_LISTED = 5
_CHANGES = {("completed", "withdrawn"), ("completed", "excluded")}
"""Changes that are allowed after the end: a participant who has completed the study may withdraw afterwards."""


class AnswerIdTaken(StoreError):  # noqa: N818 -- a mistake of the browser, not of the store
    """The id belongs to another answer; sending it again will not help."""


@dataclass(frozen=True)
class Newcomer:
    """A person who wants to take part."""

    cohort: str
    external_id: str | None
    referral: Referral
    simulated: bool = False
    """Whether it is a program that a rehearsal sends."""


@dataclass(frozen=True)
class Reserved:
    """Participants who keep their slot although they are inactive: those between two sittings."""

    waits: Callable[[int, int], bool]
    """From the slot and the number of pages answered so far to whether that is between two sittings."""
    within: timedelta
    """For how long."""


def join(
    connection: Connection,
    numbers: Sequence[int],
    newcomer: Newcomer,
    *,
    now: datetime,
    silent_since: datetime,
    again: bool,
    reserved: Reserved | None = None,
) -> tuple[Participant, str]:
    """Assign the next slot to a new participant; see `Store.join`."""
    token, cohort = newcomer.referral.token, newcomer.cohort
    if token is not None:
        earlier = _by_token(connection, token)
        if earlier is not None:
            return _returning(connection, earlier, newcomer.referral), token
    if is_paused(connection):
        raise RecruitingPaused
    rows = connection.execute(sql.SLOT_USES, {"cohort": cohort, "silent_since": silent_since})
    uses = _uses(rows.mappings(), for_simulated=newcomer.simulated)
    if reserved is not None:
        since = {"cohort": cohort, "silent_since": silent_since, "reserved_since": now - reserved.within}
        for silent in connection.execute(sql.SILENT, since):
            waits = reserved.waits(silent.slot, int(silent.answered))
            if waits and (newcomer.simulated or not silent.simulated):  # a rehearsal takes no place from a person
                use = uses.get(silent.slot, UNUSED)
                uses[silent.slot] = replace(use, active=use.active + 1)
    slot = next_slot(numbers, uses, again=again)
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
        "simulated": newcomer.simulated,
    }
    connection.execute(sql.NEW_PARTICIPANT, values)
    row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": values["token_hash"]}).mappings().one()
    return sql.to_participant(row), token


def _uses(rows: Iterable[RowMapping], *, for_simulated: bool) -> dict[int, SlotUse]:
    """The uses of each slot as they matter to a newcomer."""
    uses: dict[int, SlotUse] = {}
    for row in rows:
        use, completed, active = uses.get(row["slot"], UNUSED), int(row["completed"]), int(row["active"])
        uses[row["slot"]] = (
            replace(use, simulated=(completed, active))
            if row["simulated"] and not for_simulated
            else replace(use, completed=use.completed + completed, active=use.active + active)
        )
    return uses


def _by_token(connection: Connection, token: str) -> Participant | None:
    row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": token_hash(token)}).mappings().first()
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
        if connection.execute(sql.CODE_TAKEN, {"code": code}).first() is None:
            return code


def save(connection: Connection, participant_id: int, answer: NewAnswer, now: datetime) -> StoredAnswer:
    """Store an answer, or find it stored; see `Store.save`."""
    values = _answer_values(participant_id, answer, now)
    if answer.opened_at is not None:
        opened(connection, participant_id, answer.page, answer.opened_at)
    if _inserted(connection, values, sql.LATE_ANSWER if answer.late else sql.NEW_ANSWER):
        connection.execute(sql.SEEN, {"participant_id": participant_id, "now": now})
    stored = connection.execute(sql.ANSWER_BY_ID, {"answer_id": answer.answer_id}).mappings().one()
    if stored["participant_id"] != participant_id or stored["page"] != answer.page:
        # Says nothing about the other answer, so that guessing ids reveals nothing.
        raise AnswerIdTaken("this answer id is already used; send the answer with a new one")
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


def opened_pages(connection: Connection, openings: Sequence[tuple[int, str, datetime]]) -> None:
    """Record that participants opened pages; see `Store.opened_pages`."""
    names = ("participant_id", "page", "opened_at")
    connection.execute(sql.NEW_OPENINGS, [dict(zip(names, each, strict=True)) for each in openings])


def _refuse_invalid(name: str) -> None:
    if not name or clean_text(name) != name:
        raise StoreError(f"{name!r} is not a valid answer id or page; nothing was stored")


def _inserted(connection: Connection, values: dict[str, Any], statement: Insert) -> bool:
    try:
        return connection.execute(statement, values).rowcount > 0
    except IntegrityError:  # under the lock id and revision are unique, so the participant is missing
        raise _unknown(values["participant_id"]) from None


def touch(connection: Connection, participant_id: int, now: datetime) -> None:
    """Record that the participant was active; see `Store.touch`."""
    connection.execute(sql.TOUCH, {"participant_id": participant_id, "now": now})


def finish(connection: Connection, participant_id: int, status: Status, now: datetime, *, valid: bool) -> Participant:
    """Record the participant's final status; see `Store.finish`."""
    before = stored_participant(connection, participant_id)
    if before.status != status:
        if before.status != "active" and (before.status, status) not in _CHANGES:
            raise StoreError(f"participant {before.code} is {before.status} and cannot become {status}")
        values = {
            "participant_id": participant_id,
            "new_status": status,
            "new_valid": valid,
            "new_completed_at": now if status == "completed" else before.completed_at,
            "now": now,
        }
        connection.execute(sql.FINISH, values)
    return stored_participant(connection, participant_id)


def set_valid(connection: Connection, participant_id: int, *, valid: bool) -> Participant:
    """Record whether the participant passed screening; see `Store.set_valid`."""
    stored_participant(connection, participant_id)
    connection.execute(sql.SET_VALID, {"participant_id": participant_id, "new_valid": valid})
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
    people = [sql.to_participant(row) for row in connection.execute(sql.PARTICIPANTS).mappings()]
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
    row = connection.execute(sql.PARTICIPANT_BY_ID, {"participant_id": participant_id}).mappings().first()
    if row is None:
        raise _unknown(participant_id)
    return sql.to_participant(row)


def _unknown(participant_id: int) -> StoreError:
    return StoreError(f"this store has no participant with number {participant_id}")


def probe(connection: Connection) -> None:
    """Write something that nobody needs; see `Store.probe`."""
    connection.execute(sql.DELETE_SETTING, {"old_name": "probe"})
    connection.execute(sql.NEW_SETTING, {"name": "probe", "value": secrets.token_hex(8)})


def secret(connection: Connection, name: str) -> str:
    """A secret by name, created if there is none; see `Store.secret`."""
    found = connection.execute(sql.SECRET, {"name": name}).scalar()
    if found is None:
        found = secrets.token_urlsafe(32)
        connection.execute(sql.NEW_SECRET, {"name": name, "value": found})
    return cast("str", found)


class StudyFull(StoreError):  # noqa: N818 -- not a mistake
    """Every slot of the cohort has been completed by a valid participant."""

    def __init__(self, cohort: str) -> None:
        self.cohort = cohort
        of = f" of cohort {cohort!r}" if cohort else ""
        super().__init__(f"all slots{of} are filled; raise 'wanted' in a new study to recruit more participants")


@dataclass(frozen=True)
class SlotUse:
    """How many participants have a slot."""

    completed: int = 0
    """Valid participants who completed it."""
    active: int = 0
    """Participants in progress who have not been inactive for too long."""
    simulated: tuple[int, int] = (0, 0)
    """The same of simulated participants, where the newcomer is none: they keep nobody from a slot."""


UNUSED = SlotUse()


def next_slot(numbers: Sequence[int], uses: Mapping[int, SlotUse], *, again: bool = False) -> int | None:
    """The slot for the next participant: of those that are not filled, the one with the fewest in progress.

    Balance is to hold over participants who complete the study, not over those who start it. A slot is filled when a
    valid participant has completed it. Until then the participants in progress count; one who has been inactive for
    too long does not, so that the slot is assigned again. If that participant returns, both may finish, and the first
    to complete counts. Ties go to the slot with the fewest simulated participants, so that a rehearsal over HTTP fills
    all, then to the lowest number, since the first slots of a plan are balanced among themselves.

    >>> next_slot([1, 2, 3], {1: SlotUse(completed=1), 2: SlotUse(active=1)})
    3

    Args:
        numbers: The slots that may be assigned.
        uses: How many participants have each slot; a slot that is not in it has none.
        again: Whether filled slots are assigned again when all are filled: those with the fewest completions first.

    Returns:
        Its number, or None if every slot is filled.
    """

    def priority(number: int) -> tuple[int, int, tuple[int, int], int]:
        use = uses.get(number, UNUSED)
        return use.completed, use.active, use.simulated, number

    slot = min(numbers, key=priority, default=None)
    return slot if slot is None or again or not uses.get(slot, UNUSED).completed else None
