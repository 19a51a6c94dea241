"""The reordering page under mouse, keys and fingers: every move is kept with its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers
from playwright.sync_api import expect
from reordering_study import write_orders, write_reordering_study
from sorting_hands import Sorted, bring, serving_from

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from served_study import Served

UNCONFIRMED = "Please change the order, or tick the box if it is good as it was shown."
refused = pytest.mark.console_errors("status of 422")
LONG = [
    "The mill had ground the corn of three villages for two hundred years, and nobody remembered it otherwise.",
    "ثم ارتفع النهر في الربيع، ووصلت المياه إلى الطابق الثاني في أقل من ساعة واحدة.",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitglieder came to help.",
    "It was gone.",
    "Only stones are left.",
    "Grass grows between them.",
]


def roomy(data: dict[str, Any]) -> None:
    data["participants"].update(wanted=40, may_go_back=True)
    data["screening"] = {}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_from(write_reordering_study(tmp_path_factory.mktemp("reordering"), None, roomy)) as served:
        yield served


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Long and right-to-left units, the first of them fixed."""
    items = {f"i{number}": LONG for number in range(1, 7)}
    orders = {"one": (1, 2, 3, 4, 5, 6), "two": (1, 3, 2, 4, 6, 5)}
    directory = tmp_path_factory.mktemp("fixed")
    with serving_from(write_orders(directory, items, orders, lambda b: b.update(first_fixed=True), roomy)) as served:
        yield served


def replayed(start: Sequence[str], moves: Sequence[Sequence[Any]]) -> list[str]:
    """The order after the moves; each must take its entry from where it is."""
    now = list(start)
    for name, source, to, _ in moves:
        assert now[source - 1] == name
        now.insert(to - 1, now.pop(source - 1))
    return now


def test_mouse_and_moves(served: Served, hands: Any) -> None:
    page = hands.page
    person, at = bring(served, page, "order-1")
    units = Sorted(page, "order")
    start = units.ids
    a, b, c, d = start
    assert at.trial is not None
    assert start == at.trial.randomised["ids"]
    units.drag(d, a)
    assert units.ids == [d, a, b, c]
    hands.click(units.entry(b).locator(".down"))
    assert units.ids == [d, a, c, b]
    page.wait_for_timeout(60)
    page.reload()
    hands.wait_until_ready()
    assert units.ids == [d, a, c, b]
    hands.tab_to(units.grip(c))
    for key in ("Space", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", "Space"):
        page.keyboard.press(key)
    assert units.ids == [c, d, a, b]
    hands.click(hands.next)
    hands.wait_for_page(at.number + 1)
    stored = person.answers["order-1"]
    assert stored.payload["order"] == [c, d, a, b]
    # a drag is one move, so is what happens between lifting and putting down
    assert [move[:3] for move in stored.payload["moves"]] == [[d, 4, 1], [b, 3, 4], [c, 3, 1]]
    assert replayed(start, stored.payload["moves"]) == stored.payload["order"]
    times = [move[3] for move in stored.payload["moves"]]
    assert times == sorted(times)
    assert 0 < times[0] < times[-1] <= stored.rt_ms
    # going back shows what was answered, and a change keeps the moves that led there
    page.go_back()
    hands.wait_until_ready()
    assert units.ids == [c, d, a, b]
    hands.click(units.entry(d).locator(".up"))
    hands.click(hands.next)
    hands.wait_for_page(at.number + 1)
    changed = person.answers["order-1"]
    assert (changed.revision, changed.payload["order"]) == (1, [d, c, a, b])
    assert replayed(start, changed.payload["moves"]) == [d, c, a, b]


@refused
def test_as_it_is_needs_a_tick_by_keyboard(served: Served, hands: Any) -> None:
    page, keys = hands.page, hands.page.keyboard
    person, at = bring(served, page, "order-1")
    units = Sorted(page, "order")
    start = units.ids
    hands.tab_to(hands.next)
    keys.press("Enter")
    expect(page.get_by_text(UNCONFIRMED)).to_be_visible()
    assert hands.focused(units.tick)
    # the tick is off as soon as something is moved, and must be set again when all is as it was
    keys.press("Space")
    hands.tab_to(units.entry(start[0]).locator(".down"))
    keys.press("Enter")
    expect(units.tick).not_to_be_checked()
    expect(units.tick).to_be_disabled()
    hands.tab_to(units.entry(start[0]).locator(".up"))
    keys.press("Enter")
    assert units.ids == start
    expect(units.tick).to_be_enabled()
    hands.tab_to(hands.next)
    keys.press("Enter")
    expect(page.get_by_text(UNCONFIRMED)).to_be_visible()
    keys.press("Space")
    hands.tab_to(hands.next)
    keys.press("Enter")
    hands.wait_for_page(at.number + 1)
    stored = person.answers["order-1"].payload
    assert stored["order"] == start
    assert [move[1:3] for move in stored["moves"]] == [[1, 2], [2, 1]]


def test_first_unit_stays_first(fixed: Served, hands: Any) -> None:
    page = hands.page
    bring(fixed, page, "order-1")
    units = Sorted(page, "order")
    first, second, third, *rest = units.ids
    expect(units.entry(first).get_by_role("button")).to_have_count(0)
    expect(units.entry(first)).to_contain_text("stays first")
    expect(units.entry(second).locator(".up")).to_be_disabled()
    units.drag(third, first)
    assert units.ids == [first, third, second, *rest]
    units.drag(first, second, by=".entry-text")
    assert units.ids == [first, third, second, *rest]
    hands.tab_to(units.grip(third))
    for key in ("Space", "ArrowUp", "Space"):
        page.keyboard.press(key)
    assert units.ids == [first, third, second, *rest]


@refused
def test_touch_at_360_pixels_without_barriers(
    fixed: Served, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    context = new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = hands.page = context.new_page()
    person, at = bring(fixed, page, "order-1")
    hands.tap(hands.next)
    page.locator("[aria-invalid=true]").first.wait_for()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    units = Sorted(page, "order")
    start = units.ids
    arabic = units.root.locator(".entry-text", has_text="النهر")
    assert arabic.evaluate("element => getComputedStyle(element).direction") == "rtl"
    units.touch_drag(start[4], start[3])
    assert units.ids == [*start[:3], start[4], start[3], start[5]]
    hands.tap(units.entry(start[5]).locator(".up"))
    assert units.ids == [*start[:3], start[4], start[5], start[3]]
    hands.tap(hands.next)
    hands.wait_for_page(at.number + 1)
    stored = person.answers["order-1"].payload
    assert stored["order"] == [*start[:3], start[4], start[5], start[3]]
    assert [move[:3] for move in stored["moves"]] == [[start[4], 5, 4], [start[5], 6, 5]]


def test_page_goes_along_when_an_entry_is_held_at_the_edge(
    fixed: Served, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    context = new_context(viewport={"width": 360, "height": 420}, has_touch=True, is_mobile=True)
    page = hands.page = context.new_page()
    bring(fixed, page, "order-1")
    units = Sorted(page, "order")
    start = units.ids
    units.entry(start[1]).evaluate("element => element.scrollIntoView({ block: 'center' })")
    x, y = units.centre(units.grip(start[1]))
    session = context.new_cdp_session(page)
    touch = "Input.dispatchTouchEvent"
    session.send(touch, {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for place in (y + 20, 380, 410):
        session.send(touch, {"type": "touchMove", "touchPoints": [{"x": x, "y": place}]})
    last = "id => document.querySelector('.entries').lastElementChild.dataset.entry === id"
    page.wait_for_function(last, arg=start[1])
    session.send(touch, {"type": "touchEnd", "touchPoints": []})
    assert units.ids == [start[0], *start[2:], start[1]]


def test_ids_tell_nothing_of_the_original(served: Served) -> None:
    seen: set[str] = set()
    for slot in served.plan.slots[:6]:
        for trial in slot.trials:
            ids = trial.randomised["ids"]
            assert not seen & set(ids)
            seen |= set(ids)
            assert not set(ids) & set(trial.randomised["start"])
