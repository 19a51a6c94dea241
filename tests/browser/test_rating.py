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


def test_digits_choose_only_where_numbers_are_shown(serve: Callable[..., Any], hands: Any) -> None:
    def ten_and_wordless(data: dict[str, Any]) -> None:
        ends = {"labels": {1: "low", 10: "high"}}
        data["blocks"][0]["criteria"] = [
            {"name": "clarity", "question": "How clear?", "scale": {"from": 1, "to": 10, **ends}},
            {"name": "plain", "question": "How plain?", "scale": {"from": 1, "to": 10, "numbers": False, **ends}},
        ]

    served = serve(ten_and_wordless)
    person = served.join()
    person.pass_pages("quality-1")
    hands.page.goto(served.server.links.base + person.base)
    hands.wait_until_ready()
    first, second = hands.page.get_by_role("radiogroup").all()
    hands.tab_to(first.get_by_role("radio").first)
    hands.page.keyboard.press("0")
    expect(first.get_by_role("radio", name="10")).to_be_checked()
    hands.tab_to(second.get_by_role("radio").first)
    hands.page.keyboard.press("3")
    expect(second.locator(":checked")).to_have_count(0)
    expect(second.get_by_role("radio", name="Step 3 of 10")).to_have_count(1)
    expect(second.locator(".number")).to_have_count(0)


@refused
def test_cannot_judge_by_mouse_and_keys_and_why(serve: Callable[..., Any], hands: Any) -> None:
    def unsure(data: dict[str, Any]) -> None:
        data["blocks"][0].pop("practice")
        data["blocks"][0]["cannot_judge"] = True
        data["blocks"][0]["criteria"][0]["why"] = "required"

    served = serve(unsure)
    person = served.join()
    person.pass_pages("quality-1")
    page, keys = hands.page, hands.page.keyboard
    page.goto(served.server.links.base + person.base)
    hands.wait_until_ready()
    unjudged = page.get_by_role("radio", name="I cannot judge this")
    box = page.get_by_role("checkbox", name="I cannot judge this")
    # one more radio button of its group, reached with the arrow keys
    hands.tab_to(hands.radio(1))
    keys.press("7")
    keys.press("ArrowRight")
    expect(unjudged).to_be_checked()
    # in place of the slider: a move takes it off, and so does the tick; setting it brings the slider back
    hands.click(box)
    hands.tab_to(hands.slider)
    keys.press("End")
    expect(box).not_to_be_checked()
    hands.click(hands.tick)
    hands.click(box)
    expect(hands.tick).not_to_be_checked()
    assert hands.slider.input_value() == "50"
    expect(box).to_have_accessible_description("How well does it read?")
    page.reload()  # the draft has it
    hands.wait_until_ready()
    expect(unjudged).to_be_checked()
    expect(box).to_be_checked()
    hands.click(hands.next)
    expect(page.get_by_text("Please write why.")).to_be_visible()
    why = page.get_by_role("textbox", name="Why?")
    assert hands.focused(why)
    expect(why).to_have_accessible_description("How clear is the text? Please write why.")
    keys.type("I know nothing about 7 of it.")
    hands.click(hands.next)
    hands.wait_for_page(5)
    kept = person.answers["quality-1"].payload
    assert (kept["ratings"], kept["cannot_judge"]) == ({}, ["clarity", "fluency"])
    assert kept["why"] == {"clarity": "I know nothing about 7 of it."}


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
