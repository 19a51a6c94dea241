"""`textassay export`: the answers as tables with a codebook."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.export import export_screened
from textassay.cli.options import HERE, Database, StudyDirectory
from textassay.garbage import collect_garbage_less_often


def export(
    study: StudyDirectory = HERE,
    *,
    to: Path | None = None,
    personal: Annotated[bool, Parameter(negative="")] = False,
    db: Database = None,
) -> None:
    """Export the answers as tables with a codebook.

    Args:
        study: The study directory; the current directory by default.
        to: Directory for the tables; `export` in the study directory by default.
        personal: Include the columns that the codebook flags as personal.
        db: Address of the database with the answers, if it is not where the study says.
    """
    loaded = pipeline.load(study, db)
    collect_garbage_less_often()
    written = export_screened(loaded, to or loaded.directory / "export", personal=personal)
    for path in written.paths:
        print(path)
    for warning in written.warnings:
        print(f"Note: {warning}.", file=sys.stderr)
