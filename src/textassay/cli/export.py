"""`textassay export`: the answers as tables with a codebook."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.export import export_study
from textassay.cli.options import HERE, Database, StudyDirectory


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
    data = pipeline.collect(loaded)
    pipeline.screen(loaded, data)  # a verdict may change which participants count
    for path in export_study(loaded, to or loaded.directory / "export", personal=personal):
        print(path)
    for warning in data.warnings:
        print(f"Note: {warning}.", file=sys.stderr)
