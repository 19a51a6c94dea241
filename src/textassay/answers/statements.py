"""What the store asks its database, each statement built once."""

from __future__ import annotations

from sqlalchemy import RowMapping, and_, bindparam, case, exists, func, insert, or_, select, update

from textassay.answers.payloads import decoded
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.schema import answers, openings, participants, secrets

_person = participants.columns
_given = answers.columns
_earlier = participants.alias("earlier")
_newer = answers.alias("newer")
_first = openings.columns
_with_opening = answers.outerjoin(
    openings, and_(_first.participant_id == _given.participant_id, _first.page == _given.page)
)

_fills_its_slot = and_(_person.status == "completed", _person.valid)
_somebody_filled_it_before = exists().where(
    _earlier.columns.slot == _person.slot,
    _earlier.columns.status == "completed",
    _earlier.columns.valid,
    or_(
        _earlier.columns.completed_at < _person.completed_at,
        and_(_earlier.columns.completed_at == _person.completed_at, _earlier.columns.id < _person.id),
    ),
)

PARTICIPANTS = select(
    _person.id,
    _person.code,
    _person.cohort,
    _person.slot,
    _person.status,
    _person.valid,
    and_(_fills_its_slot, ~_somebody_filled_it_before).label("counted"),
    _person.started_at,
    _person.last_seen_at,
    _person.completed_at,
    _person.external_id,
    _person.platform_study,
    _person.platform_session,
    _person.platform_return,
).order_by(_person.id)
"""Everybody, in the order in which they came; whether one counts follows from the rows and is stored nowhere."""

PARTICIPANT_BY_TOKEN = PARTICIPANTS.where(_person.token_hash == bindparam("token_hash"))
PARTICIPANT_BY_ID = PARTICIPANTS.where(_person.id == bindparam("participant_id"))
CODE_TAKEN = select(_person.id).where(_person.code == bindparam("code"))
NEW_PARTICIPANT = insert(participants)

FILLS = (
    select(
        _person.slot,
        func.sum(case((_fills_its_slot, 1), else_=0)).label("completed"),
        func.sum(case((_person.status == "active", 1), else_=0)).label("active"),
    )
    .where(
        _person.cohort == bindparam("cohort"),
        or_(_fills_its_slot, and_(_person.status == "active", _person.last_seen_at >= bindparam("silent_since"))),
    )
    .group_by(_person.slot)
)
"""How far each slot of a cohort is filled; see `slots.py`."""

TOUCH = (
    update(participants)
    .where(_person.id == bindparam("participant_id"), _person.last_seen_at < bindparam("now"))
    .values(last_seen_at=bindparam("now"))
)
FINISH = (
    update(participants)
    .where(_person.id == bindparam("participant_id"))
    .values(
        status=bindparam("new_status"),
        valid=bindparam("new_valid"),
        completed_at=bindparam("new_completed_at"),
    )
)
SENT_AGAIN = (
    update(participants)
    .where(_person.id == bindparam("participant_id"))
    .values(
        platform_study=bindparam("new_study"),
        platform_session=bindparam("new_session"),
        platform_return=bindparam("new_return"),
    )
)
"""The platform has sent the participant again: the last time is the one that it wants to hear about."""
INVALIDATE = update(participants).where(_person.id == bindparam("participant_id")).values(valid=bindparam("new_valid"))

_ANSWER = (
    _given.answer_id,
    _given.page,
    _given.payload,
    _given.started_at,
    _given.answered_at,
    _given.rt_ms,
    _given.client,
    _given.revision,
    _given.received_at,
    _first.opened_at,
)
ANSWERS = select(_given.participant_id, *_ANSWER).select_from(_with_opening)
ANSWER_BY_ID = ANSWERS.where(_given.answer_id == bindparam("answer_id"))
ANSWERS_OF = ANSWERS.where(_given.participant_id == bindparam("participant_id")).order_by(_given.page, _given.revision)
ANSWERS_OF_UP_TO = ANSWERS_OF.where(_given.id <= bindparam("upto"))
_wanted_page = bindparam("wanted_page", type_=_given.page.type)
ALL_REVISIONS = ANSWERS.where(or_(_wanted_page.is_(None), _given.page == _wanted_page)).order_by(_given.id)
ALL_ANSWERS = ALL_REVISIONS.where(
    ~exists().where(
        _newer.columns.participant_id == _given.participant_id,
        _newer.columns.page == _given.page,
        _newer.columns.revision > _given.revision,
    )
)

_FROM_CALLER = (
    "participant_id",
    "page",
    "answer_id",
    "payload",
    "started_at",
    "answered_at",
    "rt_ms",
    "client",
    "received_at",
)
_next_revision = (
    select(func.coalesce(func.max(_newer.columns.revision) + 1, 0))
    .where(
        _newer.columns.participant_id == bindparam("participant_id"),
        _newer.columns.page == bindparam("page"),
    )
    .scalar_subquery()
)
NEW_ANSWER = (
    insert(answers)
    .from_select(
        [*_FROM_CALLER, "revision"],
        select(*(bindparam(name, type_=_given[name].type) for name in _FROM_CALLER), _next_revision).where(
            ~exists().where(_newer.columns.answer_id == bindparam("answer_id"))
        ),
    )
    .execution_options(preserve_rowcount=True)  # else not every driver tells whether a row was inserted
)
"""Takes the next revision in the same statement that stores it, so that no two can get the same; nothing where the
answer is stored already."""

_OPENING = ("participant_id", "page", "opened_at")
_is_open = exists().where(_first.participant_id == bindparam("participant_id"), _first.page == bindparam("page"))
NEW_OPENING = insert(openings).from_select(
    [*_OPENING], select(*(bindparam(name, type_=_first[name].type) for name in _OPENING)).where(~_is_open)
)
"""Keeps the first time: nothing where the page has been opened before."""
OPENING = select(_first.opened_at).where(
    _first.participant_id == bindparam("participant_id"), _first.page == bindparam("page")
)

SECRET = select(secrets.columns.value).where(secrets.columns.name == bindparam("name"))
NEW_SECRET = insert(secrets)


def participant_of(row: RowMapping) -> Participant:
    """A row of `PARTICIPANTS`."""
    return Participant(**{**row, "counted": bool(row["counted"])})


def answer_of(row: RowMapping) -> StoredAnswer:
    """A row that holds the columns of an answer."""
    return StoredAnswer(
        answer_id=row["answer_id"],
        page=row["page"],
        payload=decoded(row["payload"]),
        started_at=row["started_at"],
        answered_at=row["answered_at"],
        rt_ms=row["rt_ms"],
        client=decoded(row["client"]),
        revision=row["revision"],
        received_at=row["received_at"],
        opened_at=row["opened_at"],
    )
