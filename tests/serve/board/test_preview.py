"""Every page can be looked at as participants see it, is checked as theirs are, and leaves no trace."""

from __future__ import annotations

import html
import json
import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from served_study import TIMES, Served
from small_study import write_csv
from task_studies import write_task_study

from textassay import catalogue
from textassay.serve import joining
from textassay.serve.server import ServerThread
from textassay.serve.session import pages
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6260606060000000050001"
    "a5f645400000000049454e44ae426082"
)


def contents(served: Any) -> dict[str, int]:
    """How many rows each table of the store has, read past the program."""
    with closing(sqlite3.connect(f"file:{served.study.directory / 'answers.db'}?mode=ro", uri=True)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] for name in names}


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'data-page="([^"]*)"', page)
    assert found is not None
    data: dict[str, Any] = json.loads(html.unescape(found[1]))
    return data


def send(client: Any, slot: int, page: str, payload: Any) -> Any:
    body = {"answer_id": str(uuid.uuid4()), "page": page, "payload": payload, "client": {}, **TIMES}
    return client.post(f"/board/preview/{slot}/answers", json=body)


def without_strip(page: str, base: str) -> str:
    """A page without what marks it as a preview, and without its own address."""
    page = re.sub(r"<aside class=\"preview-strip\".*?</aside>", "", page, flags=re.DOTALL)
    page = re.sub(r'<link rel="stylesheet" href="[^"]*board.css"><script[^>]*board_preview.js"></script>', "", page)
    return " ".join(page.replace("<title>Preview: ", "<title>").replace(base, "BASE").split())


def test_pages_are_those_of_a_participant(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join()
    client = served.researcher()
    slot = person.participant.slot
    for page in person.pages:
        theirs = person.open().text.replace(person.served.server.site.page_key(person.participant, page), page.key)
        looked = client.get(f"/board/preview/{slot}/{page.number}").text
        assert "Preview" in looked
        assert "Nothing is stored." in looked
        assert without_strip(looked, f"/board/preview/{slot}") == without_strip(theirs, person.base), page.key
        person.send(page.key, person.fitting(page))
    theirs = without_strip(person.open().text, person.base)
    assert without_strip(client.get(f"/board/preview/{slot}/completed").text, f"/board/preview/{slot}") == theirs


@pytest.fixture(scope="module", params=catalogue.names("task"))
def any_task(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A study of each kind of trial."""
    study = load_study(write_task_study(request.param, tmp_path_factory.mktemp("task")))
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = Served(study, plan, server)
        yield served
        for client in served.clients:
            client.close()


def test_way_through_all_pages_of_any_task_stores_nothing(any_task: Served) -> None:
    from textassay.rehearsal.people import BehaviourShares, person
    from textassay.rehearsal.respondent import Respondent

    client = any_task.researcher()
    slot = any_task.plan.slots[1]
    respondent = Respondent(any_task.study, person(any_task.study, 1, BehaviourShares()), slot)
    before = contents(any_task)
    address = f"/board/preview/{slot.number}/1"
    way = pages(any_task.study, slot)
    for page in way:
        reply = client.get(address)
        assert reply.status_code == 200
        data = data_of(reply.text)
        assert (data["key"], data["answer"]) == (page.key, None)
        limit = any_task.study.block(page.block).task.limit_seconds() if page.trial else None
        assert data["limit"] == (None if limit is None else {"seconds": limit, "remaining": limit})
        if page.kind in ("consent", "questionnaire", "trial"):
            wrong = send(client, slot.number, page.key, {})
            assert wrong.status_code == 422 or limit is not None, page.key  # nothing chosen is an answer at time-out
        played = respondent.answer(page.key)
        assert played is not None
        taken = send(client, slot.number, page.key, played.payload)
        assert taken.status_code == 200, (page.key, taken.text)
        address = taken.json()["next"]
    assert address == f"/board/preview/{slot.number}/completed"
    assert client.get(address).status_code == 200
    assert contents(any_task) == before
    assert before["participants"] == 0


def test_errors_are_told_as_usual(small: Any) -> None:
    client = small.researcher()
    wrong = send(client, 1, "quality-1", {"ratings": {"clarity": 9}})
    assert wrong.json()["errors"]["clarity"] == "Please choose one of the answers shown."
    assert send(client, 1, "consent", {}).json()["errors"]["agreed"].startswith("Please tick the box")
    assert send(client, 1, "nothing", {}).status_code == 404
    assert client.post("/board/preview/1/answers", content=b"x").status_code == 415
    big = client.post("/board/preview/1/answers", content=b"x" * 300_000, headers={"content-type": "application/json"})
    assert big.status_code == 413


def test_images_are_shown_under_names_that_tell_nothing(serve: Callable[..., Any], tmp_path: Path) -> None:
    items = [f"i{number}" for number in range(1, 7)]
    write_csv(tmp_path / "pictured.csv", ("item", "context", "image", "described"),
              [(item, "Data.", f"secret-{item}.png", "A picture") for item in items])  # fmt: skip
    write_csv(
        tmp_path / "tried.csv", ("item", "text", "context", "image", "described"), [("p1", "Try.", "Data.", "", "")]
    )
    for item in items:
        (tmp_path / f"secret-{item}.png").write_bytes(PIXEL)

    def change(data: dict[str, Any]) -> None:
        data["tables"]["items"] = "pictured.csv"
        data["blocks"][0].update(image="image", image_description="described", practice="tried.csv")

    served = serve(change, directory=tmp_path)
    client = served.researcher()
    page = client.get("/board/preview/1/5").text
    found = re.search(r'src="(/board/preview/1/media/[0-9a-f]+)"', page)
    assert found is not None
    assert client.get(found[1]).content == PIXEL
    assert "secret-" not in page
    assert served.client().get(found[1]).status_code == 404  # the researcher's cookie is needed here too
    assert client.get("/board/preview/1/media/nothing").status_code == 404


def test_all_pages_of_a_slot_are_listed_with_what_they_show(small: Any) -> None:
    client = small.researcher()
    assert client.get("/board/preview").headers["location"] == "/board/preview/1"
    assert client.get("/board/preview?slot=7").headers["location"] == "/board/preview/7"
    assert client.get("/board/preview?slot=9999").headers["location"] == "/board/preview/300"
    assert client.get("/board/preview?slot=x").headers["location"] == "/board/preview/1"
    page = client.get("/board/preview/7").text
    for trial in small.plan.slot(7).trials:
        assert f"<bdi>{trial.item}</bdi>" in page
    for number in range(1, 15):
        assert f'href="/board/preview/7/{number}"' in page


@pytest.mark.parametrize(
    "path", ["/board/preview/0", "/board/preview/301", "/board/preview/x/1", "/board/preview/1/99"]
)
def test_what_the_plan_does_not_have_is_not_there(small: Any, path: str) -> None:
    assert small.researcher().get(path).status_code == 404


def test_start_and_every_end_can_be_looked_at(serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def codes(data: dict[str, Any]) -> None:
        cohorts = [{"name": "lay", "wanted": 1}, {"name": "experts", "wanted": 1}]
        data["participants"] = {"platform": "prolific", "cohorts": cohorts}
        data["finish"]["codes"] = {"screened_out": "OUT-1", "no_consent": "NO-1"}

    served = serve(codes)
    client = served.researcher()
    before = contents(served)
    shown: list[str] = []
    real = joining.start_page
    monkeypatch.setattr(joining, "start_page", lambda *given, **more: (shown.append(given[1]), real(*given, **more))[1])
    start = client.get("/board/preview/2/start").text
    assert '<form method="get" action="/board/preview/2/1"' in start
    assert shown == ["experts"]  # the cohort of the slot, whose minutes the page tells
    words = {
        "completed": ["That was all.", "SMALL-42", "Back to Prolific"],
        "screened_out": ["particular backgrounds", "OUT-1"],
        "no_consent": ["You are not taking part", "NO-1"],
        "withdrawn": ["You have stopped taking part", "Please return your place on Prolific"],
        "withdraw": ["Stop taking part?", 'action="/board/preview/2/withdrawn"'],
    }
    for place, expected in words.items():
        page = client.get(f"/board/preview/2/{place}").text
        assert [word for word in expected if word not in page] == [], place
        assert "app.prolific.com" not in page, place  # a press in a preview tells the platform nothing
    assert contents(served) == before
