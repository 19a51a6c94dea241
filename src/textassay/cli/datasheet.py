"""`textassay datasheet`: the Human Evaluation Datasheet of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory
from textassay.cli.output import stage_line


def datasheet(
    study: StudyDirectory = HERE,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    db: Database = None,
    quiet: Quiet = False,
) -> None:
    """Fill in the Human Evaluation Datasheet (HEDS 3.0) as far as the study knows.

    Writes datasheet.md, a page, and datasheet.json, which the form at nlp-heds.github.io can load, and lists the
    questions that only the researcher can answer. Answers go into datasheet.yaml in the study directory.

    Args:
        study: The study directory; the current directory by default.
        output: Directory for the two files; by default that of the study.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Do not list the open questions.
    """
    from textassay.sharing.datasheet import write_datasheet  # noqa: PLC0415 -- only when called

    loaded = pipeline.load(study, db)
    with stage_line(quiet=quiet) as stage:
        sheet = pipeline.datasheet(loaded, stage=stage)
    for path in write_datasheet(sheet, output or loaded.directory):
        print(path)
    if quiet:
        return
    for alert in sheet.alerts:
        print(f"Note: {alert}")
    open_, asked = sheet.open(), list(sheet.asked())
    filled = sum(answer.source != "open" for *_, answer in asked)
    print(f"{filled} of {len(asked)} answers are filled in.")
    if open_:
        print("Only the researcher can say (write it into datasheet.yaml):")
    for question, criteria in open_:
        of = f" ({'; '.join(criteria)})" if any(criteria) else ""
        print(f"  {question.number:8}  {question.asks}{of}")
