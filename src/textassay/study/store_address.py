"""Where a study keeps its answers: the address of a database, as people write it.

A password never belongs into an address that is written down or typed: it would end up in a study file that is passed
on, in the list of processes, or in the history of a shell. PostgreSQL's own ways are used instead.
"""

from __future__ import annotations

import re
from pathlib import Path

VARIABLE = "TEXTASSAY_DB"
"""The environment variable that holds an address; it may hold a password, too."""
FILE_NAME = "answers.db"
"""The database of a study that names no other."""
HOW = "write postgresql://user@host/database or sqlite:///path/to/answers.db"
_FILE = "sqlite:///"
_SERVERS = ("postgresql", "postgres", "postgresql+psycopg")
_REMEDY = (
    "take it out, and set PGPASSWORD, keep it in ~/.pgpass, or name a service (postgresql:///?service=name); "
    f"only the environment variable {VARIABLE} may hold an address with a password"
)


def address_problem(address: str, *, may_hold_password: bool = False) -> str | None:
    """What is wrong with an address, with the remedy; never shows it, for it may hold a password.

    >>> address_problem("postgresql://ada@db.example.org/study")
    >>> address_problem("answers.db")
    'not the address of a database; write postgresql://user@host/database or sqlite:///path/to/answers.db'
    >>> str(address_problem("postgresql://ada:secret@db.example.org/study")).partition(";")[0]
    'the address holds a password'
    """
    scheme, divided, _ = address.partition("://")
    if not divided or address != address.strip() or not address.isprintable():
        return f"not the address of a database; {HOW}"
    if scheme == "sqlite":
        in_memory = not address.startswith(_FILE) or path_of(address) in (Path(), Path(":memory:"))
        return "a database in memory would lose the answers; write sqlite:///path/to/answers.db" if in_memory else None
    if scheme not in _SERVERS:
        return f"{scheme!r} is not a supported database; {HOW}"
    if not may_hold_password and public_address(address) != address:
        return f"the address holds a password; {_REMEDY}"
    return None


def is_file(address: str) -> bool:
    """Whether it is the address of an SQLite file."""
    return address.startswith(_FILE)


def file_address(path: Path) -> str:
    """The address of an SQLite file."""
    return f"{_FILE}{path.as_posix()}"


def path_of(address: str) -> Path:
    """The SQLite file of an address."""
    return Path(address.removeprefix(_FILE).partition("?")[0])


def settled_address(address: str, directory: Path) -> str:
    """The address with the path of a file made relative to nothing but the directory in which it was written.

    >>> settled_address("sqlite:///data/answers.db", Path("study"))
    'sqlite:///study/data/answers.db'
    """
    return file_address(directory / path_of(address)) if is_file(address) else address


_UNTOLD = re.compile("password|^application_name$")


def public_address(address: str) -> str:
    """The address without its password, for messages and to be written down; nor does it say who is connected.

    >>> public_address("postgresql://ada:secret@db.example.org/study?password=secret&sslmode=require")
    'postgresql://ada@db.example.org/study?sslmode=require'
    """
    if is_file(address) or "://" not in address:
        return address
    start, _, query = address.partition("?")
    start = re.sub(r"^([^/]*//[^:/]*):.*@", r"\1@", start)  # up to the last @, for a password may hold one
    kept = [part for part in query.split("&") if part and not _UNTOLD.search(part.partition("=")[0])]
    return f"{start}?{'&'.join(kept)}" if kept else start
