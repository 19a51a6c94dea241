"""`textassay import`: tables collected elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.import_checks import screening_gaps
from textassay.answers.imports import import_table as import_into_study
from textassay.answers.imports import imported_tables
from textassay.cli.options import StudyDirectory
from textassay.errors import UsageError


def import_table(
    study: StudyDirectory,
    *tables: Path,
    replace: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Import tables of answers or participants that were collected elsewhere.

    Args:
        study: The study directory.
        tables: Files named after their table, such as judgements.csv and participants.csv.
        replace: Overwrite a table that was imported earlier.
    """
    if not tables:
        raise UsageError("no table given; name one or more files, such as judgements.csv")
    loaded = pipeline.load(study)
    for path in tables:
        print(import_into_study(loaded, path, replace=replace))
    for gap in screening_gaps(loaded, imported_tables(loaded)):
        print(f"Note: {gap}.", file=sys.stderr)
