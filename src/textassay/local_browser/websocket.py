"""A WebSocket client (RFC 6455) that is just enough to speak with a browser on this machine."""

from __future__ import annotations

import base64
import os
import socket
import struct
from urllib.parse import urlsplit

_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA
_LAST = 0x80
_MASKED = 0x80
_SHORT, _LONG, _VERY_LONG = 125, 126, 127


class WebSocket:
    """A connection; `OSError` and `TimeoutError` pass through."""

    def __init__(self, address: str, seconds: float) -> None:
        """Args: an address that begins with ws:, and the longest time to wait for anything."""
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 80), seconds)
        self._received = bytearray()
        try:
            self._upgrade(parts.netloc, parts.path)
        except BaseException:
            self.close()
            raise

    def _upgrade(self, host: str, path: str) -> None:
        """From HTTP to WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "",
        )  # fmt: skip
        self._socket.sendall("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self._received:
            self._receive()
        head, _, rest = bytes(self._received).partition(b"\r\n\r\n")
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise ConnectionError("the other side does not speak WebSocket")
        self._received = bytearray(rest)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def send(self, text: str, seconds: float) -> None:
        """Send a message."""
        self._socket.settimeout(seconds)
        self._frame(_TEXT, text.encode())

    def receive(self, seconds: float) -> str:
        """The next message, waiting at most that long for each part of it."""
        self._socket.settimeout(seconds)
        message = bytearray()
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == _LONG:
                (size,) = struct.unpack(">H", self._take(2))
            elif size == _VERY_LONG:
                (size,) = struct.unpack(">Q", self._take(8))
            content, kind = self._take(size), first & 0x0F
            if kind == _CLOSE:
                raise ConnectionError("the connection was closed")
            if kind == _PING:
                self._frame(_PONG, content)
            elif kind != _PONG:
                message += content
                if first & _LAST:
                    return message.decode()

    def _frame(self, kind: int, content: bytes) -> None:
        """Send a frame; those of a client are masked."""
        if len(content) <= _SHORT:
            size = struct.pack(">B", _MASKED | len(content))
        elif len(content) < 1 << 16:
            size = struct.pack(">BH", _MASKED | _LONG, len(content))
        else:
            size = struct.pack(">BQ", _MASKED | _VERY_LONG, len(content))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))
        self._socket.sendall(bytes([_LAST | kind]) + size + mask + masked)

    def _take(self, size: int) -> bytes:
        while len(self._received) < size:
            self._receive()
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def _receive(self) -> None:
        received = self._socket.recv(1 << 16)
        if not received:
            raise ConnectionError("the connection was closed")
        self._received += received
