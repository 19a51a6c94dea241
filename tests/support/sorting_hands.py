"""What people do with a list that is to be put in order, on a page that a real server serves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from served_study import Person, Served

from textassay.seeds import Stream
from textassay.serve.server import ServerThread
from textassay.serve.session import Page as StudyPage
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@contextmanager
def serving_from(directory: Path) -> Iterator[Served]:
    """Serve the study of a directory."""
    study = load_study(directory)
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = Served(study, plan, server)
        yield served
        for client in served.clients:
            client.close()


def bring(served: Served, page: Page, key: str) -> tuple[Person, StudyPage]:
    """Somebody who has got as far as that page, by HTTP up to there, and sees it in the browser."""
    person = served.join()
    for each in person.pages:
        if each.key == key:
            page.goto(served.server.links.base + person.base)
            page.locator("#answer button[type=submit]:enabled").wait_for()
            return person, each
        assert person.send(each.key, _fitting(person, each)).status_code == 200
    raise KeyError(key)


def _fitting(person: Person, page: StudyPage) -> dict[str, Any]:
    """An answer that nobody objects to; to a trial that of a simulated participant."""
    if page.trial is None:
        return person.fitting(page)
    block = person.served.study.block(page.block)
    player = block.task.simulated_participant(1, Stream(1, "browser"))
    return dict(player.respond(page.trial, 1).payload)


class Sorted:
    """A list on the page."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.root = page.locator(f"[data-sorting='{name}']")

    @property
    def ids(self) -> list[str]:
        """Ids of the entries, from the top."""
        return [str(each.get_attribute("data-entry")) for each in self.root.locator(".entry").all()]

    @property
    def places(self) -> list[str]:
        """The places that are shown, from the top."""
        return self.root.locator(".place").all_inner_texts()

    def entry(self, name: str) -> Locator:
        return self.root.locator(f"[data-entry='{name}']")

    def grip(self, name: str) -> Locator:
        return self.entry(name).locator(".grip")

    @property
    def status(self) -> Locator:
        return self.root.get_by_role("status")

    @property
    def tick(self) -> Locator:
        return self.root.locator("[data-confirms]")

    def centre(self, target: Locator) -> tuple[float, float]:
        box = target.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, name: str, onto: str, *, by: str = ".grip", beyond: int = 8) -> None:
        """With the mouse, a little beyond the middle of another entry."""
        self.entry(name).scroll_into_view_if_needed()
        x, y = self.centre(self.entry(name).locator(by))
        _, to = self.centre(self.entry(onto))
        held = y - self.centre(self.entry(name))[1]
        way = (beyond if to > y else -beyond) + held
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 3, (y + to) / 2, steps=6)
        self.page.mouse.move(x + 3, to + way, steps=6)
        self.page.mouse.up()

    def touch_drag(self, name: str, onto: str, *, by: str = ".grip", beyond: int = 8) -> None:
        """With a finger, through the browser's debugging protocol, so that the page cannot tell it from a real one."""
        self.entry(onto).evaluate("element => element.scrollIntoView({ block: 'center' })")
        x, y = self.centre(self.entry(name).locator(by))
        _, to = self.centre(self.entry(onto))
        to += (beyond if to > y else -beyond) + y - self.centre(self.entry(name))[1]
        session = self.page.context.new_cdp_session(self.page)
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 13):
            point = {"x": x, "y": y + (to - y) * step / 12}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()
