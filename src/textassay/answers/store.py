"""The store: participants and their answers, in SQLite or PostgreSQL.

Methods are synchronous and may be called from any thread. Every change goes through the single writer of the process
and returns only after the commit: what was acknowledged is on disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar, cast

from sqlalchemy.exc import SQLAlchemyError

from textassay.answers import operations
from textassay.answers.database import Engines, connect, migrate
from textassay.answers.journal import Journal
from textassay.answers.operations import Newcomer, Rehearsed
from textassay.answers.records import NewAnswer, Participant, Referral, Status, StoredAnswer
from textassay.answers.recruiting import Recruiting, RecruitingPaused
from textassay.answers.saving import DueAnswer, DueOpening, OpenedPages
from textassay.answers.slots import Places, PlacesTaken, Reserved, StudyFull, numbers_of
from textassay.answers.stored_data import StoredData
from textassay.answers.trouble import StoreTroubleError
from textassay.answers.versions import versions_of
from textassay.answers.writer import Operation, Writer

if TYPE_CHECKING:
    from textassay.design.plan import Slot

LOG = logging.getLogger(__name__)

__all__ = ["Newcomer", "PlacesTaken", "RecruitingPaused", "Reserved", "Store", "StudyFull"]

P = ParamSpec("P")
T = TypeVar("T")
_READERS = 8
_NO_REFERRAL = Referral()


def _writes(
    prepare: Callable[Concatenate[Store, P], Operation[T] | OpenedPages],
) -> Callable[Concatenate[Store, P], T]:
    """Turn a method that prepares an operation into one that runs it and waits for the commit."""

    @wraps(prepare)
    def write(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return store.writer.submit(prepare(store, *args, **kwargs)).result()

    write.prepare = prepare  # type: ignore[attr-defined]  # for `asynchronously`, which waits without a thread
    return write


class Store(StoredData):
    """An open store. Use it in a `with` statement, or close it."""

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._secrets: dict[str, str] = {}
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="textassay-reader")
        self._versions = versions_of(engines, lambda people: self.asynchronously(self.versions, people))
        self.writer = Writer(engines.writer, engines.name)
        """The single writer; other code uses the methods below."""
        self.recruiting = Recruiting(self.writer, self.reading, self.secret)
        """Whether recruiting is paused, and personal invitations."""
        self.journal = Journal(self.reading)
        """All answers from first to last, in portions."""

    @classmethod
    def open(cls, url: str) -> Self:
        """Open a store; it is created if there is none yet.

        Args:
            url: `sqlite:///path/to/answers.db` or `postgresql://user@host/database`.

        Raises:
            StoreError: it cannot be opened, is something else, or was made by a newer release.
        """
        engines = connect(url)
        try:
            migrate(engines)
        except BaseException:
            engines.dispose()
            raise
        LOG.debug("opened the store %s", engines.name)
        return cls(engines)

    def close(self) -> None:
        """Finish pending writes, then close all connections."""
        self._readers.shutdown()  # first, since a participation that is being ended also writes
        self.writer.close()
        self._versions.close()
        self._engines.checkpoint()
        self._engines.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- participants -----------------------------------------------------------------------------------------

    @_writes
    def join(  # noqa: PLR0913 -- who comes, when, and from where
        self,
        slots: Sequence[Slot] | Sequence[int],
        *,
        cohort: str,
        now: datetime,
        release_after: timedelta,
        again: bool = False,
        external_id: str | None = None,
        referral: Referral = _NO_REFERRAL,
        simulated: bool = False,
        reserved: Reserved | None = None,
        margin: int | None = None,
    ) -> Operation[tuple[Participant, str]]:
        """Assign the least-used slot of the cohort to a new participant; a returning participant is found again.

        Args:
            slots: All slots of the plan, or the numbers of those of the cohort, in ascending order.
            cohort: The group that the participant's link belongs to.
            now: The time.
            release_after: How long an inactive participant keeps a slot.
            again: Whether filled slots are assigned again when all are filled.
            external_id: The participant's id on a recruiting platform, or name in an invitation.
            referral: How the participant was referred; a known token belongs to a returning participant.
            simulated: Whether a rehearsal sends a program; the server never says so of a visitor.
            reserved: For whom a slot stays reserved although they are inactive; nothing: for nobody.
            margin: How many more participants than unfilled slots may be in progress; None: any number.

        Returns:
            The participant, and the token of the participant's own link, of which only a hash is stored.

        Raises:
            StudyFull: a valid participant has completed every slot of the cohort, and `again` is not set.
            PlacesTaken: so many are in progress that nobody else is needed at the moment.
            RecruitingPaused: no new participant can start at the moment.
        """
        places = Places(cohort, numbers_of(slots, cohort), release_after, reserved, again, margin)
        newcomer = Newcomer(external_id, referral, simulated)
        return partial(operations.join, places=places, newcomer=newcomer, now=now)

    @_writes
    def admit(self, places: Places, newcomer: Newcomer, now: datetime) -> Operation[tuple[Participant, str]]:
        """Assign a slot by the rules of the places; see `join`."""
        return partial(operations.join, places=places, newcomer=newcomer, now=now)

    @_writes
    def release(self, code: str, now: datetime) -> Operation[Participant]:
        """Assign the slot of a participant in progress again; who comes back and answers is in progress as before.

        Raises:
            StoreError: there is no participant with that code.
        """
        return partial(operations.release, code=code, now=now)

    def version_now(self, participant: Participant) -> Awaitable[int | None]:
        """The participant's version now, in an event loop; None where there is no such participant any more."""
        return self._versions.now(participant)

    @_writes
    def touch(self, participant_id: int, now: datetime) -> Operation[None]:
        """Record that the participant was active and keeps the slot; a time before the recorded one is ignored."""
        return partial(operations.touch, participant_id=participant_id, now=now)

    @_writes
    def finish(
        self,
        participant_id: int,
        status: Status,
        now: datetime,
        valid: bool = True,  # noqa: FBT001, FBT002 -- part of the agreed signature
    ) -> Operation[Participant]:
        """Record that the participant has completed the study, withdrawn, or been excluded; may be repeated."""
        return partial(operations.finish, participant_id=participant_id, status=status, now=now, valid=valid)

    @_writes
    def set_valid(
        self,
        participant_id: int,
        valid: bool,  # noqa: FBT001 -- part of the agreed signature
    ) -> Operation[Participant]:
        """Record the verdict of screening: the slot of a participant who is not valid opens again."""
        return partial(operations.set_valid, participant_id=participant_id, valid=valid)

    @_writes
    def set_simulated(self, participant_id: int) -> Operation[Participant]:
        """Record that a participant who joined through the server is simulated; there is no way back."""
        return partial(operations.set_simulated, participant_id=participant_id)

    @_writes
    def remove_simulated(self) -> Operation[Rehearsed]:
        """Remove all simulated participants with their answers, and nobody else; returns what was removed.

        Raises:
            StoreError: as for `rehearsed`; then nothing is removed.
        """
        return operations.remove_simulated

    # --- answers ----------------------------------------------------------------------------------------------

    @_writes
    def save(self, participant_id: int, answer: NewAnswer, *, now: datetime | None = None) -> Operation[StoredAnswer]:
        """Store an answer; the participant counts as active.

        The same `answer_id` again returns the stored row and changes nothing; another one for the same page becomes
        its next revision, unless it is late: then the one that counts stays.

        Args:
            participant_id: Whose answer it is.
            answer: The answer.
            now: When it was received; by default the current time.

        Raises:
            StoreError: the participant is unknown, or the id belongs to another answer.
        """
        arrived = now or datetime.now(UTC)
        return partial(operations.save, participant_id=participant_id, answer=answer, now=arrived)

    def save_due(self, answer: DueAnswer) -> Awaitable[bool]:
        """Store an answer if what it says must be true still is; awaited in an event loop.

        Returns:
            Whether it was stored, once it is on disk.
        """
        return self.writer.submit_from_loop(answer)

    @_writes
    def save_visit(self, participant: Participant, answers: Sequence[StoredAnswer]) -> Operation[Participant]:
        """Store a whole simulated visit in one commit, with one statement for all its answers: many times as fast.

        Args:
            participant: As the visit leaves him or her: status, `valid`, and when last seen.
            answers: The answers, as they are to be stored; one whose id is stored already changes nothing.

        Raises:
            StoreError: the participant is unknown; then nothing is stored.
        """
        return partial(operations.save_visit, participant=participant, answers=answers)

    @_writes
    def opened(self, participant_id: int, page: str, now: datetime) -> Operation[datetime]:
        """Record that the participant opens a page; returns the first time, which a reload does not change.

        Raises:
            StoreError: the participant is unknown.
        """
        return partial(operations.opened, participant_id=participant_id, page=page, now=now)

    @_writes
    def opened_pages(self, openings: Sequence[tuple[Participant, str, datetime]]) -> OpenedPages:
        """Record many openings at once: participant, page and time of each; see `opened`.

        A participant who has been removed since is passed over.
        """
        return OpenedPages([DueOpening(person.id, person.code, page, moment) for person, page, moment in openings])

    # --- upkeep -----------------------------------------------------------------------------------------------

    def compact(self) -> bool:
        """Rewrite the database without traces of what was deleted; returns whether none are left.

        Raises:
            StoreError: it cannot be done now.
        """
        try:
            return self._engines.compact()
        except SQLAlchemyError as error:
            raise StoreTroubleError(self._engines.name, "compacted", error) from error

    # --- access -----------------------------------------------------------------------------------------------

    def secret(self, name: str) -> str:
        """The study's secret of that name: created once and stored."""
        if name not in self._secrets:
            self._secrets[name] = self.writer.submit(partial(operations.secret, name=name)).result()
        return self._secrets[name]

    def asynchronously(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        """Call a method of this store without blocking the event loop.

        A change is queued at once and never waits for a thread. It is carried out even if the caller is cancelled:
        what a browser has sent is stored even if its tab is closed.
        """
        prepare = getattr(function, "prepare", None)
        if prepare is None:
            loop = asyncio.get_running_loop()
            return loop.run_in_executor(self._readers, partial(function, *args, **kwargs))
        return self.writer.submit_from_loop(cast("Operation[T]", prepare(self, *args, **kwargs)))

    @_writes
    def clock_reading(self, boot: str, now: datetime, seconds: float) -> Operation[datetime]:
        """The time by what clocks of this machine have said since it was started, and by the seconds since then.

        Args:
            boot: Names the time since the machine was started.
            now: The time by the machine's clock, which may have been set back; it is kept if it is later.
            seconds: By a clock that only runs forward while the machine is on.
        """
        return partial(operations.clock_reading, boot=boot, now=now, seconds=seconds)

    @property
    def trouble(self) -> StoreTroubleError | None:
        """What is wrong with the database at the moment; None if the last write succeeded."""
        return self.writer.trouble.current

    @_writes
    def probe(self) -> Operation[None]:
        """Write something, to find out whether it can be written again."""
        return operations.probe
