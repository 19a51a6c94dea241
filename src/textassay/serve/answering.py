"""Receiving an answer: the JSON of requests and replies, validation, and storing before it is acknowledged."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from textassay.answers.emails import stored_email
from textassay.answers.records import AGE, StoredAnswer
from textassay.answers.saving import DueAnswer
from textassay.answers.statements import PayloadError, encode_payload
from textassay.answers.study_store import took_part_in
from textassay.errors import AnswerError, StoreError
from textassay.screening.took_part_elsewhere import TookPartElsewhere
from textassay.serve import questionnaire, session
from textassay.serve.bodies import header, limited_body
from textassay.serve.session import Page
from textassay.serve.site import Site, Visit
from textassay.study.model import EmailField
from textassay.tasks.contract import Payload

_TRIES = 4
"""How often the facts may change while an answer is being stored, before the browser has to send it again."""

Moment = Annotated[AwareDatetime, Field(ge=datetime(1970, 1, 1, tzinfo=UTC), le=datetime(2200, 1, 1, tzinfo=UTC))]
"""A time from the browser's clock, which may be wrong, within the limits of what can be stored."""


class AnswerBody(BaseModel):
    """An answer to a page."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)

    answer_id: UUID
    """Made by the browser; sending the same answer again changes nothing."""
    page: str = Field(min_length=1, max_length=200)
    """Key of the page that is answered."""
    replaces: UUID | None = None
    """Id of the stored answer that the page showed, if any; the participant is told if it is another one by now."""
    payload: dict[str, JsonValue]
    """The answer, in the form that the page's task asks for."""
    started_at: Moment | None = None
    """When the page was shown."""
    answered_at: Moment
    """When it was answered."""
    rt_ms: float | None = Field(default=None, ge=0, le=1e10)
    """Milliseconds between the two, on the browser's monotonic clock."""
    age_ms: float = Field(default=0, ge=0, le=1e13)
    """How long ago it was answered, by the browser's clock, when it was sent: a device may have kept it for a while."""
    client: dict[str, JsonValue] = Field(default={}, max_length=40)
    """Information from the browser: size of the window, how often it was hidden …"""


class AnswerReceipt(BaseModel):
    """The answer is on disk, or with status 409 another one counts."""

    next: str
    """Address of the page that follows, or of the one that is due."""
    message: str | None = None
    """Which answer counts, where the participant may think otherwise."""
    late: bool | None = None
    """Whether the answer was stored, but is older than the one that counts."""


class FieldErrors(BaseModel):
    """The answer is invalid; nothing was stored."""

    errors: dict[str, str]
    """Message by field; the empty name stands for the whole answer."""


class Refusal(BaseModel):
    """The request cannot be handled."""

    detail: str
    """Why."""


class Health(BaseModel):
    """The server is running."""

    status: str
    """`ok`, or with status 503 what is wrong with the database in two or three words."""
    key: str
    """The same for all servers of a study, by which commands recognise them."""


def parse_answer(raw: bytes) -> AnswerBody:
    """Parse the answer in the body of a request.

    Raises:
        ValidationError: The body is not a valid answer.
    """
    try:
        return AnswerBody.model_validate_json(raw)
    except ValidationError:
        whole = _without_lone_surrogates(raw)
        if whole == raw:
            raise
        return AnswerBody.model_validate_json(whole)


def _without_lone_surrogates(raw: bytes) -> bytes:
    r"""The JSON with the replacement character in place of lone surrogates.

    Browsers send a lone surrogate where a length limit has cut an emoji in two; the rest of the answer is fine.
    """
    if b"\\ud" not in raw.lower():
        return raw
    try:
        text = json.dumps(json.loads(raw), ensure_ascii=False)
    except (ValueError, RecursionError):
        return raw
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


_LOG = logging.getLogger(__name__)
_JSON = b"application/json"


async def read_body(request: Request, site: Site) -> AnswerBody | Response:
    """The answer in a request, or the reply that says what is wrong with it."""
    content_type = header(request, b"content-type")
    if content_type != _JSON and content_type.partition(b";")[0].strip().lower() != _JSON:
        return _refusal(415, "send application/json")
    raw = await limited_body(request)
    if raw is None:
        return _refusal(413, "the answer is too large")
    try:
        return parse_answer(raw)
    except ValidationError:
        return _invalid({"": site.messages("page.error")})


async def answer(request: Request, site: Site) -> Response:
    """Receive an answer to a page.

    What is remembered of the participant may be out of date. The answer is then not stored, and the store is asked.
    """
    body = await read_body(request, site)
    if isinstance(body, Response):
        return body
    try:
        return await _answer(request.path_params["token"], site, body)
    except StoreError as error:
        await site.database.failed(error)
        return busy()


async def _answer(token: str, site: Site, body: AnswerBody) -> Response:
    remembered = site.sessions.remembered(token)
    if remembered is not None:
        reply = await _accept(site, site.visit_of(token, remembered), body, fresh=False)
        if reply is not None:
            return reply
    for _ in range(_TRIES):
        found = await site.sessions.load(token)
        reply = no_such_page() if found is None else await _accept(site, site.visit_of(token, found), body, fresh=True)
        if reply is not None:
            return reply
    return busy()


async def _accept(site: Site, visit: Visit, body: AnswerBody, *, fresh: bool) -> Response | None:
    """Store the answer if its page is due. Repeated answers are acknowledged again; others are told what counts.

    Args:
        site: The study.
        visit: The participant.
        body: The answer.
        fresh: Whether the participant was read from the store just now.

    Returns:
        The reply; None if the participant must be read from the store first.
    """
    asked = site.page_of(visit, body.page)
    if asked is None:
        return no_such_page()
    if visit.participant.status == "active" and asked is visit.current and asked.kind != "sitting":
        return await _store(site, visit, asked, body, fresh=fresh)
    return await _accept_again(site, visit, asked, body) if fresh else None


async def _accept_again(site: Site, visit: Visit, asked: Page, body: AnswerBody) -> Response | None:
    """The same for a page that is answered already, or not due.

    Of two devices that answer a page without knowing of each other, the answer that was given later counts, whichever
    arrives first.
    """
    before = await site.store.asynchronously(site.store.latest, visit.participant.id, asked.key)
    if before is not None and before.answer_id == str(body.answer_id):
        await _confirm_writable(site)
        return _receipt(visit.url(asked.number + 1))
    due = session.may_open(asked, visit.current, may_go_back=site.study.file.participants.may_go_back)
    early = due and await site.hours_left(visit, asked) > 0
    if visit.participant.status != "active" or not due or early:
        ended = visit.participant.status != "active"
        here = "sitting.early" if early else "stale.answered" if before is not None else "stale.ahead"
        return _receipt(visit.base, site.messages("stale.over" if ended else here), 409)
    return await _store(site, visit, asked, body, before, fresh=True)


async def _store(
    site: Site, visit: Visit, asked: Page, body: AnswerBody, before: StoredAnswer | None = None, *, fresh: bool
) -> Response | None:
    """Store an answer to a page that is due, or that may be answered again; None if the facts have changed."""
    try:
        payload = await _validated(site, asked, body.payload, before)
        client = {name: value for name, value in body.client.items() if name != AGE}
        kept, told = encode_payload(payload), encode_payload({**client, AGE: body.age_ms} if body.age_ms else client)
    except (AnswerError, PayloadError) as error:
        return field_errors(site, asked, error if isinstance(error, AnswerError) else AnswerError({"": "page.error"}))
    following, now = visit.url(asked.number + 1), site.clock()
    # Going back without changing anything is not a new answer.
    if before is not None and before.payload == payload:
        await _confirm_writable(site)
        return _receipt(following)
    unseen = before is not None and before.answer_id != str(body.replaces)
    late = before is not None and unseen and now - timedelta(milliseconds=body.age_ms) < before.given_at
    new = DueAnswer(
        participant_id=visit.participant.id,
        code=visit.participant.code,
        page=asked.key,
        previous=visit.pages[asked.number - 2].key if asked.number > 1 else "",
        before=before.answer_id if before is not None else "",
        answer_id=str(body.answer_id),
        payload=kept,
        client=told,
        started_at=body.started_at,
        answered_at=body.answered_at,
        received_at=now,
        rt_ms=body.rt_ms,
        late=late,
    )
    site.openings.store_now()
    if not await site.store.save_due(new):
        return await _refused(site, visit, asked, body) if fresh else None
    site.sessions.note_answer(visit.session, visit.pages, asked, now)
    if asked.kind == "questionnaire" or visit.current is None:
        await site.settle(visit, payload if asked.kind == "questionnaire" else None)
    message = "stale.kept" if late else "stale.replaced" if unseen else None
    return _receipt(following, site.messages(message) if message else None, late=late or None)


async def _refused(site: Site, visit: Visit, asked: Page, body: AnswerBody) -> Response | None:
    """Why an answer was not stored: its id is taken, or something has changed in between, which is to be read again."""
    owner = await site.store.asynchronously(site.store.owner_of, str(body.answer_id))
    if owner is None:
        return None
    await _confirm_writable(site)
    if owner != (visit.participant.id, asked.key):
        return _receipt(visit.url(asked.number), site.messages("page.error"), 409)  # to be answered with a new id
    counts = await site.store.asynchronously(site.store.latest, visit.participant.id, asked.key)
    following = visit.url(asked.number + 1)
    if counts is not None and counts.answer_id != str(body.answer_id):  # stored earlier, but never counted, or no more
        return _receipt(following, site.messages("stale.kept"), late=True)
    return _receipt(following)


async def _confirm_writable(site: Site) -> None:
    """Called before an answer is acknowledged that was found stored: it may be in a file that was moved away.

    Raises:
        StoreError: the store cannot be written.
    """
    if site.store.trouble is not None:
        await site.store.asynchronously(site.store.probe)


async def _validated(site: Site, asked: Page, payload: Payload, before: StoredAnswer | None) -> Payload:
    """The answer in the form in which it is stored; only a questionnaire may have to look up something for that."""
    earlier = before.payload if before is not None else None
    if asked.kind != "questionnaire":
        return validate_answer(site, asked, payload, _no_email, earlier)
    process_email = partial(_process_email, site)
    return await site.store.asynchronously(validate_answer, site, asked, payload, process_email, earlier)


def _no_email(_field: EmailField, _email: str) -> Mapping[str, Any]:
    raise AssertionError("only a questionnaire asks for addresses")


def _receipt(following: str, message: str | None = None, status: int = 200, *, late: bool | None = None) -> Response:
    found: dict[str, Any] = {"next": following}  # as in `AnswerReceipt`
    if message is not None:
        found["message"] = message
    if late is not None:
        found["late"] = late
    return Response(_AS_JSON(found), status, media_type="application/json")


_AS_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def validate_answer(
    site: Site,
    asked: Page,
    payload: Payload,
    process_email: questionnaire.EmailProcessor,
    earlier: Payload | None = None,
) -> Payload:
    """Validate an answer and bring it into the form in which it is stored.

    Args:
        site: The study.
        asked: The page.
        payload: What the browser sent.
        process_email: Turns an e-mail address into what is stored of it.
        earlier: The earlier answer to this page, if any.

    Raises:
        AnswerError: Something is wrong or missing.
    """
    match asked.kind:
        case "consent":
            if payload.get("agreed") is not True:
                raise AnswerError({"agreed": "consent.missing"})
            return {"agreed": True}
        case "questionnaire":
            return questionnaire.read(site.study.file.questionnaire, payload, process_email, earlier)
        case "trial" if asked.trial is not None:
            block = site.study.block(asked.block)
            return block.task.read(asked.trial, payload)
        case _:
            return {}


def _process_email(site: Site, field: EmailField, email: str) -> Mapping[str, Any]:
    # Each study hashes with its own key, so this can be checked only while the address itself is known.
    named = [other for rule in site.study.rules if isinstance(rule, TookPartElsewhere) for other in rule.studies]
    elsewhere = [other for other in dict.fromkeys(named) if _took_part(email, site.study.directory / other)]
    return stored_email(email, site.store.secret("email"), barred=field.exclude, elsewhere=elsewhere)


def _took_part(email: str, directory: Path) -> bool:
    try:
        return took_part_in(email, directory)
    except StoreError as error:  # a problem of another study must not lose an answer of this one
        _LOG.warning("cannot check participation in another study: %s", error)
        return False


def field_errors(site: Site, asked: Page, error: AnswerError) -> Response:
    """The reply with a message for each invalid field."""
    return _invalid({name: _message(site, asked, name, key) for name, key in error.fields.items()})


def busy() -> Response:
    """The reply where the store could not take an answer; the browser keeps it and sends it again."""
    reply = _refusal(503, "the answer could not be stored; send it again")
    reply.headers["Retry-After"] = "5"
    return reply


def no_such_page() -> Response:
    """The reply for a page that does not exist."""
    return _refusal(404, "there is no such page")


def _message(site: Site, asked: Page, name: str, key: str) -> str:
    fields = site.study.file.questionnaire if asked.kind == "questionnaire" else []
    field = next((field for field in fields if field.name == name), None)
    return site.messages(key, **questionnaire.message_values(field))


def _invalid(errors: Mapping[str, str]) -> Response:
    return JSONResponse(FieldErrors(errors=dict(errors)).model_dump(), 422)


def _refusal(status: int, detail: str) -> Response:
    return JSONResponse(Refusal(detail=detail).model_dump(), status)
