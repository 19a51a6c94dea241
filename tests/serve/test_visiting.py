"""Pages lead where they should, whatever address is asked for."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from served_study import Served
from task_studies import write_task_study

from textassay.answers.answer_rows import time_limit_cells
from textassay.answers.records import Participant, Status
from textassay.answers.saving import FileStatements
from textassay.errors import StoreError
from textassay.serve.server import ServerThread
from textassay.serve.visiting import outcome_of
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


def test_link_leads_to_the_page_that_is_due(person: Any) -> None:
    assert person.open().url.path == f"{person.base}/1"
    person.pass_pages("quality-2")
    number = next(page.number for page in person.pages if page.key == "quality-2")
    assert person.open().url.path == f"{person.base}/{number}"


@pytest.mark.parametrize("asked", ["/6", "/99", "/0"])
def test_page_that_may_not_be_opened_leads_to_the_one_that_is_due(person: Any, asked: str) -> None:
    person.pass_pages("quality-p1")
    assert person.open(asked).url.path == f"{person.base}/4"


def test_page_that_was_answered_says_so_and_shows_the_way_on(person: Any) -> None:
    person.pass_pages("quality-p1")
    page = person.open("/2")
    assert page.url.path == f"{person.base}/2"
    assert "You have already answered this page" in page.text
    assert f'href="{person.base}">Go to the current page' in page.text
    assert "data-page" not in page.text  # nothing to answer


def test_pages_are_not_kept_by_browsers(person: Any) -> None:
    assert person.open().headers["cache-control"] == "no-store"


def test_every_kind_of_page_shows_what_the_study_says(person: Any) -> None:
    expected = {
        "consent": ["I agree to take part."],
        "questionnaire": ["Is English your first language?", 'inputmode="decimal"', 'type="email"', "(optional)"],
        "instructions:quality": ["Read each text and rate it."],
        "quality-p1": ["Practice 1 of 2", "A text to practise with.", "does not count"],
        "quality-1": ["1 of 8", "The practice is over.", "Data behind", "How clear is the text?", "Anything else?"],
        "quality-2": ["2 of 8"],
        "break:quality:1": ["Time for a short break", "4 of 8 are done."],
    }
    for key, words in expected.items():
        person.pass_pages(key)
        page = person.open().text
        assert [word for word in words if word not in page] == [], key
        assert ("Practice " in page) == (key == "quality-p1")
    person.pass_pages()
    end = person.open().text
    assert "That was all." in end
    assert "SMALL-42" in end
    assert "SMALL-42" not in page


def test_texts_are_escaped(serve: Callable[..., Any]) -> None:
    def nasty(data: dict[str, Any]) -> None:
        data["title"] = "<script>alert(1)</script>"
        data["blocks"][0]["criteria"][0]["question"] = '"><img src=x onerror=alert(2)>'
        data["questionnaire"][0]["choices"] = ["yes", "no", '"><script>alert(3)</script>']

    person = serve(nasty).join()
    seen = []
    for page in person.pages:
        seen.append(person.open().text)
        person.send(page.key, person.fitting(page))
    text = "".join(seen)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_study_in_another_script_and_an_interface_in_english(serve: Callable[..., Any]) -> None:
    person = serve(lambda data: data.update(language="he")).join()
    page = person.open().text
    assert '<html lang="he" dir="rtl">' in page
    assert '<button type="submit" disabled lang="en" dir="ltr">' in page


def test_arabic_study_speaks_arabic_from_right_to_left(serve: Callable[..., Any]) -> None:
    person = serve(lambda data: data.update(language="ar-EG")).join()
    page = person.open().text
    assert '<html lang="ar-EG" dir="rtl">' in page
    assert "لقد قرأت ما سبق وأوافق على المشاركة." in page
    assert 'dir="ltr"' not in page
    person.pass_pages("quality-1")
    assert "النص المطلوب تقييمه" in person.open().text


@pytest.mark.parametrize(("language", "words"), [("fr", "J’ai lu ce qui précède"), ("es", "He leído lo anterior")])
def test_interface_speaks_the_language_asked_for(serve: Callable[..., Any], language: str, words: str) -> None:
    page = serve(lambda data: data.update(interface=language)).join().open().text
    assert words in page
    assert f'lang="{language}" dir="ltr"' in page


def test_german_study_speaks_german(serve: Callable[..., Any]) -> None:
    page = serve(lambda data: data.update(language="de-AT")).join().open().text
    assert '<html lang="de-AT" dir="ltr">' in page
    assert "Ich habe dies gelesen" in page
    assert 'lang="en"' not in page


def test_withdrawing_is_asked_about_and_kept(person: Any) -> None:
    person.pass_pages("quality-2")
    asked = person.open("/withdraw")
    assert "Stop taking part?" in asked.text
    assert person.participant.status == "active"
    reply = person.client.post(f"{person.base}/withdraw")
    assert (reply.status_code, reply.headers["location"]) == (303, person.base)
    assert person.participant.status == "withdrawn"
    assert "You have stopped taking part" in person.open().text
    assert "quality-1" in person.answers
    # nothing more is taken
    person.send("quality-2", person.fitting(person.pages[6]))
    assert "quality-2" not in person.answers
    assert person.open("/withdraw").url.path == person.base


def test_who_does_not_agree_is_asked_once_more_and_frees_the_slot(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join()
    assert "I do not agree" in person.open().text
    asked = person.open("/withdraw").text
    assert "You do not agree?" in asked
    assert person.participant.status == "active"
    person.client.post(f"{person.base}/withdraw")
    assert (person.participant.status, person.answers) == ("withdrawn", {})
    page = person.open().text
    assert "You have not agreed to take part" in page
    assert "SMALL-42" not in page
    assert served.join().participant.slot == person.participant.slot
    # after consent it is the usual question
    other = served.join()
    other.send("consent", {"agreed": True})
    assert "Stop taking part?" in other.open("/withdraw").text


def test_answers_can_be_withdrawn_after_the_end(person: Any) -> None:
    person.pass_pages()
    assert "Withdraw your answers?" in person.open("/withdraw").text
    person.client.post(f"{person.base}/withdraw")
    assert person.participant.status == "withdrawn"


@pytest.mark.parametrize("path", ["", "/1", "/withdraw", "/media/x"])
def test_unknown_link_is_not_there(small: Any, path: str) -> None:
    reply = small.client().get(f"/p/{'x' * 32}{path}")
    assert reply.status_code == 404
    assert "This link is incomplete" in reply.text


def test_back_shows_the_stored_answer_where_it_may_be_changed(serve: Callable[..., Any]) -> None:
    served = serve(lambda data: data["participants"].update(may_go_back=True))
    person = served.join()
    person.pass_pages("quality-2")
    due = person.open().url.path
    page = person.open("/6")
    assert page.url.path == f"{person.base}/6"
    assert "&#34;clarity&#34;: 3" in page.text
    assert f'href="{person.base}/5"' in page.text
    # an address is not shown again: it is not known any more
    questionnaire = person.open("/2").text
    assert "Leave this empty to keep the address" in questionnaire
    assert person.answers["questionnaire"].payload["email"]["hash"] not in questionnaire
    assert person.open("/8").url.path == due
    # the browser says which answer it replaces; before the first page there is none to go back to
    assert data_of(person, "/6")["answer_id"] == person.answers["quality-1"].answer_id
    assert data_of(person)["answer_id"] is None
    assert f'href="{person.base}/0"' not in person.open("/1").text


def test_address_that_was_not_given_cannot_be_kept(serve: Callable[..., Any]) -> None:
    def optional(data: dict[str, Any]) -> None:
        data["participants"]["may_go_back"] = True
        data["questionnaire"][3]["required"] = False

    person = serve(optional).join()
    person.pass_pages("questionnaire")
    assert person.send("questionnaire", {**person.questionnaire, "email": ""}).status_code == 200
    assert "Leave this empty to keep the address" not in person.open("/2").text


def test_server_that_died_before_the_end_was_noted_notes_it_later(small: Any, person: Any) -> None:
    store = small.server.store
    person.pass_pages(person.pages[-1].key)
    last = person.pages[-1]
    # the last answer is stored, as it would be by a server that is killed right afterwards
    from datetime import UTC, datetime

    from textassay.answers.records import NewAnswer

    payload = {"ratings": {"clarity": 3, "fluency": 9}, "comment": ""}
    store.save(person.participant.id, NewAnswer("late", last.key, payload, None, datetime.now(UTC)))
    assert person.participant.status == "active"
    assert "SMALL-42" in person.open().text
    assert person.participant.status == "completed"


# --- when pages are opened ----------------------------------------------------------------------------------------


def test_first_opening_is_kept_for_every_page(person: Any) -> None:
    clock = person.served.server.site.clock  # which may be ahead of the machine's, if that was set back
    before = clock()
    person.open()
    person.open()  # loaded again
    opened = clock()
    time.sleep(0.01)
    person.open()
    person.send("consent", {"agreed": True})
    assert before <= person.answers["consent"].opened_at <= opened
    person.send("questionnaire", person.questionnaire)  # never opened: sent by something that is no browser
    assert person.answers["questionnaire"].opened_at is None


def test_page_without_time_limit_says_so(person: Any) -> None:
    assert data_of(person)["limit"] is None


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A study whose trials have a limit of 60 seconds."""
    study = load_study(write_task_study("decision", tmp_path_factory.mktemp("timed")))
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = Served(study, plan, server)
        yield served
        for client in served.clients:
            client.close()


def data_of(person: Any, path: str = "") -> dict[str, Any]:
    found = re.search(r'data-page="([^"]*)"', person.open(path).text)
    assert found is not None
    data: dict[str, Any] = json.loads(html.unescape(found[1]))
    return data


def test_reload_does_not_give_the_time_back(timed: Served) -> None:
    person = timed.join()
    first = data_of(person)
    assert first["limit"]["seconds"] == 60
    assert 59 < first["limit"]["remaining"] <= 60
    time.sleep(0.3)
    again = data_of(person)
    assert again["key"] == first["key"]
    assert again["limit"]["remaining"] <= first["limit"]["remaining"] - 0.3


def test_time_that_is_over_stays_over_and_the_answer_says_so(timed: Served) -> None:
    person = timed.join()
    store, who = timed.server.store, person.participant
    page = person.pages[0]
    store.opened(who.id, page.key, datetime.now(UTC) - timedelta(seconds=90))
    assert data_of(person)["limit"] == {"seconds": 60, "remaining": 0}
    assert person.send(page.key, {"chosen": ["call"], "timed_out": True}).status_code == 200
    cells = time_limit_cells(60, person.answers[page.key])
    assert cells == {"timed_out": True, "late": False}


def test_answer_that_was_under_way_for_long_is_late(timed: Served) -> None:
    person = timed.join()
    page = person.pages[0]
    timed.server.store.opened(person.participant.id, page.key, datetime.now(UTC) - timedelta(seconds=90))
    assert person.send(page.key, {"chosen": ["call"]}, rt_ms=12_000.0).status_code == 200
    assert time_limit_cells(60, person.answers[page.key]) == {"timed_out": False, "late": True}


def test_opening_that_cannot_be_stored_troubles_nobody(
    timed: Served, small: Any, person: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: Any, **_more: Any) -> Any:
        raise StoreError("the disk is full")

    monkeypatch.setattr(FileStatements, "store_openings", broken)
    with caplog.at_level("WARNING", "textassay.serve"):
        assert person.open().status_code == 200
        for _ in range(50):
            if caplog.records:
                break
            time.sleep(0.02)
    assert [record.getMessage() for record in caplog.records] == [
        "when pages were opened could not be stored: the disk is full"
    ]


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "done", "lacks_consent", "expected"),
    [
        ("active", False, False, None),
        ("completed", True, False, "completed"),
        ("excluded", False, False, "screened_out"),
        ("withdrawn", False, False, "withdrawn"),
        ("withdrawn", False, True, "no_consent"),
        # the work was done, whatever came afterwards
        ("withdrawn", True, False, "completed"),
        ("excluded", True, False, "completed"),
    ],
)
def test_outcomes(status: Status, done: bool, lacks_consent: bool, expected: str | None) -> None:
    person = Participant(1, "", "", 1, status, True, False, NOON, NOON, NOON if done else None)
    assert outcome_of(person, lacks_consent=lacks_consent) == expected


def test_screening_takes_nobodys_completion_away() -> None:
    left_out = Participant(1, "", "", 1, "completed", False, False, NOON, NOON, NOON)
    assert outcome_of(left_out, lacks_consent=False) == "completed"


def test_study_without_consent_has_nobody_who_refuses_it(serve: Callable[..., Served]) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["consent"]

    person = serve(change).join()
    person.client.post(f"{person.base}/withdraw")
    assert "You have stopped taking part" in person.open().text
