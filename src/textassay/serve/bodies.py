"""The body of a request, up to a size."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request

LARGEST_BODY = 256 * 1024


async def limited_body(request: Request, largest: int = LARGEST_BODY) -> bytes | None:
    """The body of a request; None if it is too large, and then the rest of it is not read."""
    announced = header(request, b"content-length")
    if announced.isdigit() and int(announced) > largest:
        return None
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > largest:
            return None
    return b"".join(parts)


def header(request: Request, name: bytes) -> bytes:
    """The first header of that name, in lower case; empty if there is none."""
    return next((value for each, value in request.scope["headers"] if each == name), b"")
