"""From a request to its reply: find the endpoint, call its handler, add what every reply has, and log it.

Starlette's requests and replies, without its stack of middleware: here each request is touched once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send

from textassay.errors import StoreError
from textassay.serve.endpoint import Endpoint
from textassay.serve.protection import CSP, is_foreign, policy, protect
from textassay.serve.public_address import HSTS
from textassay.serve.site import Site

LOG = logging.getLogger("textassay.access")
_RETRY_SECONDS = 10


class Application:
    """The ASGI application of a study."""

    def __init__(self, site: Site, endpoints: Sequence[Endpoint]) -> None:
        self.site = site
        secure = HSTS if site.address.is_secure else {}
        self._more = [(name.lower().encode(), value.encode()) for name, value in secure.items()]
        self._routes = [(endpoint, *compile_path(endpoint.path)) for endpoint in endpoints]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close"})
            return
        began = time.perf_counter()
        status, pattern = 500, "-"
        try:
            endpoint = self._find(scope)
            pattern = endpoint.pattern if endpoint is not None else "-"
            reply = await self._reply(endpoint, Request(scope, receive, send))
            status = reply.status_code
            protect(reply.raw_headers, self._more)
            await reply(scope, receive, send)
        except ClientDisconnect:
            status = 499  # nobody is there to be told anything
        except Exception as error:
            reply = self._error_page(error)
            protect(reply.raw_headers, self._more)
            if status == 500:  # nothing was sent yet
                await reply(scope, receive, send)
            raise
        finally:
            if LOG.isEnabledFor(logging.INFO):
                # Never a link or an IP address.
                took = 1000 * (time.perf_counter() - began)
                LOG.info("%s %s %d %.1f ms", scope["method"], pattern, status, took)

    def _find(self, scope: Scope) -> Endpoint | None:
        """The endpoint of a request, whose path parameters are then in the scope; None if there is none."""
        method, path, allowed = scope["method"], scope["path"], []
        for endpoint, expression, _, convertors in self._routes:
            found = expression.match(path)
            if found is None:
                continue
            if endpoint.method == method or (method == "HEAD" and endpoint.method == "GET"):
                scope["path_params"] = {
                    name: convertors[name].convert(text) for name, text in found.groupdict().items()
                }
                return endpoint
            allowed.append(endpoint.method)
        if allowed:
            scope["textassay.allowed"] = ", ".join(dict.fromkeys(allowed))
        return None

    async def _reply(self, endpoint: Endpoint | None, request: Request) -> Response:
        try:
            return await self._handled(endpoint, request)
        except HTTPException as error:
            return self._error_page(error)
        except StoreError as error:
            await self.site.database.failed(error)
            return self._trouble_page(error, for_researcher=endpoint is not None and endpoint.for_researcher)

    async def _handled(self, endpoint: Endpoint | None, request: Request) -> Response:
        if endpoint is None:
            return self._nowhere(request)
        if endpoint.method == "POST" and is_foreign(_sent_headers(request.scope), self.site.address.declared):
            self.site.address.refused(request.headers.get("origin", ""))
            raise HTTPException(403)
        if endpoint.for_researcher and not self.site.is_researcher(request):
            raise HTTPException(404)  # as if it did not exist
        reply = await endpoint.handler(request, self.site)
        if endpoint.framed and self.site.platform.framed_by:
            reply.headers.setdefault(CSP, policy(framed_by=self.site.platform.framed_by))
        return reply

    def _nowhere(self, request: Request) -> Response:
        allowed = request.scope.get("textassay.allowed")
        if allowed is not None:
            raise HTTPException(405, headers={"Allow": allowed})
        without_slash = request.scope["path"].rstrip("/")
        if any(expression.match(without_slash) for _, expression, _, _ in self._routes):
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(without_slash + query)  # not with a host: behind a proxy it is another one
        raise HTTPException(404)

    def _trouble_page(self, error: StoreError, *, for_researcher: bool) -> Response:
        """The database fails at the moment: a page that asks for patience and tries again by itself."""
        values = {"title": "trouble.title", "text": "trouble.text", "retry_after": _RETRY_SECONDS}
        detail = str(error) if for_researcher else ""
        page = self.site.renderer.page("notice.html", status=503, detail=detail, **values)
        page.headers["Retry-After"] = str(_RETRY_SECONDS)
        return page

    def _error_page(self, error: Exception) -> Response:
        """What went wrong, in the language of the study."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        words = "not_found" if status == 404 else "refused" if status < 500 else "server_error"
        headers: dict[str, Any] = dict(getattr(error, "headers", None) or {})
        page = self.site.renderer.page("notice.html", status=status, title=f"{words}.title", text=f"{words}.text")
        page.headers.update(headers)
        return page


def _sent_headers(scope: Scope) -> dict[str, str]:
    """The headers of a request, of several of a name the first: Starlette's search all of them for each name."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
