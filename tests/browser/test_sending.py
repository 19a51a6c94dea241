"""Answers arrive once, whatever happens to clicks, tabs, network and server; times are those of the press."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error, expect

from textassay.serve.server import ServerThread

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

WAITING = "Your answer is saved on this device and will be sent automatically."
EMAIL = "ada@letters.uni-koeln.de"
unreachable = pytest.mark.console_errors("ERR_|Failed to load resource")


def rows(small: Any, person: Any) -> list[tuple[str, int]]:
    own = person.participant.id
    answers = small.server.store.all_answers(revisions=True)
    return [(answer.page, answer.revision) for number, answer in answers if number == own]


def test_double_click_keeps_one_row(small: Any, hands: Any, at: Callable[[str], Any]) -> None:
    person = at("quality-1")
    hands.click(hands.step(3))
    hands.click(hands.slider, across=0.2)
    hands.next.dblclick()
    hands.wait_for_page(7)
    assert [row for row in rows(small, person) if row[0].startswith("quality-")][2:] == [("quality-1", 0)]


@pytest.mark.console_errors("status of 409")
def test_second_tab_is_told_which_answer_counts(
    small: Any, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    person = small.join()
    person.pass_pages("quality-1")
    context = new_context()
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        tab.goto(small.server.links.base + person.base)
    for value, tab in enumerate(tabs, 4):
        hands.page = tab
        hands.wait_until_ready()
        hands.click(hands.step(value))
        hands.click(hands.slider, across=0.2)
        hands.click(hands.next)
        if tab is tabs[1]:
            tab.get_by_text("That answer counts; the one given here was not stored.").wait_for()
            assert hands.focused(tab.locator("h1"))
            assert tab.locator("form").count() == 0
            tab.get_by_role("link", name="Go to the current page").click()
        hands.wait_for_page(7)
    assert rows(small, person)[-1] == ("quality-1", 0)
    assert person.answers["quality-1"].payload["ratings"]["clarity"] == 4
    assert tabs[1].locator("#notice").inner_text() == ""


@unreachable
def test_server_down_then_up(serve: Callable[..., Any], hands: Any) -> None:
    served = serve(lambda data: data.update(screening={}))
    port = int(served.server.links.base.rpartition(":")[2])
    person = served.join()
    person.pass_pages("quality-1")
    page = hands.page
    page.goto(served.server.links.base + person.base)
    hands.wait_until_ready()
    hands.click(hands.step(5))
    hands.click(hands.slider, across=0.8)
    served.server.__exit__(None, None, None)
    hands.click(hands.next)
    expect(page.get_by_role("status")).to_contain_text(WAITING)
    assert page.url.endswith("/6")
    with ServerThread(served.study, served.plan, port=port) as server:
        hands.wait_for_page(7)
        stored = server.store.answers(server.store.participants()[-1].id)["quality-1"]
    assert stored.payload["ratings"]["clarity"] == 5
    assert stored.revision == 0


def lose_network(context: BrowserContext) -> None:
    """For good on the pages that are open: one that is closed or reloaded is out of the emulation for a moment."""
    context.set_offline(True)
    for page in context.pages:
        page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')); }")


def fill_in(hands: Any, key: str) -> None:
    """Answer a page without submitting it."""
    page = hands.page
    if key == "consent":
        hands.click(page.get_by_role("checkbox"))
    elif key == "questionnaire":
        hands.click(page.get_by_text("yes", exact=True))
        for label, words in (("How old are you?", "34"), ("Your e-mail address", EMAIL)):
            hands.click(page.get_by_label(label))
            page.keyboard.type(words)
    elif key.startswith("quality"):
        hands.click(hands.step(2))
        hands.click(hands.slider, across=0.8)
        hands.click(page.get_by_label("Anything else?"))
        page.keyboard.type("clear")


@unreachable
def test_answer_given_without_network_survives_a_reload_and_a_closed_tab(
    small: Any, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    person = small.join()
    link = small.server.links.base + person.base
    context = new_context()
    for key in ("consent", "questionnaire", "quality-1"):
        person.pass_pages(key)
        number = next(page.number for page in person.pages if page.key == key)
        page = hands.page = context.new_page()
        page.goto(link)
        hands.wait_for_page(number)
        fill_in(hands, key)
        lose_network(context)
        hands.click(hands.next)
        expect(page.get_by_role("status").last).to_contain_text(WAITING)
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
            page.reload()
        page.close()
        assert key not in person.answers
        context.set_offline(False)
        page = hands.page = context.new_page()
        page.goto(link)
        hands.wait_for_page(number + 1)
        assert rows(small, person)[-1] == (key, 0)
        assert EMAIL not in str(page.evaluate("JSON.stringify(localStorage)"))
        page.close()
    given = person.answers
    assert (given["questionnaire"].payload["age"], given["questionnaire"].payload["email"]["plausible"]) == (34, True)
    assert given["quality-1"].payload["ratings"]["clarity"] == 2
    assert given["quality-1"].payload["comment"] == "clear"
    assert {revision for _, revision in rows(small, person)} == {0}


@unreachable
def test_typing_in_a_second_tab_does_not_lose_what_the_first_has_submitted(small: Any, hands: Any) -> None:
    person = small.join()
    person.pass_pages("quality-1")
    second, context = hands.page, hands.page.context
    second.goto(small.server.links.base + person.base)
    hands.wait_until_ready()
    hands.page = context.new_page()
    submit_without_network(small, hands, person)
    hands.page, reopened = second, hands.page
    hands.click(hands.step(6))
    second.close()
    hands.page = reopened
    reopened.goto(small.server.links.base + person.base)
    hands.wait_for_page(7)
    assert rows(small, person)[-1] == ("quality-1", 0)
    assert person.answers["quality-1"].payload["comment"] == "clear"


@unreachable
def test_browser_that_keeps_nothing_says_so(small: Any, hands: Any, new_context: Callable[..., BrowserContext]) -> None:
    context = new_context()
    context.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full'); };")
    page = hands.page = context.new_page()
    page.goto(small.server.links.base + small.join().base)
    hands.wait_until_ready()
    fill_in(hands, "consent")
    context.set_offline(True)
    hands.click(hands.next)
    expect(page.locator("#notice")).to_contain_text("does not allow your answer to be saved")
    context.set_offline(False)
    hands.wait_for_page(2)


def submit_without_network(small: Any, hands: Any, person: Any) -> None:
    """Answer the current page in a tab that has no network and is then closed."""
    page = hands.page
    page.goto(small.server.links.base + person.base)
    hands.wait_until_ready()
    fill_in(hands, "quality-1")
    lose_network(page.context)
    hands.click(hands.next)
    expect(page.locator("#notice")).to_contain_text(WAITING)
    hands.page = page.context.new_page()
    page.close()
    hands.page.context.set_offline(False)


@pytest.mark.console_errors("ERR_|Failed to load resource")
def test_kept_answer_that_comes_too_late_is_told(small: Any, hands: Any) -> None:
    person = small.join()
    person.pass_pages("quality-1")
    submit_without_network(small, hands, person)
    person.pass_pages("quality-2")  # on another device
    hands.page.goto(small.server.links.base + person.base)
    hands.wait_for_page(7)
    expect(hands.page.locator("#notice")).to_contain_text("That other answer counts.")
    assert person.answers["quality-1"].payload["comment"] == "fine"
    assert rows(small, person)[-1] == ("quality-1", 0)


@unreachable
def test_kept_answer_to_an_earlier_page_goes_out_from_the_current_one(serve: Callable[..., Any], hands: Any) -> None:
    served = serve(lambda data: data["participants"].update(may_go_back=True))
    person = served.join()
    person.pass_pages("quality-2")
    page = hands.page
    page.goto(f"{served.server.links.base}{person.base}/6")
    hands.wait_until_ready()
    lose_network(page.context)
    hands.click(hands.step(7))
    hands.click(hands.next)
    expect(page.locator("#notice")).to_contain_text(WAITING)
    hands.page = page.context.new_page()
    page.close()
    hands.page.context.set_offline(False)
    hands.page.goto(served.server.links.base + person.base)
    hands.wait_for_page(7)
    hands.page.wait_for_function("() => !JSON.stringify(localStorage).includes('pending')")
    assert person.answers["quality-1"].revision == 1
    assert person.answers["quality-1"].payload["ratings"]["clarity"] == 7


@unreachable
def test_withdrawal_without_network_is_not_taken_for_done(small: Any, hands: Any) -> None:
    person = small.join()
    page = hands.page
    page.goto(f"{small.server.links.base}{person.base}/withdraw")
    page.context.set_offline(True)
    button = page.get_by_role("button", name="I will not take part")
    button.click()
    expect(page.get_by_role("status")).to_contain_text("so this has not been done yet")
    assert person.participant.status == "active"
    page.context.set_offline(False)
    button.click()
    page.get_by_role("heading", name="You are not taking part").wait_for()
    assert person.participant.status == "withdrawn"


def test_times_are_those_of_the_press(hands: Any, at: Callable[[str], Any]) -> None:
    began = time.time()
    person = at("quality-1")
    shown = time.time()
    hands.click(hands.step(3))
    hands.click(hands.slider, across=0.2)
    hands.page.wait_for_timeout(700)
    pressed = time.time()
    hands.click(hands.next)
    hands.wait_for_page(7)
    answer = person.answers["quality-1"]
    # onset lies between going to the page and having it; the press lies after it was decided on
    assert began < answer.started_at.timestamp() < shown + 0.1
    assert pressed - 0.01 < answer.answered_at.timestamp() < time.time()
    assert answer.rt_ms == pytest.approx(1000 * (answer.answered_at - answer.started_at).total_seconds(), abs=3)
    client = answer.client
    assert client["isolated"] is True
    assert client["resolution_ms"] <= 0.1
    assert 4 < client["refresh_ms"] < 500
    assert (client["hidden"], client["blurred"], client["loads"]) == (0, 0, 1)


def test_time_goes_on_after_a_reload(hands: Any, at: Callable[[str], Any]) -> None:
    person = at("quality-1")
    hands.page.wait_for_timeout(400)
    hands.page.reload()
    hands.wait_until_ready()
    hands.click(hands.step(3))
    hands.click(hands.slider, across=0.2)
    hands.click(hands.next)
    hands.wait_for_page(7)
    answer = person.answers["quality-1"]
    assert answer.client["loads"] == 2
    # the time in which the page was away does not count, the time before the reload does
    whole = 1000 * (answer.answered_at - answer.started_at).total_seconds()
    assert 400 < answer.rt_ms <= whole + 3
