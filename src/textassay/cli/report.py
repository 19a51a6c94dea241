"""`textassay report`: screen, analyse, score and write the report."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory
from textassay.cli.output import stage_line
from textassay.local_browser.devtools import printed
from textassay.local_browser.finding import find_browser
from textassay.report.artifacts import write_file


def report(
    study: StudyDirectory = HERE,
    *,
    screens: bool = True,
    pdf: Annotated[bool, Parameter(negative="")] = False,
    db: Database = None,
    quiet: Quiet = False,
) -> None:
    """Screen, analyse, score, correlate, and write the report.

    Args:
        study: The study directory; the current directory by default.
        screens: Picture the pages that participants saw, where this machine has Chromium, Chrome or Edge.
        pdf: Also print the report as PDF with that browser.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Show no progress.
    """
    if pdf:
        find_browser()  # said now, not after the work
    loaded = pipeline.load(study, db)
    with stage_line(quiet=quiet) as stage:
        page = pipeline.report(loaded, screens=screens, stage=stage)
        if pdf:
            stage("printing the report")
            write_file(page.with_suffix(".pdf"), printed(page))
    print(page)
    theirs = loaded.directory / "scores.csv"
    if theirs.is_file() and not loaded.bundled and not quiet:
        remedy = f"to use scores from elsewhere: textassay import {study} {theirs}"
        print(f"Note: {theirs} is not used and was left as it is; {remedy}", file=sys.stderr)
    if pdf:
        print(page.with_suffix(".pdf"))
