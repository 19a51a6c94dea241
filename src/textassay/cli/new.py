"""`textassay new`: copy a ready study into a new directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline, ready_studies
from textassay.cli.completing import template_names
from textassay.cli.output import show_tables
from textassay.results import Table


def new(
    directory: Path | None = None,
    *,
    template: Annotated[str, Parameter(name=["--template", "-t"], completer=template_names)] = "rating-scale",
) -> None:
    """Copy a ready study into a new directory; without a directory, list the ready studies.

    Args:
        directory: The directory to create.
        template: The study to copy.
    """
    if directory is None:
        show_tables([templates()], "text")
        return
    ready_studies.copy(template, directory)
    print(f"Created {directory} from {template!r}. Edit {directory / 'study.yaml'}, then:")
    print(f"  textassay check {directory}")
    print(f"  textassay serve {directory}")


def templates() -> Table:
    """The ready studies, each with one line about it and the size of its design."""
    rows = []
    for name, about in ready_studies.ABOUT.items():
        study = pipeline.load(ready_studies.folder(name))
        people = sum(cohort.wanted for cohort in study.cohorts)
        rows.append((name, about, len(study.items_in_order), len(study.systems), people))
    columns = ("template", "about", "items", "systems", "participants")
    note = "Copy one into a new directory: textassay new my-study --template NAME"
    return Table("templates", "Ready studies", columns, tuple(rows), note)
