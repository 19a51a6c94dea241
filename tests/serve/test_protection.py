"""Headers on every reply; requests from other sites are told apart."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest

from textassay.serve.protection import is_foreign, policy

PLACES = ["/health", "/no/such/place", "/p/x", "/board", "/static/x/page.js", "/tasks/none/view.js", "/openapi.json"]


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
@pytest.mark.parametrize("path", PLACES)
def test_every_reply_is_protected(small: Any, path: str, method: str) -> None:
    headers = small.client().request(method, path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-embedder-policy"] == "require-corp"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "permissions-policy" in headers
    assert "server" not in headers


def test_policy_opens_only_what_it_is_told_to() -> None:
    usual = dict(part.split(" ", 1) for part in policy().split("; "))
    assert (usual["form-action"], usual["frame-ancestors"]) == ("'self'", "'none'")
    opened = policy(framed_by=["https://a.example"], forms_to=["https://b.example"])
    wider = dict(part.split(" ", 1) for part in opened.split("; "))
    assert (wider["form-action"], wider["frame-ancestors"]) == ("'self' https://b.example", "https://a.example")
    assert {name for name in usual if usual[name] != wider[name]} == {"form-action", "frame-ancestors"}


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, False),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "same-site"}, True),
        ({"sec-fetch-site": "cross-site", "origin": "http://here.example", "host": "here.example"}, True),
        ({"origin": "http://here.example:8000", "host": "here.example:8000"}, False),
        ({"origin": "http://here.example:8001", "host": "here.example:8000"}, True),
        ({"origin": "null", "host": "here.example"}, False),
        ({"origin": "https://here.example", "host": "127.0.0.1:8000"}, True),
        ({"origin": "https://here.example", "host": "127.0.0.1:8000", "x-forwarded-host": "here.example"}, False),
    ],
)
def test_foreign_requests(headers: dict[str, str], expected: bool) -> None:
    assert is_foreign(headers) is expected


def test_the_declared_address_is_not_foreign() -> None:
    headers = {"origin": "https://here.example", "host": "127.0.0.1:8000"}
    assert not is_foreign(headers, "https://here.example")
    assert is_foreign({**headers, "origin": "https://there.example"}, "https://here.example")
    assert is_foreign({**headers, "sec-fetch-site": "cross-site"}, "https://here.example")


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
