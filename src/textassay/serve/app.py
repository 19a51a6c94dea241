"""The web application: every address in one table, and what surrounds them all.

Site (study, plan, store) → ENDPOINTS → handlers → templates
around it: AccessLog (no links) · ProtectiveHeaders (every reply, errors included)
"""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from textassay.serve import answering, assets, joining, media, visiting
from textassay.serve.access_log import AccessLog
from textassay.serve.board import downloads, links, pages, people, preview
from textassay.serve.board.links import NewNames, OldName
from textassay.serve.board.overview import Overview
from textassay.serve.board.people import People
from textassay.serve.body import AnswerBody, FieldErrors, Health, Refusal, Stored
from textassay.serve.endpoint import Endpoint
from textassay.serve.openapi import describe
from textassay.serve.protection import ProtectiveHeaders
from textassay.serve.site import Site

Replies = dict[int, type[BaseModel] | str]
PAGE: Replies = {200: "text/html", 404: "text/html"}
ON: Replies = {**PAGE, 303: ""}
FILE: Replies = {200: "*/*", 404: "text/html"}
JSON: Replies = {200: "application/json", 404: "text/html"}
DATA: Replies = {**FILE, 409: "text/plain"}
FORM = "application/x-www-form-urlencoded"
NAMES: Replies = {**ON, 422: "text/html"}
CHECKED: Replies = {200: preview.Checked, 404: Refusal, 413: Refusal, 415: Refusal, 422: FieldErrors}
ANSWER: Replies = {200: Stored, 404: Refusal, 409: Stored, 413: Refusal, 415: Refusal, 422: FieldErrors, 503: Refusal}


async def health(_request: Request, _site: Site) -> Response:
    """Whether the server is there."""
    return JSONResponse(Health(status="ok").model_dump())


async def description(_request: Request, _site: Site) -> Response:
    """The OpenAPI description of this table."""
    return JSONResponse(describe(ENDPOINTS))


ENDPOINTS: tuple[Endpoint, ...] = (
    # those who want to take part
    Endpoint("GET", "/join/{key}", joining.start, "Start page", PAGE, framed=True),
    Endpoint("POST", "/join/{key}", joining.join, "Begin, or come back from a platform", ON, framed=True),
    # those who take part
    Endpoint("GET", "/p/{token}", visiting.entrance, "To the start, the page that is due, or the end", ON, framed=True),
    Endpoint("POST", "/p/{token}", joining.join_invited, "Begin with a personal link", ON, framed=True),
    Endpoint("POST", "/p/{token}/answers", answering.answer, "Answer a page", ANSWER, AnswerBody),
    Endpoint("GET", "/p/{token}/withdraw", visiting.ask_withdrawal, "Ask before withdrawing", ON, framed=True),
    Endpoint("POST", "/p/{token}/withdraw", visiting.withdraw, "Withdraw", ON, framed=True),
    Endpoint("GET", "/p/{token}/media/{name}", media.media, "An image of the study", FILE),
    Endpoint("GET", "/p/{token}/{number}", visiting.page, "One page", ON, framed=True),
    # the researcher
    *(
        replace(endpoint, for_researcher=True)
        for endpoint in (
            Endpoint("GET", "/board", pages.board, "The board", PAGE),
            Endpoint("GET", "/board/status.json", pages.status, "State of the study", {200: Overview}),
            Endpoint("POST", "/board/pause", pages.pause, "Let nobody new begin", ON),
            Endpoint("POST", "/board/resume", pages.resume, "Let people begin again", ON),
            Endpoint("GET", "/board/participants", people.people, "Everybody who has begun", PAGE),
            Endpoint("GET", "/board/participants.json", people.people_json, "The same for programs", {200: People}),
            Endpoint("GET", "/board/slots", pages.slots, "Slots of the plan", PAGE),
            Endpoint("GET", "/board/links", links.links, "Links to pass on", PAGE),
            Endpoint("POST", "/board/links", links.invite, "Make personal links", NAMES, NewNames, body_type=FORM),
            Endpoint(
                "POST",
                "/board/links/take-back",
                links.take_back,
                "Take an invitation back",
                NAMES,
                OldName,
                body_type=FORM,
            ),
            Endpoint("GET", "/board/links.csv", links.links_csv, "Personal links as a table", FILE),
            Endpoint("GET", "/board/preview", preview.choose, "To the pages of a slot", ON),
            Endpoint("GET", "/board/preview/{slot}", preview.contents, "Pages of a slot", PAGE),
            Endpoint("POST", "/board/preview/{slot}/answers", preview.answer, "Check an answer", CHECKED, AnswerBody),
            Endpoint("GET", "/board/preview/{slot}/media/{name}", preview.image, "An image in a preview", FILE),
            Endpoint("GET", "/board/preview/{slot}/{place}", preview.look, "A page as participants see it", PAGE),
            Endpoint("GET", "/board/export.zip", downloads.export, "All tables", DATA),
            Endpoint("GET", "/board/tables/{name}", downloads.table, "One table", DATA),
            Endpoint("GET", "/openapi.json", description, "This description", JSON),
        )
    ),
    Endpoint("GET", "/board/{token}", pages.enter, "Enter the board", ON),
    # everybody
    Endpoint("GET", "/static/{version}/{name}", assets.static, "A script or style", FILE),
    Endpoint("GET", "/tasks/{task}/view.js", assets.task_script, "The script of a task", FILE),
    Endpoint("GET", "/health", health, "Whether the server is there", {200: Health}),
)


def create_app(site: Site) -> ASGIApp:
    """The application that serves a study; its store stays open as long as the application runs."""
    errors = _Errors(site)
    app = Starlette(
        routes=[endpoint.route(site) for endpoint in ENDPOINTS],
        exception_handlers={HTTPException: errors, Exception: errors},
    )
    return AccessLog(ProtectiveHeaders(app))


class _Errors:
    """Error pages in the words of the study."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def __call__(self, _request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        words = "not_found" if status == 404 else "refused" if status < 500 else "server_error"
        headers = dict(getattr(error, "headers", None) or {})
        page = self.site.renderer.page("notice.html", status=status, title=f"{words}.title", text=f"{words}.text")
        page.headers.update(headers)
        return page
