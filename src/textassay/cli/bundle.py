"""`textassay bundle`: one archive with which others can redo the study."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory
from textassay.cli.output import stage_line


def bundle(
    study: StudyDirectory = HERE,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    db: Database = None,
    quiet: Quiet = False,
) -> None:
    """Write one archive with which others can redo the study: material, plan, answers, results, report, checksums.

    Nothing personal is in it; see README.txt there. `textassay verify` works out every number again.

    Args:
        study: The study directory; the current directory by default.
        output: The zip file; `bundle.zip` in the study directory by default.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Show no progress and no notes.
    """
    loaded = pipeline.load(study, db)
    with stage_line(quiet=quiet) as stage:
        path = pipeline.bundle(loaded, output, stage=stage)
    print(path)
    if not quiet:
        remark = "texts and pages are in it as they are; look through them before you pass it on"
        print(f"Note: answers are in it without personal data, {remark}.", file=sys.stderr)
