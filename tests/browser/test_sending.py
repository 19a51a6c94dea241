"""Answers arrive once, whatever happens to clicks, tabs, network and server; times are those of the press."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from textassay.serve.server import ServerThread

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

WAITING = "Your answer is saved on this device and will be sent automatically."
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
def test_second_tab_keeps_one_row(small: Any, hands: Any, new_context: Callable[..., BrowserContext]) -> None:
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
        hands.wait_for_page(7)
    assert rows(small, person)[-1] == ("quality-1", 0)
    assert person.answers["quality-1"].payload["ratings"]["clarity"] == 4


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


@unreachable
def test_answer_given_without_network_survives_a_closed_tab(
    small: Any, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    person = small.join()
    person.pass_pages("quality-1")
    context = new_context()
    page = hands.page = context.new_page()
    page.goto(small.server.links.base + person.base)
    hands.wait_until_ready()
    hands.click(hands.step(2))
    hands.click(hands.slider, across=0.8)
    context.set_offline(True)
    hands.click(hands.next)
    expect(page.get_by_role("status")).to_contain_text(WAITING)
    page.close()
    context.set_offline(False)
    page = hands.page = context.new_page()
    page.goto(small.server.links.base + person.base)
    hands.wait_for_page(7)
    assert rows(small, person)[-1] == ("quality-1", 0)
    assert person.answers["quality-1"].payload["ratings"]["clarity"] == 2


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
