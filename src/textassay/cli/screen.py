"""`textassay screen`: who is excluded from the results, and why."""

from __future__ import annotations

from textassay import pipeline
from textassay.analysis.screening_tables import counts_by_rule, excluded_participants
from textassay.cli.options import HERE, Format, StudyDirectory
from textassay.cli.output import show_tables


def screen(study: StudyDirectory = HERE, *, format: Format = "text") -> None:  # noqa: A002 -- the flag's name
    """Show who is excluded from the results, and why.

    Args:
        study: The study directory; the current directory by default.
        format: How the result is printed.
    """
    loaded = pipeline.load(study)
    verdicts = pipeline.screen(loaded, pipeline.collect(loaded))
    show_tables([counts_by_rule(verdicts, loaded), excluded_participants(verdicts)], format)
