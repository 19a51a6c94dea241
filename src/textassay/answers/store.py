"""The store: everything that participants did, in SQLite or PostgreSQL.

Methods are synchronous and may be called from any thread. Whatever writes goes through the process's one writer and
returns only after the commit: what was acknowledged is on disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar, cast

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from textassay.answers import operations
from textassay.answers import statements as sql
from textassay.answers.engine import Engines, engines, reason
from textassay.answers.journal import Journal
from textassay.answers.migrate import migrate
from textassay.answers.operations import AnswerIdTaken, Newcomer
from textassay.answers.records import NewAnswer, Participant, Referral, Status, StoredAnswer
from textassay.answers.recruiting import Recruiting, RecruitingPaused, token_hash
from textassay.answers.slots import StudyFull
from textassay.answers.writer import Operation, Writer
from textassay.errors import StoreError, UsageError

if TYPE_CHECKING:
    from textassay.design.plan import Slot

__all__ = ["AnswerIdTaken", "RecruitingPaused", "Store", "StudyFull"]

P = ParamSpec("P")
T = TypeVar("T")
_READERS = 8
_NOBODY = Referral()


def _writes(prepare: Callable[Concatenate[Store, P], Operation[T]]) -> Callable[Concatenate[Store, P], T]:
    """Turn a method that prepares an operation into one that runs it and waits for the commit."""

    @wraps(prepare)
    def write(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return store.writer.submit(prepare(store, *args, **kwargs)).result()

    write.prepare = prepare  # type: ignore[attr-defined]  # for `asynchronously`, which does not wait in a thread
    return write


class Store:
    """A store that is open. Use it in a `with` statement, or close it."""

    def __init__(self, reached: Engines) -> None:
        self._engines = reached
        self._secrets: dict[str, str] = {}
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="textassay-reader")
        self.writer = Writer(reached.writer, reached.name)
        """The one writer; everybody else asks the methods below."""
        self.recruiting = Recruiting(self.writer, self.reading, self.secret)
        """Whether it is paused, and who was invited in person."""
        self.journal = Journal(self.reading)
        """All answers from the first to the last, in portions."""

    @classmethod
    def open(cls, url: str) -> Self:
        """Open a store, and make it where there is none yet.

        Args:
            url: `sqlite:///path/to/answers.db` or `postgresql://user:password@host/database`.

        Raises:
            StoreError: it cannot be reached, is something else, or was made by a newer release.
        """
        reached = engines(url)
        try:
            migrate(reached)
        except BaseException:
            reached.dispose()
            raise
        return cls(reached)

    def close(self) -> None:
        """Finish what is being written, then close all connections."""
        self.writer.close()
        self._readers.shutdown()
        self._engines.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- who takes part ---------------------------------------------------------------------------------------

    @_writes
    def join(
        self,
        slots: Sequence[Slot],
        *,
        cohort: str,
        now: datetime,
        release_after: timedelta,
        again: bool = False,
        external_id: str | None = None,
        referral: Referral = _NOBODY,
    ) -> Operation[tuple[Participant, str]]:
        """Give a new participant the least-filled slot of the cohort; whoever has begun before is found again.

        Args:
            slots: All slots of the plan.
            cohort: The group that the participant's link belongs to.
            now: The time.
            release_after: How long a participant may be silent and still hold a slot.
            again: Whether slots are given out once more when all are filled.
            external_id: What a recruiting platform, or whoever invited, calls the participant.
            referral: How the participant comes; one whose token is known is the participant who has it.

        Returns:
            The participant, and the token of the participant's own link, of which only a hash is kept.

        Raises:
            StudyFull: a valid participant has completed every slot of the cohort, and `again` is not set.
            RecruitingPaused: nobody new can begin at the moment.
        """
        numbers = [slot.number for slot in slots if slot.cohort == cohort]
        if not numbers:
            known = ", ".join(sorted({repr(slot.cohort) for slot in slots})) or "none"
            raise UsageError(f"the plan has no slot for cohort {cohort!r}; cohorts there: {known}")
        return partial(
            operations.join,
            numbers=numbers,
            newcomer=Newcomer(cohort, external_id, referral),
            now=now,
            silent_since=now - release_after,
            again=again,
        )

    def participant(self, token: str) -> Participant | None:
        """The participant whose link has this token."""
        with self.reading() as connection:
            found = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": token_hash(token)})
            row = found.mappings().first()
        return None if row is None else sql.participant_of(row)

    def participants(self) -> list[Participant]:
        """Everybody, in the order in which they came."""
        with self.reading() as connection:
            return [sql.participant_of(row) for row in connection.execute(sql.PARTICIPANTS).mappings()]

    @_writes
    def touch(self, participant_id: int, now: datetime) -> Operation[None]:
        """The participant was here: the slot stays held. An earlier time than the one known changes nothing."""
        return partial(operations.touch, participant_id=participant_id, now=now)

    @_writes
    def finish(
        self,
        participant_id: int,
        status: Status,
        now: datetime,
        valid: bool = True,  # noqa: FBT001, FBT002 -- part of the agreed signature
    ) -> Operation[Participant]:
        """The participant has completed the study, withdrawn, or been excluded; saying it again changes nothing."""
        return partial(operations.finish, participant_id=participant_id, status=status, now=now, valid=valid)

    @_writes
    def invalidate(
        self,
        participant_id: int,
        valid: bool,  # noqa: FBT001 -- part of the agreed signature
    ) -> Operation[Participant]:
        """Screening has left the participant out (or taken back in): the slot opens again (or is filled)."""
        return partial(operations.invalidate, participant_id=participant_id, valid=valid)

    # --- what they answered -----------------------------------------------------------------------------------

    @_writes
    def save(self, participant_id: int, answer: NewAnswer, *, now: datetime | None = None) -> Operation[StoredAnswer]:
        """Store an answer; the participant counts as seen.

        The same `answer_id` again gives the stored row and changes nothing; another one for the same page becomes
        its next revision.

        Args:
            participant_id: Whose answer it is.
            answer: The answer.
            now: When it arrived, if not now.

        Raises:
            StoreError: the participant is unknown, or the id belongs to another answer.
        """
        arrived = now or datetime.now(UTC)
        return partial(operations.save, participant_id=participant_id, answer=answer, now=arrived)

    @_writes
    def opened(self, participant_id: int, page: str, now: datetime) -> Operation[datetime]:
        """The participant opens a page: when that was the first time, which a reload does not change.

        Raises:
            StoreError: the participant is unknown.
        """
        return partial(operations.opened, participant_id=participant_id, page=page, now=now)

    def answers(self, participant_id: int, *, upto: int | None = None) -> dict[str, StoredAnswer]:
        """The participant's answers by page, each in its latest revision.

        Args:
            participant_id: Whose answers.
            upto: Only those up to this number of the journal, as they were then.
        """
        statement = sql.ANSWERS_OF if upto is None else sql.ANSWERS_OF_UP_TO
        with self.reading() as connection:
            rows = connection.execute(statement, {"participant_id": participant_id, "upto": upto}).mappings()
            return {row["page"]: sql.answer_of(row) for row in rows}  # revisions come in order: the last one stays

    def all_answers(self, *, revisions: bool = False, page: str | None = None) -> Iterator[tuple[int, StoredAnswer]]:
        """Everybody's answers in the order in which they came, with the participant's number.

        Args:
            revisions: Whether answers that were changed later come as well.
            page: The only page whose answers are wanted.
        """
        statement = sql.ALL_REVISIONS if revisions else sql.ALL_ANSWERS
        with self.reading() as connection:
            for row in connection.execute(statement, {"wanted_page": page}).mappings():
                yield row["participant_id"], sql.answer_of(row)

    # --- the rest ---------------------------------------------------------------------------------------------

    def secret(self, name: str) -> str:
        """The study's secret of that name: made once, kept in the store."""
        if name not in self._secrets:
            self._secrets[name] = self.writer.submit(partial(operations.secret, name=name)).result()
        return self._secrets[name]

    def asynchronously(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        """Call a method of this store without blocking the event loop.

        What writes is queued at once and never waits for a thread. It is carried out even if the caller is cancelled:
        what a browser has sent is kept although its tab is closed.
        """
        prepare = getattr(function, "prepare", None)
        if prepare is None:
            loop = asyncio.get_running_loop()
            return loop.run_in_executor(self._readers, partial(function, *args, **kwargs))
        future = self.writer.submit(cast("Operation[T]", prepare(self, *args, **kwargs)))
        return asyncio.shield(asyncio.wrap_future(future))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read from, while the `with` block runs.

        Raises:
            StoreError: the store cannot be read.
        """
        try:
            with self._engines.reader.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StoreError(f"{self._engines.name}: could not be read ({reason(error)})") from error
