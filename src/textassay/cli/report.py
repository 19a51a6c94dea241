"""`textassay report`: screen, analyse, score and write the report."""

from __future__ import annotations

from textassay import pipeline
from textassay.cli.options import Quiet, StudyDirectory
from textassay.cli.output import stage_line


def report(study: StudyDirectory, *, quiet: Quiet = False) -> None:
    """Screen, analyse, score, correlate, and write the report.

    Args:
        study: The study directory.
        quiet: Show no progress.
    """
    with stage_line(quiet=quiet) as stage:
        page = pipeline.report(pipeline.load(study), stage=stage)
    print(page)
