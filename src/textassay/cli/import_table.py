"""`textassay import`: tables collected elsewhere, and scores computed elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.import_checks import screening_gaps
from textassay.answers.imports import import_table as import_into_study
from textassay.answers.imports import imported_tables
from textassay.answers.score_imports import holds_scores, import_scores
from textassay.cli.options import Database, StudyDirectory
from textassay.errors import UsageError


def import_table(
    study: StudyDirectory,
    *tables: Path,
    replace: Annotated[bool, Parameter(negative="")] = False,
    scores: Annotated[bool, Parameter(negative="")] = False,
    lower_is_better: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    db: Database = None,
) -> None:
    """Import tables of answers or participants that were collected elsewhere, or scores of texts.

    Args:
        study: The study directory.
        tables: Files named after their table, such as judgements.csv and participants.csv; scores.csv, or any table
            `item, system, metric, value`, has scores of metrics or judges.
        replace: Overwrite a table that was imported earlier, or scores of the same metrics.
        scores: The tables hold scores: `item, system, metric, value`, or one column per metric.
        lower_is_better: A metric among the scores of which lower values are better; may be given several times.
        db: Address of the database with the answers, if it is not where the study says.
    """
    if not tables:
        raise UsageError("no table given; name one or more files, such as judgements.csv")
    loaded = pipeline.load(study, db)
    of_texts = [path for path in tables if scores or holds_scores(path)]
    if lower_is_better and not of_texts:
        raise UsageError("--lower-is-better is about scores, and no table of scores is given")
    for path in tables:
        if path not in of_texts:
            print(import_into_study(loaded, path, replace=replace))
            continue
        found = import_scores(loaded, path, lower=lower_is_better, replace_earlier=replace)
        print(found)
        for metric in found.assumed:
            remedy = f"if not, import again with --replace --lower-is-better {metric}"
            print(f"Note: higher is taken to be better of {metric}; {remedy}.", file=sys.stderr)
    for gap in screening_gaps(loaded, imported_tables(loaded)):
        print(f"Note: {gap}.", file=sys.stderr)
