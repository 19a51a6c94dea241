"""The board is there for the researcher, and for nobody else; it counts, and it can close the door."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served_study import serving

from textassay.serve.app import ENDPOINTS
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

FILLED_IN = {"{name}": "participants.csv", "{slot}": "1", "{place}": "1", "{token}": "wrong"}
RESEARCHERS = [(each.method, each.path) for each in ENDPOINTS if each.for_researcher]


def filled_in(path: str) -> str:
    for name, value in FILLED_IN.items():
        path = path.replace(name, value)
    return path


def test_everything_of_the_board_is_for_the_researcher() -> None:
    others = {each.path for each in ENDPOINTS if not each.for_researcher}
    assert {path for path in others if "board" in path or "openapi" in path} == {"/board/{token}"}
    assert len(RESEARCHERS) >= 18


@pytest.mark.parametrize(("method", "path"), [*RESEARCHERS, ("GET", "/board/{token}")])
def test_without_the_token_nothing_is_there(small: Any, method: str, path: str) -> None:
    nothing = small.client().get("/no/such/place")
    for cookies in ({}, {"textassay-board": "wrong"}):
        reply = small.client(cookies=cookies).request(method, filled_in(path))
        assert (reply.status_code, reply.text) == (404, nothing.text)


@pytest.mark.parametrize("path", [path for method, path in RESEARCHERS if method == "POST"])
def test_other_sites_cannot_act_for_the_researcher(small: Any, path: str) -> None:
    researcher = small.researcher()
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        assert researcher.post(filled_in(path), headers=headers).status_code == 403
    assert not small.server.store.recruiting.paused()


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
    people = [served.join() for _ in range(5)]
    people[0].pass_pages()
    people[1].pass_pages("quality-3")
    people[1].client.post(f"{people[1].base}/withdraw")
    people[2].send("consent", {"agreed": True})
    people[2].send("questionnaire", {**people[2].questionnaire, "native": "no"})
    people[3].client.post(f"{people[3].base}/withdraw")  # without having agreed
    researcher = served.researcher()
    state = researcher.get("/board/status.json").json()
    assert state["wanted"] == 6
    assert state["filled"] == 1
    assert state["statuses"] == {"active": 1, "completed": 1, "withdrawn": 1, "excluded": 1}
    assert state["no_consent"] == 1
    assert state["stops"] == [{"page": "quality-3", "people": 1}]
    # 14 pages, then 7 (up to quality-2), then 2
    assert state["answers_last_hour"] == len(people[0].pages) + 7 + 2
    # 6 slots see 6 items each; one slot is complete, and shows each of the three systems with two items
    assert [(each["condition"], each["answered"], each["planned"]) for each in state["conditions"]] == [
        ("human", 2, 12), ("neural", 2, 12), ("template", 2, 12)
    ]  # fmt: skip
    # all pages took 10 seconds, of those who withdrew none is counted
    assert {(each["what"], each["block"]): (each["median_seconds"], each["answers"]) for each in state["times"]} == {
        ("consent", ""): (10, 1),
        ("questionnaire", ""): (10, 1),
        ("instructions", "quality"): (10, 1),
        ("practice", "quality"): (10, 2),
        ("trial", "quality"): (10, 8),
        ("break", "quality"): (10, 1),
    }
    assert 0 < state["minutes"] < 1
    page = researcher.get("/board").text
    assert "1 of 6" in page
    for each in people:
        assert each.participant.code in page
        assert each.token not in page


def test_slots_in_parts(small: Any) -> None:
    researcher = small.researcher()
    first, second = (researcher.get("/board/slots", params={"part": part}).text for part in (1, 2))
    assert ('href="/board/preview/200"' in first, 'href="/board/preview/201"' in first) == (True, False)
    assert ('href="/board/preview/200"' in second, 'href="/board/preview/300"' in second) == (False, True)
    assert "2 of 2" in researcher.get("/board/slots?part=99").text


def test_pausing_keeps_newcomers_out_until_it_is_resumed(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        begun = served.join()
        researcher = served.researcher()
        assert "Pause recruiting" in researcher.get("/board").text
        reply = researcher.post("/board/pause")
        assert (reply.status_code, reply.headers["location"]) == (303, "/board")
        page = researcher.get("/board").text
        assert "Recruiting is paused" in page
        assert "Resume recruiting" in page
    with serving(tmp_path) as served:  # the server was started anew
        link, client = served.server.links.join[""], served.client()
        for reply in (client.get(link), client.post(link)):
            assert (reply.status_code, "The study is taking a break" in reply.text) == (200, True)
        assert len(served.server.store.participants()) == 1
        begun.served, begun.client = served, served.client()
        assert begun.open().status_code == 200
        assert begun.send("consent", {"agreed": True}).status_code == 200
        researcher = served.researcher()
        assert researcher.get("/board/status.json").json()["paused"] is True
        researcher.post("/board/resume")
        assert researcher.get("/board/status.json").json()["paused"] is False
        assert served.join(client).participant.status == "active"


def test_who_has_begun_on_this_device_finds_the_way_on_while_recruiting_is_paused(serve: Callable[..., Any]) -> None:
    served = serve()
    client = served.client()
    person = served.join(client)
    served.researcher().post("/board/pause")
    page = client.get(served.server.links.join[""]).text
    assert "The study is taking a break" in page
    assert f'href="{person.base}"' in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ar", "الدراسة متوقفة مؤقتًا"),
        ("de", "Die Studie macht gerade Pause"),
        ("es", "El estudio está en pausa"),
        ("fr", "L’étude fait une pause"),
    ],
)
def test_pause_is_told_in_every_language(serve: Callable[..., Any], language: str, words: str) -> None:
    served = serve(lambda data: data.update(language=language))
    served.researcher().post("/board/pause")
    assert words in served.client().get(served.server.links.join[""]).text


def test_changed_text_is_told_on_the_board_and_with_the_links(serve: Callable[..., Any], tmp_path: Path) -> None:
    served = serve(directory=tmp_path)
    assert served.server.links.changes == ()
    served.join().pass_pages()
    assert "have changed since people began" not in served.researcher().get("/board").text
    texts = tmp_path / "texts.csv"
    texts.write_text(texts.read_text(encoding="utf-8").replace("i2,human,", "i2,human,Indeed: "), encoding="utf-8")
    study = load_study(tmp_path)
    with ServerThread(study, stored_plan(study), store=served.server.store) as again:
        (change,) = again.links.changes
        assert "text of item 'i2' by system 'human' (served anew from " in change
        client = served.client()
        page = client.get(again.links.board, follow_redirects=True).text
        assert "have changed since people began" in page
        assert "text of item &#39;i2&#39; by system &#39;human&#39;" in page
