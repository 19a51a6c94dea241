"""The preference page under fingers, keys and mouse: two texts, sliders, plain choices, marks, errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers, sideways
from playwright.sync_api import expect
from preference_study import Chooser, ServedPreferences, serving_preferences

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

NARROW = {"width": 360, "height": 640}
UNCONFIRMED = "Please move the slider, or tick the box if you have no preference."
KEY = "duel-1"
refused = pytest.mark.console_errors("status of 422")


@pytest.fixture(scope="module")
def serve_block(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., ServedPreferences]]:
    """Serves the study with these settings of its block, until the module's tests are over."""
    with ExitStack() as stack:

        def make(language: str = "en", **settings: Any) -> ServedPreferences:
            def change(data: dict[str, Any]) -> None:
                data["language"] = language
                data["participants"]["wanted"] = 30
                data["blocks"][0].update(settings)

            return stack.enter_context(serving_preferences(tmp_path_factory.mktemp("study"), change))

        yield make


@pytest.fixture(scope="module")
def sliders(serve_block: Callable[..., ServedPreferences]) -> ServedPreferences:
    return serve_block()


def bring(served: ServedPreferences, hands: Any, key: str = KEY) -> Chooser:
    """Bring somebody to a trial, by HTTP up to there, and open it in the browser."""
    person = served.join()
    person.pass_pages(key)
    hands.page.goto(served.server.links.base + person.base)
    hands.wait_until_ready()
    return person


def given(person: Chooser, key: str = KEY) -> dict[str, int]:
    return dict(person.answers[key].payload["preferences"])


def after(person: Chooser, key: str = KEY) -> int:
    """The number of the page that follows."""
    return next(page.number for page in person.pages if page.key == key) + 1


def slider(page: Page, criterion: str) -> Locator:
    return page.locator(f"input.slider[name={criterion}]")


def tick(page: Page, criterion: str) -> Locator:
    return page.locator(f"[data-confirms={criterion}]")


# --- sliders --------------------------------------------------------------------------------------------------------


def test_by_mouse_and_the_left_text_is_the_drawn_one(sliders: ServedPreferences, hands: Any) -> None:
    person = bring(sliders, hands)
    page = hands.page
    trial = next(each.trial for each in person.pages if each.key == KEY)
    assert trial is not None
    left = trial.randomised["left"]
    (right,) = set(trial.systems) - {left}
    first, second = page.locator(".stimulus").all()
    expect(first).to_contain_text(f"The {left} text")
    expect(second).to_contain_text(f"The {right} text")
    one, other = first.bounding_box(), second.bounding_box()
    assert one["y"] == other["y"]
    assert one["x"] + one["width"] < other["x"]

    box = slider(page, "clarity").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2, steps=6)
    page.mouse.up()
    value = int(slider(page, "clarity").input_value())
    assert -30 <= value <= -20
    assert slider(page, "clarity").get_attribute("aria-valuetext") == "clearly towards Text 1"
    hands.click(page.locator("label:has([data-confirms=fluency])"), across=0.1)
    hands.click(hands.next)
    hands.wait_for_page(after(person))
    assert given(person) == {"clarity": value, "fluency": 0}
    # what was preferred on the left is the drawn system, in the table of pairs
    block = sliders.study.blocks[0]
    row = block.task.rows(trial, person.answers[KEY].payload)[0]
    assert (row["value"] < 0) == (left == trial.systems[0])


@refused
def test_by_keyboard_the_middle_needs_a_tick(sliders: ServedPreferences, hands: Any) -> None:
    person = bring(sliders, hands)
    page, keys = hands.page, hands.page.keyboard
    clarity, fluency = slider(page, "clarity"), slider(page, "fluency")
    assert clarity.get_attribute("aria-valuetext") == "in the middle"
    expect(clarity).to_have_accessible_name("Which text is clearer?")
    hands.tab_to(clarity)
    keys.press("End")
    assert clarity.get_attribute("aria-valuetext") == "entirely Text 2"
    hands.tab_to(hands.next)
    keys.press("Enter")
    expect(page.get_by_text(UNCONFIRMED)).to_be_visible()
    assert hands.focused(fluency)
    expect(fluency).to_have_accessible_description(UNCONFIRMED)
    assert KEY not in person.answers
    # away and back is the middle again
    keys.press("ArrowLeft")
    assert fluency.get_attribute("aria-valuetext") == "slightly towards Text 1"
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(page.get_by_text(UNCONFIRMED)).to_be_visible()
    hands.tab_to(tick(page, "fluency"))
    keys.press("Space")
    expect(tick(page, "fluency")).to_be_checked()
    hands.tab_to(hands.next)
    keys.press("Enter")
    hands.wait_for_page(after(person))
    assert given(person) == {"clarity": 50, "fluency": 0}


def test_a_reload_keeps_what_was_moved(sliders: ServedPreferences, hands: Any) -> None:
    bring(sliders, hands)
    page = hands.page
    hands.tab_to(slider(page, "clarity"))
    page.keyboard.press("Home")
    hands.tab_to(tick(page, "fluency"))
    page.keyboard.press("Space")
    page.reload()
    hands.wait_until_ready()
    assert slider(page, "clarity").input_value() == "-50"
    expect(tick(page, "clarity")).not_to_be_checked()
    expect(tick(page, "fluency")).to_be_checked()


def test_page_tells_neither_system_nor_numbers(sliders: ServedPreferences, hands: Any) -> None:
    bring(sliders, hands)
    texts = hands.page.locator(".stimulus > div").all_inner_texts()
    source = re.sub("</?template[ >]", "", hands.page.content())  # the HTML element; a system has the same name
    for text in texts:
        source = source.replace(text, "")
    assert [system for system in sliders.study.systems if system in source] == []
    assert "50" not in hands.page.locator("form").inner_text()


@refused
def test_touch_at_360_pixels(
    sliders: ServedPreferences, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    context = new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    page = hands.page = context.new_page()
    person = bring(sliders, hands)
    one, other = (each.bounding_box() for each in page.locator(".stimulus").all())
    assert one["y"] + one["height"] < other["y"]
    hands.tap(hands.next)
    expect(page.get_by_text(UNCONFIRMED)).to_have_count(2)
    assert barriers(page) == []
    assert not sideways(page)
    hands.tap(slider(page, "clarity"), across=0.85)
    value = int(slider(page, "clarity").input_value())
    assert 25 <= value <= 45
    hands.tap(page.get_by_text("I have no preference").nth(1))
    hands.tap(hands.next)
    hands.wait_for_page(after(person))
    assert given(person) == {"clarity": value, "fluency": 0}
    assert person.answers[KEY].client["pointer"] == "coarse"


# --- plain choices, marks, languages --------------------------------------------------------------------------------


@refused
def test_forced_choice_by_keyboard_and_tie_by_touch(
    serve_block: Callable[..., ServedPreferences], hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    person = bring(serve_block(form="choice"), hands)
    page, keys = hands.page, hands.page.keyboard
    expect(page.get_by_role("radio")).to_have_count(4)
    hands.tab_to(hands.next)
    keys.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Please choose an answer.")).to_have_count(2)
    assert hands.focused(page.locator("input[name=clarity]").first)
    assert barriers(page) == []
    assert not sideways(page)
    keys.press("ArrowRight")  # from no choice at all, the second one
    page.evaluate("document.activeElement.blur()")
    keys.press("1")  # the first text, in the question that is open
    keys.press("Enter")
    hands.wait_for_page(after(person))
    assert given(person) == {"clarity": 1, "fluency": -1}

    context = new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    page = hands.page = context.new_page()
    person = bring(serve_block(form="choice-with-tie", comment="Anything else?"), hands)
    hands.tap(page.get_by_text("I have no preference").first)
    hands.tap(page.locator("label.step:has(input[name=fluency][value='1'])"))
    hands.tap(page.get_by_label("Anything else?"))
    page.keyboard.type("fine")
    assert barriers(page) == []
    assert not sideways(page)
    hands.tap(hands.next)
    hands.wait_for_page(after(person))
    assert given(person) == {"clarity": 0, "fluency": 1}
    assert person.answers[KEY].payload["comment"] == "fine"


def test_marks_show_by_more_than_colour(serve_block: Callable[..., ServedPreferences], hands: Any) -> None:
    bring(serve_block(marks="differences"), hands)
    page = hands.page
    different = page.locator(".stimulus mark.different")
    expect(different).to_have_count(2)
    looks = "element => [getComputedStyle(element).backgroundColor, getComputedStyle(element).textDecorationLine]"
    of_different, of_same = different.first.evaluate(looks), page.locator(".stimulus mark.same").first.evaluate(looks)
    assert of_different[0] != of_same[0]
    assert of_different[1] == "underline"
    assert barriers(page) == []
    assert not sideways(page)


def test_right_to_left_the_first_text_and_the_low_end_are_on_the_right(
    serve_block: Callable[..., ServedPreferences], hands: Any
) -> None:
    bring(serve_block(language="ar"), hands)
    page = hands.page
    one, other = (each.bounding_box() for each in page.locator(".stimulus").all())
    assert one["x"] > other["x"]
    hands.click(slider(page, "clarity"), across=0.9)
    assert int(slider(page, "clarity").input_value()) < -30
    assert "النص 1" in str(slider(page, "clarity").get_attribute("aria-valuetext"))
    assert barriers(page) == []
    assert not sideways(page)
