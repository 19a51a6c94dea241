"""What is stored: participants and their answers, read from SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from textassay.answers import operations
from textassay.answers import statements as sql
from textassay.answers.database import Engines
from textassay.answers.operations import Rehearsed
from textassay.answers.records import Participant, Participation, StoredAnswer
from textassay.answers.recruiting import token_hash
from textassay.answers.trouble import StoreTroubleError
from textassay.errors import TextassayError


class StoredData:
    """Reads from a database; methods may be called from any thread. `Store` is one that also writes."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read from, while the `with` block runs.

        Raises:
            StoreTroubleError: the store cannot be read.
        """
        try:
            with self._engines.reader.connect() as connection:
                yield connection
        except TextassayError:
            raise
        except (SQLAlchemyError, ValueError, TypeError) as error:  # the latter two where a value cannot be what it is
            raise StoreTroubleError(self._engines.name, "read", error) from error

    def participant(self, token: str) -> Participant | None:
        """The participant whose link has this token."""
        with self.reading() as connection:
            row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": token_hash(token)}).first()
        return None if row is None else sql.to_participant(row)

    def participation(self, token: str) -> Participation | None:
        """The participant whose link has this token, and which pages are answered."""
        with self.reading() as connection:
            row = connection.execute(sql.PARTICIPANT_BY_TOKEN, {"token_hash": token_hash(token)}).first()
            if row is None:
                return None
            person = sql.to_participant(row)
            own = {"participant_id": person.id, "page": "questionnaire"}
            pages = frozenset(connection.execute(sql.ANSWERED_PAGES, own).scalars())
            given = connection.execute(sql.LATEST_ANSWER, own).first() if own["page"] in pages else None
        return Participation(person, pages, None if given is None else sql.decode_payload(given.payload))

    def versions(self, participants: Sequence[Participant]) -> dict[str, int]:
        """The versions of some participants by code, without those who are not there any more."""
        with self.reading() as connection:
            rows = connection.execute(sql.VERSIONS, {"numbers": [person.id for person in participants]})
            return {code: int(version) for code, version in rows}

    def participants(self) -> list[Participant]:
        """All participants in the order in which they joined."""
        with self.reading() as connection:
            return [sql.to_participant(row) for row in connection.execute(sql.PARTICIPANTS)]

    def in_progress(self) -> list[tuple[Participant, int]]:
        """Participants in progress, each with the number of answered pages."""
        with self.reading() as connection:
            people = [sql.to_participant(row) for row in connection.execute(sql.PARTICIPANTS_IN_PROGRESS)]
            answered = {row[0]: int(row[1]) for row in connection.execute(sql.ANSWERED_IN_PROGRESS)}
        return [(person, answered.get(person.id, 0)) for person in people]

    def rehearsed(self) -> Rehearsed:
        """How many participants are simulated and how many are not, and how many answers the former gave.

        Raises:
            StoreError: the answers of a participant do not say the same as the flag; then nobody can know.
        """
        with self.reading() as connection:
            return operations.rehearsed(connection)

    def latest(self, participant_id: int, page: str) -> StoredAnswer | None:
        """The answer to a page that counts."""
        with self.reading() as connection:
            row = connection.execute(sql.LATEST_ANSWER, {"participant_id": participant_id, "page": page}).first()
        return None if row is None else sql.to_answer(row)

    def owner_of(self, answer_id: str) -> tuple[int, str] | None:
        """The participant and the page of the answer with this id; None if it is new."""
        with self.reading() as connection:
            row = connection.execute(sql.OWNER, {"answer_id": answer_id}).first()
        return None if row is None else (row[0], row[1])

    def answers(self, participant_id: int, *, upto: int | None = None) -> dict[str, StoredAnswer]:
        """The participant's answers by page, each in its latest revision.

        Args:
            participant_id: Whose answers.
            upto: Only answers up to this number in the journal, as they were then.
        """
        statement = sql.ANSWERS_OF if upto is None else sql.ANSWERS_OF_UP_TO
        with self.reading() as connection:
            rows = connection.execute(statement, {"participant_id": participant_id, "upto": upto}).all()
            return {row.page: sql.to_answer(row) for row in rows}  # revisions come in order: the last one stays

    def all_answers(self, *, revisions: bool = False, page: str | None = None) -> Iterator[tuple[int, StoredAnswer]]:
        """The answers of all participants in the order in which they were stored, with the participant's number.

        Args:
            revisions: Whether answers that were changed later are included.
            page: Only answers to this page.
        """
        statement = sql.ALL_REVISIONS if revisions else sql.ALL_ANSWERS
        with self.reading() as connection:
            for row in connection.execute(statement, {"wanted_page": page}):
                yield row.participant_id, sql.to_answer(row)

    def latest_time(self) -> datetime | None:
        """The latest time in the store: by any clock, it is not earlier now."""
        with self.reading() as connection:
            found = [connection.execute(statement).scalar() for statement in sql.LATEST_TIMES]
        return max((moment for moment in found if moment is not None), default=None)

    def file_size(self) -> int:
        """Bytes of the database's file; 0 where a database server has it."""
        url = self._engines.reader.url
        return Path(str(url.database)).stat().st_size if url.get_backend_name() == "sqlite" else 0
