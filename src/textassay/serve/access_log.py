"""A line for every request: method, pattern of the route, status, milliseconds. Never a link, never an address."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from textassay.serve.endpoint import ROUTE

LOG = logging.getLogger("textassay.access")


class AccessLog:
    """Logs requests by the pattern of their route; what fits no route is logged as `-`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and log how it went."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        finally:
            took = 1000 * (time.perf_counter() - began)
            LOG.info("%s %s %d %.1f ms", scope["method"], scope.get(ROUTE, "-"), status, took)
