"""What all handlers share: the study, its plan, its store, and the current state of a participant."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from math import ceil
from typing import Any

from starlette.requests import Request

from textassay.answers.answer_rows import screening_case, stored_record
from textassay.answers.columns import email_hashes
from textassay.answers.records import Participant, Participation, StoredAnswer
from textassay.answers.served_material import record_material
from textassay.answers.slots import Places, Reserved
from textassay.answers.store import Store
from textassay.answers.trouble import StoreTroubleError
from textassay.design.plan import Plan, Slot
from textassay.errors import StoreError
from textassay.screening.contract import MESSAGES
from textassay.screening.verdicts import judge
from textassay.serve import session
from textassay.serve.assets import Assets, Media
from textassay.serve.board.state import Board
from textassay.serve.client_address import networks
from textassay.serve.clock import resumed_clock
from textassay.serve.database_watch import DatabaseWatch
from textassay.serve.join_limit import JoinLimit
from textassay.serve.messages import interface_language, load_messages
from textassay.serve.openings import Openings
from textassay.serve.platforms import platform_of
from textassay.serve.public_address import PublicAddress
from textassay.serve.rendering import Renderer
from textassay.serve.running import server_key
from textassay.serve.session import Answered, Page, PageSequence
from textassay.serve.session_cache import Session, SessionCache
from textassay.study.planning import minutes
from textassay.study.study import Study
from textassay.tasks.context import has_long_context

LOG = logging.getLogger("textassay.serve")
_MOST_PAGES, _FEWEST_SLOTS = 100_000, 50
"""How many pages are kept in memory: some hundred bytes each; and for how many slots at least."""
_JOINING_AT_ONCE = 2
_SEEN_AGAIN = timedelta(minutes=1)
"""How often opening a page updates the time of last activity; answers always do."""


@dataclass(frozen=True)
class Visit(PageSequence):
    """A participant at the moment of a request."""

    token: str
    session: Session

    @property
    def participant(self) -> Participant:
        """The participant."""
        return self.session.participant

    @property
    def current(self) -> Page | None:
        """The current page; None after the last."""
        return self.session.answered.due(self.pages)


class Site:
    """A study that is being served."""

    def __init__(
        self,
        study: Study,
        plan: Plan,
        store: Store,
        clock: Callable[[], datetime] | None = None,
        *,
        public: str | None = None,
    ) -> None:
        self.study, self.plan, self.store = study, plan, store
        self.clock = clock or resumed_clock(store)
        self.address = PublicAddress(public)
        """Where participants reach the server, if a proxy stands before it."""
        brought = study.file.messages is not None
        language = interface_language(study.file.interface, study.file.language, brought=brought)
        folders = {block.task.name: block.task.folder() / "messages" for block in study.blocks}
        self.messages = load_messages(language, [*folders.values(), MESSAGES], study.messages)
        self.block_messages = {
            block.name: self.messages.labelled(block.task.name, block.settings.labels.words) for block in study.blocks
        }
        """The messages with the labels of each block."""
        self.beside = frozenset(block.name for block in study.blocks if has_long_context(block.task))
        """Blocks whose pages give the context a column of its own."""
        self.assets = Assets(study)
        self.media = Media(study, store.secret("media"))
        self.renderer = Renderer(study, self.messages, self.assets)
        self.platform = platform_of(study)
        self.board = Board(study, plan, store)
        self.changes = record_material(study, store, self.clock())
        """What has changed in the study's files since the first participant started."""
        self.unread: tuple[str, ...] = ()
        """Files that differ from what this server has read."""
        for name in ("join", "board", "invited", "platform", "pages", "start", "rehearsal"):
            store.secret(name)  # created now if missing, so that no request waits for the disk
        for cohort in study.cohorts:
            self.join_path(cohort.name)
        store.recruiting.look_again()
        self.join_limit = JoinLimit(study.file.participants.joins_per_minute)
        self.proxies = networks(study.file.proxy)
        """Whose word about the address of a visitor is believed."""
        self.joining = asyncio.Semaphore(_JOINING_AT_ONCE)
        """Held while somebody joins: a crowd takes turns, so that it does not hold up those who answer."""
        self.sessions = SessionCache(store, self._load)
        self.openings = Openings(store)
        self.database = DatabaseWatch(store)
        self._page_secret = store.secret("pages").encode()
        self._background: set[asyncio.Future[Any]] = set()
        # One after the other: several would only take the processor from those who answer.
        self._screening = ThreadPoolExecutor(1, thread_name_prefix="textassay-screening")

    def close(self) -> None:
        """Finish what is under way, and store what is only in memory; called when the server has stopped."""
        self._screening.shutdown()
        self.openings.close()

    @cached_property
    def key(self) -> str:
        """What this server says of which study it serves."""
        return server_key(self.store.secret("join"))

    def files_differ(self, names: tuple[str, ...]) -> None:
        """Remember which files differ from what this server has read; the board shows them."""
        self.unread = names

    # --- participants -----------------------------------------------------------------------------------------

    def pages(self, slot: int) -> tuple[Page, ...]:
        """All pages of a slot; those of slots that were not asked for lately are made again."""
        return self._pages_of(slot)

    @cached_property
    def _pages_of(self) -> Callable[[int], tuple[Page, ...]]:
        longest = max(1, len(session.pages(self.study, self.plan.slot(1))))
        return lru_cache(max(_FEWEST_SLOTS, _MOST_PAGES // longest))(self._made_pages)

    def _made_pages(self, slot: int) -> tuple[Page, ...]:
        return session.pages(self.study, self.plan.slot(slot))

    def page_key(self, participant: Participant, page: Page) -> str:
        """What the participant's browser knows a page by: it tells neither its block nor its place in the plan."""
        return page_key(self._page_secret, participant.code, page.key)

    def page_of(self, visit: Visit, key: str) -> Page | None:
        """The page that a browser means; a tab that an earlier release has opened says the stored key."""
        own, due = visit.participant, visit.current
        if due is not None and (key == due.key or key == self.page_key(own, due)):
            return due
        return next((page for page in visit.pages if key in (page.key, self.page_key(own, page))), None)

    def waits(self, slot: int, answered: int) -> bool:
        """Whether a participant in this slot with answers to so many pages is between two sittings."""
        return session.waits(self.pages(slot), answered)

    async def hours_left(self, visit: Visit, page: Page) -> int:
        """Whole hours until the participant may begin the next sitting; rehearsals do not wait."""
        if page.kind != "sitting" or visit.participant.simulated or visit.session.answered.includes(page):
            return 0
        before = visit.pages[page.number - 2].key
        last = await self.store.asynchronously(self.store.latest, visit.participant.id, before)
        hours = self.study.file.participants.hours_between_sittings
        return 0 if last is None else ceil(session.hours_left(last.received_at, hours, self.clock()))

    async def participant(self, token: str) -> Participant | None:
        """The participant with this link."""
        return await self.store.asynchronously(self.store.participant, token)

    async def visit(self, token: str) -> Visit | None:
        """The state of the participant with this link, who counts as seen."""
        remembered = self.sessions.remembered(token)
        if remembered is not None and remembered.settling is not None:
            await asyncio.wrap_future(remembered.settling)
            remembered.settling = None
        found = await self.sessions.current(token)
        if found is not None and found.is_unsettled(self.pages(found.participant.slot)):
            found = await self.sessions.load(token)
        if found is None:
            return None
        now = self.clock()
        if found.participant.status == "active" and now - found.seen_at > _SEEN_AGAIN:
            found.seen_at = now
            self.run_in_background(self.store.asynchronously(self.store.touch, found.participant.id, now))
        return self.visit_of(token, found)

    def visit_of(self, token: str, found: Session) -> Visit:
        """The participant of a session with all pages."""
        return Visit(f"/p/{token}", self.pages(found.participant.slot), token, found)

    def _load(self, token: str) -> Session | None:
        """Read a participant from the store; updates the status if the answers imply an end."""
        found = self.store.participation(token)
        if found is None:
            return None
        pages = self.pages(found.participant.slot)
        answered = Answered.of(pages, found.answered)
        if found.participant.status != "active":
            return Session(found.participant, answered)
        try:
            return Session(self._ended(found, answered.due(pages)), answered)
        except StoreError:
            person = self.store.participant(token)
            if person is not None and person.status == "active":
                raise
            # else the participation was ended by another request or process in between
            return None if person is None else Session(person, answered)

    def _ended(self, found: Participation, due: Page | None) -> Participant:
        """The participant, whose status is updated if the answers imply an end."""
        if found.questionnaire is not None and session.is_excluded(self.study, found.questionnaire):
            return self.store.finish(found.participant.id, "excluded", self.clock())
        return self._completed(found.participant) if due is None else found.participant

    async def settle(self, visit: Visit, questionnaire: Mapping[str, Any] | None) -> None:
        """Update the status if an answer that was just stored implies an end.

        Screening takes much longer than storing an answer, so a participant who has answered all pages does not wait
        for it. If the server is interrupted before, it is done when the participant is next read from the store.

        Args:
            visit: The participant.
            questionnaire: The answer, if it was to the questionnaire.
        """
        person, known = visit.participant, visit.session
        if questionnaire is not None and session.is_excluded(self.study, questionnaire):
            try:
                known.became(await self.store.asynchronously(self.store.finish, person.id, "excluded", self.clock()))
            except StoreError as error:  # it is noticed again when the participant is next seen
                log_failure(error)
        elif visit.current is None:
            known.settling = self._screening.submit(self._settle, known)

    def _settle(self, known: Session) -> None:
        try:
            known.became(self._completed(known.participant))
        except StoreError as error:  # then it is done when the participant is next seen
            log_failure(error)

    def resume(self) -> None:
        """Settle, in the background, those who had answered all pages when an earlier server was killed."""
        self._screening.submit(self._settle_interrupted)

    def _settle_interrupted(self) -> None:
        try:
            numbers: dict[bytes, int] = {}
            for person, answered in self.store.in_progress():
                order = self.plan.slots.order_of(person.slot)  # slots with the same order have as many pages
                if order not in numbers:
                    numbers[order] = len(self._made_pages(person.slot))
                if answered < numbers[order]:
                    continue
                answers = self.store.answers(person.id)
                if session.current(self._made_pages(person.slot), answers) is None:
                    given = answers.get("questionnaire")
                    found = Participation(person, frozenset(answers), None if given is None else given.payload)
                    self._ended(found, None)
        except StoreError as error:  # then it is done when the participant is next seen
            log_failure(error)

    def _completed(self, person: Participant) -> Participant:
        """The participant, who has answered all pages, with the verdict of screening."""
        answers = self.store.answers(person.id)
        valid = is_valid(self.study, self.plan.slot(person.slot), self.store, person, answers)
        return self.store.finish(person.id, "completed", self.clock(), valid)

    def run_in_background(self, work: Awaitable[Any]) -> None:
        """Run work without waiting for it; a failure is logged and does not affect the participant."""
        future = asyncio.ensure_future(work)
        self._background.add(future)  # keeps a reference, as asyncio does not
        future.add_done_callback(self._log_failure)

    def _log_failure(self, future: asyncio.Future[Any]) -> None:
        self._background.discard(future)
        if not future.cancelled() and future.exception() is not None:
            log_failure(future.exception())

    def minutes(self, cohort: str) -> int:
        """Estimated duration in minutes; rounded up to a multiple of five above ten."""
        return self._minutes[cohort]

    @cached_property
    def _minutes(self) -> Mapping[str, int]:
        first = {cohort: self.plan.slot(self.plan.numbers(cohort)[0]) for cohort in self.plan.cohorts}
        exact = {cohort: max(1, ceil(minutes(self.study, slot))) for cohort, slot in first.items()}
        return {cohort: whole if whole <= 10 else 5 * ceil(whole / 5) for cohort, whole in exact.items()}

    def is_secure(self, request: Request) -> bool:
        """Whether the browser speaks https, so that cookies may be limited to it."""
        return self.address.is_secure or request.url.scheme == "https"

    def base(self, request: Request) -> str:
        """The beginning of links: as declared, or as the browser asked."""
        return self.address.declared or str(request.base_url).rstrip("/")

    def places(self, cohort: str, *, bounded: bool) -> Places:
        """The slots of a cohort, with the rules of the study; bounded: for people who were not invited by name."""
        people = self.study.file.participants
        return Places(
            cohort,
            self.plan.numbers(cohort),
            timedelta(minutes=people.release_after_minutes),
            Reserved(self.waits, timedelta(days=people.days_reserved)) if self.study.sittings > 1 else None,
            again=people.when_full == "continue",
            margin=people.margin if bounded else None,
        )

    # --- links ------------------------------------------------------------------------------------------------

    def is_board_token(self, token: str) -> bool:
        """Whether this is the researcher's token."""
        return _same(token, self.store.secret("board"))

    def is_researcher(self, request: Request) -> bool:
        """Whether the request carries the researcher's cookie."""
        return self.is_board_token(request.cookies.get(self.cookie("board"), ""))

    def cookie(self, purpose: str) -> str:
        """The name of a cookie: different for each study, since browsers share cookies between ports of a host."""
        return f"textassay-{purpose}-{hashlib.sha256(self.store.secret('join').encode()).hexdigest()[:8]}"

    def join_path(self, cohort: str) -> str:
        """The address where participants of a cohort start."""
        return self.store.recruiting.join_path(cohort)

    def board_path(self) -> str:
        """The address at which the researcher enters the board."""
        return f"/board/{self.store.secret('board')}"


def log_failure(error: BaseException | None) -> None:
    """Log what failed without affecting anybody; a database in trouble has its own line in the log."""
    if not isinstance(error, StoreTroubleError):
        LOG.warning("%s", error)


def page_key(secret: bytes, code: str, key: str) -> str:
    """The key of a page for one participant's browser.

    >>> page_key(b"k", "p-1", "clarity-1") == page_key(b"k", "p-1", "clarity-1") != page_key(b"k", "p-2", "clarity-1")
    True
    """
    code_of_page = _keyed(secret).copy()
    code_of_page.update(f"{code}\n{key}".encode())
    return code_of_page.hexdigest()[:24]


@lru_cache(maxsize=8)
def _keyed(secret: bytes) -> hmac.HMAC:
    """What all codes with this secret begin with; `hmac.digest` would let other threads go first."""
    return hmac.new(secret, digestmod="sha256")


def _same(given: str, secret: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def is_valid(
    study: Study, slot: Slot, store: Store, participant: Participant, answers: Mapping[str, StoredAnswer]
) -> bool:
    """Whether a participant who has just completed the study passes all screening rules.

    This decides whether the slot is filled or opens again; the data stay in either case, and the report applies the
    rules again.
    """
    person = stored_record(study, slot, replace(participant, status="completed"), answers)
    own = email_hashes(study, person.questionnaire)
    earlier = _earlier(study, own, store, participant) if own else frozenset()
    return judge(screening_case(person, earlier), study).valid


def _earlier(study: Study, own: set[str], store: Store, participant: Participant) -> frozenset[str]:
    """Which of the participant's e-mail hashes were given by an earlier participant."""
    given = store.all_answers(page="questionnaire")
    before = (email_hashes(study, answer.payload) for number, answer in given if number < participant.id)
    return frozenset(own & set().union(*before))
