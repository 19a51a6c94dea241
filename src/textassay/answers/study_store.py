"""The store of a study: opening it, recording verdicts, and searching that of another study for an address.

A store belongs to one study, which it names in its settings. A study is recognised by what its plan depends on and by
its texts, not by its directory, which may be moved, renamed, or be on several machines that serve together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from textassay.answers import database
from textassay.answers.columns import IMPORTED_FOLDER
from textassay.answers.emails import hash_email
from textassay.answers.schema import invitations, participants, settings
from textassay.answers.store import Store
from textassay.errors import ProblemsError, StoreError
from textassay.screening.verdicts import Verdict
from textassay.study.load import STUDY_FILE
from textassay.study.planning import design_digest
from textassay.study.settled import digest
from textassay.study.store_address import FILE_NAME, address_problem, file_address, public_address, settled_address
from textassay.study.study import Study
from textassay.study.yaml_reader import read_yaml
from textassay.tables.schema import PARTICIPANTS

OWNER, MOVED, ARRIVING = "study", "moved-to", "move-unfinished"
"""Settings of a store: whose it is, where its answers have gone, and that not all is here yet."""
_KNOWN_TEXTS = 200
_DIGEST = 16


def has_store(study: Study) -> bool:
    """Whether the study has a store already.

    Raises:
        StoreError: the database cannot be reached.
    """
    return database.exists(study.store_url)


def open_store(study: Study, address: str | None = None) -> Store:
    """Open the study's store; it is created if there is none yet.

    Args:
        study: The study.
        address: The address of the same store, if it is to be opened in a certain way.

    Raises:
        StoreError: it cannot be opened, belongs to another study, or its answers were moved elsewhere.
    """
    store = Store.open(address or study.store_url)
    try:
        with store.reading() as connection:
            found = stored_settings(connection)
        refuse_moved(found, public_address(study.store_url))
        if found.get(OWNER) != _identity(study):
            store.writer.submit(partial(_claim, study=study, name=public_address(study.store_url))).result()
    except BaseException:
        store.close()
        raise
    return store


@contextmanager
def existing_store(study: Study) -> Iterator[Store | None]:
    """The study's store, open while the `with` block runs, or None where there is none yet.

    Raises:
        StoreError: as for `open_store`.
    """
    if not has_store(study):
        yield None
        return
    with open_store(study) as store:
        yield store


# --- whose it is ------------------------------------------------------------------------------------------------------


def stored_settings(connection: Connection) -> dict[str, Any]:
    """What the store says of itself: whose it is, and whether its answers were moved."""
    rows = connection.execute(
        select(settings.columns.name, settings.columns.value).where(settings.columns.name.in_((OWNER, MOVED, ARRIVING)))
    )
    return {name: json.loads(value) for name, value in rows}


def store_setting(connection: Connection, name: str, value: Mapping[str, Any]) -> None:
    """Write one of these settings, in place of an earlier one."""
    remove_setting(connection, name)
    connection.execute(insert(settings), {"name": name, "value": json.dumps(value)})


def remove_setting(connection: Connection, name: str) -> None:
    """Remove one of these settings."""
    connection.execute(delete(settings).where(settings.columns.name == name))


def refuse_moved(found: Mapping[str, Any], name: str) -> None:
    """Refuse a store whose answers are elsewhere, or that has not got all of them.

    Raises:
        StoreError: it is one.
    """
    if MOVED in found:
        to, when = found[MOVED]["to"], found[MOVED]["at"]
        remedy = f"write 'store: {to}' into the study file, or give that address with --db"
        raise StoreError(f"{name}: its answers were moved to {to} on {when}; {remedy}")
    if ARRIVING in found:
        remedy = "run the same 'textassay move' again, or empty this database"
        raise StoreError(f"{name}: answers were being moved into it from {found[ARRIVING]['from']}; {remedy}")


def _identity(study: Study) -> dict[str, Any]:
    texts = sorted(digest(text)[:_DIGEST] for text in study.texts.values())
    return {"title": study.file.title, "design": design_digest(study), "texts": texts[:_KNOWN_TEXTS]}


def _claim(connection: Connection, study: Study, name: str) -> None:
    """Say in the store that it belongs to this study, unless people of another one are in it."""
    refuse_foreign(stored_settings(connection), study, name, connection)
    store_setting(connection, OWNER, _identity(study))


def refuse_foreign(found: Mapping[str, Any], study: Study, name: str, connection: Connection) -> None:
    """Refuse a store in which people of another study are.

    Raises:
        StoreError: it is one.
    """
    owner, own = found.get(OWNER), _identity(study)
    if owner is not None and not _same_study(owner, own) and _has_people(connection):
        of = "this study with another design or other texts" if owner["title"] == own["title"] else "another study"
        remedy = "give each study a database of its own, or restore what was changed"
        raise StoreError(f"{name}: has answers of {of} ({owner['title']!r}); {remedy}")


def _same_study(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """A text may be corrected during a study, which leaves others; a study copied for new texts has none of them."""
    return bool(one["design"] == other["design"] and set(one["texts"]) & set(other["texts"]))


def _has_people(connection: Connection) -> bool:
    return any(connection.execute(select(table).limit(1)).first() is not None for table in (participants, invitations))


# --- verdicts, and people who took part elsewhere ---------------------------------------------------------------------


def store_verdicts(study: Study, verdicts: Sequence[Verdict]) -> int:
    """Record the verdicts on participants who completed the study; returns how many changed.

    The server applies the rules when a participant finishes. Afterwards a rule may be added, or a participant may turn
    out to have taken part before, so the rules are applied again whenever results are made. The slot of an excluded
    participant opens again.
    """
    found = {verdict.participant: verdict.valid for verdict in verdicts}
    with existing_store(study) as store:
        if store is None:
            return 0
        completed = [person for person in store.participants() if person.status == "completed"]
        changed = [person for person in completed if found.get(person.code, person.valid) != person.valid]
        for person in changed:
            store.set_valid(person.id, found[person.code])
        return len(changed)


def took_part_in(email: str, directory: Path) -> bool:
    """Whether the address took part in the study in that directory.

    That study's hashes are made with its own key, so the address is hashed with that key and searched for there.

    Args:
        email: The address.
        directory: The other study.
    """
    address = address_of(directory)
    if not database.exists(address):
        return False
    with Store.open(address) as store:
        sought = hash_email(email, store.secret("email"))
        for _, answer in store.all_answers(revisions=True, page="questionnaire"):
            if any(isinstance(part, Mapping) and part.get("hash") == sought for part in answer.payload.values()):
                return True
    table = directory / IMPORTED_FOLDER / f"{PARTICIPANTS.name}.csv"
    return table.is_file() and sought in table.read_text(encoding="utf-8")


def address_of(directory: Path) -> str:
    """Where the study in that directory keeps its answers; the study itself, which may be large, is not read."""
    path = directory / STUDY_FILE
    named = _named_store(path, path.stat().st_mtime_ns) if path.is_file() else None
    return settled_address(named, directory) if named is not None else file_address(directory / FILE_NAME)


@lru_cache
def _named_store(path: Path, _changed: int) -> str | None:
    """The sound address that a study file names, if any; read again where the file has changed."""
    try:
        data = read_yaml(path, path.name).data
    except ProblemsError:  # that study's own trouble, which its commands report
        return None
    named = data.get("store") if isinstance(data, dict) else None
    return named if isinstance(named, str) and address_problem(named) is None else None
