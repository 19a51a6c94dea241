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

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from textassay.answers.emails import stored_email
from textassay.answers.records import AGE, NewAnswer
from textassay.answers.store import AnswerIdTaken
from textassay.answers.study_store import took_part_in
from textassay.errors import AnswerError, StoreError
from textassay.screening.took_part_elsewhere import TookPartElsewhere
from textassay.serve import questionnaire, session
from textassay.serve.session import Page
from textassay.serve.site import Site, Visit
from textassay.study.model import EmailField
from textassay.tasks.contract import Payload

LARGEST_BODY = 256 * 1024

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

    @field_validator("payload", "client")
    @classmethod
    def _plain(cls, value: dict[str, Any]) -> dict[str, Any]:
        # Browsers never write NaN or infinity in JSON, but the parser would accept them.
        try:
            json.dumps(value, allow_nan=False)
        except (RecursionError, TypeError) as error:
            raise ValueError(str(error)) from None
        return value


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
    """Always `ok`."""
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


async def limited_body(request: Request, largest: int = LARGEST_BODY) -> bytes | None:
    """The body of a request; None if it is too large, and then the rest of it is not read."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > largest:
        return None
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > largest:
            return None
        parts.append(part)
    return b"".join(parts)


_LOG = logging.getLogger(__name__)


async def read_body(request: Request, site: Site) -> AnswerBody | Response:
    """The answer in a request, or the reply that says what is wrong with it."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _refusal(415, "send application/json")
    raw = await limited_body(request)
    if raw is None:
        return _refusal(413, "the answer is too large")
    try:
        return parse_answer(raw)
    except ValidationError:
        return _invalid({"": site.messages("page.error")})


async def answer(request: Request, site: Site) -> Response:
    """Receive an answer to a page."""
    body = await read_body(request, site)
    if isinstance(body, Response):
        return body
    token = request.path_params["token"]
    async with site.lock(token):
        visit = await site.visit(token)
        asked = next((page for page in visit.pages if page.key == body.page), None) if visit else None
        if visit is None or asked is None:
            return no_such_page()
        return await _accept(site, visit, asked, body)


async def _accept(site: Site, visit: Visit, asked: Page, body: AnswerBody) -> Response:
    """Store the answer if its page is due. Repeated answers are acknowledged again; others are told what counts.

    Of two devices that answer a page without knowing of each other, the answer that was given later counts, whichever
    arrives first.
    """
    before = visit.answers.get(asked.key)
    following = visit.url(asked.number + 1)
    if before is not None and before.answer_id == str(body.answer_id):
        return _receipt(following)
    may_go_back = site.study.file.participants.may_go_back
    due = session.may_open(asked, visit.current, may_go_back=may_go_back)
    early = due and site.hours_left(visit, asked) > 0
    if visit.participant.status != "active" or not due or early:
        ended = visit.participant.status != "active"
        here = "sitting.early" if early else "stale.answered" if before is not None else "stale.ahead"
        why = "stale.over" if ended else here
        return _receipt(visit.base, site.messages(why), 409)
    try:
        earlier = before.payload if before is not None else None
        process_email = partial(_process_email, site)
        payload = await site.store.asynchronously(validate_answer, site, asked, body.payload, process_email, earlier)
    except AnswerError as error:
        return field_errors(site, asked, error)
    # Going back without changing anything is not a new answer.
    unchanged = before is not None and before.payload == payload
    unseen = before is not None and not unchanged and before.answer_id != str(body.replaces)
    late = before is not None and unseen and site.clock() - timedelta(milliseconds=body.age_ms) < before.given_at
    refusal = None if unchanged else await _store(site, visit, _new(body, payload, late=late))
    if refusal is not None:
        return refusal
    if asked.kind == "questionnaire" or asked.number == len(visit.pages):
        await site.visit(visit.token)  # may end the session: an answer excludes, or all pages are done
    if late:
        return _receipt(following, site.messages("stale.kept"), late=True)
    return _receipt(following, site.messages("stale.replaced") if unseen else None)


def _receipt(following: str, message: str | None = None, status: int = 200, *, late: bool | None = None) -> Response:
    found = AnswerReceipt(next=following, message=message, late=late)
    return JSONResponse(found.model_dump(exclude_none=True), status)


async def _store(site: Site, visit: Visit, new: NewAnswer) -> Response | None:
    """Store an answer; returns a reply only if that failed."""
    try:
        await site.store.asynchronously(site.store.save, visit.participant.id, new, now=site.clock())
    except AnswerIdTaken:
        return _refusal(409, "this id belongs to another answer")
    except StoreError:
        return _refusal(503, "the answer could not be stored; send it again")
    return None


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


def _new(body: AnswerBody, payload: Payload, *, late: bool) -> NewAnswer:
    kept = {AGE: body.age_ms} if body.age_ms else {}
    return NewAnswer(
        answer_id=str(body.answer_id),
        page=body.page,
        payload=payload,
        started_at=body.started_at,
        answered_at=body.answered_at,
        rt_ms=body.rt_ms,
        client={name: value for name, value in body.client.items() if name != AGE} | kept,
        late=late,
    )


def field_errors(site: Site, asked: Page, error: AnswerError) -> Response:
    """The reply with a message for each invalid field."""
    return _invalid({name: _message(site, asked, name, key) for name, key in error.fields.items()})


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
