"""The list of participants: how far they are, and what screening says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from textassay.answers.dataset import load_dataset
from textassay.screening.screen import screen


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
        "active": 1, "silent": 0, "completed": 1, "left_out": 2, "withdrawn": 1, "no_consent": 0, "excluded": 1
    }  # fmt: skip


def test_verdicts_are_those_of_the_report(taken: Any) -> None:
    verdicts = {verdict.participant: verdict for verdict in screen(load_dataset(taken.study).cases, taken.study)}
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
        reason.text for verdict in screen(load_dataset(served.study).cases, served.study) for reason in verdict.reasons
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
