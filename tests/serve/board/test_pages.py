"""The board is for the researcher only; it counts, and it can pause recruiting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served_study import serving

from textassay.answers.dataset import load_dataset
from textassay.screening.verdicts import judge_all
from textassay.serve.app import ENDPOINTS
from textassay.serve.board.pages import ListPage
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


@pytest.mark.parametrize("asked", ["0", "-1", "x", "²", "9" * 5000, ""])
def test_nonsense_asks_for_the_first_page(asked: str) -> None:
    assert ListPage.asked(asked, 250, 100).number == 1


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
            assert (reply.status_code, "The study is paused" in reply.text) == (200, True)
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
    assert f'href="{person.base}"' in page
    assert "The study is paused" not in page
    assert "I am someone else" not in page


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
    page = served.researcher().get("/board").text
    assert "have changed since the first participant started" not in page
    assert "Files have changed since the server started" not in page
    served.server.site.files_differ(("study.yaml", "texts.csv"))
    page = served.researcher().get("/board").text
    assert "Files have changed since the server started" in page
    assert "study.yaml, texts.csv" in page
    assert "have changed" not in served.client().get(served.server.links.join[""]).text
    texts = tmp_path / "texts.csv"
    texts.write_text(texts.read_text(encoding="utf-8").replace("i2,human,", "i2,human,Indeed: "), encoding="utf-8")
    study = load_study(tmp_path)
    with ServerThread(study, stored_plan(study), store=served.server.store) as again:
        (change,) = again.links.changes
        assert "text of item 'i2' by system 'human' (new version served from " in change
        client = served.client()
        page = client.get(again.links.board, follow_redirects=True).text
        assert "have changed since the first participant started" in page
        assert "text of item &#39;i2&#39; by system &#39;human&#39;" in page


@pytest.fixture(scope="module")
def taken(serve: Callable[..., Any]) -> Any:
    """A study with one of each."""
    served = serve()
    done, half_way, hasty, gone, barred, twin = (served.join() for _ in range(6))
    done.pass_pages()
    half_way.pass_pages("quality-3")
    for page in hasty.pages:
        hasty.send(page.key, hasty.fitting(page), rt_ms=200.0)
    gone.pass_pages("quality-1")
    gone.client.post(f"{gone.base}/withdraw")
    barred.send("consent", {"agreed": True})
    barred.send("questionnaire", {**barred.questionnaire, "age": "17"})
    for page in twin.pages:
        payload = done.questionnaire if page.kind == "questionnaire" else twin.fitting(page)
        twin.send(page.key, payload)
    served.people = {"done": done, "half_way": half_way, "hasty": hasty, "gone": gone, "barred": barred, "twin": twin}
    return served


def listed(taken: Any, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = taken.researcher().get("/board/participants.json", params=query).json()
    return found


def row(taken: Any, who: str) -> dict[str, Any]:
    code = taken.people[who].participant.code
    return next(each for each in listed(taken)["people"] if each["code"] == code)


def test_progress_and_standing(taken: Any) -> None:
    seen = {who: (row(taken, who)["standing"], row(taken, who)["passed"]) for who in taken.people}
    assert seen == {
        "done": ("completed", 14),
        "half_way": ("active", 7),
        "hasty": ("left_out", 14),
        "gone": ("withdrawn", 5),
        "barred": ("excluded", 2),
        "twin": ("left_out", 14),
    }
    assert row(taken, "done")["pages"] == 14
    assert listed(taken)["counts"] == {
        "active": 1, "between": 0, "silent": 0, "completed": 1, "left_out": 2, "withdrawn": 1, "no_consent": 0,
        "excluded": 1,
    }  # fmt: skip


def test_verdicts_are_those_of_the_report(taken: Any) -> None:
    verdicts = {verdict.participant: verdict for verdict in judge_all(load_dataset(taken.study).cases, taken.study)}
    for person in listed(taken)["people"]:
        if person["standing"] == "active":
            assert (person["valid"], person["reasons"]) == (None, [])
            continue
        verdict = verdicts[person["code"]]
        assert person["valid"] is verdict.valid
        assert [(each["rule"], each["text"]) for each in person["reasons"]] == [
            (each.rule, each.text) for each in verdict.reasons
        ]
    assert [each["rule"] for each in row(taken, "twin")["reasons"]] == ["took-part-twice"]
    assert row(taken, "hasty")["reasons"] == [{"rule": "too-fast", "text": "6 of 6 trials under 1.0 s"}]


def test_page_shows_reasons_and_no_link_or_name(taken: Any) -> None:
    page = taken.researcher().get("/board/participants").text
    assert "6 of 6 trials under 1.0 s" in page
    assert "not finished" in page
    for who, person in taken.people.items():
        assert person.participant.code in page, who
        assert person.token not in page, who


@pytest.mark.parametrize(
    ("language", "fast", "young"),
    [
        ("de", "6 von 6 Durchgängen unter 1.0 s", "age: 17 liegt unter 18"),
        ("ar", "محاولات دون 1.0 ث: 6 من 6", "age: 17 أقل من 18"),
    ],
)
def test_reasons_speak_the_language_of_the_pages(
    serve: Callable[..., Any], language: str, fast: str, young: str
) -> None:
    served = serve(lambda data: data.update(interface=language))
    hasty, barred = served.join(), served.join()
    for each in hasty.pages:
        hasty.send(each.key, hasty.fitting(each), rt_ms=200.0)
    barred.send("consent", {"agreed": True})
    barred.send("questionnaire", {**barred.questionnaire, "age": "17"})
    page = served.researcher().get("/board/participants").text
    assert fast in page
    assert young in page
    assert "trials under" not in page
    # Tables go round the world: their reasons stay in one language.
    assert "6 of 6 trials under 1.0 s" in {
        reason.text
        for verdict in judge_all(load_dataset(served.study).cases, served.study)
        for reason in verdict.reasons
    }


def test_only_those_asked_for_are_shown(taken: Any) -> None:
    found = listed(taken, standing="left_out")
    assert {person["code"] for person in found["people"]} == {
        taken.people[who].participant.code for who in ("hasty", "twin")
    }
    assert found["counts"]["active"] == 1  # the others are still counted
    assert len(listed(taken, standing="nonsense")["people"]) == 6
    page = taken.researcher().get("/board/participants?standing=active").text
    assert taken.people["half_way"].participant.code in page
    assert taken.people["done"].participant.code not in page


def test_whoever_was_seen_last_comes_first_and_long_lists_have_parts(small: Any) -> None:
    people = [small.join() for _ in range(101)]
    first = listed(small)
    assert (len(first["people"]), first["part"], first["parts"]) == (100, 1, 2)
    assert first["people"][0]["code"] == people[-1].participant.code
    second = listed(small, part="2")
    codes = [each["code"] for each in (*first["people"], *second["people"])]
    assert len(codes) == len(set(codes)) == len(small.server.store.participants())
    assert 'href="/board/participants?part=2"' in small.researcher().get("/board/participants").text
    page = small.researcher().get("/board/participants?standing=active").text
    assert 'href="/board/participants?standing=active&amp;part=2"' in page
