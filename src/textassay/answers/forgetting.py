"""Forgetting a participant: personal data are erased and the anonymous answers stay, or nothing stays.

Anonymous are the answers to trials, and those answers about the person that the codebook does not flag as personal.
They keep their code, slot, status and times: earlier tables refer to the code, and the order of participants, which of
two counts for a slot, and whether somebody came before the registration all follow from the times.
"""

from __future__ import annotations

import mmap
import secrets
import shutil
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, or_, select, update

from textassay.answers import columns
from textassay.answers.answer_rows import TIME_OVER
from textassay.answers.dataset import load_dataset
from textassay.answers.exported_columns import personal_names
from textassay.answers.records import AGE, Status
from textassay.answers.recruiting import clean_names
from textassay.answers.schema import answers, invitations, openings, participants
from textassay.answers.statements import decode_payload, encode_payload
from textassay.answers.store import Store
from textassay.answers.study_store import existing_store
from textassay.errors import StoreError, UsageError
from textassay.known_names import did_you_mean
from textassay.screening.verdicts import judge
from textassay.study.model import ChoiceField, EmailField, NumberField
from textassay.study.store_address import is_file, path_of
from textassay.study.study import Study
from textassay.tables.raw_table import RawTable
from textassay.tables.reader import raw_table
from textassay.tables.schema import PARTICIPANTS
from textassay.tables.writer import write_table

_person, _answer, _invited = participants.columns, answers.columns, invitations.columns
_KEPT_OF_CLIENT = (AGE, TIME_OVER, "simulated")
"""What of the browser's information is about the answer and decides whether it was in time, or of a rehearsal."""
_QUESTIONNAIRE = "questionnaire"
_SHORTEST_SOUGHT = 4
"""Characters; shorter texts are in too many files to say anything."""
_MOST_SOUGHT = 50
_LARGEST_PART = 1 << 28
"""Bytes of a file in an archive that are searched."""


@dataclass(frozen=True)
class Stored:
    """A participant in the store."""

    id: int
    code: str
    token_hash: str
    status: Status
    external_id: str | None
    platform_session: str | None


@dataclass(frozen=True)
class Found:
    """Whom a request to be forgotten is about."""

    stored: tuple[Stored, ...] = ()
    imported: tuple[str, ...] = ()
    """Codes of participants in imported tables."""
    invited: tuple[str, ...] = ()
    """Names of invitations, also of people who have not started."""
    answers: int = 0
    """Stored answers, all revisions."""
    texts: tuple[str, ...] = field(default=(), repr=False)
    """Personal texts, by which files that still hold them are found."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all participants."""
        return (*(person.code for person in self.stored), *self.imported)


@dataclass(frozen=True)
class Forgotten:
    """What is left to say after somebody was forgotten."""

    excluded: tuple[str, ...]
    """Participants whose exclusion rested on erased data; their status is `excluded` now."""
    changed: tuple[str, ...]
    """Other participants whose verdict is another one now: they had given the same e-mail address."""
    files: tuple[Path, ...]
    """Files in the study directory that still hold something of the person."""
    is_clean: bool
    """Whether the database holds no trace; if not, a reader held it up, and it has none once that one is closed."""


def find_participant(study: Study, code: str | None = None, *, external_id: str | None = None) -> Found:
    """Whom a code, or an id of a platform or a name in an invitation, stands for.

    Args:
        study: The study.
        code: The participant's code, as in the tables.
        external_id: The id that a platform passed, or the name in an invitation; it may stand for several participants.

    Raises:
        UsageError: nobody is known by it.
    """
    tables = _imported(study)
    with existing_store(study) as store:
        found = _in_store(store, study, code, external_id) if store is not None else Found()
        known = [person.code for person in store.participants()] if store is not None else []
    imported = _in_tables(tables, code, external_id)
    if not (found.stored or found.invited or imported):
        if external_id is not None:
            raise UsageError(f"nobody has the id or name {external_id!r}; it is compared as a whole, with its case")
        known += [each for table in tables.values() for each in _codes(table)]
        remedy = "if it is an id of a platform or a name in an invitation, use --external-id"
        raise UsageError(f"no participant has the code {code!r}{did_you_mean(str(code), known)}; {remedy}")
    texts = (*found.texts, *_personal_cells(study, tables, imported))
    return Found(found.stored, imported, found.invited, found.answers, texts)


def forget(study: Study, found: Found, *, everything: bool = False) -> Forgotten:
    """Erase the personal data of participants, or all that is stored of them. A server may go on running.

    Args:
        study: The study.
        found: Whom; see `find_participant`.
        everything: Whether answers are erased, too.

    Raises:
        StoreError: the store cannot be written.
        UsageError: there is not enough space to rewrite the database.
    """
    judged = any(isinstance(asked, EmailField) for asked in study.file.questionnaire) and bool(found.codes)
    before = _verdicts(study) if judged else {}
    is_clean, excluded, now = True, list[str](), datetime.now(UTC)
    with existing_store(study) as store:
        if store is not None:
            _refuse_without_room(study, store)
            store.writer.submit(partial(_erase, study=study, found=found, everything=everything, now=now)).result()
        for name, table in _imported(study).items():
            _rewrite(study, name, table, found.imported, everything=everything)
        after = _verdicts(study) if judged else {}
        changed = [code for code in before if code in after and before[code] != after[code]]
        if store is not None:
            for person in found.stored:
                if person.code in changed and after[person.code]:
                    store.finish(person.id, "excluded", now)
                    excluded.append(person.code)
            is_clean = store.compact()
    others = sorted(set(changed) - set(found.codes))
    sought = (*found.texts, *(found.codes if everything else ()))
    return Forgotten(tuple(excluded), tuple(others), tuple(_files_with(study, sought)), is_clean)


def _verdicts(study: Study) -> dict[str, bool]:
    return {case.participant: judge(case, study).valid for case in load_dataset(study).cases}


# --- the store --------------------------------------------------------------------------------------------------------


def _in_store(store: Store, study: Study, code: str | None, external_id: str | None) -> Found:
    wanted = _person.code == code if external_id is None else _person.external_id == external_id
    rows = select(*(_person[name] for name in Stored.__dataclass_fields__)).where(wanted).order_by(_person.id)
    with store.reading() as connection:
        people = tuple(Stored(*row) for row in connection.execute(rows))
        names = {each.external_id for each in people} | set(clean_names([external_id] if external_id else []))
        hashes = [each.token_hash for each in people]
        of_them = or_(_invited.name.in_(filter(None, names)), _invited.token_hash.in_(hashes))
        invited = tuple(connection.execute(select(_invited.name).where(of_them)).scalars())
        own = select(_answer.page, _answer.payload).where(_answer.participant_id.in_([each.id for each in people]))
        given = [(page, decode_payload(payload)) for page, payload in connection.execute(own)]
    ids = [text for each in people for text in (each.external_id, each.platform_session) if text]
    said = [text for page, payload in given for text in _texts_lost(study, page, payload)]
    return Found(people, (), invited, len(given), (*ids, *invited, *said))


def _erase(connection: Connection, study: Study, found: Found, now: datetime, *, everything: bool) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")  # zeros in place of what is deleted
    numbers = [person.id for person in found.stored]
    connection.execute(delete(invitations).where(_invited.name.in_(found.invited)))
    if everything:
        connection.execute(delete(answers).where(_answer.participant_id.in_(numbers)))
        connection.execute(delete(openings).where(openings.columns.participant_id.in_(numbers)))
        connection.execute(delete(participants).where(_person.id.in_(numbers)))
        return
    rows = select(_answer.id, _answer.page, _answer.payload, _answer.client)
    for number, page, payload, client in connection.execute(rows.where(_answer.participant_id.in_(numbers))).all():
        anonymous = encode_payload(_without_personal(study, page, decode_payload(payload)))
        kept = {name: value for name, value in decode_payload(client).items() if name in _KEPT_OF_CLIENT}
        values = {"payload": anonymous, "client": encode_payload(kept)}
        connection.execute(update(answers).where(_answer.id == number).values(values))
    for person in found.stored:
        changes: dict[str, Any] = {
            **dict.fromkeys(("external_id", "platform_study", "platform_session", "platform_return")),
            "token_hash": secrets.token_hex(32),  # of no token that anybody has
            "version": _person.version + 1,
            "released_at": now if person.status == "active" else _person.released_at,
        }
        connection.execute(update(participants).where(_person.id == person.id).values(changes))


def _refuse_without_room(study: Study, store: Store) -> None:
    """A database is rewritten, so that no page of the file keeps what was there."""
    size = store.file_size()
    free = shutil.disk_usage(study.directory).free
    if 2 * size > free:
        needed, there = (f"{amount / 1e6:,.0f} MB" for amount in (2 * size, free))
        raise UsageError(f"rewriting the database needs {needed} on this disk, but only {there} are free")


# --- what is personal -------------------------------------------------------------------------------------------------


def _without_personal(study: Study, page: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload without what may identify the participant."""
    if page != _QUESTIONNAIRE:
        personal = personal_names(study)
        return {name: _redacted(value) if name in personal else value for name, value in payload.items()}
    kept: dict[str, Any] = {}
    for asked in study.file.questionnaire:
        if asked.name not in payload:
            continue
        if isinstance(asked, (ChoiceField, NumberField)):
            kept[asked.name] = payload[asked.name]
        elif isinstance(asked, EmailField) and isinstance(payload[asked.name], Mapping):
            form = payload[asked.name]
            kept[asked.name] = {**{name: form.get(name) for name in ("plausible", "elsewhere")}, "hash": None}
    return kept


def _redacted(value: Any) -> Any:
    """A personal value with a dot of omission for each word: how many there were may matter to screening."""
    if isinstance(value, str):
        return " ".join("…" for _ in value.split())
    if isinstance(value, Mapping):
        return {name: _redacted(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_redacted(part) for part in value]
    return None


def _texts_lost(study: Study, page: str, payload: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a payload that are not in it any more when it is anonymous."""
    yield from set(_texts_in(payload)) - set(_texts_in(_without_personal(study, page, payload)))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(part)


# --- imported tables --------------------------------------------------------------------------------------------------


def _imported(study: Study) -> dict[str, RawTable]:
    """The imported tables of participants and their answers by name, as the files have them."""
    known = columns.schemas(study)
    folder = study.directory / columns.IMPORTED_FOLDER
    paths = {path.stem: path for path in sorted(folder.glob("*.csv")) if path.stem in known}
    return {name: raw_table(path, f"{columns.IMPORTED_FOLDER}/{path.name}") for name, path in paths.items()}


def _codes(table: RawTable) -> list[str]:
    return list(dict.fromkeys(code for row in table.rows for code in _codes_in(row.values)))


def _codes_in(cells: Mapping[str, Any]) -> set[str]:
    return {str(cells[name]) for name in ("participant", "by") if cells.get(name)}


def _in_tables(tables: Mapping[str, RawTable], code: str | None, external_id: str | None) -> tuple[str, ...]:
    if external_id is None:
        return (code,) if code and any(code in _codes(table) for table in tables.values()) else ()
    rows = tables[PARTICIPANTS.name].rows if PARTICIPANTS.name in tables else ()
    return tuple(str(row.values["participant"]) for row in rows if row.values.get("external_id") == external_id)


def _personal_columns(study: Study, name: str, table: RawTable) -> list[str]:
    """The personal columns of a table; in that of participants, also those that nobody has described."""
    schema = columns.schemas(study)[name]
    declared = {column.name: column.personal for column in schema.columns}
    return [each for each in table.header if declared.get(each, name == PARTICIPANTS.name)]


def _personal_cells(study: Study, tables: Mapping[str, RawTable], codes: Collection[str]) -> Iterator[str]:
    for name, table in tables.items():
        for row in table.rows:
            if _codes_in(row.values) & set(codes):
                yield from (str(row.values.get(each) or "") for each in _personal_columns(study, name, table))


def _rewrite(study: Study, name: str, table: RawTable, codes: Collection[str], *, everything: bool) -> None:
    """Write the table without the participants, or without their personal cells."""
    if not set(_codes(table)) & set(codes):
        return
    path = study.directory / columns.IMPORTED_FOLDER / f"{name}.csv"
    personal = dict.fromkeys(_personal_columns(study, name, table), "")
    of_them = [bool(_codes_in(row.values) & set(codes)) for row in table.rows]
    rows = [
        {**row.values, **personal} if theirs else row.values
        for row, theirs in zip(table.rows, of_them, strict=True)
        if not (theirs and everything)
    ]
    if rows:
        write_table(path, table.header, rows)
    else:
        path.unlink()


# --- copies -----------------------------------------------------------------------------------------------------------


def _files_with(study: Study, texts: Sequence[str]) -> Iterator[Path]:
    """Files in the study directory that hold one of the texts, the database itself aside."""
    pieces = {max(text.replace('"', "\n").splitlines(), key=len, default="") for text in texts}
    long = sorted((piece.strip() for piece in pieces if len(piece.strip()) >= _SHORTEST_SOUGHT), key=len, reverse=True)
    sought = [piece.encode("utf-8", "replace") for piece in long[:_MOST_SOUGHT]]
    own = path_of(study.store_url).name if is_file(study.store_url) else ""
    for path in sorted(study.directory.rglob("*")) if sought else ():
        if path.is_file() and not path.is_symlink() and path.name not in (own, f"{own}-wal", f"{own}-shm"):
            with suppress(OSError, zipfile.BadZipFile, StoreError):
                if _holds(path, sought):
                    yield path.relative_to(study.directory)


def _holds(path: Path, sought: Sequence[bytes]) -> bool:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            parts = (part for part in archive.infolist() if part.file_size <= _LARGEST_PART)
            return any(text in content for content in map(archive.read, parts) for text in sought)
    if path.stat().st_size == 0:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(text) >= 0 for text in sought)
