"""`textassay score`: automatic metrics for a study, a table, or plain files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay.cli.options import Format
from textassay.cli.output import show_records, show_tables
from textassay.cli.progress import progress_bar
from textassay.cli.sources import Texts, from_lines, from_study, from_tables, metrics_named
from textassay.errors import UsageError
from textassay.metrics import ScoreTable, score_table
from textassay.results import Table
from textassay.tables.schema import SCORES
from textassay.tables.writer import write_table

Several = Parameter(consume_multiple=True, negative="")


def score(  # noqa: PLR0913 -- a flag each
    source: Path | None = None,
    *,
    input: Annotated[list[Path] | None, Parameter(name=["--input", "-i"]), Several] = None,  # noqa: A002 -- the flag's name
    reference: Annotated[list[Path] | None, Parameter(name=["--reference", "-r"]), Several] = None,
    references: Path | None = None,
    metrics: Annotated[list[str] | None, Parameter(name=["--metrics", "-m"]), Several] = None,
    segments: Annotated[bool, Parameter(negative="")] = False,
    to: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Score texts with automatic metrics.

    Args:
        source: A study directory, or a table `item, system, text`.
        input: Plain files instead, one a system, a text a line.
        reference: Plain files with references, aligned with the input.
        references: A table `item, text` with references, for a table of texts.
        metrics: Which metrics; a study names its own.
        segments: Show every text's score, not only those of whole systems.
        to: Write all scores to this table (.csv, .tsv, .jsonl).
        format: How the result is printed.
    """
    found = _texts(source, input, reference, references)
    chosen = metrics_named(metrics) if metrics else found.metrics
    if not chosen:
        raise UsageError("no metric named; say which with -m, for example -m rouge-l")
    with progress_bar("texts") as progress:
        scored = score_table(chosen, found.items, found.systems, found.texts, found.references, progress=progress)
    if to is not None:
        write_table(to, [column.name for column in SCORES.columns], scored.rows())
    if format == "json":
        show_records(scored.rows() if segments else scored.records())
    else:
        show_tables([_table(scored, segments=segments)], format)


def _texts(
    source: Path | None, inputs: list[Path] | None, reference: list[Path] | None, references: Path | None
) -> Texts:
    if (source is None) == (inputs is None):
        raise UsageError("give either a study or a table of texts, or plain files with -i and -r")
    if inputs is not None:
        return from_lines(inputs, reference or [])
    if source is None or source.is_dir() or source.suffix in (".yaml", ".yml"):
        return from_study(source or Path())
    return from_tables(source, references)


def _table(scored: ScoreTable, *, segments: bool) -> Table:
    """One row a system (or a text), one column a metric."""
    names = list(scored.scores)
    values: dict[tuple[str, str], dict[str, float]] = {}
    for row in scored.rows():
        if bool(row["item"]) == segments:
            values.setdefault((row["item"], row["system"]), {})[row["metric"]] = row["value"]
    head = ("item", "system") if segments else ("system",)
    rows = tuple((*key[-len(head) :], *(found.get(name) for name in names)) for key, found in values.items())
    signatures = [next(iter(scored.scores[name].values())).signature for name in names]
    return Table("scores", "Scores", (*head, *names), rows, "\n".join(signatures))
