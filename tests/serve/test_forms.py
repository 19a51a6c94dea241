from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request

from textassay.serve.forms import form_fields


def sent(body: bytes) -> Any:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return asyncio.run(form_fields(Request({"type": "http", "method": "POST", "headers": []}, receive)))


def test_fields_of_a_form() -> None:
    assert sent(b"code=p-1&part=2&code=p-2&empty=") == {"code": "p-1", "part": "2"}
    assert sent(b"") == {}
    assert sent(b"name=Zo%C3%AB+M" + b"&other=\xff") == {"name": "Zoë M", "other": "\N{REPLACEMENT CHARACTER}"}


def test_too_many_or_too_large_fields_are_refused() -> None:
    assert sent(b"&".join(b"f%d=1" % number for number in range(101))) is None
    assert sent(b"a=" + b"x" * 10_000_000) is None
