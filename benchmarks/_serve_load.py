"""Load on a server of this machine: requests over connections that stay open, and what they cost the server."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop

_TICKS = os.sysconf("SC_CLK_TCK")
_BEFORE_THE_CROWD = 0.2


@dataclass(frozen=True)
class Cost:
    """What a process has used so far."""

    seconds: float
    """Of processor time."""
    switches: int
    """Between threads, wanted or not."""


@dataclass(frozen=True)
class Load:
    """What came of some requests."""

    requests: int
    rate: float
    """Requests per second."""
    median_ms: float
    p95_ms: float
    cpu_ms: float
    """Processor time of the server per request."""
    switches: float
    """Of the server per request."""


def cost_of(process: int) -> Cost:
    """What a process with all its threads has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    switches = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        lines = status.read_text(encoding="utf-8").splitlines()
        switches += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return Cost((int(fields[11]) + int(fields[12])) / _TICKS, switches)


def memory_of(process: int) -> float:
    """Resident memory in MB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Connection(asyncio.Protocol):
    """One open connection: a request, then its reply, then the next."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._reply: asyncio.Future[tuple[int, bytes]] | None = None
        self.is_over = False
        """Whether the server takes no further request over it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.WriteTransport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over = True
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(ConnectionError(f"the server closed the connection ({exc})"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, separator, _ = self._received.partition(b"\r\n\r\n")
        if not separator or self._reply is None:
            return
        lines = head.lower().split(b"\r\n")
        self.is_over |= b"connection: close" in lines
        lengths = [line for line in lines if line.startswith(b"content-length:")]
        end = len(head) + 4 + (int(lengths[0][15:]) if lengths else 0)
        if len(self._received) >= end:
            body = bytes(self._received[len(head) + 4 : end])
            del self._received[:end]
            reply, self._reply = self._reply, None
            reply.set_result((int(head[9:12]), body))

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; its reply's status and body."""
        self._reply = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._reply

    def close(self) -> None:
        """Close it."""
        self._transport.close()


async def opened(port: int, number: int) -> list[Connection]:
    """Open connections to a server of this machine."""
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(Connection, "127.0.0.1", port))[1] for _ in range(number)]


def get(path: str, cookie: str = "") -> bytes:
    """A request for a page."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{_cookie(cookie)}\r\n".encode()


def post(path: str, body: bytes, content_type: str = "application/json", cookie: str = "") -> bytes:
    """A request that sends something."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}"
    return f"{head}\r\n{_cookie(cookie)}\r\n".encode() + body


def _cookie(cookie: str) -> str:
    return f"Cookie: {cookie}\r\n" if cookie else ""


def put_under_load(
    process: int,
    port: int,
    queues: Sequence[Sequence[bytes]],
    *,
    expected: int = 200,
    idle: int = 0,
    crowd: Sequence[bytes] = (),
    second_port: int = 0,
) -> Load:
    """Send each queue of requests over a connection of its own, one after the other, all queues at once.

    Args:
        process: Of the server.
        port: Of the server.
        queues: Requests for each connection.
        expected: The status that every reply must have.
        idle: How many connections are open beside them, without a request.
        crowd: Requests that all arrive at once, each over a connection of its own. The times are then those of the
            requests that were under way with them.
        second_port: Of another server, to which every second connection leads.
    """
    return uvloop.run(_put_under_load(process, (port, second_port or port), queues, expected, idle, crowd))


async def _put_under_load(
    process: int,
    ports: tuple[int, int],
    queues: Sequence[Sequence[bytes]],
    expected: int,
    idle: int,
    crowd: Sequence[bytes],
) -> Load:
    waiting, many = await opened(ports[0], idle), await opened(ports[0], len(crowd))
    connections = [(await opened(ports[number % 2], 1))[0] for number in range(len(queues))]
    times: list[float] = []
    before, began = cost_of(process), time.perf_counter()
    sending = [
        asyncio.ensure_future(_send(ports[number % 2], each, queue, expected, times))
        for number, (each, queue) in enumerate(zip(connections, queues, strict=True))
    ]
    if crowd:
        await asyncio.sleep(_BEFORE_THE_CROWD)
        times.clear()
        await asyncio.gather(*(each.ask(request) for each, request in zip(many, crowd, strict=True)))
        seen, took = list(times), time.perf_counter() - began - _BEFORE_THE_CROWD
        await asyncio.gather(*sending)
        times = seen
    else:
        await asyncio.gather(*sending)
        took = time.perf_counter() - began
    after = cost_of(process)
    for each in (*waiting, *many, *connections):
        each.close()
    n = len(times)
    return Load(
        requests=n,
        rate=n / took,
        median_ms=1000 * statistics.median(times),
        p95_ms=1000 * statistics.quantiles(times, n=20)[-1],
        cpu_ms=1000 * (after.seconds - before.seconds) / n,
        switches=(after.switches - before.switches) / n,
    )


async def _send(port: int, connection: Connection, queue: Sequence[bytes], expected: int, times: list[float]) -> None:
    for request in queue:
        began = time.perf_counter()
        if connection.is_over:
            (connection,) = await opened(port, 1)
        status, body = await connection.ask(request)
        times.append(time.perf_counter() - began)
        if status != expected:
            raise RuntimeError(f"the server replied {status}, not {expected}: {body[:300]!r} to {request[:300]!r}")
