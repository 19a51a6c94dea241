"""`textassay backup`: a copy of the answers while the study goes on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.backup import backup_study
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory
from textassay.cli.output import stage_line
from textassay.prose import numbered


def backup(
    study: StudyDirectory = HERE,
    *,
    to: Path | None = None,
    replace: Annotated[bool, Parameter(negative="")] = False,
    db: Database = None,
    quiet: Quiet = False,
) -> None:
    """Copy the answers into one file, also while the study is served.

    The copy is of one moment, complete and checked; it is an SQLite file, also of answers in PostgreSQL. To use it in
    place of the answers, give its address with --db, or put it in their place while no server is running.

    Args:
        study: The study directory; the current directory by default.
        to: The file; by default one in the folder backups of the study directory, named after date and time.
        replace: Replace a file that is there already.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Print only the name of the file.
    """
    loaded = pipeline.load(study, db)
    path = to or loaded.directory / "backups" / f"answers-{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    with stage_line(quiet=quiet) as stage:
        stage("copying the answers")
        rows = backup_study(loaded, path, replace=replace)
    print(path)
    if not quiet:
        print(f"{numbered(rows['participants'], 'participant')}, {numbered(rows['answers'], 'answer')}; checked.")
