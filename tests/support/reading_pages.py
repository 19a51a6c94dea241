"""The reading study on a real server, and what tests of its page share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reading_study import write_reading_study
from served_study import Person, Served
from small_study import write_csv

from textassay.seeds import Stream
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

if TYPE_CHECKING:
    from playwright.sync_api import Page

Change = Callable[[dict[str, Any]], None]
TWO_FRAMES = "new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"


def plain(data: dict[str, Any]) -> None:
    """No pages before the trials, room for everybody, no rules that quick tests would break."""
    data.update(questionnaire=[], screening={})
    data.pop("consent")
    data["participants"]["wanted"] = 30
    data["blocks"][0].pop("instructions", None)


@contextmanager
def serving_reading(directory: Path, change: Change | None = None, words: int = 0) -> Iterator[Served]:
    """Serve the reading study, changed as wanted; with `words`, a single text of so many, read word by word."""

    def changed(data: dict[str, Any]) -> None:
        plain(data)
        if words:
            data["blocks"] = [{"task": "reading", "name": "words", "units": "words"}]
        if change is not None:
            change(data)

    write_reading_study(directory, changed)
    if words:
        text = " ".join(f"word{number}" for number in range(words))
        write_csv(directory / "texts.csv", ("item", "system", "text"), [("i1", "a", text)])
    study = load_study(directory)
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = Served(study, plan, server)
        yield served
        for client in served.clients:
            client.close()


def bring(served: Served, page: Page, key: str) -> Person:
    """Bring somebody to a trial, by HTTP up to there, and open it in the browser."""
    person = served.join()
    block = served.study.blocks[0]
    player = block.task.simulated_participant(1, Stream(1, "browser"))
    for each in person.pages:
        if each.key == key:
            break
        payload = player.respond(each.trial, each.number).payload if each.trial else {}
        assert person.send(each.key, payload).status_code == 200
    page.goto(served.server.links.base + person.base)
    ready(page)
    return person


def ready(page: Page) -> None:
    """Until presses count."""
    page.locator("[data-state=ready]").wait_for()


def settle(page: Page) -> None:
    """Until what was shown last has been painted, so that the next press counts."""
    page.evaluate(f"() => {TWO_FRAMES}.then(() => new Promise(done => setTimeout(done, 20)))")
