"""The log shows what was asked for, but no link."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest


def test_log_shows_patterns_and_never_a_link(small: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        person = small.join()
        person.pass_pages("quality-1")
        person.open()
        person.client.get(f"/p/{person.token}/nothing/here")
        small.researcher().get("/board/status.json")
    lines = [record.getMessage() for record in caplog.records if record.name == "textassay.access"]
    assert all(re.fullmatch(r"(GET|POST) (-|/[\w/{}:.]+) \d{3} \d+\.\d ms", line) for line in lines)
    asked = {line.rsplit(" ", 2)[0] for line in lines}
    assert {"POST /join/{key} 303", "GET /p/{token}/{number} 200", "POST /p/{token}/answers 200"} <= asked
    assert "GET - 404" in asked
    secrets = [person.token, *(small.server.store.secret(name) for name in ("join", "board", "media", "email"))]
    # httpx is the browser here: what it logs, it logs on the participant's side
    own = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith(("http", "asyncio")))
    assert [secret for secret in secrets if secret in own] == []
    assert "127.0.0.1" not in own
