"""Around every request: security headers, refusal of requests from other sites, and an access log without links."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
CSP = "Content-Security-Policy"


def policy(*, framed_by: Sequence[str] = (), forms_to: Sequence[str] = ()) -> str:
    """The content security policy of a page.

    >>> policy(framed_by=["https://a.example"]).rpartition("; ")[2]
    'frame-ancestors https://a.example'

    Args:
        framed_by: Sites that may show it in a frame; none by default.
        forms_to: Further sites to which it may send a form.
    """
    rules = {**POLICY, "form-action": " ".join([POLICY["form-action"], *forms_to])}
    if framed_by:
        rules["frame-ancestors"] = " ".join(framed_by)
    return "; ".join(f"{name} {value}" for name, value in rules.items())


HEADERS: Mapping[str, str] = {
    # These two give pages a clock with a resolution of 0.005 ms instead of 0.1 ms.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_STRICT = policy()
NO_STORE = {"Cache-Control": "no-store"}
ROUTE = "textassay.route"
"""Where a request keeps the pattern of its route, for the log."""
LOG = logging.getLogger("textassay.access")


class ProtectiveHeaders:
    """Adds security headers to every reply, error pages included.

    A handler may set its own cache and content security headers; those are kept.
    """

    def __init__(self, app: ASGIApp, more: Mapping[str, str] = {}) -> None:
        self.app = app
        self.headers = {**HEADERS, **more}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request and add the headers to the reply."""

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                headers.setdefault(CSP, _STRICT)
                headers.setdefault("Cache-Control", NO_STORE["Cache-Control"])
            await send(message)

        await self.app(scope, receive, send_protected)


class AccessLog:
    """Logs method, route pattern, status and milliseconds of every request; never a link or an IP address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request and log it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            took = 1000 * (time.perf_counter() - began)
            LOG.info("%s %s %d %.1f ms", scope["method"], scope.get(ROUTE, "-"), status, took)


def is_foreign(headers: Mapping[str, str], public: str | None = None) -> bool:
    """Whether the request was caused by a page of another site.

    `Origin: null` alone proves nothing: our own forms send it under `Referrer-Policy: no-referrer` over an insecure
    connection. There the secret links and the board's SameSite cookie protect. `public` is the address at which a proxy
    receives requests; a page of another site cannot set the header with which a proxy tells it either.

    >>> is_foreign({"sec-fetch-site": "cross-site"}), is_foreign({"origin": "http://a.example", "host": "b.example"})
    (True, True)
    >>> is_foreign({}), is_foreign({"origin": "http://a.example", "host": "a.example"})
    (False, False)
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin", "null")
    own = (headers.get("host", ""), headers.get("x-forwarded-host", ""))
    return origin not in ("null", public) and urlsplit(origin).netloc not in own
