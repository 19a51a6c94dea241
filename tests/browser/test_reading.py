"""The reading page under keys, fingers and mouse: units come one by one, and nothing else is given away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers, sideways
from playwright.sync_api import expect
from reading_pages import bring, ready, serving_reading, settle
from served_study import Person, Served

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

NARROW = {"width": 360, "height": 640}
HIDE = """() => {
  for (const hidden of [true, false]) {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }
}"""
refused = pytest.mark.console_errors("status of 422")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_reading(tmp_path_factory.mktemp("study")) as served:
        yield served


def seen(page: Page) -> list[str]:
    """The units that can be seen."""
    return [unit.inner_text() for unit in page.locator(".unit").all() if unit.is_visible()]


def units_of(person: Person, key: str) -> list[str]:
    """The units of a trial in the order in which they must come."""
    trial = next(each.trial for each in person.pages if each.key == key)
    assert trial is not None
    block = person.served.study.blocks[0]
    return list(block.task.view(trial)["units"])


# --- one unit after the other ----------------------------------------------------------------------------------------


@refused
def test_by_keyboard_alone(small: Served, page: Page) -> None:
    person = bring(small, page, "texts-1")
    expected = units_of(person, "texts-1")
    area, button = page.locator(".pace"), page.locator("#answer button[type=submit]")
    expect(area).to_have_accessible_name("Press the space bar, or tap here, to begin.")
    expect(button).to_be_hidden()
    assert seen(page) == []
    for unit in expected:
        page.keyboard.press("Space")
        assert seen(page) == [unit]
        expect(page.locator("[data-aloud]")).to_have_text(unit)  # what a screen reader says
        settle(page)
    expect(area).to_have_accessible_name("Space bar or tap: go on")
    page.keyboard.press("Space")
    expect(page.get_by_role("radiogroup")).to_be_visible()
    assert seen(page) == []
    assert expected[0] not in page.content()  # the text is gone for good
    assert page.locator("#asked-heading").evaluate("it => it === document.activeElement")
    # Nothing is chosen by pressing on, and nothing can be sent without a choice.
    page.keyboard.press("Space")
    assert page.locator("input:checked").count() == 0
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radiogroup")).to_have_accessible_description("Please choose an answer.")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("input:checked").get_attribute("value")
    page.keyboard.press("Enter")
    ready(page)
    payload = person.answers["texts-1"].payload
    assert [unit["position"] for unit in payload["units"]] == [1, 2, 3, 4]
    assert all(0 < unit["rt_ms"] < 30_000 and 0 <= unit["delay_ms"] < 30_000 for unit in payload["units"])
    assert payload["answers"][0]["answer"] == chosen
    assert payload["answers"][0]["rt_ms"] > 0
    assert (payload["restarts"], payload["hidden"], payload["blurred"], payload["ignored"]) == (0, 0, 0, 0)


def test_by_mouse(small: Served, page: Page) -> None:
    person = bring(small, page, "texts-2")
    expected = units_of(person, "texts-2")
    box = page.locator(".pace").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.9)
    for unit in expected:
        page.mouse.down()
        page.mouse.up()
        assert seen(page) == [unit]
        settle(page)
    page.mouse.down()
    page.mouse.up()
    page.locator("label.tick").first.click()
    page.locator("#answer button[type=submit]").click()
    ready(page)
    assert len(person.answers["texts-2"].payload["units"]) == len(expected)


@pytest.mark.parametrize("display", ["single", "cumulative", "moving-window"])
def test_touch_at_360_pixels_in_every_display(
    tmp_path: Path, new_context: Callable[..., BrowserContext], display: str
) -> None:
    with serving_reading(tmp_path, lambda data: data["blocks"][0].update(display=display)) as served:
        page = new_context(viewport=NARROW, has_touch=True, is_mobile=True).new_page()
        person = bring(served, page, "texts-1")
        expected = units_of(person, "texts-1")
        assert barriers(page) == []
        heights = set()
        for place, unit in enumerate(expected):
            page.locator(".pace").tap()
            settle(page)
            masks = ["".join("-" if letter != " " else " " for letter in other) for other in expected]
            wanted = {
                "single": [unit],
                "cumulative": expected[: place + 1],
                "moving-window": [*masks[:place], unit, *masks[place + 1 :]],
            }[display]
            assert [text.replace("\u2060", "") for text in seen(page)] == wanted
            assert not sideways(page)
            heights.add(page.locator(".pace").bounding_box()["height"])  # type: ignore[index]
        assert barriers(page) == []
        assert len(heights) == 1, "nothing moves when the next unit comes"
        page.locator(".pace").tap()
        page.locator("label.tick").first.tap()
        assert barriers(page) == []
        assert not sideways(page)
        page.locator("#answer button[type=submit]").tap()
        ready(page)
        assert person.answers["texts-1"].client["pointer"] == "coarse"
        assert len(person.answers["texts-1"].payload["units"]) == 4


def test_key_that_is_held_down_counts_once(small: Served, page: Page) -> None:
    person = bring(small, page, "texts-1")
    expected = units_of(person, "texts-1")
    page.keyboard.press("Space")
    settle(page)
    for _ in range(5):  # without a key going up, the second and later ones are repeats
        page.keyboard.down("Space")
    assert seen(page) == [expected[1]]
    page.keyboard.up("Space")
    assert page.evaluate("scrollY") == 0
    for _ in expected[1:]:
        settle(page)
        page.keyboard.press("Space")
    page.locator("label.tick").first.click()
    page.locator("#answer button[type=submit]").click()
    ready(page)
    assert person.answers["texts-1"].payload["ignored"] == 4


def test_lost_focus_and_hidden_tab_are_told(small: Served, page: Page) -> None:
    person = bring(small, page, "texts-1")
    page.keyboard.press("Space")
    settle(page)
    # Playwright lets every tab believe that it has the focus; here it must lose it.
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    window = session.send("Browser.getWindowForTarget")["windowId"]
    for state in ("minimized", "normal"):
        session.send("Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}})
        page.wait_for_function("focused => document.hasFocus() === focused", arg=state == "normal")
    # Without a screen Chromium hides no page, so only what the browser would say can be said.
    page.evaluate(HIDE)
    for _ in units_of(person, "texts-1"):
        settle(page)
        page.keyboard.press("Space")
    page.locator("label.tick").first.click()
    page.locator("#answer button[type=submit]").click()
    ready(page)
    payload = person.answers["texts-1"].payload
    assert (payload["blurred"], payload["hidden"]) == (1, 1)


# --- loaded again ----------------------------------------------------------------------------------------------------


def test_loaded_again_in_the_middle_the_text_begins_again_and_says_so(small: Served, page: Page) -> None:
    person = bring(small, page, "texts-1")
    expected = units_of(person, "texts-1")
    for _ in range(3):
        page.keyboard.press("Space")
        settle(page)
    page.reload()
    ready(page)
    assert seen(page) == []
    for unit in expected:
        page.keyboard.press("Space")
        assert seen(page) == [unit]
        settle(page)
    page.keyboard.press("Space")
    page.locator("label.tick").first.click()
    # Loaded again at the question, the text does not come back, and what was chosen is still chosen.
    page.reload()
    expect(page.get_by_role("radiogroup")).to_be_visible()
    assert seen(page) == []
    page.keyboard.press("Space")
    expect(page.locator("label.tick input").first).to_be_checked()
    page.locator("#answer button[type=submit]").click()
    ready(page)
    payload = person.answers["texts-1"].payload
    assert payload["restarts"] == 1
    assert len(payload["units"]) == len(expected)


def test_time_limit_takes_the_text_away_and_a_reload_gives_no_more_time(tmp_path: Path, page: Page) -> None:
    def limited(data: dict[str, Any]) -> None:
        data["blocks"][0]["limit_seconds"] = 2

    with serving_reading(tmp_path / "limited", limited) as served:
        person = bring(served, page, "texts-1")
        left = page.locator("[data-left]")
        expect(left).to_have_text("0:02")
        expect(page.locator(".pace")).to_have_accessible_name(
            "Press the space bar, or tap here, to begin. You have 2 seconds to read the text."
        )
        page.keyboard.press("Space")
        settle(page)
        page.keyboard.press("Space")
        expect(page.get_by_role("radiogroup")).to_be_visible()  # nobody pressed on
        expect(page.get_by_text("The time is up.").first).to_be_visible()
        assert seen(page) == []
        assert barriers(page) == []
        page.reload()
        expect(page.get_by_role("radiogroup")).to_be_visible()
        page.locator("label.tick").first.click()
        page.locator("#answer button[type=submit]").click()
        ready(page)
        payload = person.answers["texts-1"].payload
        assert (payload["timed_out"], len(payload["units"]), payload["restarts"]) == (True, 1, 0)
        # Loaded again while the text is read, and opened when the time is long over.
        page.keyboard.press("Space")
        settle(page)
        page.goto("about:blank")
        page.wait_for_timeout(2000)
        page.goto(served.server.links.base + person.base)
        expect(page.get_by_text("The time is up.").first).to_be_visible()
        page.locator("label.tick").first.click()
        page.locator("#answer button[type=submit]").click()
        ready(page)
        payload = person.answers["texts-2"].payload
        assert (payload["timed_out"], payload["units"], payload["restarts"]) == (True, [], 1)


def test_right_answers_and_names_of_units_are_not_in_the_page(small: Served, page: Page) -> None:
    person = bring(small, page, "texts-1")
    trial = next(each.trial for each in person.pages if each.key == "texts-1")
    assert trial is not None
    token = page.url.split("/")[4]  # random letters and digits, which may spell the short name of an item
    shown = page.content().replace(token, "")
    assert not any(word in shown for word in ("correct", "expected", trial.systems[0], trial.item, '"u1"', ">u1<"))
