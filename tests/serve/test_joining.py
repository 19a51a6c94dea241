"""Who follows the link begins; who only looks at it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def test_looking_at_the_link_creates_nobody(serve: Callable[..., Any]) -> None:
    served = serve()
    link = served.server.links.join[""]
    client = served.client()
    page = client.get(link)
    assert page.status_code == 200
    assert "Small study" in page.text
    assert "Taking part takes about" in page.text
    assert "study@example.org" in page.text
    client.head(link)
    assert served.server.store.participants() == []
    person = served.join(client)
    assert [each.code for each in served.server.store.participants()] == [person.participant.code]


def test_welcome_replaces_the_title(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data.update(welcome="instructions.md"))
    page = served.client().get(served.server.links.join[""]).text
    assert "<h1>What to do</h1>" in page
    assert page.count("<h1") == 1


def test_link_leads_back_to_those_who_have_begun_on_this_device(small: Any) -> None:
    client = small.client()
    person = small.join(client)
    page = client.get(small.server.links.join[""]).text
    assert f'href="{person.base}"' in page
    assert "I am someone else" in page
    # another device knows nothing of it
    assert "/p/" not in small.client().get(small.server.links.join[""]).text
    # on a shared device the next person can begin
    assert small.join(client).token != person.token


@pytest.mark.parametrize("path", ["/join/", "/join/wrong", "/join/{key}?cohort=experts", "/join/{key}x"])
def test_wrong_link_is_not_there(small: Any, path: str) -> None:
    key = small.server.links.join[""].rpartition("/")[2]
    before = len(small.server.store.participants())
    for method in ("GET", "POST"):
        assert small.client().request(method, path.format(key=key)).status_code == 404
    assert len(small.server.store.participants()) == before


def test_cohorts_have_their_own_links(serve: Callable[..., Any]) -> None:
    def cohorts(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 3}, {"name": "experts", "wanted": 3}]}

    served = serve(cohorts)
    assert list(served.server.links.join) == ["lay", "experts"]
    person = served.join(cohort="experts")
    assert (person.participant.cohort, person.participant.slot) == ("experts", 4)
    assert served.client().get(served.server.links.join["lay"].partition("?")[0]).status_code == 404


def test_id_of_a_recruiting_platform_is_kept(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(id_parameter="PROLIFIC_PID"))
    page = served.client().get(served.server.links.join[""], params={"PROLIFIC_PID": 'a&b"c', "other": "x"}).text
    assert '?PROLIFIC_PID=a%26b%22c"' in page
    person = served.join(PROLIFIC_PID="a1b2")
    assert person.participant.external_id == "a1b2"
    assert served.join().participant.external_id is None


def test_full_study_says_so(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1))
    served.join().pass_pages()
    reply = served.client().post(served.server.links.join[""])
    assert reply.status_code == 200
    assert "All places are taken" in reply.text
    assert len(served.server.store.participants()) == 1


def test_full_study_goes_on_where_it_is_told_to(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1, when_full="continue"))
    served.join().pass_pages()
    assert served.join().participant.slot == 1


def test_other_sites_cannot_make_anybody_begin(small: Any) -> None:
    link = small.server.links.join[""]
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        assert small.client().post(link, headers=headers).status_code == 403
    for headers in ({"sec-fetch-site": "same-origin", "origin": "null"}, {"origin": small.server.links.base}):
        assert small.client().post(link, headers=headers).status_code == 303
