"""A small browser: keeps its connection, follows redirects, fetches what a page needs, tries again when it must."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urljoin, urlsplit

from textassay.errors import TextassayError

_WAITS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between tries."""
_PATIENCE = 30.0
_BUSY = (408, 429, 500, 502, 503, 504)
_MOST_REDIRECTS = 5
_IMPORT = re.compile(r"""^import\s.*?["'](\.[^"']+)["']""", re.MULTILINE)
_TAG = re.compile(r"""<(form|img|link|script)\b((?:[^>"]|"[^"]*")*)>""")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


@dataclass
class HtmlPage:
    """What a page holds for whoever answers it."""

    address: str
    data: dict[str, Any] | None = None
    """What the page's script is told (`data-page`); nothing where there is nothing to answer."""
    action: str = ""
    """Where its form goes."""
    needs: list[str] = field(default_factory=list)
    """Scripts, styles and images."""


@dataclass(frozen=True)
class Reply:
    """What the server said."""

    status: int
    body: bytes
    location: str = ""


class _UnreachableError(TextassayError):
    """The server did not answer."""


class Browser:
    """One person's browser, on one server."""

    def __init__(self, base: str, cached: set[str] | None = None) -> None:
        """Args: an address on the server; what need not be fetched any more, which is added to."""
        parts = urlsplit(base)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.netloc, timeout=_PATIENCE)
        self._cached: set[str] = set() if cached is None else cached

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def open(self, address: str) -> HtmlPage:
        """A page with all that it needs, redirects followed."""
        for _ in range(_MOST_REDIRECTS):
            reply = self._ask("GET", address)
            if reply.status not in (301, 302, 303, 307, 308):
                break
            address = urljoin(address, reply.location)
        if reply.status != 200:
            raise TextassayError(f"a page of the study came with status {reply.status}; is the server well?")
        page = read_page(reply.body.decode("utf-8"), address)
        for needed in page.needs:
            self._fetch(needed)
        return page

    def submit(self, page: HtmlPage) -> Reply:
        """Press the button of a form without fields."""
        return self._once("POST", page.action, b"", "application/x-www-form-urlencoded")

    def send(self, address: str, body: Mapping[str, Any]) -> Reply:
        """Send JSON, again and again until it is acknowledged."""
        return self._ask("POST", address, json.dumps(body).encode(), "application/json")

    def _fetch(self, address: str) -> None:
        """Fetch a script with what it imports, a style or an image; once, for browsers keep them."""
        if address in self._cached:
            return
        self._cached.add(address)
        reply = self._ask("GET", address)
        if reply.status != 200:
            raise TextassayError(f"{urlsplit(address).path} came with status {reply.status}; is the server well?")
        if urlsplit(address).path.endswith(".js"):
            for imported in _IMPORT.findall(reply.body.decode("utf-8")):
                self._fetch(urljoin(address, imported))

    def _ask(self, method: str, address: str, body: bytes | None = None, content_type: str = "") -> Reply:
        """Ask until there is a reply. Only for what may be asked twice: pages, and answers, which carry an id."""
        for wait in _WAITS:
            try:
                reply = self._once(method, address, body, content_type)
                if reply.status not in _BUSY:
                    return reply
            except _UnreachableError:
                pass
            time.sleep(wait)
        return self._once(method, address, body, content_type)

    def _once(self, method: str, address: str, body: bytes | None, content_type: str) -> Reply:
        try:
            self._connection.request(method, address, body, {"Content-Type": content_type} if content_type else {})
            response = self._connection.getresponse()
            return Reply(response.status, response.read(), response.headers.get("Location", ""))
        except (OSError, HTTPException) as error:
            self._connection.close()  # the next request opens a new one
            raise _UnreachableError(f"the server cannot be reached ({error}); start it and try again") from None


def read_page(html: str, address: str) -> HtmlPage:
    """What a page holds for whoever answers it. The pages are our own, with all values of attributes in quotes.

    >>> page = read_page('<form action="/a" data-page="{&quot;key&quot;: &quot;consent&quot;}">', "/p/1")
    >>> page.action, page.data
    ('/a', {'key': 'consent'})
    """
    page = HtmlPage(address)
    for tag, written in _TAG.findall(html):
        found = {name: unescape(value) for name, value in _ATTRIBUTE.findall(written)}
        source = found.get("href" if tag == "link" else "src", "")
        if tag != "form" and source:
            page.needs.append(urljoin(address, source))
        elif tag == "form" and not page.action:
            page.action = urljoin(address, found["action"])
            if "data-page" in found:
                page.data = json.loads(found["data-page"])
    if page.data and page.data.get("view"):
        page.needs.append(urljoin(address, page.data["view"]))
    return page
