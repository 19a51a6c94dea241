"""HTTP as this server speaks it: uvicorn's, with bounds on the size of a request's headers and on the time it takes.

uvicorn waits for a request for ever and keeps headers of any size. A client that sends one byte per second, by intent
or over a dying connection, would hold its connection and its memory as long as it likes.
"""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import Any, Literal

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 32 * 1024
"""Bytes of a request's first line and headers; browsers send about 1,000, and no more than 16,000 with all cookies."""
SECONDS: dict[str, float] = {"head": 20.0, "body": 60.0}
"""Seconds in which a client must have sent the headers, from the first byte on, and then the body."""
_AROUND = len(": \r\n")
_QUIET = ("Invalid HTTP request received.", "Unsupported upgrade request.", "No supported WebSocket library")
Stage = Literal["head", "body"]


class _HeadWithBody:
    """A transport that sends the head of a reply together with the body that follows it: one packet, not two."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held = b""

    def write(self, data: bytes) -> None:
        """Send, at the end of this turn of the event loop at the latest."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data:
            self._held = data
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        """Close the connection after what was written."""
        self._send()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class BoundedProtocol(HttpToolsProtocol):
    """One connection. A request that arrives in one piece, as nearly all do, needs no timer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._stage: Stage = "head"
        self._received = 0  # of the request that is incomplete; nothing once it is complete
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected; it must say something."""
        joined: Any = _HeadWithBody(transport, self.loop)
        super().connection_made(joined)
        self._wait_for("head")

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, by either side."""
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived, then see whether more has to come, and how soon."""
        before = self._stage
        self._received += len(data)
        super().data_received(data)
        if not self._received:
            if self._deadline is not None:
                self._cancel_deadline()
        elif self._stage == "head" and self._received > LARGEST_HEAD:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._deadline is None or self._stage != before:
            self._wait_for(self._stage)

    def on_headers_complete(self) -> None:
        """The request's headers are there, so that it can be handled; its body may follow."""
        self._stage = "body"
        if self._received > LARGEST_HEAD and self._head_size() > LARGEST_HEAD:
            self.app = _too_large  # ends the connection
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is there; what follows is the head of the next one."""
        self._stage, self._received = "head", 0
        super().on_message_complete()

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + _AROUND for name, value in self.headers)

    def _wait_for(self, stage: Stage) -> None:
        self._cancel_deadline()
        self._deadline = self.loop.call_later(SECONDS[stage], self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Say why, if no reply has begun, and end the connection."""
        self._cancel_deadline()
        if self.transport.is_closing():
            return
        if self._received and (self.cycle is None or self.cycle.response_complete or not self.cycle.response_started):
            line = f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(line.encode())
        self.transport.close()


async def _too_large(_scope: Scope, _receive: Receive, send: Send) -> None:
    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    headers = [(b"connection", b"close"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body"})


class QuietAboutClients(logging.Filter):
    """Leaves out of uvicorn's log what is wrong with a client and not with the server."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is logged."""
        return not str(record.msg).startswith(_QUIET)
