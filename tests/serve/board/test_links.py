"""Personal links: one person, one link, one participation."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from textassay.formula_cells import MARK


def cohorts(data: dict[str, Any]) -> None:
    data["participants"] = {"cohorts": [{"name": "lay", "wanted": 6}, {"name": "experts", "wanted": 6}]}


def table(researcher: Any) -> dict[str, dict[str, str]]:
    reply = researcher.get("/board/links.csv")
    assert reply.headers["content-type"].startswith("text/csv")
    return {row["name"]: row for row in csv.DictReader(io.StringIO(reply.text))}


def test_names_become_links_that_stay_the_same(serve: Callable[..., Any]) -> None:
    served = serve()
    researcher = served.researcher()
    reply = researcher.post("/board/links", data={"names": "Ada Lovelace\r\n\r\n  Grace  Hopper \n"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/board/links#personal")
    first = table(researcher)
    researcher.post("/board/links", data={"names": "=1+1"})
    assert list(table(researcher)) == ["Ada Lovelace", "Grace Hopper", MARK + "=1+1"], "harmless in a spreadsheet"
    researcher.post("/board/links/take-back", data={"name": "=1+1"})
    assert list(first) == ["Ada Lovelace", "Grace Hopper"]
    assert first["Ada Lovelace"]["link"] != first["Grace Hopper"]["link"]
    researcher.post("/board/links", data={"names": "Grace Hopper\nEdsger"})
    again = table(researcher)
    assert list(again) == ["Ada Lovelace", "Grace Hopper", "Edsger"]
    assert {name: again[name] for name in first} == first
    page = html.unescape(researcher.get("/board/links").text)
    for row in again.values():
        assert row["link"] in page
        assert row["link"].startswith(f"{served.server.links.base}/p/")
    assert served.server.links.join[""] in page


def test_link_leads_to_one_participation_on_any_device(serve: Callable[..., Any]) -> None:
    served = serve()
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada"})
    link = table(researcher)["Ada"]["link"]
    phone, laptop = served.client(), served.client()
    page = phone.get(link)
    assert (page.status_code, "on any device" in page.text, "Begin" in page.text) == (200, True, True)
    phone.head(link)
    assert served.server.store.participants() == []  # looking creates nobody
    reply = phone.post(link)
    assert reply.status_code == 303
    assert link.endswith(reply.headers["location"])
    (person,) = served.server.store.participants()
    assert person.external_id == "Ada"
    assert laptop.get(link).headers["location"] == f"{reply.headers['location']}/1"
    assert laptop.post(link).status_code == 303  # pressed on a page that was opened before
    assert len(served.server.store.participants()) == 1
    assert table(researcher)["Ada"]["status"] == "active"


def test_cohort_of_a_personal_link_is_kept(serve: Callable[..., Any]) -> None:
    served = serve(cohorts)
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada", "cohort": "experts"})
    served.client().post(table(researcher)["Ada"]["link"])
    (person,) = served.server.store.participants()
    assert (person.cohort, person.slot) == ("experts", 7)
    page = researcher.get("/board/links").text
    assert page.count("?cohort=") == 2
    # a form without a cohort is about the first
    assert researcher.post("/board/links", data={"names": "Grace"}).status_code == 303
    assert table(researcher)["Grace"]["cohort"] == "lay"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"names": "Ada", "cohort": "experts"}, "“Ada” is already invited to cohort “lay”"),
        ({"names": "Grace", "cohort": "nobody"}, "There is no cohort “nobody”"),
        ({"names": "x" * 300, "cohort": "lay"}, "is too long; use at most 200 characters"),
        ({"names": "y\n" * 140_000, "cohort": "lay"}, "too many at once"),
    ],
)
def test_what_is_wrong_is_told_and_what_was_entered_stays(
    serve: Callable[..., Any], data: dict[str, str], message: str
) -> None:
    served = serve(cohorts)
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada", "cohort": "lay"})
    reply = researcher.post("/board/links", data=data)
    assert reply.status_code == 422
    page = html.unescape(reply.text)
    assert message in page
    if len(data["names"]) < 1000:
        assert re.search(rf"<textarea[^>]*>{re.escape(data['names'])}</textarea>", page)
    assert list(table(researcher)) == ["Ada"]


def test_invitation_can_be_taken_back_until_the_person_begins(serve: Callable[..., Any]) -> None:
    served = serve()
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada\n<b>Grace & co</b>"})
    links = {name: row["link"] for name, row in table(researcher).items()}
    page = researcher.get("/board/links").text
    assert page.count('action="/board/links/take-back"') == 2
    reply = researcher.post("/board/links/take-back", data={"name": "<b>Grace & co</b>"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/board/links#personal")
    assert list(table(researcher)) == ["Ada"]
    for method in ("GET", "POST"):
        assert served.client().request(method, links["<b>Grace & co</b>"]).status_code == 404
    assert served.server.store.participants() == []
    assert served.client().post(links["Ada"]).status_code == 303
    refused = researcher.post("/board/links/take-back", data={"name": "Ada"})
    assert (refused.status_code, "has already started" in refused.text) == (422, True)
    assert 'action="/board/links/take-back"' not in refused.text
    assert served.client().get(links["Ada"]).status_code == 303
    assert "There is no invitation for" in researcher.post("/board/links/take-back", data={}).text
    researcher.post("/board/links", data={"names": "<b>Grace & co</b>"})
    assert table(researcher)["<b>Grace & co</b>"]["link"] == links["<b>Grace & co</b>"]
    assert served.client().get(links["<b>Grace & co</b>"]).status_code == 200


def test_only_the_researcher_takes_invitations_back(serve: Callable[..., Any]) -> None:
    served = serve()
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada"})
    assert served.client().post("/board/links/take-back", data={"name": "Ada"}).status_code == 404
    assert list(table(researcher)) == ["Ada"]


def test_what_is_wrong_is_told_in_the_language_of_the_pages(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data.update(interface="de"))
    reply = served.researcher().post("/board/links", data={"names": "x" * 201})
    assert f"Der Name „{'x' * 40}…“ ist zu lang; höchstens 200 Zeichen" in html.unescape(reply.text)


def test_invited_people_wait_while_recruiting_is_paused_or_full(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1))
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada\nGrace"})
    links = {name: row["link"] for name, row in table(researcher).items()}
    ada = served.client()
    researcher.post("/board/pause")
    for reply in (ada.get(links["Ada"]), ada.post(links["Ada"])):
        assert "The study is paused" in reply.text
    researcher.post("/board/resume")
    assert ada.post(links["Ada"]).status_code == 303
    researcher.post("/board/pause")
    assert ada.get(links["Ada"], follow_redirects=True).url.path.endswith("/1")  # has begun, so goes on
    researcher.post("/board/resume")
    served.join().pass_pages()
    assert "All places are taken" in served.client().post(links["Grace"]).text


def test_nobody_can_make_a_personal_link(serve: Callable[..., Any]) -> None:
    served = serve()
    served.researcher().post("/board/links", data={"names": "Ada"})
    for path in ("/p/Ada", f"/p/{'a' * 32}"):
        for method in ("GET", "POST"):
            assert served.client().request(method, path).status_code == 404
    assert served.server.store.participants() == []


def test_names_are_escaped(serve: Callable[..., Any]) -> None:
    served = serve()
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "<script>alert(1)</script>"})
    assert "<script>alert" not in researcher.get("/board/links").text


def test_platform_and_its_parameters_are_named(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(platform="prolific"))
    page = served.researcher().get("/board/links").text
    assert "PROLIFIC_PID, STUDY_ID, SESSION_ID" in page
