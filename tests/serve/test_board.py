"""The board is there for the researcher, and for nobody else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

PLACES = ["/board", "/board/status.json", "/board/export.zip", "/openapi.json"]


@pytest.mark.parametrize("path", [*PLACES, "/board/wrong"])
def test_without_the_token_nothing_is_there(small: Any, path: str) -> None:
    nothing = small.client().get("/no/such/place")
    for cookies in ({}, {"textassay-board": "wrong"}):
        reply = small.client(cookies=cookies).get(path)
        assert (reply.status_code, reply.text) == (404, nothing.text)


def test_token_is_exchanged_for_a_cookie(small: Any) -> None:
    client = small.client()
    reply = client.get(small.server.links.board)
    assert (reply.status_code, reply.headers["location"]) == (303, "/board")
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/board").status_code == 200


def test_from_another_site_the_board_is_one_press_away(small: Any) -> None:
    reply = small.client().get(small.server.links.board, headers={"sec-fetch-site": "cross-site"})
    assert reply.status_code == 200
    assert 'href="/board"' in reply.text


def test_board_counts(serve: Callable[..., Any]) -> None:
    served = serve()
    people = [served.join() for _ in range(4)]
    people[0].pass_pages()
    people[1].pass_pages("quality-3")
    people[1].client.post(f"{people[1].base}/withdraw")
    people[2].send("consent", {"agreed": True})
    people[2].send("questionnaire", {**people[2].questionnaire, "native": "no"})
    researcher = served.researcher()
    state = researcher.get("/board/status.json").json()
    assert state["wanted"] == 6
    assert state["filled"] == 1
    assert state["statuses"] == {"active": 1, "completed": 1, "withdrawn": 1, "excluded": 1}
    assert state["stops"] == [{"page": "quality-3", "people": 1}]
    # 14 pages, then 7 (up to quality-2), then 2
    assert state["answers_last_hour"] == len(people[0].pages) + 7 + 2
    page = researcher.get("/board").text
    assert served.server.links.join[""] in page
    assert "1 of 6" in page


def test_export_holds_tables_and_codebook_without_personal_columns(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join(served.client())
    person.pass_pages()
    reply = served.researcher().get("/board/export.zip")
    assert reply.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        names = archive.namelist()
        judgements = archive.read("judgements.csv").decode()
        everything = b"".join(map(archive.read, names))
    assert {"participants.csv", "judgements.csv"} <= set(names)
    assert any(name.startswith("codebook") for name in names)
    # 6 items and 1 repeat, 2 criteria each
    assert len(judgements.splitlines()) == 1 + 7 * 2
    assert person.participant.code in judgements
    assert person.token.encode() not in everything
    assert person.answers["questionnaire"].payload["email"]["hash"].encode() not in everything
