"""Taking an answer: checked, stored, and acknowledged only when it is on disk."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from textassay.answers.elsewhere import took_part
from textassay.answers.emails import kept
from textassay.answers.records import NewAnswer
from textassay.answers.store import AnswerIdTaken
from textassay.errors import AnswerError, StoreError
from textassay.screening.took_part_elsewhere import TookPartElsewhere
from textassay.serve import questionnaire, session
from textassay.serve.body import AnswerBody, FieldErrors, Refusal, Stored, limited_body, read_answer
from textassay.serve.session import Page
from textassay.serve.site import Site, Visit
from textassay.study.model import EmailField
from textassay.tasks.contract import Payload

_LOG = logging.getLogger(__name__)


async def received(request: Request, site: Site) -> AnswerBody | Response:
    """The answer that a request holds, or why there is none."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _refused(415, "send application/json")
    raw = await limited_body(request)
    if raw is None:
        return _refused(413, "the answer is too large")
    try:
        return read_answer(raw)
    except ValidationError:
        return _wrong({"": site.messages("page.error")})


async def answer(request: Request, site: Site) -> Response:
    """Take an answer to a page."""
    body = await received(request, site)
    if isinstance(body, Response):
        return body
    token = request.path_params["token"]
    async with site.turn(token):
        visit = await site.visit(token)
        asked = next((page for page in visit.pages if page.key == body.page), None) if visit else None
        if visit is None or asked is None:
            return no_such_page()
        return await _taken(site, visit, asked, body)


async def _taken(site: Site, visit: Visit, asked: Page, body: AnswerBody) -> Response:
    """Store the answer if it is due. One that comes again is acknowledged again; any other is shown the way on."""
    reply = JSONResponse(Stored(next=visit.url(asked.number + 1)).model_dump())
    before = visit.answers.get(asked.key)
    if before is not None and before.answer_id == str(body.answer_id):
        return reply
    may_go_back = site.study.file.participants.may_go_back
    due = session.may_open(asked, visit.current, may_go_back=may_go_back)
    if visit.participant.status != "active" or not due:
        return JSONResponse(Stored(next=visit.base).model_dump(), 409)
    try:
        earlier = before.payload if before is not None else None
        keep = partial(_kept_email, site)
        payload = await site.store.asynchronously(checked, site, asked, body.payload, keep, earlier)
    except AnswerError as error:
        return wrong_fields(site, asked, error)
    # Somebody who looks back and changes nothing has not answered again.
    refusal = None if before is not None and before.payload == payload else await _store(site, visit, body, payload)
    if refusal is not None:
        return refusal
    if asked.kind == "questionnaire" or asked.number == len(visit.pages):
        await site.visit(visit.token)  # which may be the end: an answer excludes, or all pages are passed
    return reply


async def _store(site: Site, visit: Visit, body: AnswerBody, payload: Payload) -> Response | None:
    """Store an answer; says why it could not be."""
    try:
        await site.store.asynchronously(site.store.save, visit.participant.id, _new(body, payload), now=site.clock())
    except AnswerIdTaken:
        return _refused(409, "this id belongs to another answer")
    except StoreError:
        return _refused(503, "the answer could not be stored; send it again")
    return None


def checked(
    site: Site, asked: Page, payload: Payload, keep: questionnaire.Keep, earlier: Payload | None = None
) -> Payload:
    """The answer in the form in which it is kept.

    Args:
        site: The study.
        asked: The page.
        payload: What the browser sent.
        keep: Turns an e-mail address into what is kept of it.
        earlier: What was answered before, where the answer is being changed.

    Raises:
        AnswerError: something in it is wrong or missing.
    """
    match asked.kind:
        case "consent":
            if payload.get("agreed") is not True:
                raise AnswerError({"agreed": "consent.missing"})
            return {"agreed": True}
        case "questionnaire":
            return questionnaire.read(site.study.file.questionnaire, payload, keep, earlier)
        case "trial" if asked.trial is not None:
            block = site.study.block(asked.block)
            return block.task.read(asked.trial, payload)
        case _:
            return {}


def _kept_email(site: Site, field: EmailField, email: str) -> Mapping[str, Any]:
    # The other study's key makes other hashes, so this can be found out only while the address is there.
    named = [other for rule in site.study.rules if isinstance(rule, TookPartElsewhere) for other in rule.studies]
    elsewhere = [other for other in dict.fromkeys(named) if _took_part(email, site.study.directory / other)]
    return kept(email, site.store.secret("email"), barred=field.exclude, elsewhere=elsewhere)


def _took_part(email: str, directory: Path) -> bool:
    try:
        return took_part(email, directory)
    except StoreError as error:  # another study's trouble must not cost this one an answer
        _LOG.warning("who took part elsewhere is not known: %s", error)
        return False


def _new(body: AnswerBody, payload: Payload) -> NewAnswer:
    return NewAnswer(
        answer_id=str(body.answer_id),
        page=body.page,
        payload=payload,
        started_at=body.started_at,
        answered_at=body.answered_at,
        rt_ms=body.rt_ms,
        client=body.client,
    )


def wrong_fields(site: Site, asked: Page, error: AnswerError) -> Response:
    """What is wrong, beside each field."""
    return _wrong({name: _message(site, asked, name, key) for name, key in error.fields.items()})


def no_such_page() -> Response:
    """Nobody is asked this."""
    return _refused(404, "there is no such page")


def _message(site: Site, asked: Page, name: str, key: str) -> str:
    fields = site.study.file.questionnaire if asked.kind == "questionnaire" else []
    field = next((field for field in fields if field.name == name), None)
    return site.messages(key, **questionnaire.message_values(field))


def _wrong(errors: Mapping[str, str]) -> Response:
    return JSONResponse(FieldErrors(errors=dict(errors)).model_dump(), 422)


def _refused(status: int, detail: str) -> Response:
    return JSONResponse(Refusal(detail=detail).model_dump(), status)
