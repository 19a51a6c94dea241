"""Answers arrive once, checked, and are acknowledged when they are stored."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.answers.emails import hash_email
from textassay.answers.saving import FileStatements
from textassay.answers.store import Store
from textassay.errors import StoreError

RATED = {"ratings": {"clarity": 5, "fluency": 80}, "confirmed": {}, "comment": "  well done "}


def test_answer_is_stored_before_it_is_acknowledged(small: Any, person: Any) -> None:
    identifier = str(uuid.uuid4())
    client = {"viewport": [360, 640], "hidden": 2}
    reply = person.send("consent", {"agreed": True}, answer_id=identifier, client=client)
    assert (reply.status_code, reply.json()) == (200, {"next": f"{person.base}/2"})
    # read past the program, straight from the file
    path = small.study.directory / "answers.db"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        found = connection.execute(
            "SELECT page, payload, rt_ms, client, started_at, answered_at FROM answers WHERE answer_id = ?",
            (identifier,),
        ).fetchall()
    connection.close()
    (row,) = found
    assert row[0] == "consent"
    assert json.loads(row[1]) == {"agreed": True}
    assert row[2] == 10000.0
    assert json.loads(row[3]) == client
    assert row[4].startswith("2026-01-02 03:04:05.678")
    assert row[5].startswith("2026-01-02 03:04:15.678")


def test_same_answer_twice_keeps_one_row_and_gives_the_same_reply(person: Any) -> None:
    identifier = str(uuid.uuid4())
    first = person.send("consent", {"agreed": True}, answer_id=identifier)
    second = person.send("consent", {"agreed": True}, answer_id=identifier)
    assert first.json() == second.json()
    assert person.answers["consent"].revision == 0


def test_overlapping_answers_of_two_tabs_keep_one_row(small: Any, person: Any) -> None:
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda _: person.send("consent", {"agreed": True}), range(8)))
    # Only what is on disk is acknowledged; the others are told which answer counts.
    assert sorted(reply.status_code for reply in replies) == [200] + [409] * 7
    told = {reply.json()["message"] for reply in replies if reply.status_code == 409}
    assert len(told) == 1
    assert "That answer counts; the one given here was not stored." in told.pop()
    own = person.participant.id
    revisions = [answer for number, answer in small.server.store.all_answers(revisions=True) if number == own]
    assert [answer.revision for answer in revisions] == [0]


def test_page_ahead_of_the_current_one_is_not_taken(person: Any) -> None:
    reply = person.send("quality-1", RATED)
    why = "Another page has to be answered before this one, so this answer was not stored."
    assert (reply.status_code, reply.json()) == (409, {"next": person.base, "message": why})
    assert person.answers == {}


def test_answer_that_does_not_fit_is_told_beside_its_field(person: Any) -> None:
    reply = person.send("consent", {"agreed": "yes"})
    assert reply.status_code == 422
    assert list(reply.json()["errors"]) == ["agreed"]
    assert person.answers == {}


def test_wrong_rating_gets_the_tasks_own_words(person: Any) -> None:
    person.pass_pages("quality-p1")
    reply = person.send("quality-p1", {"ratings": {"clarity": 9, "fluency": 50}, "confirmed": {"fluency": False}})
    assert reply.status_code == 422
    assert reply.json()["errors"] == {
        "clarity": "Please choose one of the answers shown.",
        "fluency": "Please move the slider, or tick the box if you mean exactly the middle.",
    }
    confirmed = {"ratings": {"clarity": 7, "fluency": 50}, "confirmed": {"fluency": True}, "comment": " ok "}
    assert person.send("quality-p1", confirmed).status_code == 200
    assert person.answers["quality-p1"].payload == {"ratings": {"clarity": 7, "fluency": 50}, "comment": "ok"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"native": ""}, {"native": "Please answer this question."}),
        ({"native": "perhaps"}, {"native": "Please choose one of the answers."}),
        ({"native": ["yes"]}, {"native": "Please choose one of the answers."}),
        ({"age": "old"}, {"age": "Please enter a number."}),
        ({"age": "-1"}, {"age": "Please enter a number of at least 0."}),
        ({"age": 121}, {"age": "Please enter a number of at most 120."}),
        ({"job": "x" * 201}, {"job": "Please use at most 200 characters."}),
        ({"email": "  "}, {"email": "Please answer this question."}),
        ({"email": "x" * 321}, {"email": "Please use at most 320 characters."}),
    ],
)
def test_wrong_questionnaire(person: Any, given: dict[str, Any], expected: dict[str, str]) -> None:
    person.pass_pages("questionnaire")
    reply = person.send("questionnaire", {**person.questionnaire, **given})
    assert (reply.status_code, reply.json()) == (422, {"errors": expected})
    assert "questionnaire" not in person.answers


def test_email_address_never_reaches_the_disk(small: Any, person: Any) -> None:
    person.pass_pages("questionnaire")
    address = "Grace.Hopper+study@letters.uni-koeln.de"
    assert person.send("questionnaire", {**person.questionnaire, "email": address}).status_code == 200
    kept = person.answers["questionnaire"].payload["email"]
    assert kept == {
        "hash": hash_email(address, small.server.store.secret("email")),
        "plausible": True,
        "elsewhere": [],
    }
    for path in small.study.directory.iterdir():
        assert b"hopper" not in path.read_bytes().lower(), path.name


def test_numbers_are_kept_as_numbers_and_empty_answers_left_out(person: Any) -> None:
    person.pass_pages("questionnaire")
    assert person.send("questionnaire", {**person.questionnaire, "age": "34,5", "job": " "}).status_code == 200
    stored = person.answers["questionnaire"].payload
    assert stored["age"] == 34.5
    assert "job" not in stored


@pytest.mark.parametrize("answer", [{"native": "no"}, {"age": "17"}, {"job": "Linguist "}])
def test_answer_that_excludes_ends_the_participation_politely(person: Any, answer: dict[str, str]) -> None:
    person.pass_pages("questionnaire")
    reply = person.send("questionnaire", {**person.questionnaire, **answer})
    assert reply.status_code == 200
    assert person.participant.status == "excluded"
    page = person.open()
    assert "Thank you for your interest" in page.text
    # the page does not tell which answer it was
    assert not any(word in page.text for word in ("first language", "old are you", "work as"))
    # nothing more is taken, and nobody is thrown out of the page either
    why = "Your participation has already ended, so this answer was not stored."
    assert person.send("instructions:quality", {}).json() == {"next": person.base, "message": why}
    assert "instructions:quality" not in person.answers
    assert person.client.get(f"{person.base}/4", follow_redirects=True).text == page.text


def test_last_answer_completes(small: Any, person: Any) -> None:
    person.pass_pages()
    assert person.participant.status == "completed"
    assert (person.participant.valid, person.participant.counted) == (True, True)
    last = person.answers[person.pages[-1].key]
    again = person.send(last.page, dict(last.payload), answer_id=last.answer_id)
    assert (again.status_code, again.json()) == (200, {"next": person.base})


def test_whoever_fails_the_screening_completes_but_leaves_the_slot_open(person: Any) -> None:
    for page in person.pages:
        payload = person.fitting(page)
        if page.trial is not None:
            payload["ratings"]["clarity"] = 4  # the attention check wants 2
        assert person.send(page.key, payload).status_code == 200
    assert person.participant.status == "completed"
    assert person.participant.valid is False


def test_same_address_twice_is_noticed_at_the_end(small: Any) -> None:
    first, second = small.join(), small.join()

    def answer(who: Any, *pages: Any) -> None:
        for page in pages:
            payload = who.fitting(page)
            if page.key == "questionnaire":
                payload["email"] = "twice@letters.uni-koeln.de"
            assert who.send(page.key, payload).status_code == 200

    answer(second, *second.pages[:2])  # who began later says it first
    answer(first, *first.pages)
    answer(second, *second.pages[2:])
    assert [first.participant.valid, second.participant.valid] == [True, False]


@pytest.mark.parametrize(
    ("content", "media_type", "status"),
    [
        (b"{}", "text/plain", 415),
        (b"answer_id=1", "application/x-www-form-urlencoded", 415),
        (b"{", "application/json", 422),
        (b"[]", "application/json", 422),
        (b'{"page": "consent"}', "application/json", 422),
        (b'{"payload": ' + b"[" * 50000 + b"]" * 50000 + b"}", "application/json", 422),
        (b" " * (256 * 1024 + 1), "application/json", 413),
    ],
)
def test_what_is_no_answer_is_refused(person: Any, content: bytes, media_type: str, status: int) -> None:
    reply = person.client.post(f"{person.base}/answers", content=content, headers={"content-type": media_type})
    assert reply.status_code == status
    assert person.answers == {}


def test_large_body_is_refused_although_its_length_is_not_announced(person: Any) -> None:
    chunks = (b" " * 1024 for _ in range(300))
    reply = person.client.post(
        f"{person.base}/answers", content=chunks, headers={"content-type": "application/json; charset=utf-8"}
    )
    assert reply.status_code == 413


SOUND = {
    "answer_id": "00000000-0000-4000-8000-000000000000",
    "page": "consent",
    "payload": {"agreed": True},
    "started_at": None,
    "answered_at": "2026-01-02T03:04:05Z",
    "rt_ms": None,
    "client": {},
}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ('"answer_id": "1"', 422),
        ('"rt_ms": -1', 422),
        ('"rt_ms": "10"', 422),
        ('"rt_ms": NaN', 422),
        ('"answered_at": "2026-01-02T03:04:05"', 422),
        ('"answered_at": "0001-01-01T00:00:00+14:00"', 422),
        ('"client": {"a": NaN}', 422),
        ('"client": {"a": [Infinity]}', 422),
        ('"client": {"a": ' + "9" * 5000 + "}", 422),
        ('"client": ' + json.dumps({str(number): 1 for number in range(41)}), 422),
        ('"payload": []', 422),
        ('"colour": "red"', 422),
        ('"page": ""', 422),
        ('"client": {"half a pair": "\\ud83d", "nul": "\\u0000"}', 200),
        ('"rt_ms": 1.5', 200),
        ('"rt_ms": 1e10', 200),
        ('"rt_ms": 1.1e10', 422),
        ('"answered_at": "1970-01-01T00:00:00Z"', 200),
        ('"answered_at": "2200-01-01T00:00:00Z"', 200),
        ('"answered_at": "2200-01-01T00:00:01Z"', 422),
    ],
    ids=lambda change: str(change)[:40],
)
def test_body_must_be_sound(person: Any, change: str, status: int) -> None:
    body = {**SOUND, "answer_id": str(uuid.uuid4())}
    body.pop(change.split('"')[1], None)
    content = json.dumps(body)[:-1] + f", {change}}}"
    reply = person.client.post(f"{person.base}/answers", content=content, headers={"content-type": "application/json"})
    assert reply.status_code == status
    assert len(person.answers) == (status == 200)


def test_unknown_page_and_unknown_link(person: Any) -> None:
    assert person.send("quality-999", {}).status_code == 404
    person.token = "x" * 32
    assert person.send("consent", {"agreed": True}).status_code == 404


def test_answers_may_be_changed_where_the_study_says_so(serve: Callable[..., Any]) -> None:
    person = serve(lambda data: data["participants"].update(may_go_back=True)).join()
    person.pass_pages("quality-2")
    reply = person.send("quality-1", RATED, replaces=person.answers["quality-1"].answer_id)
    assert reply.json() == {"next": person.open("").url.path}
    assert (person.answers["quality-1"].revision, person.answers["quality-1"].payload["comment"]) == (1, "well done")
    # the address is not asked again, and stays
    before = person.answers["questionnaire"].payload["email"]
    changed = {**person.questionnaire, "email": "", "job": "baker"}
    assert person.send("questionnaire", changed).status_code == 200
    assert person.answers["questionnaire"].payload["email"] == before
    assert person.answers["questionnaire"].payload["job"] == "baker"
    assert person.participant.status == "active"


def test_an_older_answer_that_a_device_kept_is_stored_but_does_not_replace_a_newer_one(
    serve: Callable[..., Any],
) -> None:
    served = serve(lambda data: data["participants"].update(may_go_back=True))
    person = served.join()
    person.pass_pages("quality-2")
    newer = person.answers["quality-1"]
    minute = 60_000
    old: dict[str, Any] = {"answer_id": str(uuid.uuid4()), "age_ms": minute}
    reply = person.send("quality-1", RATED, **old)
    assert reply.status_code == 200
    assert reply.json()["late"] is True
    assert "That other answer counts" in reply.json()["message"]
    assert person.answers["quality-1"] == newer
    revisions = {
        answer.answer_id: answer.revision
        for _, answer in served.server.store.all_answers(revisions=True, page="quality-1")
    }
    assert revisions == {newer.answer_id: 0, old["answer_id"]: -1}
    # sent again, because the reply was lost
    assert person.send("quality-1", RATED, **old).json() == reply.json()
    # how old an answer is can be said in one place only
    person.send("quality-2", RATED, client={"age_ms": 9 * minute, "hidden": 1})
    assert person.answers["quality-2"].client == {"hidden": 1}
    # one that had seen the newer one replaces it, however long it was kept; so does one that was given later
    assert "late" not in person.send("quality-1", RATED, age_ms=minute, replaces=newer.answer_id).json()
    assert person.answers["quality-1"].payload["comment"] == "well done"
    later = {**RATED, "comment": "later"}
    assert "has replaced that one" in person.send("quality-1", later, age_ms=minute / 2).json()["message"]
    assert person.answers["quality-1"].payload["comment"] == "later"
    every = served.server.store.all_answers(revisions=True, page="quality-1")
    assert [answer.revision for _, answer in every] == [0, -1, 1, 2]


def test_membership_in_another_study_is_found_with_that_studys_key(serve: Callable[..., Any], tmp_path: Path) -> None:
    other = write_small_study(tmp_path / "other")
    with Store.open(f"sqlite:///{(other / 'answers.db').as_posix()}") as store:
        assert store.secret("email")
    first = serve(directory=other).join()
    first.pass_pages("questionnaire")
    assert first.send("questionnaire", {**first.questionnaire, "email": "Ann@letters.uni-koeln.de"}).status_code == 200

    def named(data: dict[str, Any]) -> None:
        data["screening"]["took-part-elsewhere"] = {"studies": ["../other"]}

    served = serve(named, directory=tmp_path / "this")
    for address, elsewhere in (("ann@letters.uni-koeln.de", ["../other"]), ("bob@letters.uni-koeln.de", [])):
        person = served.join()
        person.pass_pages("questionnaire")
        assert person.send("questionnaire", {**person.questionnaire, "email": address}).status_code == 200
        assert person.answers["questionnaire"].payload["email"]["elsewhere"] == elsewhere


def test_looking_back_without_a_change_is_no_revision(serve: Any) -> None:
    served = serve(lambda data: data["participants"].update(may_go_back=True))
    person = served.join()
    person.pass_pages("quality-1")
    assert person.send("quality-1", RATED).status_code == 200
    assert person.send("quality-1", RATED).status_code == 200  # under a new id, as the browser sends it
    assert person.answers["quality-1"].revision == 0
    changed = {**RATED, "ratings": {**RATED["ratings"], "clarity": 1}}
    reply = person.send("quality-1", changed)  # from a page that did not show the first answer
    assert reply.status_code == 200
    assert "has replaced that one, so this one counts" in reply.json()["message"]
    assert person.answers["quality-1"].revision == 1


def test_other_study_that_cannot_be_read_loses_no_answer(
    serve: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_small_study(tmp_path / "other")
    (tmp_path / "other" / "answers.db").write_text("this is no database", encoding="utf-8")

    def named(data: dict[str, Any]) -> None:
        data["screening"]["took-part-elsewhere"] = {"studies": ["../other"]}

    person = serve(named, directory=tmp_path / "this").join()
    person.pass_pages("questionnaire")
    with caplog.at_level("WARNING", "textassay.serve.answering"):
        assert person.send("questionnaire", person.questionnaire).status_code == 200
    assert person.answers["questionnaire"].payload["email"]["elsewhere"] == []
    assert caplog.records[0].getMessage().startswith("cannot check participation in another study: ")


def test_id_of_another_answer_is_refused_and_a_broken_store_asks_to_send_again(
    small: Any, person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    identifier = str(uuid.uuid4())
    assert small.join().send("consent", {"agreed": True}, answer_id=identifier).status_code == 200
    taken = person.send("consent", {"agreed": True}, answer_id=identifier)
    assert taken.status_code == 409
    assert taken.json()["next"].endswith("/1")
    assert "could not be read" in taken.json()["message"]

    def broken(*_args: Any, **_more: Any) -> Any:
        raise StoreError("the disk is full")

    monkeypatch.setattr(FileStatements, "store_answers", broken)
    failed = person.send("consent", {"agreed": True})
    assert (failed.status_code, failed.json()) == (503, {"detail": "the answer could not be stored; send it again"})
    assert failed.headers["retry-after"] == "5"
    assert person.answers == {}
