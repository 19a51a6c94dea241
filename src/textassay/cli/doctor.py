"""`textassay doctor`: whether everything that textassay needs works here, and what to do where it does not."""

from __future__ import annotations

import platform
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

import textassay
from textassay.cli.options import HERE, Database, Format, StudyDirectory, Whole
from textassay.cli.output import show_tables
from textassay.errors import BrowserError, StoreError, TextassayError
from textassay.known_names import did_you_mean
from textassay.prose import numbered
from textassay.results import Table
from textassay.study.load import STUDY_FILE, load_study
from textassay.study.store_address import is_file, public_address
from textassay.study.study import Study

_EXTRAS = {
    "postgres": ("psycopg", "answers in PostgreSQL"),
    "parquet": ("pyarrow", "tables in Parquet"),
    "cluster": ("distributed", "work on several machines"),
}
"""Each extra: the module that it brings, and what for."""
_LITTLE, _SOME = 100 * 2**20, 2**30
_SECONDS_APART = 5
_DAY = 24 * 60 * 60

State = Literal["ok", "note", "wrong"]


@dataclass(frozen=True)
class Checkup:
    """What was looked at, and what was found."""

    what: str
    state: State
    """A note is something that only some need."""
    found: str
    remedy: str = ""


def doctor(
    study: StudyDirectory = HERE,
    *,
    port: Annotated[Whole, Parameter(name=["--port", "-p"])] = 8000,
    db: Database = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> int:
    """Check that everything works here: installation, database, browser, port, disk, clock, and the study, if any.

    Args:
        study: A study directory; by default the current directory, which need not be a study.
        port: The port that the study will be served on.
        db: Address of the database with the answers, if it is not where the study says.
        format: How the result is printed.
    """
    directory = study if study.is_dir() else study.parent
    found = [*_install(), *_database(), *_browser(), *_disk(directory), *_clock(directory)]
    is_study = study.is_file() or (study / STUDY_FILE).exists()
    if is_study or study != HERE:
        loaded, problems = _load(study, db)
        found += [*problems, *(_study(loaded) if loaded else ()), *_port(port, loaded)]
    else:
        found += _port(port, None)
    rows = tuple((each.what, each.state, each.found, each.remedy) for each in found)
    wrong = sum(each.state == "wrong" for each in found)
    note = f"{numbered(wrong, 'problem')} found." if wrong else "No problems found."
    if not is_study and study == HERE:
        note += " The current directory is no study; check one with 'textassay doctor STUDY'."
    show_tables([Table("doctor", "", ("what", "state", "found", "what to do"), rows, note)], format)
    return 1 if wrong else 0


def _install() -> Iterator[Checkup]:
    from textassay import kernels  # noqa: PLC0415 -- beside what is looked at
    from textassay.kernels.choice import VARIABLE  # noqa: PLC0415

    where = Path(textassay.__file__).parent
    release, installed = textassay.__version__, _version("textassay")
    if installed == release:
        yield Checkup("textassay", "ok", f"{release} in {where}")
    else:
        told = f"{release} in {where}, but {installed or 'none'} is installed"
        yield Checkup("textassay", "wrong", told, "install it again with pip")
    yield Checkup("Python", "ok", f"{platform.python_version()}, {sys.executable}")
    if kernels.compiled():
        yield Checkup("compiled kernels", "ok", "all in use")
    else:
        told = "not in use: the same numbers take longer"
        yield Checkup("compiled kernels", "note", told, f"unset {VARIABLE}, or install textassay again")
    for extra, (module, purpose) in _EXTRAS.items():
        if find_spec(module) is not None:
            yield Checkup(f"extra: {extra}", "ok", f"{module} {_version(module)}")
        else:
            yield Checkup(
                f"extra: {extra}", "note", "not installed", f"for {purpose}: pip install 'textassay[{extra}]'"
            )


def _version(module: str) -> str:
    try:
        return distribution(module).version
    except PackageNotFoundError:
        return ""


def _database() -> Iterator[Checkup]:
    from textassay.answers.store import Store  # noqa: PLC0415

    try:
        with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{folder}/answers.db") as store:
            store.secret("doctor")
    except (StoreError, OSError) as error:
        yield Checkup("database", "wrong", f"none can be made: {error}", "check the folder for temporary files")
        return
    import sqlite3  # noqa: PLC0415

    yield Checkup("database", "ok", f"SQLite {sqlite3.sqlite_version}: one was made, and written to")


def _browser() -> Iterator[Checkup]:
    from textassay.local_browser.finding import REMEDY, find_browser  # noqa: PLC0415

    try:
        yield Checkup("browser", "ok", find_browser())
    except BrowserError as error:
        told, _, remedy = str(error).partition("; ")
        yield Checkup("browser", "note", told, f"for pictures of pages and PDF: {remedy or REMEDY}")


def _disk(directory: Path) -> Iterator[Checkup]:
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".textassay-doctor-") as file:
            file.write(b"x")
    except OSError as error:
        remedy = "check that the directory exists and who owns it"
        yield Checkup("write access", "wrong", f"{directory}: {error.strerror}", remedy)
        return
    yield Checkup("write access", "ok", str(directory.resolve()))
    free = shutil.disk_usage(directory).free
    state: State = "wrong" if free < _LITTLE else "note" if free < _SOME else "ok"
    remedy = "" if state == "ok" else "free some: answers must not fail to be stored"
    yield Checkup("disk", state, f"{free / 2**30:,.1f} GB free", remedy)


def _clock(directory: Path) -> Iterator[Checkup]:
    now = datetime.now(UTC)
    zone = datetime.now().astimezone()
    told = f"{now:%Y-%m-%d %H:%M:%S} UTC (here {zone:%H:%M}, {zone.tzname()})"
    installed = Path(textassay.__file__).stat().st_mtime
    steady = time.get_clock_info("monotonic").monotonic
    apart = _behind(directory)
    if now.timestamp() < installed - _DAY:
        yield Checkup("clock", "wrong", f"{told}: earlier than when textassay was installed", "set the clock")
    elif abs(apart) > _SECONDS_APART:
        where = f"{directory} is {abs(apart):.0f} s {'behind' if apart > 0 else 'ahead'}"
        yield Checkup("clock", "wrong", f"{told}; the disk of {where}", "synchronise the clocks of both machines")
    elif not steady:
        yield Checkup("clock", "wrong", f"{told}; times between events can jump", "use another machine to serve")
    else:
        yield Checkup("clock", "ok", told)


def _behind(directory: Path) -> float:
    """Seconds by which the clock of the disk, which may be another machine's, is behind this one's."""
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".textassay-doctor-") as file:
            file.write(b"x")
            file.flush()
            return time.time() - Path(file.name).stat().st_mtime
    except OSError:
        return 0.0


def _port(port: int, study: Study | None) -> Iterator[Checkup]:
    from textassay.serve.running import running_server  # noqa: PLC0415

    other = running_server(study) if study is not None else None
    if other is not None:
        yield Checkup("server", "ok", f"this study is being served at {other.base} (process {other.pid})")
        if other.port == port:
            return
    try:
        with socket.create_server(("127.0.0.1", port)):
            yield Checkup(f"port {port}", "ok", "free")
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        yield Checkup(f"port {port}", "note", reason, "serve with another one: --port, or --port 0 for any free one")


def _load(where: Path, db: str | None) -> tuple[Study | None, list[Checkup]]:
    if not where.exists():
        near = did_you_mean(where.name, [path.name for path in where.absolute().parent.glob("*") if path.is_dir()])
        return None, [Checkup("study", "wrong", f"{where}: no such directory{near}", "give the directory of a study")]
    try:
        study = load_study(where, db)
    except TextassayError as error:
        first, *more = str(error).splitlines()
        also = f" (and {numbered(len(more), 'other problem')})" if more else ""
        return None, [Checkup("study", "wrong", f"{first}{also}", f"textassay check {where} lists all")]
    size = f"{len(study.systems)} systems × {len(study.items_in_order)} items"
    return study, [Checkup("study", "ok", f"{study.file.title}: {size}")]


def _study(study: Study) -> Iterator[Checkup]:
    from textassay.answers.database import schema_state  # noqa: PLC0415
    from textassay.answers.study_store import has_store, open_store  # noqa: PLC0415
    from textassay.study.planning import stored_plan  # noqa: PLC0415

    file = study.file
    if file.public_address is not None and not file.proxy and file.participants.joins_per_minute is not None:
        told = "public_address is declared, but no proxy, so all visitors count as one where joins are limited"
        yield Checkup("proxy", "note", told, "add to the study file: proxy: [127.0.0.1], or the proxy's own address")
    if study.plan_path.exists():
        try:
            yield Checkup("plan", "ok", f"{numbered(len(stored_plan(study).slots), 'slot')} in {study.plan_path.name}")
        except TextassayError as error:
            yield Checkup("plan", "wrong", str(error), "undo what was changed, or begin in a new directory")
    else:
        yield Checkup("plan", "ok", "none yet; the first 'serve' or 'simulate' draws it")
    try:
        if not has_store(study):
            yield Checkup("answers", "ok", "none yet; the first 'serve' or 'simulate' makes the tables of the database")
            return
        state = schema_state(study.store_url)
        if state == "current":
            open_store(study).close()  # is it this study's, and are its answers still here?
    except StoreError as error:
        told, _, remedy = str(error).partition("; ")
        yield Checkup("answers", "wrong", told, remedy)
        return
    opens = "the database opens, is undamaged"
    if not is_file(study.store_url):
        opens = f"{public_address(study.store_url)} opens"
    age = {"current": " and up to date", "older": "; the next use upgrades it from an earlier release"}
    yield Checkup("answers", "ok", opens + age[state])
