"""Participants in a real browser: everything they do goes through keyboard, mouse or touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from served_study import Change, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one paper's studies follow each other, so that one worker has them and rehearses each study once."""
    places = [place for place, item in enumerate(items) if item.path.name == "test_ready_reports.py"]
    together = sorted((items[place] for place in places), key=paper)
    for place, item in zip(places, together, strict=True):
        items[place] = item


def paper(item: pytest.Item) -> str:
    """What a test of a ready study is about: the first part of the study's name, which is also the page's."""
    return re.split(r"[-.]", item.callspec.id)[0] if hasattr(item, "callspec") else ""


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Serves the small study, changed as wanted, until the module's tests are over."""
    with ExitStack() as stack:

        def make(change: Change | None = None) -> Served:
            return stack.enter_context(serving(tmp_path_factory.mktemp("study"), change))

        yield make


LONG_SOURCE = "\n\n".join(["The committee met on Tuesday to discuss the plans for the harbour again. " * 12] * 10)
"""An article of 1,440 words: the context of the small study's attention check, whose text has a long line of code."""


@pytest.fixture(scope="module")
def small(serve: Callable[..., Served]) -> Served:
    """The small study, shorter, with room for everybody, and without rules that quick tests would break."""

    def roomy(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = 60
        data["screening"] = {}
        data["blocks"][0]["design"].update(items_per_participant=3, break_every=3)
        data["blocks"][0]["texts_are"] = "markdown"
        check = data["blocks"][0]["attention_checks"][0]
        check.update(context=LONG_SOURCE, text=f"{check['text']}\n\n```\n{'long = ' * 60}0\n```")

    return serve(roomy)


class Hands:
    """What a person does with a page; `page` may be replaced when a tab is closed."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def number(self) -> int:
        """The number of the page in its address."""
        return int(self.page.url.rpartition("/")[2])

    def heading(self) -> str:
        return self.page.locator("h1").inner_text()

    # --- keyboard

    def focused(self, target: Locator) -> bool:
        return bool(target.evaluate("element => element === document.activeElement"))

    def tab_to(self, target: Locator) -> None:
        """Press Tab until the target has the focus."""
        for _ in range(40):
            if self.focused(target):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"{target} cannot be reached with the Tab key")

    # --- mouse

    def click(self, target: Locator, *, across: float = 0.5, count: int = 1) -> None:
        """Move the mouse there and press it; `across` tells where between its left and right edge."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + across * box["width"], box["y"] + box["height"] / 2, click_count=count)

    # --- touch

    def tap(self, target: Locator, *, across: float = 0.5) -> None:
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        self.page.touchscreen.tap(box["x"] + across * box["width"], box["y"] + box["height"] / 2)

    # --- waiting

    def wait_for_page(self, number: int) -> None:
        """Until the page with that number is there and its script is at work."""
        self.page.wait_for_url(f"**/p/*/{number}")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        self.page.locator("#answer button[type=submit]:enabled").wait_for()

    def wait_until_nothing_is_kept(self) -> None:
        """Until the device holds no draft any more; a last page can be read before its script has run."""
        self.page.wait_for_function("() => localStorage.length === 0")

    @property
    def next(self) -> Locator:
        return self.page.locator("#answer button[type=submit]")

    @property
    def slider(self) -> Locator:
        return self.page.locator("input.slider")

    @property
    def tick(self) -> Locator:
        return self.page.locator("[data-confirms]")

    def radio(self, value: int) -> Locator:
        return self.page.locator(f"input[type=radio][value='{value}']")

    def step(self, value: int) -> Locator:
        """What can be pressed to choose a value."""
        return self.page.locator(f"label.step:has(input[value='{value}'])")


@pytest.fixture
def hands(page: Page) -> Hands:
    return Hands(page)


@pytest.fixture
def at(small: Served, hands: Hands) -> Callable[[str], Any]:
    """Brings somebody to a page, by HTTP up to there, and opens it in the browser; gives back the person."""

    def bring(key: str) -> Any:
        person = small.join()
        person.pass_pages(key)
        hands.page.goto(small.server.links.base + person.base)
        hands.wait_until_ready()
        return person

    return bring
