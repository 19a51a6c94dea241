"""What the handlers share: the study, its plan, its store, and where each participant stands."""

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

from textassay.answers.material import keep_material
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.screening.finding import MESSAGES
from textassay.serve import session
from textassay.serve.assets import Assets
from textassay.serve.board.state import Board
from textassay.serve.completion import is_valid
from textassay.serve.media import Media
from textassay.serve.messages import interface_language, load_messages
from textassay.serve.platforms import platform_of
from textassay.serve.rendering import Renderer
from textassay.serve.session import Page
from textassay.study.planning import minutes
from textassay.study.study import Study

LOG = logging.getLogger("textassay.serve")
_SEEN_AGAIN = timedelta(minutes=1)
"""How often looking at pages counts as a sign of life; answers always do."""


def now_utc() -> datetime:
    """The time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Walk:
    """A way through the pages: a participant's, or the researcher's who looks at them."""

    base: str
    """Address below which the pages are."""
    pages: tuple[Page, ...]
    answers: Mapping[str, StoredAnswer]

    @property
    def end(self) -> str:
        """The address of what comes after the last page."""
        return self.base

    def url(self, number: int) -> str:
        """The address of a page; after the last one, that of the end."""
        return f"{self.base}/{number}" if number <= len(self.pages) else self.end


@dataclass(frozen=True)
class Visit(Walk):
    """A participant at the moment of a request."""

    token: str
    participant: Participant

    @property
    def current(self) -> Page | None:
        """The page that is due."""
        return session.current(self.pages, self.answers)


class Site:
    """A study that is being served."""

    def __init__(self, study: Study, plan: Plan, store: Store, clock: Callable[[], datetime] = now_utc) -> None:
        self.study, self.plan, self.store, self.clock = study, plan, store, clock
        language = interface_language(study.file.interface, study.file.language)
        folders = {block.task.name: block.task.folder() / "messages" for block in study.blocks}
        self.messages = load_messages(language, [*folders.values(), MESSAGES])
        self.assets = Assets(study)
        self.media = Media(study, store.secret("media"))
        self.renderer = Renderer(study, self.messages, self.assets)
        self.platform = platform_of(study)
        self.board = Board(study, plan, store)
        self.changes = keep_material(study, store, clock())
        """What has changed in the study's files since people began."""
        for name in ("join", "board", "invited", "platform"):
            store.secret(name)  # made now, if they are not there yet, so that no request waits for the disk
        self._pages: dict[int, tuple[Page, ...]] = {}
        self._left: set[asyncio.Future[Any]] = set()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # --- participants -----------------------------------------------------------------------------------------

    def pages(self, slot: int) -> tuple[Page, ...]:
        """All pages of a slot."""
        if slot not in self._pages:
            self._pages[slot] = session.pages(self.study, self.plan.slot(slot))
        return self._pages[slot]

    async def participant(self, token: str) -> Participant | None:
        """The participant with this link."""
        return await self.store.asynchronously(self.store.participant, token)

    async def visit(self, token: str) -> Visit | None:
        """Where the participant with this link stands; whoever has come to an end is brought to it."""
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
        """The participant with the status that the stored answers imply, whatever interrupted the server before."""
        participant, answered = visit.participant, visit.answers.get("questionnaire")
        if answered is not None and session.is_excluded(self.study, answered.payload):
            return self.store.finish(participant.id, "excluded", now)
        if visit.current is None:
            slot = self.plan.slot(participant.slot)
            valid = is_valid(self.study, slot, self.store, participant, visit.answers)
            return self.store.finish(participant.id, "completed", now, valid)
        return participant

    def turn(self, token: str) -> asyncio.Lock:
        """Held while a participant's answer is handled, so that two tabs come one after the other."""
        return self._turns.setdefault(token, asyncio.Lock())

    def leave(self, work: Awaitable[Any]) -> None:
        """Let work end by itself; if it fails, the log says so and the participant is not troubled."""
        future = asyncio.ensure_future(work)
        self._left.add(future)  # else nothing would hold it
        future.add_done_callback(self._has_ended)

    def _has_ended(self, future: asyncio.Future[Any]) -> None:
        self._left.discard(future)
        if not future.cancelled() and future.exception() is not None:
            LOG.warning("%s", future.exception())

    def minutes(self, cohort: str) -> int:
        """About how long taking part takes, in minutes; by fives where it is long."""
        return self._minutes[cohort]

    @cached_property
    def _minutes(self) -> Mapping[str, int]:
        first = {slot.cohort: slot for slot in reversed(self.plan.slots)}
        exact = {cohort: max(1, ceil(minutes(self.study, slot))) for cohort, slot in first.items()}
        return {cohort: whole if whole <= 10 else 5 * ceil(whole / 5) for cohort, whole in exact.items()}

    # --- links ------------------------------------------------------------------------------------------------

    def is_join_key(self, key: str) -> bool:
        """Whether this is the study's key for those who want to take part."""
        return _same(key, self.store.secret("join"))

    def is_board_token(self, token: str) -> bool:
        """Whether this is the researcher's token."""
        return _same(token, self.store.secret("board"))

    def is_researcher(self, request: Request) -> bool:
        """Whether the request carries the researcher's cookie."""
        return self.is_board_token(request.cookies.get(self.cookie("board"), ""))

    def cookie(self, purpose: str) -> str:
        """A cookie's name: browsers share cookies between the ports of a host, studies must not."""
        return f"textassay-{purpose}-{hashlib.sha256(self.store.secret('join').encode()).hexdigest()[:8]}"

    def join_path(self, cohort: str) -> str:
        """The address at which people of a cohort begin."""
        return f"/join/{self.store.secret('join')}" + (f"?cohort={cohort}" if cohort else "")

    def board_path(self) -> str:
        """The address at which the researcher enters the board."""
        return f"/board/{self.store.secret('board')}"


def _same(given: str, secret: str) -> bool:
    """Compare in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
