from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_slot_is_released_and_the_participant_can_still_continue(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=2))
    researcher, link = served.researcher(), served.server.links.join[""]
    first, second = served.join(), served.join()
    page = researcher.get("/board/slots").text
    assert f"Release the place of {first.participant.code}" in page
    assert served.client().get(link).headers["retry-after"]
    reply = researcher.post("/board/slots/release", data={"code": first.participant.code, "part": "1"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/board/slots?part=1")
    page = researcher.get("/board/slots").text
    assert first.participant.code not in page
    assert second.participant.code in page
    status = researcher.get("/board/status.json").json()
    assert (status["silent"], status["statuses"]["active"]) == (1, 1)
    assert served.join().participant.slot == 1
    first.pass_pages()
    assert first.participant.counted


def test_only_the_researcher_releases_slots(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join()
    assert served.client().post("/board/slots/release", data={"code": person.participant.code}).status_code == 404
    assert not person.participant.is_released
    researcher = served.researcher()
    for data in ({"code": "p-nobody"}, {}):
        assert researcher.post("/board/slots/release", data=data).status_code == 404
    odd = {"code": person.participant.code, "part": "//elsewhere.example"}
    assert researcher.post("/board/slots/release", data=odd).headers["location"] == "/board/slots?part=1"


def test_page_of_slots(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join()
    person.pass_pages()
    page = served.researcher().get("/board/slots?part=x").text
    assert page.count("/board/preview/") >= 6
    assert "Release" not in page  # nobody is in progress
