"""Requests that are too slow or too large end, and nobody else notices; clients that leave are no errors."""

from __future__ import annotations

import contextlib
import logging
import re
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from textassay.serve import protocol

SHORT = 0.4


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(protocol.SECONDS, "head", SHORT)
    monkeypatch.setitem(protocol.SECONDS, "body", SHORT)


@contextlib.contextmanager
def connected(served: Any) -> Iterator[socket.socket]:
    url = httpx.URL(served.server.links.base)
    with socket.create_connection((url.host, url.port or 80), timeout=10) as client:
        yield client


def trickled(client: socket.socket, data: bytes = b"x: y\r\n") -> tuple[bytes, float]:
    """Send a little now and then until the server ends it: what it said, and after how many seconds."""
    began = time.monotonic()
    client.settimeout(0.05)
    said = b""
    while time.monotonic() - began < 10:
        with contextlib.suppress(TimeoutError, BrokenPipeError, ConnectionResetError):
            client.sendall(data)
        try:
            received = client.recv(1000)
        except TimeoutError:
            continue
        except ConnectionResetError:
            received = b""
        if not received:
            return said, time.monotonic() - began
        said += received
    raise AssertionError("the server never ended it")


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("start", "more"),
    [
        (b"GET /health HTTP/1.1\r\nhost: h\r\n", b"x: y\r\n"),
        (b"GET /health HTTP/1.1\r\nhost: h\r\nlong: ", b"x"),
        (b"GET /health HTTP/1.1\r\nhost: h\r\n\r\nGET /health HTTP/1.1\r\n", b"x: y\r\n"),
    ],
    ids=["headers", "one header", "headers of a second request"],
)
def test_slow_headers_end(small: Any, start: bytes, more: bytes) -> None:
    with connected(small) as client:
        client.sendall(start)
        said, took = trickled(client, more)
    assert b"HTTP/1.1 408 Request Timeout\r\n" in said
    assert SHORT * 0.8 < took < SHORT + 3


@pytest.mark.usefixtures("short")
def test_a_body_that_never_ends_is_ended(small: Any, person: Any, caplog: pytest.LogCaptureFixture) -> None:
    head = f"POST {person.base}/answers HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\n"
    with caplog.at_level(logging.INFO), connected(small) as client:
        client.sendall(f"{head}content-length: 50000\r\n\r\n".encode())
        said, took = trickled(client, b" ")
    assert said.startswith(b"HTTP/1.1 408 ")
    assert SHORT * 0.8 < took < SHORT + 3
    _no_errors(caplog)
    with connected(small) as client:  # refused already, so the reply is not waited for, but the rest must end too
        client.sendall(f"{head}content-length: 5000000\r\n\r\n".encode())
        said, took = trickled(client, b" ")
    assert said.startswith(b"HTTP/1.1 413 ")
    assert took < SHORT + 3


@pytest.mark.usefixtures("short")
def test_a_connection_that_says_nothing_ends(small: Any) -> None:
    with connected(small) as client:
        began = time.monotonic()
        assert client.recv(100) == b""
    assert time.monotonic() - began < SHORT + 3


@pytest.mark.usefixtures("short")
def test_others_are_served_meanwhile_and_long_after(small: Any) -> None:
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(connected(small)) for _ in range(50)]
        for client in slow:
            client.sendall(b"GET /health HTTP/1.1\r\n")
        usual = small.client()
        assert usual.get("/health").status_code == 200
        time.sleep(SHORT * 2)  # a connection that is kept is not too slow
        assert usual.get("/health").status_code == 200
        assert all(client.recv(100).startswith(b"HTTP/1.1 408 ") for client in slow)


@pytest.mark.parametrize(
    "head",
    [
        b"".join(b"x-%d: %s\r\n" % (number, b"y" * 1000) for number in range(40)),
        b"x: " + b"y" * 40_000 + b"\r\n",
        b"x: y\r\n" * 8_000,
    ],
    ids=["many", "one", "short ones"],
)
@pytest.mark.parametrize("ends", [True, False])
def test_headers_that_are_too_large_are_refused(small: Any, head: bytes, *, ends: bool) -> None:
    with connected(small) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nhost: h\r\n" + head + (b"\r\n" if ends else b""))
        said = client.recv(1000)
    assert said.startswith(b"HTTP/1.1 431 ")


def test_an_address_that_is_too_large_is_refused(small: Any) -> None:
    with connected(small) as client:
        client.sendall(b"GET /health?" + b"x" * 40_000 + b" HTTP/1.1\r\nhost: h\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 431 ")


def test_headers_of_the_largest_browsers_and_large_bodies_are_fine(small: Any, person: Any) -> None:
    assert small.client().get("/health", headers={"cookie": "x" * 16_000}).status_code == 200
    reply = person.send("nowhere", {"comment": "x" * 200_000})
    assert reply.status_code == 404, "read whole, though larger than headers may be"


def test_clients_that_leave_are_no_errors(small: Any, person: Any, caplog: pytest.LogCaptureFixture) -> None:
    board = small.researcher()
    cookie = "; ".join(f"{name}={value}" for name, value in board.cookies.items())
    post = f"POST {person.base}/answers HTTP/1.1\r\nhost: h\r\n"
    json_body = f'{post}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{{"answer_id":'
    with caplog.at_level(logging.INFO):
        for request in (
            json_body,
            post,
            f"GET {person.base}/1 HTTP/1.1\r\nhost: h\r\n\r\n",
            f"GET /board/export.zip HTTP/1.1\r\nhost: h\r\ncookie: {cookie}\r\n\r\n",
            "NONSENSE\r\n\r\n",
            "GET /health HTTP/1.1\r\nhost: h\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
        ):
            for linger in (False, True):
                with connected(small) as client:
                    client.sendall(request.encode())
                    if linger:  # leave in the middle of the reply, without saying so
                        time.sleep(0.05)
                        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        deadline = time.monotonic() + 5
        while not re.search(r"/answers 499 ", caplog.text) and time.monotonic() < deadline:
            time.sleep(0.02)
    assert "POST /p/{token}/answers 499 " in caplog.text
    _no_errors(caplog)
    assert small.client().get("/health").status_code == 200


def _no_errors(caplog: pytest.LogCaptureFixture) -> None:
    assert [record for record in caplog.records if record.levelno > logging.INFO or record.exc_info] == []
