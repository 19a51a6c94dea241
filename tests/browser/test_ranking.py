"""The ranking page under mouse, keys and fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers
from playwright.sync_api import expect
from ranking_study import write_ranking_study
from sorting_hands import Sorted, bring, serving_from

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from served_study import Served

UNCONFIRMED = "Please put the texts in order, or tick the box if the order is right as it was shown."
refused = pytest.mark.console_errors("status of 422")


def roomy(data: dict[str, Any]) -> None:
    data["participants"]["wanted"] = 40
    data["screening"] = {}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two criteria, no ties."""
    with serving_from(write_ranking_study(tmp_path_factory.mktemp("ranking"), None, roomy)) as served:
        yield served


@pytest.fixture(scope="module")
def with_ties(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One criterion, ties, Arabic interface."""

    def tied(block: dict[str, Any]) -> None:
        block.update(ties=True, criteria=block["criteria"][:1])
        del block["comment"]

    def arabic(data: dict[str, Any]) -> None:
        roomy(data)
        data["interface"] = "ar"

    with serving_from(write_ranking_study(tmp_path_factory.mktemp("ties"), tied, arabic)) as served:
        yield served


@refused
def test_keyboard_alone(served: Served, hands: Any) -> None:
    page, keys = hands.page, hands.page.keyboard
    person, at = bring(served, page, "places-1")
    first, second = Sorted(page, "clarity"), Sorted(page, "fluency")
    a, b, c = first.ids
    # untouched lists are refused, and the first tick gets the focus
    hands.tab_to(hands.next)
    keys.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Please")).to_have_text([UNCONFIRMED] * 2)
    assert hands.focused(first.tick)
    expect(first.tick).to_have_accessible_description(UNCONFIRMED)

    # lift, move to the top, put down
    expect(first.grip(c)).to_have_accessible_name("Lift, now at position 3 of 3")
    hands.tab_to(first.grip(c))
    keys.press("Space")
    expect(first.grip(c)).to_have_attribute("aria-pressed", "true")
    expect(first.status).to_contain_text("Lifted from position 3 of 3.")
    keys.press("ArrowUp")
    expect(first.status).to_have_text("Now at position 2 of 3.")
    keys.press("ArrowUp")
    keys.press("ArrowUp")  # it cannot go further
    keys.press("Space")
    expect(first.status).to_have_text("Put down at position 1 of 3.")
    assert (first.ids, first.places) == ([c, a, b], ["1", "2", "3"])
    assert hands.focused(first.grip(c))
    expect(first.tick).to_be_disabled()

    # Escape puts back, leaving the entry puts it down
    keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("Escape")
    expect(first.status).to_have_text("Put back to position 1 of 3.")
    assert first.ids == [c, a, b]
    # buttons: the focus stays with the entry, on the other button where one leads nowhere
    hands.tab_to(first.entry(a).locator(".down"))
    keys.press("Enter")
    assert first.ids == [c, b, a]
    assert hands.focused(first.entry(a).locator(".up"))
    expect(first.entry(a).locator(".down")).to_be_disabled()

    # the second list is right as it is
    hands.tab_to(second.tick)
    keys.press("Space")
    hands.tab_to(hands.next)
    keys.press("Enter")
    hands.wait_for_page(at.number + 1)
    stored = person.answers["places-1"].payload["rankings"]
    assert stored == {"clarity": [[c], [b], [a]], "fluency": [[a], [b], [c]]}


def test_mouse(served: Served, hands: Any) -> None:
    page = hands.page
    person, at = bring(served, page, "places-1")
    first, second = Sorted(page, "clarity"), Sorted(page, "fluency")
    a, b, c = first.ids
    first.drag(a, c)
    assert first.ids == [b, c, a]
    expect(first.status).to_have_text("Now at position 3 of 3.")
    first.drag(a, b, by=".entry-text")  # a mouse may take an entry anywhere
    assert first.ids == [a, b, c]
    first.drag(c, b)
    assert first.ids == [a, c, b]
    # Escape while an entry is held puts it back
    x, y = second.centre(second.grip(a))
    second.grip(a).scroll_into_view_if_needed()
    x, y = second.centre(second.grip(a))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 120, steps=5)
    assert second.ids != [a, b, c]
    page.keyboard.press("Escape")
    page.mouse.up()
    assert second.ids == [a, b, c]
    hands.click(second.entry(b).locator(".up"))
    assert second.ids == [b, a, c]
    # what was done is there again after a reload
    page.reload()
    hands.wait_until_ready()
    assert (first.ids, second.ids) == ([a, c, b], [b, a, c])
    hands.click(hands.next)
    hands.wait_for_page(at.number + 1)
    stored = person.answers["places-1"].payload
    assert stored == {"rankings": {"clarity": [[a], [c], [b]], "fluency": [[b], [a], [c]]}, "comment": ""}


def test_ties(with_ties: Served, hands: Any) -> None:
    page = hands.page
    person, at = bring(with_ties, page, "places-1")
    ranked = Sorted(page, "clarity")
    a, b, c = ranked.ids
    box = {name: ranked.entry(name).locator("[data-tie]") for name in (a, b, c)}
    expect(box[a]).to_be_hidden()
    box[b].check()
    assert ranked.places == ["=1", "=1", "3"]
    expect(ranked.tick).to_be_disabled()
    # what comes between two that are tied is tied with them, and they stay tied when it goes on
    hands.click(ranked.entry(c).locator(".up"))
    assert (ranked.ids, ranked.places) == ([a, c, b], ["=1", "=1", "=1"])
    hands.click(ranked.entry(c).locator(".up"))
    assert (ranked.ids, ranked.places) == ([c, a, b], ["1", "=2", "=2"])
    # what leaves a tie is tied no more
    hands.click(ranked.entry(a).locator(".down"))
    assert (ranked.ids, ranked.places) == ([c, b, a], ["1", "2", "3"])
    box[a].check()
    page.reload()
    hands.wait_until_ready()
    assert (ranked.ids, ranked.places) == ([c, b, a], ["1", "=2", "=2"])
    hands.click(hands.next)
    hands.wait_for_page(at.number + 1)
    assert person.answers["places-1"].payload["rankings"] == {"clarity": [[c], [b, a]]}
    trial = person.pages[at.number - 1].trial
    assert trial is not None
    block = with_ties.study.blocks[0]
    rows = block.task.rows(trial, person.answers["places-1"].payload)
    assert [(row["rank"], row["start_position"]) for row in rows] == [(1.0, 3), (2.5, 2), (2.5, 1)]


@refused
def test_touch_at_360_pixels_without_barriers(
    served: Served, with_ties: Served, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    for study in (with_ties, served):
        context = new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
        page = hands.page = context.new_page()
        person, at = bring(study, page, "places-1")
        hands.tap(hands.next)
        page.locator("[aria-invalid=true]").first.wait_for()
        assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        ranked = Sorted(page, "clarity")
        a, b, c = ranked.ids
        ranked.touch_drag(c, a)
        assert ranked.ids == [c, a, b]
        # a finger on the text scrolls the page and moves nothing
        ranked.touch_drag(a, b, by=".entry-text")
        assert ranked.ids == [c, a, b]
        hands.tap(ranked.entry(b).locator(".up"))
        assert ranked.ids == [c, b, a]
    hands.tap(Sorted(page, "fluency").root.locator(".tick"))
    hands.tap(hands.next)
    hands.wait_for_page(at.number + 1)
    assert person.answers["places-1"].payload["rankings"] == {"clarity": [[c], [b], [a]], "fluency": [[a], [b], [c]]}
