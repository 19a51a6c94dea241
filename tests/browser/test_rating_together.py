"""Several texts of an item rated on one page: in columns by mouse, one below the other by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers, sideways
from playwright.sync_api import expect
from together_study import ALL, rated_together

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

refused = pytest.mark.console_errors("status of 422")


@pytest.fixture(scope="module")
def served(serve: Callable[..., Any]) -> Any:
    """With all that can be at a question: "cannot judge", and why."""

    def changed(data: dict[str, Any]) -> None:
        rated_together(data)
        data["screening"] = {}
        data["blocks"][0].pop("practice")
        data["blocks"][0]["cannot_judge"] = True
        data["blocks"][0]["criteria"][0]["why"] = "optional"

    return serve(changed)


@pytest.fixture
def at_first_page(served: Any, hands: Any) -> Callable[[Page], Any]:
    def bring(page: Page) -> Any:
        person = served.join()
        person.pass_pages("quality-1")
        hands.page = page
        page.goto(served.server.links.base + person.base)
        hands.wait_until_ready()
        return person

    return bring


@refused
def test_columns_by_mouse(hands: Any, at_first_page: Callable[[Page], Any], page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    person = at_first_page(page)
    source = page.locator("#answer").inner_html()
    # texts of the small study name their system, which is taken out of them
    assert [name for name in ALL if name in source.replace(f"The {name} text", "")] == []
    boxes = [each.bounding_box() for each in page.locator(".rated .scales").all()]
    assert len({box["y"] for box in boxes}) == 1
    assert [box["x"] for box in boxes] == sorted({box["x"] for box in boxes})

    hands.click(hands.next)
    alerts = page.get_by_role("alert").filter(has_text="Please")
    expect(alerts).to_have_count(6)
    first = page.get_by_role("radiogroup", name="Text 1: How clear is the text?")
    assert hands.focused(first.get_by_role("radio").first)
    expect(first).to_have_accessible_description("Please choose an answer.")
    expect(page.locator("[name='3.fluency']")).to_have_accessible_name("Text 3: How well does it read?")
    assert barriers(page) == []

    for place, value in enumerate((2, 7, 4), 1):
        hands.click(page.locator(f"label.step:has(input[name='{place}.clarity'][value='{value}'])"))
        hands.click(page.locator(f"[name='{place}.fluency']"), across=0.75)
    hands.click(page.locator("[data-unjudged='2.fluency']"))
    page.locator("[data-why='3.clarity']").fill("So so.")
    hands.click(hands.next)
    page.wait_for_url("**/p/*/5")
    payload = person.answers["quality-1"].payload
    assert {field: value for field, value in payload["ratings"].items() if "clarity" in field} == {
        "1.clarity": 2,
        "2.clarity": 7,
        "3.clarity": 4,
    }
    assert payload["cannot_judge"] == ["2.fluency"]
    assert 60 < payload["ratings"]["3.fluency"] < 90
    assert payload["why"] == {"1.clarity": "", "2.clarity": "", "3.clarity": "So so."}


def test_one_below_the_other_by_keys(
    hands: Any, at_first_page: Callable[[Page], Any], new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(viewport={"width": 360, "height": 640}).new_page()
    person = at_first_page(page)
    assert not sideways(page)
    boxes = [each.bounding_box() for each in page.locator(".rated").all()]
    assert len({box["x"] for box in boxes}) == 1
    for place in (1, 2, 3):
        page.keyboard.press(str(place + 3))  # the first scale that has no answer yet takes it
        expect(page.locator(f"[name='{place}.clarity']:checked")).to_have_value(str(place + 3))
        hands.tab_to(page.locator(f"[name='{place}.fluency']"))
        page.keyboard.press("End" if place == 2 else "ArrowRight")
    page.reload()  # what was chosen is kept on the device
    hands.wait_until_ready()
    expect(page.locator("[name='2.fluency']")).to_have_value("100")
    hands.tab_to(hands.next)
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/*/5")
    ratings = person.answers["quality-1"].payload["ratings"]
    assert [ratings[f"{place}.clarity"] for place in (1, 2, 3)] == [4, 5, 6]
    assert [ratings[f"{place}.fluency"] for place in (1, 2, 3)] == [51, 100, 51]
