"""The SQL statements of the store, each built once, and the conversion of rows and JSON payloads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.schema import answers, openings, participants, secrets, settings
from textassay.errors import StoreError

_person = participants.columns
_answer = answers.columns
_earlier = participants.alias("earlier")
_newer = answers.alias("newer")
_first = openings.columns
_with_opening = answers.outerjoin(
    openings, and_(_first.participant_id == _answer.participant_id, _first.page == _answer.page)
)

_fills_slot = and_(_person.status == "completed", _person.valid)
_filled_before = exists().where(
    _earlier.columns.slot == _person.slot,
    _earlier.columns.status == "completed",
    _earlier.columns.valid,
    or_(
        and_(~_earlier.columns.simulated, _person.simulated),  # a real participant takes the place of a simulated one
        and_(
            _earlier.columns.simulated == _person.simulated,
            or_(
                _earlier.columns.completed_at < _person.completed_at,
                and_(_earlier.columns.completed_at == _person.completed_at, _earlier.columns.id < _person.id),
            ),
        ),
    ),
)

PARTICIPANTS = select(
    _person.id,
    _person.code,
    _person.cohort,
    _person.slot,
    _person.status,
    _person.valid,
    and_(_fills_slot, ~_filled_before).label("counted"),
    _person.started_at,
    _person.last_seen_at,
    _person.completed_at,
    _person.external_id,
    _person.platform_study,
    _person.platform_session,
    _person.platform_return,
    _person.simulated,
    _person.released_at,
    _person.version,
).order_by(_person.id)
"""All participants in the order in which they joined; whether one counts is derived from the rows, not stored."""

PARTICIPANTS_IN_PROGRESS = PARTICIPANTS.where(_person.status == "active")
PARTICIPANT_BY_TOKEN = PARTICIPANTS.where(_person.token_hash == bindparam("token_hash"))
PARTICIPANT_BY_ID = PARTICIPANTS.where(_person.id == bindparam("participant_id"))
ID_BY_CODE = select(_person.id).where(_person.code == bindparam("code"))
NEW_PARTICIPANT = insert(participants)

VERSION = select(_person.version).where(_person.id == bindparam("participant_id"), _person.code == bindparam("code"))
"""Numbers are given again after participants were removed, codes are not."""
VERSIONS = select(_person.code, _person.version).where(_person.id.in_(bindparam("numbers", expanding=True)))
TOUCH = (
    update(participants)
    .where(_person.id == bindparam("participant_id"), _person.last_seen_at < bindparam("now"))
    .values(last_seen_at=bindparam("now"))
)
_CHANGED = update(participants).where(_person.id == bindparam("participant_id")).values(version=_person.version + 1)
SEEN = _CHANGED.values(
    last_seen_at=case((_person.last_seen_at < bindparam("now"), bindparam("now")), else_=_person.last_seen_at)
)
"""An answer was stored."""
_ends = bindparam("new_status", type_=_person.status.type)
FINISH = (
    SEEN.where(
        or_(_person.status == "active", and_(_person.status == "completed", _ends.in_(("withdrawn", "excluded"))))
    )
    .values(
        status=_ends,
        valid=bindparam("new_valid"),
        completed_at=case((_ends == "completed", bindparam("now")), else_=_person.completed_at),
    )
    .execution_options(preserve_rowcount=True)  # else some drivers do not say whether a row was changed
)
"""The participation ends; who has completed the study may still withdraw, or be excluded. Changes nothing otherwise."""
UPDATE_REFERRAL = _CHANGED.values(
    platform_study=bindparam("new_study"),
    platform_session=bindparam("new_session"),
    platform_return=bindparam("new_return"),
)
"""The platform has referred the participant again: it expects the ids that it passed last."""
SET_SIMULATED = _CHANGED.values(simulated=True)
SET_VALID = _CHANGED.values(valid=bindparam("new_valid"))
_now = bindparam("now", type_=_person.last_seen_at.type)
RELEASE = _CHANGED.where(_person.status == "active").values(
    # Not before the participant was last seen, even if a clock was set back.
    released_at=case((_person.last_seen_at > _now, _person.last_seen_at), else_=_now),
    held_until=None,
)
"""The participant holds no slot until seen again."""

_ANSWER_COLUMNS = (
    _answer.answer_id,
    _answer.page,
    _answer.payload,
    _answer.started_at,
    _answer.answered_at,
    _answer.rt_ms,
    _answer.client,
    _answer.revision,
    _answer.received_at,
    _first.opened_at,
)
ANSWERS = select(_answer.participant_id, *_ANSWER_COLUMNS).select_from(_with_opening)
ANSWER_BY_ID = ANSWERS.where(_answer.answer_id == bindparam("answer_id"))
OWNER = select(_answer.participant_id, _answer.page).where(_answer.answer_id == bindparam("answer_id"))
ANSWERS_OF = ANSWERS.where(_answer.participant_id == bindparam("participant_id")).order_by(
    _answer.page, _answer.revision
)
ANSWERED_PAGES = select(_answer.page).where(_answer.participant_id == bindparam("participant_id")).distinct()
"""Answered by the index of revisions alone, without reading an answer."""
ANSWERED_IN_PROGRESS = (
    select(_answer.participant_id, func.count())
    .join_from(participants, answers, _answer.participant_id == _person.id)
    .where(_person.status == "active", _answer.revision == 0)
    .group_by(_answer.participant_id)
)
"""How many pages participants in progress have answered: each has a first answer."""
LATEST_ANSWER = (
    ANSWERS.where(_answer.participant_id == bindparam("participant_id"), _answer.page == bindparam("page"))
    .order_by(_answer.revision.desc())
    .limit(1)
)
ANSWERS_OF_UP_TO = ANSWERS_OF.where(_answer.id <= bindparam("upto"))
_wanted_page = bindparam("wanted_page", type_=_answer.page.type)
ALL_REVISIONS = ANSWERS.where(or_(_wanted_page.is_(None), _answer.page == _wanted_page)).order_by(_answer.id)
ALL_ANSWERS = ALL_REVISIONS.where(
    ~exists().where(
        _newer.columns.participant_id == _answer.participant_id,
        _newer.columns.page == _answer.page,
        _newer.columns.revision > _answer.revision,
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
        select(*(bindparam(name, type_=_answer[name].type) for name in _FROM_CALLER), _next_revision).where(
            ~exists().where(_newer.columns.answer_id == bindparam("answer_id"))
        ),
    )
    .execution_options(preserve_rowcount=True)  # else some drivers do not say whether a row was inserted
)
"""Determines the next revision in the statement that stores it, so that it is unique; inserts nothing if the answer is
stored already."""

_of_simulated = select(_person.id).where(_person.simulated)
_by_simulation = _answer.client.like('%"simulated":true%')
UNCLEAR = (
    select(_person.code)
    .where(exists().where(_answer.participant_id == _person.id, _person.simulated != _by_simulation))
    .order_by(_person.id)
)
"""Participants whose answers do not say the same as the flag, whether a program gave them."""
SIMULATED_ANSWERS = select(func.count()).where(_answer.participant_id.in_(_of_simulated))
REMOVE_SIMULATED = (
    delete(answers).where(_answer.participant_id.in_(_of_simulated)),
    delete(openings).where(openings.columns.participant_id.in_(_of_simulated)),
    delete(participants).where(_person.simulated),
)

_OPENING = ("participant_id", "page", "opened_at")
_is_open = exists().where(_first.participant_id == bindparam("participant_id"), _first.page == bindparam("page"))
NEW_OPENING = insert(openings).from_select(
    [*_OPENING], select(*(bindparam(name, type_=_first[name].type) for name in _OPENING)).where(~_is_open)
)
"""Inserts nothing if the page has been opened before, so that the first time stays."""
OPENING = select(_first.opened_at).where(
    _first.participant_id == bindparam("participant_id"), _first.page == bindparam("page")
)

LATEST_TIMES = (
    select(func.max(_person.last_seen_at)),
    select(_answer.received_at).order_by(_answer.id.desc()).limit(1),
    select(func.max(_first.opened_at)),
)

SETTING = select(settings.columns.value).where(settings.columns.name == bindparam("name"))
NEW_SETTING = insert(settings)
DELETE_SETTING = delete(settings).where(settings.columns.name == bindparam("old_name"))
SECRET = select(secrets.columns.value).where(secrets.columns.name == bindparam("name"))
NEW_SECRET = insert(secrets)


class PayloadError(StoreError):
    """An answer that is not plain JSON."""


def to_participant(row: Sequence[Any]) -> Participant:
    """A row of `PARTICIPANTS`, whose columns are the fields of a participant."""
    return Participant(*row)


def to_answer(row: Sequence[Any]) -> StoredAnswer:
    """A row of `ANSWERS`, whose columns after the participant's number are the fields of an answer."""
    _, answer_id, page, payload, started_at, answered_at, rt_ms, client, *rest = row
    told = decode_payload(client)
    return StoredAnswer(answer_id, page, decode_payload(payload), started_at, answered_at, rt_ms, told, *rest)


_AS_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def encode_payload(payload: Mapping[str, Any]) -> str:
    r"""The payload as JSON that every database and every file can store.

    Half a surrogate pair and the NUL character, which a browser can send but UTF-8 or PostgreSQL cannot store, become
    the replacement character.

    >>> encode_payload({"comment": "schön", "half": "\ud83d"})
    '{"comment":"schön","half":"�"}'

    Raises:
        PayloadError: it contains something that is not JSON.
    """
    try:
        text = _AS_JSON(payload)
    except (TypeError, ValueError, RecursionError) as error:
        raise PayloadError(f"the answer is not plain JSON ({error}); nothing was stored") from None
    # JSON escapes NUL, so it is searched for in the escaped form; few texts need the second pass.
    if "\\u0000" in text or not _is_unicode(text):
        text = _AS_JSON(_cleaned(payload))
    return text


def decode_payload(text: str) -> dict[str, Any]:
    """The payload of a stored text."""
    payload: dict[str, Any] = json.loads(text)
    return payload


def clean_text(text: str) -> str:
    """The text with characters that UTF-8 or PostgreSQL cannot store replaced by the replacement character."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {_cleaned(key): _cleaned(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(part) for part in value]
    return value
