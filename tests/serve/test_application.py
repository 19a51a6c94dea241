"""From a request to its reply: methods, slashes, other protocols, clients that leave, and faults."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from small_study import write_small_study
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from textassay.answers.store import Store
from textassay.serve.app import ENDPOINTS
from textassay.serve.application import Application
from textassay.serve.endpoint import Endpoint
from textassay.serve.protection import HEADERS
from textassay.serve.site import Site
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


async def fail(_request: Request, _site: Site) -> Response:
    raise RuntimeError("a fault of ours")


async def leave(request: Request, _site: Site) -> Response:
    await request.body()
    raise AssertionError("the client is gone")


async def whisper(request: Request, _site: Site) -> Response:
    return PlainTextResponse(",".join(f"{name}={value!r}" for name, value in request.path_params.items()))


OWN = (
    Endpoint("GET", "/fail", fail, "", {}),
    Endpoint("POST", "/leave", leave, "", {}),
    Endpoint("GET", "/whisper/{name}/{number:int}", whisper, "", {}),
)


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    study = load_study(write_small_study(tmp_path_factory.mktemp("study")))
    with Store.open(study.store_url) as store:
        yield Application(Site(study, stored_plan(study), store), (*ENDPOINTS, *OWN))


class Sent(list[dict[str, Any]]):
    """The messages that the application has sent."""

    @property
    def status(self) -> int:
        return int(self[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self[0]["headers"]}

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self[1:]).decode()


def ask(application: Application, method: str, path: str, *, leaves: bool = False, **more: Any) -> Sent:
    sent = Sent()

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"} if leaves else {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(b"host", b"here")], "server": ("here", 80), "client": ("127.0.0.1", 1), "scheme": "http", **more,
    }  # fmt: skip
    asyncio.run(application(scope, receive, send))
    return sent


def test_head_gets_the_headers_of_get(application: Application) -> None:
    get, head = (ask(application, method, "/health") for method in ("GET", "HEAD"))
    assert (head.status, head.headers) == (get.status, get.headers) == (200, get.headers)
    assert ask(application, "HEAD", "/p/nobody/answers").status == 405


def test_other_methods_are_told_what_is_allowed(application: Application) -> None:
    for method, path, allowed in (
        ("DELETE", "/health", "GET"),
        ("GET", "/p/token/answers", "POST"),
        ("PUT", "/p/token/withdraw", "GET, POST"),
    ):
        reply = ask(application, method, path)
        assert (reply.status, reply.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize("path", ["/health/", "/p/abc/", "/p/abc/3///", "/board/"])
def test_slash_at_the_end_leads_to_the_address_without_it(application: Application, path: str) -> None:
    reply = ask(application, "GET", path, query_string=b"a=1")
    assert (reply.status, reply.headers["location"]) == (307, f"{path.rstrip('/')}?a=1")


@pytest.mark.parametrize("path", ["/", "//", "//evil.example/", "/nowhere/", "/p", "/p/abc/x", "/p/abc/1.5", "/p/a/-1"])
def test_nowhere_is_not_found(application: Application, path: str) -> None:
    reply = ask(application, "GET", path)
    assert reply.status == 404
    assert "text/html" in reply.headers["content-type"]


def test_parameters_of_the_path_are_converted(application: Application) -> None:
    assert ask(application, "GET", "/whisper/a%b ü/07").text == "name='a%b ü',number=7"


def test_every_reply_is_protected(application: Application) -> None:
    for method, path in (("GET", "/health"), ("GET", "/nowhere"), ("PUT", "/health"), ("GET", "/health/")):
        headers = ask(application, method, path).headers
        assert {name.lower() for name in HEADERS} | {"content-security-policy", "cache-control"} <= headers.keys()


def test_other_protocols_are_refused(application: Application) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    asyncio.run(application({"type": "websocket", "path": "/health"}, receive, send))
    assert sent == [{"type": "websocket.close"}]
    asyncio.run(application({"type": "lifespan"}, receive, send))
    assert len(sent) == 1


def test_client_that_leaves_is_no_fault(application: Application, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "textassay.access"):
        assert ask(application, "POST", "/leave", leaves=True) == []
    (record,) = caplog.records
    assert record.levelname == "INFO"
    assert record.getMessage().startswith("POST /leave 499 ")


def test_client_that_leaves_during_an_answer_is_no_fault(application: Application) -> None:
    headers = [(b"host", b"here"), (b"content-type", b"application/json")]
    assert ask(application, "POST", "/p/secret-token/answers", leaves=True, headers=headers) == []


def test_own_fault_is_told_calmly_and_raised_for_the_log(
    application: Application, caplog: pytest.LogCaptureFixture
) -> None:
    sent = Sent()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/fail", "query_string": b"", "headers": []}
    with caplog.at_level(logging.INFO, "textassay.access"), pytest.raises(RuntimeError, match="a fault of ours"):
        asyncio.run(application(scope, receive, send))
    assert sent.status == 500
    assert "a fault of ours" not in sent.text
    assert "content-security-policy" in sent.headers
    assert caplog.records[-1].getMessage().startswith("GET /fail 500 ")


def test_log_names_no_link(application: Application, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        ask(application, "GET", "/p/secret-token/12")
        ask(application, "GET", "/nowhere/secret-token")
    assert [record.getMessage().rsplit(" ", 2)[0] for record in caplog.records] == [
        "GET /p/{token}/{number} 404",
        "GET - 404",
    ]


def test_disconnect_while_the_reply_is_sent_is_no_fault(
    application: Application, caplog: pytest.LogCaptureFixture
) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(_message: Any) -> None:
        raise ClientDisconnect

    scope = {"type": "http", "method": "GET", "path": "/health", "query_string": b"", "headers": []}
    with caplog.at_level(logging.INFO):
        asyncio.run(application(scope, receive, send))
    (record,) = caplog.records
    assert record.levelname == "INFO"
    assert record.getMessage().startswith("GET /health 499 ")
