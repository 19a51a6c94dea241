"""What all handlers share: the study, its plan, its store, and the current state of a participant."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from math import ceil
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import Request

from textassay.answers.answer_rows import screening_case, stored_record
from textassay.answers.columns import email_hashes
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.served_material import record_material
from textassay.answers.store import Store
from textassay.design.plan import Plan, Slot
from textassay.screening.contract import MESSAGES
from textassay.screening.verdicts import judge
from textassay.serve import session
from textassay.serve.assets import Assets, Media
from textassay.serve.board.state import Board
from textassay.serve.messages import interface_language, load_messages
from textassay.serve.platforms import platform_of
from textassay.serve.rendering import Renderer
from textassay.serve.running import server_key
from textassay.serve.session import Page, PageSequence
from textassay.study.planning import minutes
from textassay.study.study import Study
from textassay.tasks.context import has_long_context

LOG = logging.getLogger("textassay.serve")
_SEEN_AGAIN = timedelta(minutes=1)
"""How often opening a page updates the time of last activity; answers always do."""


def now_utc() -> datetime:
    """The current time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Visit(PageSequence):
    """A participant at the moment of a request."""

    token: str
    participant: Participant

    @property
    def current(self) -> Page | None:
        """The current page; None after the last."""
        return session.current(self.pages, self.answers)


class Site:
    """A study that is being served."""

    def __init__(self, study: Study, plan: Plan, store: Store, clock: Callable[[], datetime] = now_utc) -> None:
        self.study, self.plan, self.store, self.clock = study, plan, store, clock
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
        self.changes = record_material(study, store, clock())
        """What has changed in the study's files since the first participant started."""
        self.unread: tuple[str, ...] = ()
        """Files that differ from what this server has read."""
        for name in ("join", "board", "invited", "platform"):
            store.secret(name)  # created now if missing, so that no request waits for the disk
        self._pages: dict[int, tuple[Page, ...]] = {}
        self._background: set[asyncio.Future[Any]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @cached_property
    def key(self) -> str:
        """What this server says of which study it serves."""
        return server_key(self.store.secret("join"))

    def files_differ(self, names: tuple[str, ...]) -> None:
        """Remember which files differ from what this server has read; the board shows them."""
        self.unread = names

    # --- participants -----------------------------------------------------------------------------------------

    def pages(self, slot: int) -> tuple[Page, ...]:
        """All pages of a slot."""
        if slot not in self._pages:
            self._pages[slot] = session.pages(self.study, self.plan.slot(slot))
        return self._pages[slot]

    def waits(self, slot: int, answered: int) -> bool:
        """Whether a participant in this slot with answers to so many pages is between two sittings."""
        return session.waits(self.pages(slot), answered)

    def hours_left(self, visit: Visit, page: Page) -> int:
        """Whole hours until the participant may begin the next sitting; rehearsals do not wait."""
        hours = 0.0 if visit.participant.simulated else self.study.file.participants.hours_between_sittings
        return ceil(session.hours_left(visit.pages, visit.answers, page, hours, self.clock()))

    async def participant(self, token: str) -> Participant | None:
        """The participant with this link."""
        return await self.store.asynchronously(self.store.participant, token)

    async def visit(self, token: str) -> Visit | None:
        """The state of the participant with this link; updates the status if the answers imply an end."""
        return await self.store.asynchronously(self._visit, token)

    def _visit(self, token: str) -> Visit | None:
        participant = self.store.participant(token)
        if participant is None:
            return None
        pages, answers = self.pages(participant.slot), self.store.answers(participant.id)
        visit = Visit(f"/p/{token}", pages, answers, token, participant)
        if participant.status != "active":
            return visit
        now = self.clock()
        if now - participant.last_seen_at > _SEEN_AGAIN:
            self.store.touch(participant.id, now)
        return replace(visit, participant=self._settled(visit, now))

    def _settled(self, visit: Visit, now: datetime) -> Participant:
        """The participant with the status that the stored answers imply, even if the server was interrupted earlier."""
        participant, answered = visit.participant, visit.answers.get("questionnaire")
        if answered is not None and session.is_excluded(self.study, answered.payload):
            return self.store.finish(participant.id, "excluded", now)
        if visit.current is None:
            slot = self.plan.slot(participant.slot)
            valid = is_valid(self.study, slot, self.store, participant, visit.answers)
            return self.store.finish(participant.id, "completed", now, valid)
        return participant

    def lock(self, token: str) -> asyncio.Lock:
        """A lock that is held while a participant's answer is handled, so that two tabs cannot interfere."""
        return self._locks.setdefault(token, asyncio.Lock())

    def run_in_background(self, work: Awaitable[Any]) -> None:
        """Run work without waiting for it; a failure is logged and does not affect the participant."""
        future = asyncio.ensure_future(work)
        self._background.add(future)  # keeps a reference, as asyncio does not
        future.add_done_callback(self._log_failure)

    def _log_failure(self, future: asyncio.Future[Any]) -> None:
        self._background.discard(future)
        if not future.cancelled() and future.exception() is not None:
            LOG.warning("%s", future.exception())

    def minutes(self, cohort: str) -> int:
        """Estimated duration in minutes; rounded up to a multiple of five above ten."""
        return self._minutes[cohort]

    @cached_property
    def _minutes(self) -> Mapping[str, int]:
        first = {cohort: self.plan.slot(self.plan.numbers(cohort)[0]) for cohort in self.plan.cohorts}
        exact = {cohort: max(1, ceil(minutes(self.study, slot))) for cohort, slot in first.items()}
        return {cohort: whole if whole <= 10 else 5 * ceil(whole / 5) for cohort, whole in exact.items()}

    # --- links ------------------------------------------------------------------------------------------------

    def is_join_key(self, key: str) -> bool:
        """Whether this is the key of the study's public link."""
        return _same(key, self.store.secret("join"))

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
        return f"/join/{self.store.secret('join')}" + (f"?cohort={cohort}" if cohort else "")

    def board_path(self) -> str:
        """The address at which the researcher enters the board."""
        return f"/board/{self.store.secret('board')}"


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
