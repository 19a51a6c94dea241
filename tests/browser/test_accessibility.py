"""No page has a barrier that axe-core finds, and none scrolls sideways at 360 pixels; in five languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers, sideways

from textassay.plural_forms import LANGUAGES, plural

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

NARROW = {"width": 360, "height": 640}
WIDE = {"width": 1920, "height": 1080}


def every_kind_of_page(served: Any, page: Page) -> Iterator[str]:
    """Opens one page of each kind after the other, empty and, where it asks something, with errors."""
    base = served.server.links.base
    page.goto(served.server.links.join[""])
    yield "start"
    person = served.join()
    seen = set()
    for each in person.pages:
        kind = f"{each.kind}{' for practice' if each.practice else ''}"
        if kind not in seen:
            seen.add(kind)
            person.pass_pages(each.key)
            page.goto(base + person.base)
            page.locator("#answer button[type=submit]:enabled").wait_for()
            yield kind
            if each.kind in ("consent", "questionnaire", "trial"):
                page.locator("#answer button[type=submit]").click()
                page.locator("[aria-invalid=true]").first.wait_for()
                yield f"{kind} with errors"
    page.goto(f"{base}{person.base}/1")
    yield "answered"
    page.goto(f"{base}{person.base}/withdraw")
    yield "withdraw"
    person.pass_pages()
    page.goto(base + person.base)
    yield "end"
    person.client.post(f"{person.base}/withdraw")
    page.goto(base + person.base)
    yield "withdrawn"
    page.goto(f"{base}/nothing")
    yield "error"
    page.goto(served.server.links.board)
    yield "board"


def in_german(data: dict[str, Any]) -> None:
    data.update(language="de", title="Kleine Studie")


def in_arabic(data: dict[str, Any]) -> None:
    data.update(language="ar", title="دراسة صغيرة")
    criterion = data["blocks"][0]["criteria"][0]
    criterion["question"] = "ما مدى وضوح النص؟"
    criterion["scale"]["labels"] = {1: "غير واضح", 7: "واضح تمامًا"}
    # a scale with words for every value, and a long list of choices
    data["blocks"][0]["criteria"].append(
        {
            "name": "agreement",
            "question": "هل توافق؟",
            "scale": {"from": 1, "to": 3, "numbers": False, "labels": {1: "لا", 2: "ربما", 3: "نعم"}},
        }
    )
    choices = [f"مهنة {number}" for number in range(1, 12)]
    data["questionnaire"].append({"name": "trade", "question": "ما مهنتك؟", "type": "choice", "choices": choices})


@pytest.mark.console_errors("status of (422|404)")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(None, id="english"),
        pytest.param(in_german, id="german"),  # which has the longest words
        pytest.param(in_arabic, id="right-to-left"),
        *(
            pytest.param(lambda data, tag=tag: data.update(interface=tag), id=tag, marks=pytest.mark.long)
            for tag in ("fr", "es")
        ),
    ],
)
def test_no_barriers_and_no_sideways_scrolling(
    serve: Callable[..., Any], new_context: Callable[..., BrowserContext], change: Any
) -> None:
    served = serve(change)
    page = new_context(viewport=NARROW).new_page()
    found, edges = {}, set()
    for kind in every_kind_of_page(served, page):
        # The pages are built alike in all languages; only their words are longer or shorter, or run the other way.
        seen = barriers(page) if change is None or (change is in_arabic and kind.endswith("with errors")) else []
        found[kind] = [*seen, *(["scrolls sideways"] if sideways(page) else [])]
        if change is None:
            page.set_viewport_size(WIDE)
            edges.add(page.evaluate("document.querySelector('main h1').getBoundingClientRect().x"))
            page.set_viewport_size(NARROW)
    assert len(found) >= 16
    assert edges == ({384} if change is None else set())  # all pages begin at one edge: (1920 - 76 × 16) / 2 + 32
    assert {kind: problems for kind, problems in found.items() if problems} == {}


def test_every_look_of_a_text_is_measured_for_contrast(page: Page) -> None:
    """Of texts that look alike only the first is; a pale one must not hide among others."""
    page.set_content("""<html lang="en"><head><title>Looks</title></head><body style="background: white"><main>
      <h1>Looks</h1><p>Well</p><p>Well, too</p><p id="one" style="color: #ccc">Pale</p>
      <div style="background: #333"><p id="two">Dark on dark</p></div>
      <div style="opacity: 0.3"><p id="three">Seen through</p></div>
      <p style="color: #ccc">As the first</p><p id="four" style="color: #888; font-size: 9pt">Small</p>
      <p style="color: #888; font-size: 30pt">Large enough</p>
      <label>Name <input id="five" style="color: #ddd" value="x"></label>
      <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></main></body></html>""")
    found = barriers(page)
    ids = [re.findall(r'id="(\w+)"', each) for each in found if each.startswith("color-contrast")]
    assert ids == [["one"], ["two"], ["three"], ["four"], ["five"]]
    assert any(each.startswith("image-alt") for each in found)


def test_wide_trial_has_context_beside_the_text_and_no_barriers(hands: Any, at: Callable[[str], Any]) -> None:
    at("quality-1")
    context, text = hands.page.locator(".context").bounding_box(), hands.page.locator(".stimulus").bounding_box()
    assert context["y"] == text["y"]
    assert context["x"] + context["width"] < text["x"]
    assert barriers(hands.page) == []
    hands.page.set_viewport_size(NARROW)
    context, text = hands.page.locator(".context").bounding_box(), hands.page.locator(".stimulus").bounding_box()
    assert context["y"] + context["height"] < text["y"]


def test_long_source_leaves_text_and_questions_in_reach(small: Any, hands: Any) -> None:
    person, page = small.join(), hands.page
    key = next(each.key for each in person.pages if each.trial and each.trial.kind == "check")
    person.pass_pages(key)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(small.server.links.base + person.base)
    hands.wait_until_ready()
    # beside the text and its questions, in a box of its own that fits the window and can be reached by keyboard
    source, text, words = page.locator(".context"), page.locator(".stimulus"), page.locator(".context .scrolls")
    assert page.evaluate("document.documentElement.scrollHeight") < 1300  # 5,646 before
    box, other = source.bounding_box(), text.bounding_box()
    assert box["x"] + box["width"] < other["x"]
    assert box["y"] + box["height"] <= 800
    assert page.locator(".criterion").first.bounding_box()["x"] == other["x"]
    hands.tab_to(words)
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('.context .scrolls').scrollTop > 1000")
    assert page.evaluate("scrollY") == 0
    assert barriers(page) == []
    code = page.locator(".stimulus pre")
    assert code.evaluate("box => box.scrollWidth > box.clientWidth && box.tabIndex === 0")
    hands.next.scroll_into_view_if_needed()
    assert 0 <= source.bounding_box()["y"] < 20  # it stays in sight
    # one column: the source can be closed, and a link leads to the questions
    page.set_viewport_size(NARROW)
    page.evaluate("scrollTo(0, 0)")
    assert source.bounding_box()["height"] > 3000
    assert barriers(page) == []
    assert not sideways(page)
    link, first = page.get_by_role("link", name="To the questions"), page.locator(".criterion").first
    hands.click(link)
    link.wait_for(state="hidden")
    assert -1 < first.bounding_box()["y"] < 640
    assert hands.focused(hands.radio(1))
    page.evaluate("scrollTo(0, 2000)")
    summary = page.locator(".context summary")
    assert summary.bounding_box()["y"] == 0  # in sight wherever the reader is
    hands.click(summary)
    page.wait_for_function("() => !document.querySelector('.context details').open")
    assert text.bounding_box()["y"] < 400
    hands.click(summary)
    assert page.locator(".context details[open]").count() == 1


def test_right_to_left_pages_are_mirrored(serve: Callable[..., Any], hands: Any) -> None:
    served = serve(lambda data: data.update(language="he"))
    person = served.join()
    person.pass_pages("quality-1")
    hands.page.goto(served.server.links.base + person.base)
    hands.wait_until_ready()
    low, high = hands.step(1).bounding_box(), hands.step(7).bounding_box()
    assert low["x"] > high["x"]
    context, text = hands.page.locator(".context").bounding_box(), hands.page.locator(".stimulus").bounding_box()
    assert context["x"] > text["x"]
    # the slider's high end is on the left, for mouse and keys alike
    hands.click(hands.slider, across=0.1)
    assert int(hands.slider.input_value()) > 80
    hands.page.keyboard.press("Home")
    hands.page.keyboard.press("ArrowLeft")
    assert hands.slider.input_value() == "1"


def test_touch_targets_are_large_enough(hands: Any, at: Callable[[str], Any]) -> None:
    at("quality-1")
    hands.page.set_viewport_size(NARROW)
    for target in hands.page.locator("label.step, label.tick, button, input.slider").all():
        box = target.bounding_box()
        assert box["height"] >= 40
        assert box["width"] >= 40


def test_nothing_can_be_sent_past_the_script(small: Any, new_context: Callable[..., BrowserContext]) -> None:
    person = small.join()
    page = new_context(java_script_enabled=False).new_page()
    page.goto(small.server.links.base + person.base)
    assert page.get_by_role("button", name="Next").is_disabled()
    # Chromium shows what is meant for such visitors only where script is off in its settings, not where it is stopped
    assert "This study needs JavaScript." in page.locator("noscript").inner_html()


def test_plural_rules_are_those_of_the_browser(page: Page) -> None:
    # an implementation of its own (ICU in Chromium) of the same standard
    numbers = [*range(240), 1000, 1001, 1011, 100_000, 1_000_000, 2_000_000]
    for language in LANGUAGES:
        rule = "([language, numbers]) => numbers.map((n) => new Intl.PluralRules(language).select(n))"
        assert page.evaluate(rule, [language, numbers]) == [plural(language, number) for number in numbers], language
