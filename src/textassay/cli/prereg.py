"""`textassay prereg`: freeze what a study has settled, before its first real participant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory
from textassay.cli.output import stage_line


def prereg(
    study: StudyDirectory = HERE,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    replace: Annotated[bool, Parameter(negative="")] = False,
    db: Database = None,
    quiet: Quiet = False,
) -> None:
    """Register the study: freeze settings, texts, plan, exclusion rules and analyses before the first participant.

    Args:
        study: The study directory; the current directory by default.
        output: File for the document that you complete and upload; `registration.md` in the study directory by default.
        replace: Replace an earlier registration; refused once a real participant has begun.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Show no progress.
    """
    with stage_line(quiet=quiet) as stage:
        made, paths = pipeline.register(pipeline.load(study, db), replace_earlier=replace, document=output, stage=stage)
    for path in paths:
        print(path)
    if not quiet:
        print(f"Registered on {made.when}. Checksum: {made.content['checksum']}")
        print(f"Next: complete the parts marked TO ADD in {paths[1]}, and upload both files to a registry.")
