"""The web application: all routes in one table.

Site (study, plan, store) → ENDPOINTS → handlers → templates; `application.py` connects them.
"""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from textassay.serve import answering, assets, joining, visiting
from textassay.serve.answering import AnswerBody, AnswerReceipt, FieldErrors, Health, Refusal
from textassay.serve.application import Application
from textassay.serve.board import downloads, links, pages, preview, slots
from textassay.serve.board.links import CancelledInvitation, NewInvitations
from textassay.serve.board.overview import BoardOverview
from textassay.serve.board.pages import ParticipantList
from textassay.serve.board.slots import ReleasedSlot
from textassay.serve.endpoint import Endpoint, describe_api
from textassay.serve.joining import StartForm
from textassay.serve.site import Site

Replies = dict[int, type[BaseModel] | str]
PAGE: Replies = {200: "text/html", 404: "text/html"}
ON: Replies = {**PAGE, 303: ""}
FILE: Replies = {200: "*/*", 404: "text/html"}
JSON: Replies = {200: "application/json", 404: "text/html"}
DATA: Replies = {**FILE, 409: "text/plain"}
JOINED: Replies = {**ON, 413: "text/html", 429: "text/html"}
FORM = "application/x-www-form-urlencoded"
NAMES: Replies = {**ON, 422: "text/html"}
REFUSALS: Replies = {404: Refusal, 413: Refusal, 415: Refusal, 422: FieldErrors}
ANSWER: Replies = {200: AnswerReceipt, 409: AnswerReceipt, 503: Refusal, **REFUSALS}
_CLIENT_GONE = 499
"""The status that nginx logs for a client that has left; no client ever sees it."""
CHECKED: Replies = {200: preview.PreviewReceipt, **REFUSALS}


async def health(_request: Request, site: Site) -> Response:
    """Whether the server is running, and can store answers, of which it makes sure."""
    await site.database.look()
    trouble = site.store.trouble
    status = "ok" if trouble is None else trouble.kind.name
    return JSONResponse(Health(status=status, key=site.key).model_dump(), 200 if trouble is None else 503)


async def description(_request: Request, _site: Site) -> Response:
    """The OpenAPI description of the routes."""
    return JSONResponse(describe_api(ENDPOINTS))


ENDPOINTS: tuple[Endpoint, ...] = (
    # participants, first since routes are tried in this order and nearly all requests are theirs
    Endpoint("POST", "/p/{token}/answers", answering.answer, "Answer a page", ANSWER, AnswerBody),
    Endpoint("GET", "/p/{token}/{number:int}", visiting.page, "One page", ON, framed=True),
    Endpoint(
        "GET", "/p/{token}", visiting.entrance, "Redirect to the start, the current page or the end", ON, framed=True
    ),
    Endpoint("POST", "/p/{token}", joining.join_invited, "Start with a personal link", ON, framed=True),
    Endpoint("GET", "/p/{token}/withdraw", visiting.ask_withdrawal, "Confirm withdrawal", ON, framed=True),
    Endpoint("POST", "/p/{token}/withdraw", visiting.withdraw, "Withdraw", ON, framed=True),
    Endpoint("GET", "/p/{token}/media/{name}", assets.media, "An image of the study", FILE),
    # joining
    Endpoint("GET", "/join/{key}", joining.start, "Start page", PAGE, framed=True),
    Endpoint(
        "POST", "/join/{key}", joining.join, "Start, or return from a platform", JOINED, StartForm, FORM, framed=True
    ),
    # the researcher
    *(
        replace(endpoint, for_researcher=True)
        for endpoint in (
            Endpoint("GET", "/board", pages.board, "The board", PAGE),
            Endpoint("GET", "/board/status.json", pages.status, "State of the study", {200: BoardOverview}),
            Endpoint("POST", "/board/pause", pages.pause, "Pause recruiting", ON),
            Endpoint("POST", "/board/resume", pages.resume, "Resume recruiting", ON),
            Endpoint("GET", "/board/participants", pages.people, "List of participants", PAGE),
            Endpoint(
                "GET", "/board/participants.json", pages.people_json, "Participants as JSON", {200: ParticipantList}
            ),
            Endpoint("GET", "/board/slots", slots.slots, "Slots of the plan", PAGE),
            Endpoint("POST", "/board/slots/release", slots.release, "Release a slot", ON, ReleasedSlot, body_type=FORM),
            Endpoint("GET", "/board/links", links.links, "Links for participants", PAGE),
            Endpoint(
                "POST", "/board/links", links.invite, "Create personal links", NAMES, NewInvitations, body_type=FORM
            ),
            Endpoint(
                "POST",
                "/board/links/take-back",
                links.take_back,
                "Cancel an invitation",
                NAMES,
                CancelledInvitation,
                body_type=FORM,
            ),
            Endpoint("POST", "/board/links/close-old", links.close_old, "Close links of an earlier release", ON),
            Endpoint("GET", "/board/links.csv", links.links_csv, "Personal links as a table", FILE),
            Endpoint("GET", "/board/preview", preview.choose, "Redirect to the preview of a slot", ON),
            Endpoint("GET", "/board/preview/{slot}", preview.contents, "Pages of a slot to preview", PAGE),
            Endpoint("POST", "/board/preview/{slot}/answers", preview.answer, "Check an answer", CHECKED, AnswerBody),
            Endpoint("GET", "/board/preview/{slot}/media/{name}", preview.image, "An image in a preview", FILE),
            Endpoint("GET", "/board/preview/{slot}/{place}", preview.show, "A page as participants see it", PAGE),
            Endpoint("GET", "/board/export.zip", downloads.export, "All tables", DATA),
            Endpoint("GET", "/board/tables/{name}", downloads.table, "One table", DATA),
            Endpoint("GET", "/openapi.json", description, "This description", JSON),
        )
    ),
    Endpoint("GET", "/board/{token}", pages.enter, "Enter the board", ON),
    # public
    Endpoint("GET", "/static/{version}/{name}", assets.static, "A script or style", FILE),
    Endpoint("GET", "/tasks/{task}/view.js", assets.task_script, "The script of a task", FILE),
    Endpoint("GET", "/health", health, "Whether the server is running", {200: Health, 503: Health}),
)


def create_app(site: Site) -> ASGIApp:
    """The application that serves a study; its store must stay open while the application runs."""
    return Application(site, ENDPOINTS)
