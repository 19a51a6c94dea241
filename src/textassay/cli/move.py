"""`textassay move`: the answers of a study from one database to another."""

from __future__ import annotations

from datetime import UTC, datetime

from textassay import pipeline
from textassay.answers.moving import move_study
from textassay.cli.options import Address, Database, Quiet, StudyDirectory
from textassay.cli.output import stage_line
from textassay.prose import numbered
from textassay.serve.running import not_served
from textassay.study.load import STUDY_FILE
from textassay.study.store_address import FILE_NAME, file_address


def move(study: StudyDirectory, *, to: Address, db: Database = None, quiet: Quiet = False) -> None:
    """Move the answers from SQLite to PostgreSQL, or back.

    Everything is copied and compared row by row; then the old database, which stays as it is, is marked, so that nobody
    collects into it by mistake. Refused while the study is served.

    Args:
        study: The study directory.
        to: Address of the new database, such as postgresql://user@host/database or sqlite:///path/to/answers.db; it
            must be empty.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Print nothing.
    """
    loaded = pipeline.load(study, db)
    with not_served(loaded), stage_line(quiet=quiet) as stage:
        stage("copying and comparing the answers")
        moved = move_study(loaded, to, now=datetime.now(UTC))
    if quiet:
        return
    people, answers = moved.rows["participants"], moved.rows["answers"]
    print(f"Moved {numbered(people, 'participant')} and {numbered(answers, 'answer')}; both sides hold the same rows.")
    file = loaded.directory / STUDY_FILE
    if moved.to == file_address((loaded.directory / FILE_NAME).absolute()):
        print(f"Now remove the line 'store' from {file}, if it has one.")
    else:
        print(f"Now write this line into {file}, in place of an earlier one:\n\nstore: {moved.to}")
