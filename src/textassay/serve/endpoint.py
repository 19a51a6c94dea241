"""One line of the route table: what is asked for, who answers, and how that is described."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from textassay.serve.protection import CSP, is_foreign, policy

if TYPE_CHECKING:
    from textassay.serve.site import Site

ROUTE = "textassay.route"
"""Where a request keeps the pattern of its route, for the log."""

Handler = Callable[[Request, "Site"], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """What can be asked for."""

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    summary: str
    """For the OpenAPI description."""
    replies: Mapping[int, type[BaseModel] | str]
    """What comes back, by status: a model as JSON, or a media type."""
    body: type[BaseModel] | None = None
    """What a request must hold."""
    body_type: str = "application/json"
    """How it is written."""
    framed: bool = False
    """Whether the recruiting platform may show it in a frame, if it does such things."""
    for_researcher: bool = False
    """Whether it needs the researcher's cookie."""

    def route(self, site: Site) -> Route:
        """The route that serves it."""

        async def handle(request: Request) -> Response:
            request.scope[ROUTE] = self.path
            if self.method == "POST" and is_foreign(request.headers):
                raise HTTPException(403)
            if self.for_researcher and not site.is_researcher(request):
                raise HTTPException(404)  # as if it were not there
            reply = await self.handler(request, site)
            if self.framed and site.platform.framed_by:
                reply.headers.setdefault(CSP, policy(framed_by=site.platform.framed_by))
            return reply

        return Route(self.path, handle, methods=[self.method], name=f"{self.method} {self.path}")
