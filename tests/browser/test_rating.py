"""The rating page under fingers, keys and mouse: scales, slider, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

UNCONFIRMED = "Please move the slider, or tick the box if you mean exactly the middle."
refused = pytest.mark.console_errors("status of 422")


@refused
def test_slider_by_keyboard_needs_a_move_or_a_tick(hands: Any, at: Callable[[str], Any]) -> None:
    person = at("quality-1")
    page, keys = hands.page, hands.page.keyboard
    assert hands.slider.get_attribute("aria-valuetext") == "in the middle"
    hands.tab_to(hands.radio(1))
    keys.press("4")
    hands.tab_to(hands.next)
    keys.press("Enter")
    expect(page.get_by_text(UNCONFIRMED)).to_be_visible()
    # the focus is on the slider, which is described by its error
    assert hands.focused(hands.slider)
    expect(hands.slider).to_have_accessible_description(UNCONFIRMED)
    assert hands.slider.get_attribute("aria-invalid") == "true"
    assert "quality-1" not in person.answers

    # away and back again is the middle again, and still needs the tick
    keys.press("ArrowRight")
    assert hands.slider.get_attribute("aria-valuetext") == "slightly towards “very well”"
    keys.press("ArrowLeft")
    assert hands.slider.input_value() == "50"
    keys.press("Enter")
    expect(page.get_by_text(UNCONFIRMED)).to_be_visible()

    # the tick is enough; a move takes it off; setting it again brings the slider back
    hands.tab_to(hands.tick)
    keys.press("Space")
    expect(hands.tick).to_be_checked()
    keys.press("Shift+Tab")
    keys.press("PageUp")
    expect(hands.tick).not_to_be_checked()
    assert hands.slider.input_value() != "50"
    keys.press("Tab")
    keys.press("Space")
    assert hands.slider.input_value() == "50"
    hands.tab_to(hands.next)
    keys.press("Enter")
    hands.wait_for_page(7)
    assert person.answers["quality-1"].payload["ratings"] == {"clarity": 4, "fluency": 50}


@pytest.mark.parametrize(("key", "value", "words"), [("End", 100, "very well"), ("Home", 0, "very badly")])
def test_ends_of_the_slider(hands: Any, at: Callable[[str], Any], key: str, value: int, words: str) -> None:
    at("quality-1")
    hands.tab_to(hands.slider)
    hands.page.keyboard.press(key)
    assert hands.slider.input_value() == str(value)
    assert hands.slider.get_attribute("aria-valuetext") == words


def test_slider_by_mouse(hands: Any, at: Callable[[str], Any]) -> None:
    person = at("quality-1")
    page = hands.page
    hands.click(hands.step(1))
    box = hands.slider.bounding_box()
    middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(middle, height)
    page.mouse.down()
    page.mouse.move(middle + box["width"] / 8, height, steps=4)
    page.mouse.move(middle - box["width"] / 4, height, steps=8)
    page.mouse.up()
    value = int(hands.slider.input_value())
    assert 20 <= value <= 30
    assert hands.slider.get_attribute("aria-valuetext") == "clearly towards “very badly”"
    hands.click(hands.next)
    hands.wait_for_page(7)
    assert person.answers["quality-1"].payload["ratings"] == {"clarity": 1, "fluency": value}


@refused
def test_first_error_gets_the_focus_and_all_are_shown(hands: Any, at: Callable[[str], Any]) -> None:
    at("quality-1")
    page = hands.page
    hands.click(hands.next)
    alerts = page.get_by_role("alert").filter(has_text="Please")
    expect(alerts).to_have_text(["Please choose an answer.", UNCONFIRMED])
    assert hands.focused(hands.radio(1))
    expect(page.get_by_role("radiogroup")).to_have_accessible_name("How clear is the text?")
    expect(page.get_by_role("radio").first).to_have_accessible_name("1 not clear at all")
    expect(hands.slider).to_have_accessible_name("How well does it read?")
    expect(page.get_by_role("radiogroup")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("radiogroup")).to_have_accessible_description("Please choose an answer.")


def test_digits_answer_the_next_scale_and_enter_continues(serve: Callable[..., Any], hands: Any) -> None:
    def three_scales(data: dict[str, Any]) -> None:
        ends = {"labels": {1: "low", 10: "high"}}
        data["blocks"][0]["criteria"] = [
            {"name": "clarity", "question": "How clear?", "scale": {"from": 1, "to": 10, **ends}},
            {"name": "ease", "question": "How easy?", "scale": {"from": 0, "to": 10}},
            {"name": "plain", "question": "How plain?", "scale": {"from": 1, "to": 10, "numbers": False, **ends}},
        ]

    served = serve(three_scales)
    person = served.join()
    person.pass_pages("quality-1")
    page, keys = hands.page, hands.page.keyboard
    page.goto(served.server.links.base + person.base)
    hands.wait_until_ready()
    first, second, third = page.get_by_role("radiogroup").all()
    checked = page.locator("[role=radiogroup] :checked")
    # neither in a box nor with a modifier
    page.locator("#comment").focus()
    keys.type("12")
    page.locator("#comment").blur()
    keys.press("Control+5")
    expect(checked).to_have_count(0)
    expect(page.locator("#comment")).to_have_value("12")
    # 0 is 10 on a scale from 1, and itself on one from 0
    keys.press("0")
    expect(first.get_by_role("radio", name="10")).to_be_checked()
    keys.press("0")
    expect(second.get_by_role("radio", name="0", exact=True)).to_be_checked()
    # a scale that shows no numbers has the focus next, and takes none
    assert hands.focused(third.get_by_role("radio").first)
    keys.press("3")
    expect(checked).to_have_count(2)
    expect(third.get_by_role("radio", name="Step 3 of 10")).to_have_count(1)
    expect(third.locator(".number")).to_have_count(0)
    # Enter waits for the last answer; a digit changes the scale that has the focus
    page.evaluate("document.activeElement.blur()")
    keys.press("Enter")
    hands.click(third.locator("label.step").nth(4))
    second.get_by_role("radio", name="0", exact=True).focus()
    keys.press("7")
    assert hands.focused(hands.next)
    page.evaluate("document.activeElement.blur()")
    keys.press("Enter")
    hands.wait_for_page(7)
    assert person.answers["quality-1"].payload["ratings"] == {"clarity": 10, "ease": 7, "plain": 5}
    # the box turns the keys off, also for the pages that follow
    page.get_by_role("checkbox", name="Keys: a digit answers").uncheck()
    page.reload()
    hands.wait_until_ready()
    keys.press("4")
    expect(checked).to_have_count(0)


def test_touch_at_360_pixels(small: Any, hands: Any, new_context: Callable[..., BrowserContext]) -> None:
    context = new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = hands.page = context.new_page()
    page.goto(small.server.links.join[""])
    hands.tap(page.get_by_role("button", name="Begin"))
    hands.wait_for_page(1)
    hands.tap(page.get_by_role("checkbox"))
    hands.tap(hands.next)
    hands.wait_for_page(2)
    hands.tap(page.get_by_text("yes", exact=True))
    hands.tap(page.get_by_label("Your e-mail address"))
    page.keyboard.type("touch@letters.uni-koeln.de")
    hands.tap(hands.next)
    hands.wait_for_page(3)
    hands.tap(hands.next)
    hands.wait_for_page(4)
    hands.tap(hands.step(3))
    hands.tap(hands.slider, across=0.75)
    value = int(hands.slider.input_value())
    assert 65 <= value <= 85
    hands.tap(hands.next)
    hands.wait_for_page(5)
    hands.tap(hands.step(7))
    hands.tap(page.get_by_text("I mean exactly the middle"))
    hands.tap(hands.next)
    hands.wait_for_page(6)
    answers = small.server.store.answers(small.server.store.participants()[-1].id)
    assert answers["quality-p1"].payload["ratings"] == {"clarity": 3, "fluency": value}
    assert answers["quality-p2"].payload["ratings"] == {"clarity": 7, "fluency": 50}
    assert answers["quality-p1"].client["pointer"] == "coarse"
    assert answers["quality-p1"].client["viewport"] == [360, 640]
