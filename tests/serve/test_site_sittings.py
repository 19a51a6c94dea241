"""Studies in several sittings: the page between them, the way back, and the slot that stays reserved."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from small_study import write_small_study

from textassay.answers.store import Store
from textassay.serve.app import create_app
from textassay.serve.public_address import PublicAddress
from textassay.serve.session import Page
from textassay.serve.site import Site
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


class Served:
    """A study in three sittings, served without a network by a clock of its own; each request may meet a new server."""

    def __init__(self, site: Site) -> None:
        self.site, self.now = site, datetime(2026, 5, 1, 12, tzinfo=UTC)
        self.restart()

    def restart(self) -> None:
        """All that a server holds in memory is gone."""
        self.site = Site(self.site.study, self.site.plan, self.site.store, lambda: self.now)

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(create_app(self.site))
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.request(method, path, follow_redirects=method == "GET", **more)

        return asyncio.run(send())

    def join(self) -> str:
        return self.ask("POST", self.site.join_path("")).headers["location"]

    def slot(self, path: str) -> int:
        person = self.site.store.participant(path.removeprefix("/p/"))
        assert person is not None
        return person.slot

    def answer(self, path: str, page: Page) -> httpx.Response:
        payload: dict[str, Any] = {"consent": {"agreed": True}}.get(page.kind, {})
        if page.trial is not None:
            payload = {"ratings": {"clarity": 2, "fluency": 10 + page.number}}
        body = {
            "answer_id": str(uuid.uuid4()), "page": page.key, "payload": payload, "client": {}, "rt_ms": 1e4,
            "started_at": self.now.isoformat(), "answered_at": self.now.isoformat(),
        }  # fmt: skip
        return self.ask("POST", f"{path}/answers", json=body)

    def go_to(self, path: str, kind: str) -> Page:
        """Answer until the next page of that kind is due; the page."""
        answered = self.site.store.answers(self.site.store.participants()[-1].id)
        for page in self.site.pages(self.slot(path)):
            if page.key not in answered:
                if page.kind == kind:
                    return page
                assert self.answer(path, page).status_code == 200
        raise AssertionError(f"no page {kind}")

    def between(self) -> int:
        with self.site.board.moment(self.now) as seen:
            return self.site.board.overview(seen, self.site.pages).between


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    @contextmanager
    def make(**people: Any) -> Iterator[Served]:
        def change(data: dict[str, Any]) -> None:
            data["participants"].update(wanted=3, **people)
            data["questionnaire"], data["screening"] = [], {}
            data["blocks"][0]["design"] = {"everyone": "all", "sittings": 3, "break_every": 6}

        study = load_study(write_small_study(tmp_path, change))
        with Store.open(study.store_url) as store:
            yield Served(Site(study, stored_plan(study), store))

    return make


def test_pages_between_sittings_cut_the_trials_into_equal_parts(served: Any) -> None:
    with served() as study:
        pages = study.site.pages(1)
        kinds = "".join({"trial": "p" if page.practice else "t"}.get(page.kind, page.kind[0]) for page in pages)
        # 18 texts and an attention check: 6 + 6 + 7; a break takes no place where a sitting ends
        assert kinds == "cipp" + "tttttt" + "s" + "tttttt" + "s" + "ttttttbt"
        assert [page.key for page in pages if page.kind == "sitting"] == ["sitting:quality:1", "sitting:quality:2"]


def test_a_participant_comes_back_and_continues_with_the_next_part(served: Any) -> None:
    with served() as study:
        assert "divided into 3 parts" in study.ask("GET", study.site.join_path("")).text
        path = study.join()
        first = study.go_to(path, "sitting")
        page = study.ask("GET", path)
        for words in ("Part 1 of 3 is done", f"http://here{path}</a>", "Begin part 2 of 3", "your place is reserved"):
            assert words in page.text
        study.wait(days=9)
        study.restart()
        assert "Part 1 of 3 is done" in study.ask("GET", path).text
        assert study.answer(path, first).status_code == 200
        assert "7 of 19" in study.ask("GET", path).text
        study.go_to(path, "sitting")
        assert "Part 2 of 3 is done" in study.ask("GET", path).text
        for page in study.site.pages(1):
            study.answer(path, page)
        assert study.ask("GET", path).status_code == 200  # waits for the verdict
        assert study.site.store.participants()[0].status == "completed"


def test_link_for_the_next_part_is_that_of_the_proxy(served: Any) -> None:
    with served() as study:
        path = study.join()
        study.go_to(path, "sitting")
        study.site.address = PublicAddress("https://study.example.org")
        assert f">https://study.example.org{path}</a>" in study.ask("GET", path).text


def test_the_slot_stays_reserved_between_sittings_and_no_longer_than_the_study_says(served: Any) -> None:
    with served(days_reserved=10) as study:
        path = study.join()
        study.go_to(path, "sitting")
        others = [study.join() for _ in range(2)]
        assert [study.slot(each) for each in (path, *others)] == [1, 2, 3]
        study.wait(days=9)
        study.restart()
        assert study.between() == 1
        assert study.slot(study.join()) == 2  # of those who fell silent in a sitting; the first one is reserved
        assert study.slot(study.join()) == 3
        study.wait(days=2)
        assert study.between() == 0
        assert study.slot(study.join()) == 1


def test_who_falls_silent_in_a_sitting_loses_the_slot_as_ever(served: Any) -> None:
    with served() as study:
        path = study.join()
        study.answer(path, study.go_to(path, "sitting"))  # the second sitting has begun
        study.wait(minutes=31)
        assert study.between() == 0
        assert study.slot(study.join()) == 1


def test_hours_must_pass_where_the_study_says_so(served: Any) -> None:
    with served(hours_between_sittings=20) as study:
        path = study.join()
        due = study.go_to(path, "sitting")
        study.wait(hours=1.5)
        page = study.ask("GET", path).text
        assert "The next part can be begun in about 19 hours." in page
        assert "Begin part 2" not in page
        early = study.answer(path, due)
        assert (early.status_code, early.json()["message"]) == (
            409,
            "The next part cannot be begun yet. Please come back later.",
        )
        study.wait(hours=18.5)
        assert "Begin part 2 of 3" in study.ask("GET", path).text
        assert study.answer(path, due).status_code == 200
