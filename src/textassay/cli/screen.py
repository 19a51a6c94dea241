"""`textassay screen`: who is excluded from the results, and why."""

from __future__ import annotations

from textassay import pipeline
from textassay.analysis.screening_tables import counts_by_rule, excluded_participants
from textassay.cli.options import HERE, Database, Format, StudyDirectory
from textassay.cli.output import show_tables


def screen(
    study: StudyDirectory = HERE,
    *,
    db: Database = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Show who is excluded from the results, and why.

    Args:
        study: The study directory; the current directory by default.
        db: Address of the database with the answers, if it is not where the study says.
        format: How the result is printed.
    """
    loaded = pipeline.load(study, db)
    verdicts = pipeline.screen(loaded, pipeline.collect(loaded))
    show_tables([counts_by_rule(verdicts, loaded), excluded_participants(verdicts)], format)
