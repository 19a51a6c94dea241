"""What the server remembers of participants: who they are and how far they have come, but none of their answers.

It saves reading the same again with every request. It is never trusted where it matters: an answer is stored by a
statement that checks the facts itself (`answers/saving.py`), and before a page is shown, the participant's version in
the store is compared, which every write raises, by whatever process. Those not seen for longest are forgotten first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime

from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.serve.session import Answered, Page

_MOST = 20_000
"""How many participants are remembered: some hundred bytes each."""


class Session:
    """One participant, as the store had it when it was last asked, and as this server has changed it since."""

    __slots__ = ("answered", "opened", "participant", "seen_at", "settling", "version")

    def __init__(self, participant: Participant, answered: Answered) -> None:
        self.participant = participant
        self.answered = answered
        self.version = participant.version
        self.seen_at: datetime = participant.last_seen_at
        self.opened = ""
        """Key of the last page whose opening was recorded."""
        self.settling: Future[None] | None = None
        """The search for the verdict of screening, once all pages are answered."""

    def became(self, participant: Participant) -> None:
        """This server has changed the participant."""
        self.participant, self.version = participant, participant.version

    def is_unsettled(self, pages: Sequence[Page]) -> bool:
        """Whether all pages are answered, but the participant does not count as having completed the study yet."""
        return self.participant.status == "active" and self.answered.due(pages) is None


class SessionCache:
    """The sessions that the server remembers, by the token of the participant's link. Used by one event loop."""

    def __init__(self, store: Store, load: Callable[[str], Session | None], most: int = _MOST) -> None:
        """Args: the store; what reads a participant from it, in a thread; how many are remembered."""
        self._store, self._load, self._most = store, load, most
        self._known: OrderedDict[str, Session] = OrderedDict()

    def remembered(self, token: str) -> Session | None:
        """The session as it is remembered, which may be out of date."""
        session = self._known.get(token)
        if session is not None:
            self._known.move_to_end(token)
        return session

    async def current(self, token: str) -> Session | None:
        """The session as it is now; None if there is no participant with this link."""
        session = self.remembered(token)
        if session is not None and await self._store.version_now(session.participant) == session.version:
            return session
        return await self.load(token)

    async def load(self, token: str) -> Session | None:
        """Read the session from the store."""
        session = await self._store.asynchronously(self._load, token)
        if session is None:
            self._known.pop(token, None)
            return None
        self._known[token] = session
        self._known.move_to_end(token)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return session

    def note_answer(self, session: Session, pages: Sequence[Page], page: Page, now: datetime) -> None:
        """This server has stored an answer to the page."""
        session.answered = session.answered.with_answer(pages, page)
        session.version += 1
        session.seen_at = max(session.seen_at, now)
