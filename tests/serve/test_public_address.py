"""Behind a proxy that ends TLS: links, cookies and headers are right, and a wrong set-up is told, not suffered."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from small_study import write_small_study

from textassay.serve.public_address import PublicAddress
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

PUBLIC = "https://study.example.org"
BEHIND = {"host": "127.0.0.1:8000", "origin": PUBLIC}
"""What a request through a proxy that says nothing of itself looks like, from a browser without Sec-Fetch-Site."""


@contextmanager
def behind(directory: Path, public: str | None) -> Iterator[tuple[ServerThread, httpx.Client]]:
    study = load_study(write_small_study(directory))
    with ServerThread(study, stored_plan(study), public=public) as server:
        base = server.links.listens or server.links.base
        with httpx.Client(base_url=base, verify=False) as client:
            yield server, client


def path_of(link: str) -> str:
    return "/" + link.split("/", 3)[3]


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerThread, httpx.Client]]:
    with behind(tmp_path_factory.mktemp("study"), PUBLIC) as served:
        yield served


def test_links_cookies_and_headers_are_those_of_the_proxy(declared: Any) -> None:
    server, client = declared
    assert server.links.base == PUBLIC
    assert server.links.join[""].startswith(f"{PUBLIC}/join/")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.links.listens)
    start = client.get(path_of(server.links.join[""]), headers=BEHIND)
    assert start.headers["strict-transport-security"] == "max-age=2592000"
    joined = client.post(path_of(server.links.join[""]), headers=BEHIND)
    assert joined.status_code == 303
    assert "; Secure" in joined.headers["set-cookie"]
    entered = client.get(path_of(server.links.board), headers=BEHIND)
    assert "; Secure" in entered.headers["set-cookie"]
    cookie = {"cookie": entered.headers["set-cookie"].partition(";")[0]}
    invited = client.post("/board/links", data={"names": "Ada"}, headers={**BEHIND, **cookie})
    assert invited.status_code == 303
    page = client.get("/board/links", headers={**BEHIND, **cookie}).text
    assert server.links.join[""] in page
    table = client.get("/board/links.csv", headers={**BEHIND, **cookie}).text
    assert f",{PUBLIC}/p/" in table
    assert "127.0.0.1" not in page + table
    assert server.site.address.noticed == {}, "a proxy need not say anything of itself"


def test_forms_of_other_sites_are_refused_still(declared: Any) -> None:
    server, client = declared
    join = path_of(server.links.join[""])
    assert client.post(join, headers={**BEHIND, "origin": "https://evil.example"}).status_code == 403
    assert client.post(join, headers={**BEHIND, "sec-fetch-site": "cross-site"}).status_code == 403


def test_without_a_declaration_everything_is_as_it_was(tmp_path: Path) -> None:
    with behind(tmp_path, None) as (server, client):
        assert server.links.listens == ""
        joined = client.post(path_of(server.links.join[""]))
        assert joined.status_code == 303
        assert "Secure" not in joined.headers["set-cookie"]
        assert "strict-transport-security" not in joined.headers
        # forwarded headers can be sent by anybody: they change nothing, but are told
        forged = {"x-forwarded-proto": "https", "x-forwarded-host": "study.example.org", "x-forwarded-for": "10.0.0.1"}
        seen = client.post(path_of(server.links.join[""]), headers=forged)
        assert "Secure" not in seen.headers["set-cookie"]
        client.get(path_of(server.links.join[""]), headers=forged)
        client.get(path_of(server.links.board))
        board = client.get("/board").text
        assert "Add to the study file: public_address: https://study.example.org" in board
        assert "Add to the study file: proxy: [127.0.0.1]" in board
        refused = client.post(path_of(server.links.join[""]), headers=BEHIND)
        assert refused.status_code == 403
        assert "A form was refused because it came from https://study.example.org." in client.get("/board").text


@pytest.mark.parametrize(
    ("public", "headers", "noticed"),
    [
        (None, {"host": "127.0.0.1:8000"}, {}),
        (None, {"host": "a.example"}, {}),
        (None, {"host": "a.example", "x-forwarded-for": "1.2.3.4"}, {"undeclared": "https://a.example"}),
        (None, {"host": "a.example", "x-forwarded-proto": "http"}, {"undeclared": "http://a.example"}),
        (None, {"host": "a b<script>", "x-forwarded-proto": "http"}, {}),
        (PUBLIC, {"host": "study.example.org", "x-forwarded-proto": "https"}, {}),
        (PUBLIC, {"host": "Study.Example.org"}, {}),
        (PUBLIC, {"host": "localhost:8000"}, {}),
        (PUBLIC, {"host": "127.0.0.1:8000", "x-forwarded-host": "study.example.org, x"}, {}),
        (PUBLIC, {"host": "www.example.org"}, {"other": "https://www.example.org"}),
        (PUBLIC, {"host": "study.example.org", "x-forwarded-proto": "http"}, {"insecure": "http://study.example.org"}),
    ],
)
def test_what_requests_tell(public: str | None, headers: dict[str, str], noticed: dict[str, str]) -> None:
    address = PublicAddress(public)
    address.notice(headers)
    assert address.noticed == noticed


def test_the_log_tells_each_kind_once_with_its_remedy(caplog: pytest.LogCaptureFixture) -> None:
    address = PublicAddress()
    with caplog.at_level(logging.WARNING):
        for name in ("a", "b"):
            address.notice({"host": f"{name}.example", "x-forwarded-for": "1.2.3.4"})
        address.refused("https://c.example")
        address.refused("javascript:alert(1)")
    first, second = (record.getMessage() for record in caplog.records)
    assert first.startswith("Note: requests come through a proxy, but public_address is not declared; add to the study")
    assert first.endswith(" public_address: https://a.example.")
    assert second.startswith("Note: a form was refused because it came from https://c.example; if that is this study,")
    assert second.endswith(" public_address: https://c.example.")
    assert address.noticed == {"undeclared": "https://b.example", "refused": "https://c.example"}
