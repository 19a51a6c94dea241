"""Who follows the link begins; who only looks at it does not."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from textassay.answers.records import Participant, Status
from textassay.rehearsal.over_http import simulate
from textassay.rehearsal.people import ALL_ORDINARY
from textassay.serve.join_limit import JoinLimit
from textassay.serve.joining import may_return


def test_looking_at_the_link_creates_nobody(serve: Callable[..., Any]) -> None:
    served = serve()
    link = served.server.links.join[""]
    client = served.client()
    page = client.get(link)
    assert page.status_code == 200
    assert "Small study" in page.text
    assert "Taking part takes about" in page.text
    assert "study@example.org" in page.text
    assert re.findall(r"<(\w+)>(?:<bdi>)?Small study", page.text) == ["title", "h1"]  # the title once on the page
    client.head(link)
    assert served.server.store.participants() == []
    person = served.join(client)
    assert [each.code for each in served.server.store.participants()] == [person.participant.code]


def test_nobody_can_say_of_themselves_that_they_are_simulated(serve: Callable[..., Any]) -> None:
    served = serve()
    link = served.server.links.join[""]
    served.client().post(f"{link}?simulated=true", data={"simulated": "true"})
    served.join().send("consent", {"agreed": True}, client={"simulated": True})
    assert [each.simulated for each in served.server.store.participants()] == [False, False]


def test_welcome_replaces_the_title(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data.update(welcome="instructions.md"))
    page = served.client().get(served.server.links.join[""]).text
    assert "<h1>What to do</h1>" in page
    assert page.count("<h1") == 1
    assert '<p class="bar-title"><bdi>Small study</bdi></p>' in page  # which says nothing of the title


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


def test_link_leads_back_to_those_who_have_finished_on_this_device_and_not_to_those_who_withdrew(small: Any) -> None:
    for status, back in (("completed", True), ("withdrawn", False)):
        client = small.client()
        person = small.join(client)
        if status == "completed":
            person.pass_pages()
        else:
            person.client.post(f"{person.base}/withdraw")
        assert person.participant.status == status
        assert (f'href="{person.base}"' in client.get(small.server.links.join[""]).text) is back


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
    # no link leads to another cohort, however it is changed
    key = served.server.links.join["lay"].rpartition("/")[2]
    study_key = served.server.store.secret("join")
    for path in (f"/join/{key}?cohort=experts", f"/join/{study_key}?cohort=lay", f"/join/{study_key}"):
        assert served.client().get(path).status_code == 404
        assert served.client().post(path).status_code == 404
    assert served.client().get(f"/join/{key}?cohort=lay").status_code == 200


# --- waiting for a place ---------------------------------------------------------------------------------------------


def test_newcomers_wait_while_all_places_are_taken(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=2))
    link, client = served.server.links.join[""], served.client()
    first, second = served.join(), served.join()
    for reply in (client.get(link), client.post(link)):
        assert reply.status_code == 200
        assert "All places are taken at the moment" in reply.text
        assert 20 <= int(reply.headers["retry-after"]) <= 40
        assert f'<noscript><meta http-equiv="refresh" content="{reply.headers["retry-after"]}; url=/join/' in reply.text
        assert "<form" not in reply.text
    # who has started on this device continues
    assert f'href="{first.base}"' in first.client.get(link).text
    first.client.post(f"{first.base}/withdraw")
    page = client.get(link)
    assert "retry-after" not in page.headers
    assert "<form" in page.text
    served.join(client).pass_pages()
    second.pass_pages()
    assert "Enough people have taken part" in served.client().get(link).text
    assert len(served.server.store.participants()) == 3


def test_margin_lets_more_people_start(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=2, margin=1))
    assert [served.join().participant.slot for _ in range(3)] == [1, 2, 1]
    assert served.client().post(served.server.links.join[""]).headers["retry-after"]


def test_waiting_page_keeps_the_parameters_of_the_platform_and_says_how_to_return_the_place(
    serve: Callable[..., Any],
) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1, platform="prolific"))
    served.join(**ids("first")).pass_pages("quality-1")
    parameters = {**ids("sec&ond"), "other": "x"}
    for method in ("GET", "POST"):
        page = served.client().request(method, served.server.links.join[""], params=parameters).text
        assert "please return your place on Prolific" in page
        again = html.unescape(re.search(r'data-again="([^"]*)"', page)[1])  # type: ignore[index]
        assert again.endswith("?PROLIFIC_PID=sec%26ond&STUDY_ID=st1&SESSION_ID=s1")
    assert come(served, **ids("first")).status_code == 303  # who comes back does not wait


# --- a reply that is lost --------------------------------------------------------------------------------------------


def start_value(page: Any) -> str:
    found = re.search(r'<input type="hidden" name="start" value="([^"]*)">', page.text)
    assert found is not None
    return str(found[1])


def test_same_form_sent_twice_is_the_same_participant(small: Any) -> None:
    link = small.server.links.join[""]
    form = {"start": start_value(small.client().get(link))}
    before = len(small.server.store.participants())
    # without cookies, and at the same time
    replies = [small.client().post(link, data=form) for _ in range(3)]
    assert {reply.status_code for reply in replies} == {303}
    assert len({reply.headers["location"] for reply in replies}) == 1
    assert len(small.server.store.participants()) == before + 1
    # another page is another person, and so is a value that the server has not made
    others = [start_value(small.client().get(link)), "made-up", "a.b", "", "ü.\0"]
    locations = {small.client().post(link, data={"start": value}).headers["location"] for value in others}
    assert len(locations) == len(others)
    assert replies[0].headers["location"] not in locations


def test_page_opened_again_after_a_lost_reply_leads_to_the_participant(small: Any) -> None:
    link, client = small.server.links.join[""], small.client()
    value = start_value(client.get(link))
    assert start_value(client.get(link)) == value  # nobody has started, so a reload changes nothing
    lost = small.client().post(link, data={"start": value}).headers["location"]  # the device got no reply
    page = client.get(link)
    assert f'href="{lost}"' in page.text
    new = start_value(page)  # for someone else on the same device
    assert new != value
    other = client.post(link, data={"start": new}).headers["location"]
    assert other != lost
    assert f'href="{other}"' in client.get(link).text


def test_lost_reply_when_all_places_are_taken(serve: Callable[..., Any]) -> None:
    """The place is one's own, so that sending the form again does not wait for another."""
    served = serve(lambda data: data["participants"].update(wanted=1))
    link = served.server.links.join[""]
    form = {"start": start_value(served.client().get(link))}
    first, again = (served.client().post(link, data=form).headers["location"] for _ in range(2))
    assert first == again


# --- too many at once ------------------------------------------------------------------------------------------------


def test_joins_from_one_address_are_limited(serve: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    served = serve(lambda data: data["participants"].update(wanted=50, platform="prolific"))
    served.server.site.join_limit = JoinLimit(3)
    link = served.server.links.join[""]
    people = [served.join(**ids(f"limited-{number}")) for number in range(3)]
    refused = served.client().post(link, params=ids("limited-4"), headers={"x-forwarded-for": "203.0.113.9"})
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert "try again in a minute" in refused.text
    assert f"{html.escape('PROLIFIC_PID=limited-4&STUDY_ID')}" in refused.text  # the way back keeps the parameters
    assert len(served.server.store.participants()) == 3
    # an undeclared proxy is not believed, and the log says what to do, without an address
    warned = [record.getMessage() for record in caplog.records if "'proxy:'" in record.getMessage()]
    assert len(warned) == 1
    assert "203.0.113.9" not in caplog.text
    # returning people are not limited, nor invited ones, nor those who only look
    assert come(served, **ids("limited-1")).headers["location"] == people[1].base
    researcher = served.researcher()
    researcher.post("/board/links", data={"names": "Ada"})
    token = served.server.store.recruiting.token_of_invited("Ada")
    assert served.client().post(f"/p/{token}").status_code == 303
    assert served.client().get(link).status_code == 200


def test_addresses_that_a_declared_proxy_passes_on_are_told_apart(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: (data.update(proxy=["127.0.0.1", "::1"]), data["participants"].update(wanted=50)))
    served.server.site.join_limit = JoinLimit(2)
    link = served.server.links.join[""]

    def statuses(*addresses: str) -> list[int]:
        return [served.client().post(link, headers={"x-forwarded-for": each}).status_code for each in addresses]

    assert statuses(*["203.0.113.9"] * 3, "203.0.113.10") == [303, 303, 429, 303]
    assert statuses("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::3") == [303, 303, 429, 303]
    assert statuses("198.51.100.1, 203.0.113.9") == [429]  # what a visitor writes before it changes nothing


def test_rehearsal_is_neither_limited_nor_kept_waiting(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(wanted=2))
    served.server.site.join_limit = JoinLimit(2)
    store = served.server.store
    for _ in range(2):
        served.join()
    done = simulate(served.study, served.plan, store, served.server.links, crowd=ALL_ORDINARY)
    assert done.full
    assert [each.simulated for each in store.participants()] == [False, False, True, True]
    served.server.site.join_limit = JoinLimit(None)
    start = store.recruiting.new_start()
    for proof in ("", "made up", store.recruiting.rehearsal_proof("another")):
        reply = served.client().post(served.server.links.join[""], data={"start": start, "rehearsal": proof})
        assert "All places are taken at the moment" in reply.text


def test_form_that_is_too_large_is_refused(small: Any) -> None:
    reply = small.client().post(small.server.links.join[""], data={"start": "x" * 2_000_000})
    assert reply.status_code == 413
    many = "&".join(f"f{number}=1" for number in range(200))
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert small.client().post(small.server.links.join[""], content=many, headers=headers).status_code == 413


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


@pytest.mark.parametrize("answered", [False, True])
def test_who_has_started_on_this_device_is_not_told_that_places_are_taken(
    serve: Callable[..., Any], *, answered: bool
) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1))
    client = served.client()
    person = served.join(client)
    if answered:
        person.pass_pages()
    page = client.get(served.server.links.join[""])
    assert f'href="{person.base}"' in page.text
    assert "All places are taken" not in page.text
    assert "I am someone else" not in page.text
    assert "If that was not you: nobody else can start at the moment." in page.text
    assert "Retry-After" not in page.headers
    assert f'href="{person.base}"' not in served.client().get(served.server.links.join[""]).text


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


# --- People whom a platform sends: they begin once, come back, and leave with the right code ------------------------


PID = "60fd9f1c2b3a4d5e6f708192"
CODES = {"screened_out": "OUT-1", "no_consent": "NO-1"}
TURK = {"workerId": "AW1", "hitId": "H1", "assignmentId": "AS1", "turkSubmitTo": "https://www.mturk.com/"}
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def prolific(data: dict[str, Any]) -> None:
    data["participants"].update(wanted=60, platform="prolific")
    data["finish"]["codes"] = CODES


def looking_back(data: dict[str, Any]) -> None:
    prolific(data)
    data["participants"]["may_go_back"] = True


def mturk(data: dict[str, Any]) -> None:
    data["participants"].update(wanted=60, platform="mturk")


@pytest.fixture(scope="module")
def recruiting(serve: Callable[..., Any]) -> Any:
    return serve(prolific)


@pytest.fixture(scope="module")
def turk(serve: Callable[..., Any]) -> Any:
    return serve(mturk)


def ids(person: str = PID, session: str = "s1") -> dict[str, str]:
    return {"PROLIFIC_PID": person, "STUDY_ID": "st1", "SESSION_ID": session}


def come(served: Any, client: Any = None, **parameters: str) -> Any:
    """Follow the platform's link and press the button; what the server says."""
    client = client or served.client()
    link = served.server.links.join[""]
    page = client.get(link, params=parameters)
    assert page.status_code == 200
    action = html.unescape(re.search(r'<form method="post" action="([^"]*)"', page.text)[1])  # type: ignore[index]
    return client.post(action)


def back_link(page: str) -> str | None:
    found = re.search(r'href="(https://app\.prolific\.com/[^"]*)"', page)
    return found[1] if found else None


# --- Prolific ---------------------------------------------------------------------------------------------------------


def test_ids_of_prolific_are_kept(recruiting: Any) -> None:
    person = recruiting.join(**ids("kept-1"))
    who = person.participant
    assert (who.external_id, who.platform_study, who.platform_session, who.platform_return) == (
        "kept-1", "st1", "s1", None
    )  # fmt: skip


def test_everybody_leaves_with_the_right_code(recruiting: Any) -> None:
    done, barred, unwilling, stopped, hasty = (recruiting.join(**ids(f"code-{n}", f"c{n}")) for n in range(5))
    done.pass_pages()
    barred.send("consent", {"agreed": True})
    barred.send("questionnaire", {**barred.questionnaire, "native": "no"})
    unwilling.client.post(f"{unwilling.base}/withdraw")
    stopped.pass_pages("quality-2")
    stopped.client.post(f"{stopped.base}/withdraw")
    for page in hasty.pages:  # screening leaves this one out, but the work is done
        hasty.send(page.key, hasty.fitting(page), rt_ms=100.0)
    assert (hasty.participant.status, hasty.participant.valid) == ("completed", False)
    people = {"done": done, "barred": barred, "unwilling": unwilling, "stopped": stopped, "hasty": hasty}
    pages = {name: who.open().text for name, who in people.items()}
    complete = "https://app.prolific.com/submissions/complete?cc="
    assert {name: back_link(page) for name, page in pages.items()} == {
        "done": f"{complete}SMALL-42",
        "barred": f"{complete}OUT-1",
        "unwilling": f"{complete}NO-1",
        "stopped": None,
        "hasty": f"{complete}SMALL-42",
    }
    assert "Please return your place on Prolific" in pages["stopped"]
    assert "particular backgrounds" in pages["barred"]
    assert "You are not taking part" in pages["unwilling"]
    assert "SMALL-42" not in pages["barred"] + pages["unwilling"] + pages["stopped"]
    # who takes the answers back afterwards has done the work all the same
    done.client.post(f"{done.base}/withdraw")
    page = done.open().text
    assert "You have stopped taking part" in page
    assert back_link(page) == f"{complete}SMALL-42"


def test_who_comes_back_with_the_same_session_goes_on_on_any_device(recruiting: Any) -> None:
    person = recruiting.join(**ids("back-1"))
    person.pass_pages("quality-1")
    other = recruiting.client()
    page = other.get(recruiting.server.links.join[""], params=ids("back-1")).text
    assert "You have already started this study with your Prolific account." in page
    assert person.token not in page
    before = len(recruiting.server.store.participants())
    reply = come(recruiting, other, **ids("back-1"))
    assert (reply.status_code, reply.headers["location"]) == (303, person.base)
    assert len(recruiting.server.store.participants()) == before
    person.pass_pages()
    assert "SMALL-42" in recruiting.client().get(come(recruiting, **ids("back-1")).headers["location"]).text


def test_place_given_back_and_taken_again_goes_on_with_the_new_session(recruiting: Any) -> None:
    person = recruiting.join(**ids("again-1", "first"))
    assert come(recruiting, **ids("again-1", "second")).headers["location"] == person.base
    assert person.participant.platform_session == "second"


def test_second_session_gets_no_second_code(recruiting: Any) -> None:
    person = recruiting.join(**ids("twice-1", "first"))
    person.pass_pages()
    before = len(recruiting.server.store.participants())
    for client in (recruiting.client(), person.client):  # not even on the device that completed it
        link = recruiting.server.links.join[""]
        for reply in (
            client.get(link, params=ids("twice-1", "second")),
            client.post(link, params=ids("twice-1", "second")),
        ):
            assert reply.status_code == 200
            assert "This study has already been started" in reply.text
            assert person.token not in reply.text
    assert person.participant.platform_session == "first"
    assert len(recruiting.server.store.participants()) == before


def test_where_answers_can_be_seen_again_the_id_alone_opens_nothing(serve: Callable[..., Any]) -> None:
    served = serve(looking_back)
    person = served.join(**ids(session="first"))
    person.pass_pages("quality-1")
    stranger = served.client().post(served.server.links.join[""], params=ids(session="made up"))
    assert "This study has already been started" in stranger.text
    assert come(served, **ids(session="first")).headers["location"] == person.base
    # the device that began is known by its cookie; one on which somebody else began is not
    assert come(served, person.client, **ids(session="second")).headers["location"] == person.base
    other = served.join(**ids("somebody-else", "theirs"))
    stranger = other.client.post(served.server.links.join[""], params=ids(session="made up"))
    assert "This study has already been started" in stranger.text


def test_two_people_of_a_platform_share_a_device(recruiting: Any) -> None:
    client = recruiting.client()
    one = come(recruiting, client, **ids("shared-1", "a"))
    # the second is not led to what the first has begun
    assert one.headers["location"] not in client.get(recruiting.server.links.join[""], params=ids("shared-2", "b")).text
    other = come(recruiting, client, **ids("shared-2", "b"))
    assert one.headers["location"] != other.headers["location"]


def test_without_ids_people_begin_as_anybody(recruiting: Any) -> None:
    assert recruiting.join().participant.external_id is None
    # an id without a session may be anything: it is kept, but leads nobody anywhere
    first, second = (recruiting.join(PROLIFIC_PID="1") for _ in range(2))
    assert first.token != second.token
    assert first.participant.external_id == "1"


def test_paused_study_lets_people_of_a_platform_come_back(serve: Callable[..., Any]) -> None:
    served = serve(prolific)
    person = served.join(**ids())
    served.researcher().post("/board/pause")
    assert come(served, **ids()).headers["location"] == person.base
    assert "study is paused" in served.client().get(served.server.links.join[""], params=ids("new", "n")).text


@pytest.mark.parametrize(
    ("status", "session", "looks_back", "expected"),
    [
        ("active", "mine", False, True),
        ("active", "mine", True, True),
        ("completed", "mine", True, True),
        ("withdrawn", "mine", False, True),
        ("active", "other", False, True),
        ("active", "other", True, False),
        ("completed", "other", False, False),
        ("withdrawn", "other", False, False),
        ("excluded", "other", False, False),
        ("active", None, True, False),
    ],
)
def test_who_may_return(status: Status, session: str | None, looks_back: bool, expected: bool) -> None:
    earlier = Participant(1, "", "", 1, status, True, False, NOON, NOON, platform_session="mine")
    assert may_return(earlier, session, looks_back=looks_back) is expected


def test_lack_of_a_session_proves_nothing() -> None:
    earlier = Participant(1, "", "", 1, "completed", True, False, NOON, NOON, platform_session=None)
    assert not may_return(earlier, None, looks_back=False)


# --- MTurk ------------------------------------------------------------------------------------------------------------


def test_who_only_looks_on_mturk_cannot_begin(turk: Any) -> None:
    before = len(turk.server.store.participants())
    looking = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"}
    client, link = turk.client(), turk.server.links.join[""]
    for reply in (client.get(link, params=looking), client.post(link, params=looking)):
        assert reply.status_code == 200
        assert "please accept it on MTurk first" in reply.text
        assert '<button type="submit" disabled>' in reply.text
    assert len(turk.server.store.participants()) == before


def test_assignment_is_handed_in_by_a_form(turk: Any) -> None:
    person = turk.join(**TURK)
    assert person.participant.platform_return == "https://www.mturk.com"
    person.pass_pages()
    reply = person.open()
    assert '<form method="post" action="https://www.mturk.com/mturk/externalSubmit"' in reply.text
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', reply.text))
    assert fields == {"assignmentId": "AS1", "outcome": "completed", "code": "SMALL-42"}


def test_mturk_may_frame_participants_pages_and_only_the_last_one_sends_elsewhere(turk: Any) -> None:
    person = turk.join(**{**TURK, "workerId": "AW2", "assignmentId": "AS2"})

    def policy(reply: Any) -> dict[str, str]:
        return dict(part.split(" ", 1) for part in reply.headers["content-security-policy"].split("; "))

    workers = "https://worker.mturk.com https://workersandbox.mturk.com"
    for reply in (person.client.get(turk.server.links.join[""]), person.open(), person.open("/withdraw")):
        assert policy(reply)["frame-ancestors"] == workers
        assert policy(reply)["form-action"] == "'self'"
    person.pass_pages()
    last = policy(person.open())
    assert last["frame-ancestors"] == workers
    assert last["form-action"].split() == [
        "'self'", "https://www.mturk.com", "https://workersandbox.mturk.com", "https://worker.mturk.com"
    ]  # fmt: skip
    researcher = turk.researcher()
    for path in ("/board", "/board/links", "/board/preview/1/1", "/board/preview/1/completed"):
        assert policy(researcher.get(path))["frame-ancestors"] == "'none'"
        assert policy(researcher.get(path))["form-action"] == "'self'"


def test_survey_link_without_ids_gets_a_code_to_paste(turk: Any) -> None:
    person = turk.join()
    person.pass_pages()
    page = person.open().text
    assert "externalSubmit" not in page
    assert "SMALL-42" in page
    assert "form-action 'self';" in person.open().headers["content-security-policy"]


def test_returned_assignment_that_is_accepted_again_is_the_one_handed_in(turk: Any) -> None:
    first = {**TURK, "workerId": "AW3", "assignmentId": "AS3"}
    person = turk.join(**first)
    person.pass_pages("quality-1")
    assert come(turk, **{**first, "assignmentId": "AS4"}).headers["location"] == person.base
    person.pass_pages()
    assert 'value="AS4"' in person.open().text


# --- codes without a platform -----------------------------------------------------------------------------------------


def test_codes_are_shown_where_no_platform_is_named(serve: Callable[..., Any]) -> None:
    def change(data: dict[str, Any]) -> None:
        data["finish"] = {"codes": {"completed": "DONE-1", **CODES, "withdrawn": "STOP-1"}}

    served = serve(change)
    done, barred, unwilling, stopped = (served.join() for _ in range(4))
    done.pass_pages()
    barred.send("consent", {"agreed": True})
    barred.send("questionnaire", {**barred.questionnaire, "native": "no"})
    unwilling.client.post(f"{unwilling.base}/withdraw")
    stopped.pass_pages("quality-2")
    stopped.client.post(f"{stopped.base}/withdraw")
    shown = [
        re.findall(r'<p class="code"[^>]*>([^<]*)</p>', who.open().text) for who in (done, barred, unwilling, stopped)
    ]
    assert shown == [["DONE-1"], ["OUT-1"], ["NO-1"], ["STOP-1"]]
