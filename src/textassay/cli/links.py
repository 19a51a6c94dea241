"""`textassay links`: links for all participants, and personal links for people invited by name."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.recruiting import clean_names
from textassay.answers.store import Store
from textassay.answers.study_store import open_store
from textassay.cli.options import HERE, Database, Format, StudyDirectory
from textassay.cli.output import show_tables
from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.results import Table
from textassay.serve.running import running_server
from textassay.study.study import Study
from textassay.tables.text_files import read_text

_USUAL = "http://127.0.0.1:8000"


def links(
    study: StudyDirectory = HERE,
    *,
    names: Annotated[Path | None, Parameter(name=["--names", "-n"])] = None,
    cohort: str | None = None,
    base: str | None = None,
    db: Database = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Show the links for participants; with --names, create a personal link for each person.

    Args:
        study: The study directory; the current directory by default.
        names: Text file with one name or code per line; each gets a personal link, existing links are kept.
        cohort: The cohort that these people belong to, if the study has cohorts.
        base: Address of the server as seen by participants; by default that of the study's running
            server, else `public_address` of the study file.
        db: Address of the database with the answers, if it is not where the study says.
        format: How the result is printed.
    """
    loaded = pipeline.load(study, db)
    wanted = clean_names(_lines(names)) if names is not None else []
    chosen = _cohort(loaded, cohort) if wanted or cohort else ""
    base = _base(loaded) if base is None else base.rstrip("/")
    with open_store(loaded) as store:
        if not wanted:
            show_tables([_for_all(loaded, store, base), _personal(store, base)], format)
            return
        store.recruiting.invite(wanted, cohort=chosen, now=datetime.now(UTC))
        show_tables([_personal(store, base, set(wanted))], format)


def _base(study: Study) -> str:
    """The address of the running server, the declared one, or the one that a server would have."""
    server = running_server(study)
    if server is not None:
        return server.base
    if study.file.public_address is not None:
        return study.file.public_address
    told = f"no server of this study is running here; links begin with {_USUAL}, where 'textassay serve' would be"
    print(f"Note: {told}; say another address with --base.", file=sys.stderr)
    return _USUAL


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise UsageError(f"{path}: file not found; it should have one name per line")
    lines = read_text(path, str(path)).splitlines()
    if not any(line.strip() for line in lines):
        raise UsageError(f"{path}: it holds no names; write one per line")
    return lines


def _cohort(study: Study, asked: str | None) -> str:
    known = [cohort.name for cohort in study.cohorts if cohort.name]
    if known and asked not in known:
        if asked:
            raise UsageError(unknown("cohort", asked, known))
        raise UsageError(f"this study has cohorts; add --cohort with one of: {', '.join(known)}")
    if asked and not known:
        raise UsageError(f"got --cohort {asked}, but this study has no cohorts; leave it out")
    return asked or ""


def _for_all(study: Study, store: Store, base: str) -> Table:
    key = store.secret("join")
    rows = tuple(
        (cohort.name, f"{base}/join/{key}" + (f"?cohort={cohort.name}" if cohort.name else ""))
        for cohort in study.cohorts
    )
    return Table("links", "For everyone", ("cohort", "link"), rows)


def _personal(store: Store, base: str, wanted: set[str] | None = None) -> Table:
    rows = tuple(
        (
            each.name,
            each.cohort,
            each.status or "not started",
            f"{base}/p/{store.recruiting.token_of_invited(each.name)}",
        )
        for each in store.recruiting.invitations()
        if wanted is None or each.name in wanted
    )
    note = "" if rows else "No personal links yet; create them with --names and a file with one name per line."
    return Table("personal-links", "Personal", ("name", "cohort", "status", "link"), rows, note)
