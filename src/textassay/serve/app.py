"""The web application: every address in one table, and what surrounds them all.

Site (study, plan, store) → ENDPOINTS → handlers → templates
around it: AccessLog (no links) · ProtectiveHeaders (every reply, errors included)
"""

from __future__ import annotations

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from textassay.serve import answering, assets, board, joining, media, visiting
from textassay.serve.access_log import AccessLog
from textassay.serve.body import AnswerBody, FieldErrors, Health, Refusal, Stored
from textassay.serve.endpoint import Endpoint
from textassay.serve.openapi import describe
from textassay.serve.overview import Overview
from textassay.serve.protection import ProtectiveHeaders
from textassay.serve.site import Site

Replies = dict[int, type[BaseModel] | str]
PAGE: Replies = {200: "text/html", 404: "text/html"}
ON: Replies = {**PAGE, 303: ""}
FILE: Replies = {200: "*/*", 404: "text/html"}
JSON: Replies = {200: "application/json", 404: "text/html"}
ANSWER: Replies = {200: Stored, 404: Refusal, 409: Stored, 413: Refusal, 415: Refusal, 422: FieldErrors, 503: Refusal}


async def health(_request: Request, _site: Site) -> Response:
    """Whether the server is there."""
    return JSONResponse(Health(status="ok").model_dump())


async def description(_request: Request, _site: Site) -> Response:
    """The OpenAPI description of this table."""
    return JSONResponse(describe(ENDPOINTS))


ENDPOINTS: tuple[Endpoint, ...] = (
    # those who want to take part
    Endpoint("GET", "/join/{key}", joining.start, "Start page", PAGE),
    Endpoint("POST", "/join/{key}", joining.join, "Begin", ON),
    # those who take part
    Endpoint("GET", "/p/{token}", visiting.entrance, "To the page that is due, or the last word", ON),
    Endpoint("POST", "/p/{token}/answers", answering.answer, "Answer a page", ANSWER, AnswerBody),
    Endpoint("GET", "/p/{token}/withdraw", visiting.ask_withdrawal, "Ask before withdrawing", ON),
    Endpoint("POST", "/p/{token}/withdraw", visiting.withdraw, "Withdraw", ON),
    Endpoint("GET", "/p/{token}/media/{name}", media.media, "An image of the study", FILE),
    Endpoint("GET", "/p/{token}/{number}", visiting.page, "One page", ON),
    # the researcher
    Endpoint("GET", "/board/status.json", board.status, "State of the study", {200: Overview}, for_researcher=True),
    Endpoint("GET", "/board/export.zip", board.export, "All tables", FILE, for_researcher=True),
    Endpoint("GET", "/board/{token}", board.enter, "Enter the board", ON),
    Endpoint("GET", "/board", board.board, "The board", PAGE, for_researcher=True),
    Endpoint("GET", "/openapi.json", description, "This description", JSON, for_researcher=True),
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
