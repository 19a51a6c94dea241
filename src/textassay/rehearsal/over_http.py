"""Simulated participants through the server: every page is fetched before it is answered, as a browser would.

The store is asked only for what a browser's owner sees and a program cannot: which trial a page shows.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.errors import TextassayError
from textassay.rehearsal import recruiting
from textassay.rehearsal.browser import Browser, HtmlPage
from textassay.rehearsal.people import Crowd, Person, person
from textassay.rehearsal.recruiting import Came, Rehearsal
from textassay.rehearsal.respondent import CLIENT, Respondent
from textassay.study.study import Study

if TYPE_CHECKING:
    from textassay.serve.server import Links


def simulate(  # noqa: PLR0913 -- who, where, and how many
    study: Study,
    plan: Plan,
    store: Store,
    links: Links,
    *,
    count: int | None = None,
    crowd: Crowd | None = None,
    at_once: int = 8,
    one_cache: bool = False,
) -> Rehearsal:
    """Let people take the study through its server until every slot is filled.

    Args:
        study: The study.
        plan: Its plan.
        store: The server's store.
        links: Where the server is.
        count: The most people to come; by default as many as it takes.
        crowd: Which share of them is wayward.
        at_once: How many take part at the same time.
        one_cache: Let nobody fetch scripts and styles that somebody has; by default all fetch them, as they would.
    """
    before = len(store.participants())
    numbers = iter(range(before + 1, before + 1 + recruiting.most(plan, count)))
    came: list[Came] = []
    cached: set[str] | None = set() if one_cache else None
    at_work: dict[Future[Came | None], str] = {}
    with ThreadPoolExecutor(at_once, thread_name_prefix="textassay-rehearsal") as pool:
        while True:
            # No more come than are needed, for nobody refuses those who come while the last places are being filled.
            while len(at_work) < at_once:
                cohort = recruiting.wanted(plan, store, Counter(at_work.values()))
                number = next(numbers, None) if cohort is not None else None
                if cohort is None or number is None:
                    break
                somebody = person(study, number, crowd or Crowd())
                visit = pool.submit(_take_part, study, plan, store, links.join[cohort], somebody, cached)
                at_work[visit] = cohort
            if not at_work:
                return recruiting.result(plan, store, came)
            for future in wait(at_work, return_when=FIRST_COMPLETED).done:
                del at_work[future]
                visitor = future.result()
                came += [visitor] if visitor is not None else []


def _take_part(
    study: Study, plan: Plan, store: Store, link: str, somebody: Person, cached: set[str] | None
) -> Came | None:
    """One person's way from the link to the end; nothing if the study was full."""
    with closing(Browser(link, cached)) as browser:
        reply = browser.submit(browser.open(link))
        if reply.status != 303:
            return None
        token = urlsplit(reply.location).path.rpartition("/")[2]
        participant = store.participant(token)
        if participant is None:
            raise TextassayError("the server's store is another one than this; give the one that it writes to")
        respondent = Respondent(study, somebody, plan.slot(participant.slot))
        clock = datetime.now(UTC)
        page = browser.open(reply.location)
        while page.data is not None:
            later = _answer(browser, page, respondent, clock)
            if later is None:
                break
            page, clock = later
        return Came(participant.code, somebody.number, somebody.manner)


def _answer(
    browser: Browser, page: HtmlPage, respondent: Respondent, clock: datetime
) -> tuple[HtmlPage, datetime] | None:
    """Answer a page: the next one, and the time on the person's clock; nothing if the person is gone.

    That clock runs ahead of the server's, by as much as a person would take longer than this program.
    """
    key = page.data["key"] if page.data else ""
    played = respondent.answer(key)
    if played is None:
        return None
    answered = clock + timedelta(milliseconds=played.rt_ms)
    body = {
        "answer_id": str(uuid4()),
        "page": key,
        "payload": played.payload,
        "started_at": clock.isoformat(),
        "answered_at": answered.isoformat(),
        "rt_ms": played.rt_ms,
        "client": CLIENT,
    }
    reply = browser.send(page.action, body)
    said = json.loads(reply.body)
    if "next" not in said:
        raise TextassayError(f"the server refused a simulated answer to page {key!r}: {said}")
    return browser.open(said["next"]), answered
