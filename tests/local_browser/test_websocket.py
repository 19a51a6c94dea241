"""The WebSocket client, against frames written by hand after RFC 6455."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from textassay.local_browser.websocket import WebSocket

LONG = "x" * 70_000


@contextmanager
def server(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Accepts one connection, sends the answer after the request, and keeps what came later."""
    came: list[bytes] = []

    def serve() -> None:
        with listener.accept()[0] as connection:
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(4096)
            connection.sendall(answer)
            while received := connection.recv(1 << 20):
                came.append(received)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"ws://127.0.0.1:{listener.getsockname()[1]}/devtools", came
        thread.join()


def unmasked(frame: bytes, head: int) -> bytes:
    """The content of a client's frame whose mask begins at that place."""
    mask, content = frame[head : head + 4], frame[head + 4 :]
    return bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))


UPGRADED = b"HTTP/1.1 101 WebSocket Protocol Handshake\r\nUpgrade: websocket\r\n\r\n"


def test_messages_go_both_ways_whole() -> None:
    parts = b"\x01\x03hel" + b"\x89\x02?!" + b"\x80\x02lo"  # text, a ping between, the last part of the text
    long = b"\x81\x7f" + len(LONG).to_bytes(8, "big") + LONG.encode()
    middle = b"\x81\x7e" + (300).to_bytes(2, "big") + b"y" * 300
    with server(UPGRADED + parts + long + middle) as (address, came):
        client = WebSocket(address, 5)
        assert client.receive(5) == "hello"
        assert client.receive(5) == LONG
        assert client.receive(5) == "y" * 300
        client.send("short", 5)
        client.send("z" * 200, 5)
        client.send(LONG, 5)
        client.close()
    sent = b"".join(came)
    pong, short, middle = sent[:8], sent[8:19], sent[19:227]
    assert (pong[:2], unmasked(pong, 2)) == (b"\x8a\x82", b"?!")
    assert (short[:2], unmasked(short, 2)) == (b"\x81\x85", b"short")
    assert (middle[:4], unmasked(middle, 4)) == (b"\x81\xfe\x00\xc8", b"z" * 200)
    assert (sent[227:229], unmasked(sent[227:], 10)) == (b"\x81\xff", LONG.encode())


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "does not speak WebSocket"),
        (UPGRADED + b"\x88\x00", "the connection was closed"),
    ],
)
def test_a_refusal_and_a_farewell_are_errors(answer: bytes, problem: str) -> None:
    def talk(address: str) -> None:
        client = WebSocket(address, 5)
        try:
            client.receive(5)
        finally:
            client.close()

    with server(answer) as (address, _), pytest.raises(ConnectionError, match=problem):
        talk(address)


def test_silence_ends_in_a_timeout() -> None:
    with server(UPGRADED) as (address, _):
        client = WebSocket(address, 5)
        with pytest.raises(TimeoutError):
            client.receive(0.05)
        client.close()
