"""Simulated participants through the web server: every page is fetched before it is answered, as a browser would.

The store is asked only for what a person sees and a program cannot: which trial a page shows. Requests go through a
small browser that keeps its connection, follows redirections, fetches scripts and retries.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import unescape
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin, urlsplit
from uuid import uuid4

from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.errors import TextassayError
from textassay.rehearsal import recruiting
from textassay.rehearsal.people import BehaviourShares, SimulatedPerson, person
from textassay.rehearsal.recruiting import Rehearsal, SimulatedVisit
from textassay.rehearsal.respondent import CLIENT, Respondent
from textassay.rehearsal.true_effects import with_true_effects
from textassay.serve.session import Page
from textassay.serve.site import page_key
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
    crowd: BehaviourShares | None = None,
    at_once: int = 8,
    one_cache: bool = False,
) -> Rehearsal:
    """Simulate participants through the server until every slot is filled.

    Args:
        study: The study.
        plan: Its plan.
        store: The server's store.
        links: Addresses of the server.
        count: The largest number of participants; by default as many as needed.
        crowd: Shares of behaviours.
        at_once: How many participate at the same time.
        one_cache: Share one cache of scripts and styles; by default each participant fetches them.
    """
    study = with_true_effects(study)
    before = len(store.participants())
    numbers = iter(range(before + 1, before + 1 + recruiting.most(plan, count)))
    visits: list[SimulatedVisit] = []
    cached: set[str] | None = set() if one_cache else None
    in_progress: dict[Future[SimulatedVisit | None], str] = {}
    with ThreadPoolExecutor(at_once, thread_name_prefix="textassay-rehearsal") as pool:
        while True:
            # Start no more than needed, as the server accepts newcomers while the last slots are being filled.
            while len(in_progress) < at_once:
                cohort = recruiting.wanted(plan, store, Counter(in_progress.values()))
                number = next(numbers, None) if cohort is not None else None
                if cohort is None or number is None:
                    break
                simulated = person(study, number, crowd or BehaviourShares())
                visit = pool.submit(_take_part, study, plan, store, links.join[cohort], simulated, cached)
                in_progress[visit] = cohort
            if not in_progress:
                return recruiting.result(plan, store, visits)
            for future in wait(in_progress, return_when=FIRST_COMPLETED).done:
                del in_progress[future]
                visitor = future.result()
                visits += [visitor] if visitor is not None else []


def _take_part(
    study: Study, plan: Plan, store: Store, link: str, simulated: SimulatedPerson, cached: set[str] | None
) -> SimulatedVisit | None:
    """One participation from the link to the end; None if the study was full."""
    last = deque(participation(study, plan, store, link, simulated, cached), maxlen=1)
    return SimulatedVisit(last[0].participant.code, simulated.number, simulated.behaviour) if last else None


@dataclass(frozen=True)
class SeenPage:
    """A page that a simulated person has before them."""

    address: str
    page: Page | None
    """Which one it is; None after the last answer."""
    participant: Participant
    pages: tuple[Page, ...]
    """All pages that the person answers."""


def participation(
    study: Study,
    plan: Plan,
    store: Store,
    link: str,
    simulated: SimulatedPerson,
    cached: set[str] | None = None,
    *,
    as_real: bool = False,
) -> Iterator[SeenPage]:
    """Take part: each page comes before it is answered, and the last one too; none if the study is full.

    The server believes that this is a rehearsal since only who can open the store can prove it; it then waits for no
    place, takes none from real participants, and is not limited. `as_real`: do not say so, for tests.
    """
    with closing(Browser(link, cached)) as browser:
        page = browser.open(link)
        start = store.recruiting.new_start()
        proof = {} if as_real else {"rehearsal": store.recruiting.rehearsal_proof(start)}
        reply = browser.submit(page.action or link, {"start": start, **proof})
        if reply.status != 303:
            return
        token = urlsplit(reply.location).path.rpartition("/")[2]
        participant = store.participant(token)
        if participant is None:
            raise TextassayError("the server uses another store than the one given")
        respondent = Respondent(study, simulated, plan.slot(participant.slot))
        pages, clock = tuple(respondent.pages.values()), datetime.now(UTC)
        secret = store.secret("pages").encode()
        known_by = {page_key(secret, participant.code, page.key): page for page in pages}
        page = browser.open(reply.location)
        while page.data is not None:
            shown = known_by[page.data["key"]]
            yield SeenPage(page.address, shown, participant, pages)
            later = _answer(browser, page, respondent, shown.key, clock)
            if later is None:
                return
            page, clock = later
        yield SeenPage(page.address, None, participant, pages)


def _answer(
    browser: Browser, page: HtmlPage, respondent: Respondent, key: str, clock: datetime
) -> tuple[HtmlPage, datetime] | None:
    """Answer a page; returns the next page and the time, or None if the person has dropped out.

    The simulated clock runs ahead of the server's, as a person takes longer than this program.
    """
    response = respondent.answer(key)
    if response is None:
        return None
    answered = clock + timedelta(milliseconds=response.rt_ms)
    body = {
        "answer_id": str(uuid4()),
        "page": page.data["key"] if page.data else "",
        "payload": response.payload,
        "started_at": clock.isoformat(),
        "answered_at": answered.isoformat(),
        "rt_ms": response.rt_ms,
        "client": CLIENT,
    }
    reply = browser.send(page.action, body)
    said = json.loads(reply.body)
    if "next" not in said:
        raise TextassayError(f"the server refused a simulated answer to page {key!r}: {said}")
    return browser.open(said["next"]), answered


_WAITS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between tries."""
_PATIENCE = 30.0
_BUSY = (408, 429, 500, 502, 503, 504)
_MOST_REDIRECTS = 5
_IMPORT = re.compile(r"""^import\s.*?["'](\.[^"']+)["']""", re.MULTILINE)
_TAG = re.compile(r"""<(form|img|link|script)\b((?:[^>"]|"[^"]*")*)>""")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


@dataclass
class HtmlPage:
    """What is needed to answer a page."""

    address: str
    data: dict[str, Any] | None = None
    """Data for the page's script (`data-page`); None if there is nothing to answer."""
    action: str = ""
    """Target of its form."""
    needs: list[str] = field(default_factory=list)
    """Scripts, styles and images."""


@dataclass(frozen=True)
class Reply:
    """The server's reply."""

    status: int
    body: bytes
    location: str = ""


class _UnreachableError(TextassayError):
    """The server did not answer."""


class Browser:
    """One person's browser, on one server."""

    def __init__(self, base: str, cached: set[str] | None = None) -> None:
        """Args: an address on the server; addresses already fetched, which is extended."""
        parts = urlsplit(base)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.netloc, timeout=_PATIENCE)
        self._cached: set[str] = set() if cached is None else cached

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def open(self, address: str) -> HtmlPage:
        """Open a page, follow redirections and fetch what it needs."""
        for _ in range(_MOST_REDIRECTS):
            reply = self._ask("GET", address)
            if reply.status not in (301, 302, 303, 307, 308):
                break
            address = urljoin(address, reply.location)
        if reply.status != 200:
            raise TextassayError(f"a page of the study returned status {reply.status}; check the server's log")
        page = read_page(reply.body.decode("utf-8"), address)
        for needed in page.needs:
            self._fetch(needed)
        return page

    def submit(self, address: str, fields: Mapping[str, str]) -> Reply:
        """Send a form, with retries: it carries a value by which the server knows it again."""
        return self._ask("POST", address, urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def send(self, address: str, body: Mapping[str, Any]) -> Reply:
        """Send JSON, with retries."""
        return self._ask("POST", address, json.dumps(body).encode(), "application/json")

    def _fetch(self, address: str) -> None:
        """Fetch a script with its imports, a style or an image, once."""
        if address in self._cached:
            return
        self._cached.add(address)
        reply = self._ask("GET", address)
        if reply.status != 200:
            raise TextassayError(f"{urlsplit(address).path} returned status {reply.status}; check the server's log")
        if urlsplit(address).path.endswith(".js"):
            for imported in _IMPORT.findall(reply.body.decode("utf-8")):
                self._fetch(urljoin(address, imported))

    def _ask(self, method: str, address: str, body: bytes | None = None, content_type: str = "") -> Reply:
        """Send a request with retries; only for what may be repeated: pages, and what carries an id."""
        for seconds in _WAITS:
            try:
                reply = self._once(method, address, body, content_type)
                if reply.status not in _BUSY:
                    return reply
            except _UnreachableError:
                pass
            time.sleep(seconds)
        return self._once(method, address, body, content_type)

    def _once(self, method: str, address: str, body: bytes | None, content_type: str) -> Reply:
        try:
            self._connection.request(method, address, body, {"Content-Type": content_type} if content_type else {})
            response = self._connection.getresponse()
            return Reply(response.status, response.read(), response.headers.get("Location", ""))
        except (OSError, HTTPException) as error:
            self._connection.close()  # the next request opens a new one
            raise _UnreachableError(f"the server cannot be reached ({error}); start it and try again") from None


def read_page(html: str, address: str) -> HtmlPage:
    """Read what is needed to answer a page. Only for our own pages, in which all attribute values are quoted.

    >>> page = read_page('<form action="/a" data-page="{&quot;key&quot;: &quot;consent&quot;}">', "/p/1")
    >>> page.action, page.data
    ('/a', {'key': 'consent'})
    """
    page = HtmlPage(address)
    for tag, written in _TAG.findall(html):
        found = {name: unescape(value) for name, value in _ATTRIBUTE.findall(written)}
        source = found.get("href" if tag == "link" else "src", "")
        if tag != "form" and source:
            page.needs.append(urljoin(address, source))
        elif tag == "form" and not page.action:
            page.action = urljoin(address, found["action"])
            if "data-page" in found:
                page.data = json.loads(found["data-page"])
    if page.data and page.data.get("view"):
        page.needs.append(urljoin(address, page.data["view"]))
    return page
