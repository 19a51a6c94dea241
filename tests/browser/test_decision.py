"""The decision page under fingers, keys and mouse, and its time limit with and without a network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers, sideways
from content_study import write_content_study
from decision_study import ServedDecisions, serving_decisions
from playwright.sync_api import expect

from textassay.answers.answer_rows import GRACE_SECONDS
from textassay.answers.dataset import make_dataset

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator

SHORT = 3
"""Seconds."""
offline = pytest.mark.console_errors("ERR_INTERNET_DISCONNECTED")


def _serving(tmp_path_factory: pytest.TempPathFactory, **settings: Any) -> Iterator[ServedDecisions]:
    def change(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = 30
        data["blocks"][0].update(settings)

    with serving_decisions(tmp_path_factory.mktemp("decisions"), change) as served:
        yield served


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDecisions]:
    """A minute for each trial."""
    yield from _serving(tmp_path_factory)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDecisions]:
    """Three seconds for each trial."""
    yield from _serving(tmp_path_factory, limit_seconds=SHORT)


class Trial:
    """A main trial in front of somebody."""

    def __init__(self, served: ServedDecisions, hands: Any, shows: str = "text") -> None:
        self.served, self.hands, self.page = served, hands, hands.page
        self.person = served.join()
        shown = served.study.blocks[0].settings.shows
        self.asked = next(
            page
            for page in self.person.pages
            if page.trial and page.trial.kind == "main" and shown.get(page.trial.systems[0], "text") == shows
        )
        self.person.pass_pages(self.asked.key)
        self.page.goto(served.server.links.base + self.person.base)
        hands.wait_until_ready()

    def box(self, action: str) -> Locator:
        return self.page.locator(f"input[name=chosen][value='{action}']")

    def label(self, action: str) -> Locator:
        return self.page.locator(f"label:has(input[value='{action}'])")

    def left(self) -> int:
        """The seconds that are left, as the page shows them."""
        minutes, _, seconds = self.page.locator("[data-left]").inner_text().partition(":")
        return 60 * int(minutes) + int(seconds)

    def passed(self) -> None:
        """Wait until the next page is there."""
        self.page.wait_for_url(f"**/p/*/{self.asked.number + 1}")

    def chosen(self) -> set[str]:
        return set(self.person.answers[self.asked.key].payload["chosen"])

    def row(self) -> dict[str, Any]:
        data = make_dataset(self.served.study, self.served.plan, self.served.server.store)
        code = self.person.participant.code
        return next(r for r in data.tables["decisions"] if (r["participant"], r["trial"]) == (code, self.asked.key))


# --- the time limit -------------------------------------------------------------------------------------------------


def test_what_is_chosen_when_time_is_over_is_handed_in(short: ServedDecisions, hands: Any) -> None:
    trial = Trial(short, hands)
    hands.click(trial.label("turn"))
    hands.click(trial.label("oxygen"))
    assert 0 < trial.left() <= SHORT
    trial.passed()
    assert trial.chosen() == {"turn", "oxygen"}
    row = trial.row()
    assert (row["timed_out"], row["late"]) == (True, False)
    assert row["rt_ms"] <= 1000 * (SHORT + GRACE_SECONDS)


@offline
def test_chosen_in_time_but_arrived_late(short: ServedDecisions, hands: Any) -> None:
    trial = Trial(short, hands)
    trial.page.context.set_offline(True)
    hands.click(trial.label("turn"))
    hands.click(hands.next)
    expect(trial.page.get_by_text("There is no connection")).to_be_visible()
    trial.page.wait_for_timeout(1000 * (SHORT + GRACE_SECONDS))
    trial.page.context.set_offline(False)
    trial.passed()
    answer = trial.person.answers[trial.asked.key]
    assert (answer.received_at - answer.opened_at).total_seconds() > SHORT + GRACE_SECONDS
    assert answer.rt_ms < 1000 * SHORT
    assert answer.payload == {"chosen": ["turn"], "timed_out": False}
    assert trial.row()["late"] is True
    assert trial.person.answers[trial.asked.key].revision == 0


@pytest.mark.console_errors("ERR_FAILED|status of 409")  # 409: the time-out, after the answer itself had arrived
def test_in_time_stays_in_time_over_a_reload_after_the_end(short: ServedDecisions, hands: Any) -> None:
    trial = Trial(short, hands)
    trial.page.route("**/answers", lambda route: route.abort())
    hands.click(trial.label("turn"))
    hands.click(hands.next)
    trial.page.wait_for_timeout(1000 * SHORT)
    trial.page.unroute("**/answers")
    trial.page.reload()
    trial.passed()
    answer = trial.person.answers[trial.asked.key]
    assert answer.payload == {"chosen": ["turn"], "timed_out": False}
    assert answer.rt_ms < 1000 * SHORT


@offline
def test_time_is_over_while_the_network_is_down(short: ServedDecisions, hands: Any) -> None:
    trial = Trial(short, hands)
    trial.page.context.set_offline(True)
    hands.click(trial.label("feed"))
    expect(trial.page.get_by_text("There is no connection")).to_be_visible()
    trial.page.context.set_offline(False)
    trial.passed()
    assert trial.chosen() == {"feed"}
    assert (trial.row()["timed_out"], trial.row()["late"]) == (True, False)


def test_reload_gives_no_new_time_and_keeps_the_choice(roomy: ServedDecisions, hands: Any) -> None:
    trial = Trial(roomy, hands)
    hands.click(trial.label("suction"))
    before = trial.left()
    trial.page.wait_for_timeout(2200)
    trial.page.reload()
    hands.wait_until_ready()
    expect(trial.page.locator("[data-left]")).to_have_text(re.compile(r"\d:\d\d"))
    assert 40 < trial.left() <= before - 2
    expect(trial.box("suction")).to_be_checked()


def test_who_comes_back_too_late_hands_in_the_draft(short: ServedDecisions, hands: Any) -> None:
    trial = Trial(short, hands)
    hands.click(trial.label("suction"))
    url = trial.page.url
    trial.page.goto("about:blank")
    trial.page.wait_for_timeout(1000 * SHORT)
    trial.page.goto(url)
    trial.passed()
    assert trial.chosen() == {"suction"}
    assert trial.row()["timed_out"] is True


@pytest.mark.console_errors("status of 422")
def test_last_seconds_are_said_once_and_politely(tmp_path_factory: pytest.TempPathFactory, hands: Any) -> None:
    for served in _serving(tmp_path_factory, limit_seconds=11.5):
        trial = Trial(served, hands)
        said = trial.page.locator("[data-said]")
        expect(said).to_have_attribute("role", "status")
        expect(trial.page.get_by_role("timer")).to_contain_text("Time left")
        expect(said).to_have_text("10 seconds left")
        # an answer without a choice is refused as long as there is time
        hands.click(hands.next)
        expect(trial.page.get_by_role("alert").first).to_have_text("Please choose at least one.")


def test_time_left_covers_no_words_in_any_language(roomy: ServedDecisions, hands: Any) -> None:
    hands.page.set_viewport_size({"width": 720, "height": 800})
    hands.page.goto(roomy.server.links.base + roomy.join().base)  # practice, which says so beside the time
    badge = hands.page.locator(".badge")
    badge.evaluate("badge => { badge.textContent += badge.textContent; }")  # about as long as in French
    words, left = badge.bounding_box(), hands.page.locator(".countdown-left").bounding_box()
    assert words["x"] + words["width"] <= left["x"]


# --- choosing -------------------------------------------------------------------------------------------------------


def test_doing_nothing_stands_alone(roomy: ServedDecisions, hands: Any) -> None:
    trial = Trial(roomy, hands)
    for action in ("oxygen", "call"):
        hands.click(trial.label(action))
    hands.click(trial.label("nothing"))
    expect(trial.page.locator("input[name=chosen]:checked")).to_have_count(1)
    expect(trial.box("nothing")).to_be_checked()
    hands.click(trial.label("feed"))
    expect(trial.box("nothing")).not_to_be_checked()
    hands.click(trial.label("turn"))
    hands.click(hands.next)
    trial.passed()
    assert trial.chosen() == {"feed", "turn"}
    assert (trial.row()["timed_out"], trial.row()["late"]) == (False, False)


@pytest.mark.console_errors("status of 422")
def test_by_keyboard_alone(roomy: ServedDecisions, hands: Any) -> None:
    trial = Trial(roomy, hands)
    keys = trial.page.keyboard
    hands.tab_to(hands.next)
    keys.press("Enter")
    error = trial.page.locator("#error-chosen")
    expect(error).to_have_text("Please choose at least one.")
    first = trial.page.locator("input[name=chosen]").first
    assert hands.focused(first)
    group = trial.page.get_by_role("group", name="What would you do now?")
    expect(group).to_have_accessible_description(re.compile("Please choose at least one"))
    expect(group).to_have_accessible_description(re.compile("cannot be combined with others"))
    keys.press("Space")
    keys.press("Tab")
    keys.press("Tab")
    keys.press("Space")
    checked = trial.page.locator("input[name=chosen]:checked")
    expect(checked).to_have_count(2)
    picked = set(checked.evaluate_all("boxes => boxes.map((box) => box.value)"))
    hands.tab_to(hands.next)
    keys.press("Enter")
    trial.passed()
    assert trial.chosen() == picked


def test_by_touch_at_360_pixels(roomy: ServedDecisions, hands: Any, new_context: Callable[..., BrowserContext]) -> None:
    context = new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    hands.page = context.new_page()
    trial = Trial(roomy, hands, "plot")
    assert trial.page.evaluate("document.documentElement.scrollWidth") == 360
    hands.tap(trial.page.locator("summary"))
    expect(trial.page.get_by_role("table")).to_be_visible()
    assert trial.page.evaluate("document.documentElement.scrollWidth") == 360
    for action in ("oxygen", "suction"):
        box = trial.label(action).bounding_box()
        assert box is not None
        assert box["height"] >= 44
        hands.tap(trial.label(action))
    # the time stays in sight wherever one scrolls to
    expect(trial.page.locator("[data-left]")).to_be_in_viewport()
    hands.tap(hands.next)
    trial.passed()
    assert trial.chosen() == {"oxygen", "suction"}


# --- what is shown --------------------------------------------------------------------------------------------------


def test_text_without_barriers_and_without_a_word_on_what_is_right(roomy: ServedDecisions, hands: Any) -> None:
    trial = Trial(roomy, hands)
    assert barriers(trial.page) == []
    source = trial.page.content()
    assert not re.search("appropriate|target|neutral", source)
    assert "graph" not in source


def test_marked_events_without_barriers(hands: Any, tmp_path: Path) -> None:
    def marked(data: dict[str, Any]) -> None:
        data["blocks"][0]["show_events"] = True

    with serving_decisions(tmp_path, marked, write_content_study) as served:
        trial = Trial(served, hands)
        mark = trial.page.locator(".stimulus mark.event").first
        assert mark.inner_text() == "oxygen saturation desaturation"  # the type is there in words
        assert mark.evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(214, 233, 248)"
        expect(trial.page.get_by_role("list", name="What the colours of the marked words stand for")).to_be_visible()
        assert barriers(trial.page) == []
        trial.page.set_viewport_size({"width": 360, "height": 640})
        assert not sideways(trial.page)


def test_plot_can_be_read_without_seeing_it(roomy: ServedDecisions, hands: Any) -> None:
    trial = Trial(roomy, hands, "plot")
    drawing = trial.page.get_by_role("img")
    expect(drawing).to_have_accessible_name(
        re.compile("^Plot of Heart rate .*, Oxygen .*as a plot. From 09:00 to 09:30")
    )
    expect(trial.page.locator("svg polyline")).to_have_count(3)  # broken where nothing was measured
    hands.click(trial.page.locator("summary"))
    table = trial.page.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(32)  # half an hour and the header
    expect(table.get_by_role("row").nth(1)).to_contain_text("09:00")
    assert barriers(trial.page) == []
