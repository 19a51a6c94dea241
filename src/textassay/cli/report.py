"""`textassay report`: screen, analyse, score and write the report."""

from __future__ import annotations

from textassay import pipeline
from textassay.cli.options import StudyDirectory


def report(study: StudyDirectory) -> None:
    """Screen, analyse, score, correlate, and write the report.

    Args:
        study: The study directory.
    """
    print(pipeline.report(pipeline.load(study)))
