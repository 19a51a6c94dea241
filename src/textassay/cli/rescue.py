"""`textassay rescue`: what is readable of a damaged database file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.rescue import Rescued, rescue_file
from textassay.answers.study_store import address_of
from textassay.cli.options import Format
from textassay.cli.output import show_tables
from textassay.errors import TextassayError, UsageError
from textassay.prose import numbered
from textassay.results import Table
from textassay.study.load import STUDY_FILE
from textassay.study.store_address import is_file, path_of
from textassay.study.study import Study


def rescue(
    source: Annotated[Path, Parameter(help="The study directory, or the database file itself.")],
    *,
    to: Path,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Write out what is readable of a damaged SQLite file; the file itself is left as it is.

    Writes a new database answers.db, which other commands take with --db, and its answers as the tables of an export,
    or as JSON lines where the study cannot be loaded. Counts what is readable and what is not.

    Args:
        source: The study directory, or the database file itself.
        to: A new folder for what comes back.
        format: How the counts are printed.
    """
    path, study = _file_and_study(source)
    if not path.is_file():
        raise UsageError(f"{path}: no such file; give the damaged database file, or its study directory")
    found = rescue_file(path, to, study)
    show_tables([_counts(found, path)], format)
    if format == "text":
        for file in found.files:
            print(file)


def _file_and_study(source: Path) -> tuple[Path, Study | None]:
    """The database file, and the study that it belongs to, as far as that can be loaded."""
    directory = source if source.is_dir() else source.parent
    try:
        study = pipeline.load(directory) if (directory / STUDY_FILE).is_file() else None
    except TextassayError:
        study = None
    if not (source.is_dir() or source.suffix in (".yaml", ".yml")):
        return source, study
    address = study.store_url if study is not None else address_of(directory)
    if not is_file(address):
        raise UsageError(f"{source}: its answers are in PostgreSQL; this command is for SQLite files")
    return path_of(address), study


def _counts(found: Rescued, path: Path) -> Table:
    rows = tuple(
        (table.name, table.readable, table.unreadable, table.missing, table.left_over) for table in found.tables
    )
    of_pages = f"{found.damaged_pages} of {numbered(found.pages, 'page')} cannot be read."
    notes = [
        of_pages if found.damaged_pages else "Every page can be read.",
        "Missing numbers are of rows that were lost, or removed earlier.",
        *(f"{note[:1].upper()}{note[1:]}." for note in found.notes),
    ]
    columns = ("table", "readable", "unreadable", "missing numbers", "left over")
    return Table("rescued", f"Rows of {path}", columns, rows, " ".join(notes))
