"""`textassay replicate`: runs of one evaluation compared, the original and its replications."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import Format, named_number
from textassay.cli.output import show_analyses, write_tables
from textassay.errors import UsageError
from textassay.tables.frames import read_frame
from textassay.tables.reader import columns_of
from textassay.tasks.matching import matching_task

if TYPE_CHECKING:
    from textassay.analysis.evaluation_runs import EvaluationRun

_SCORES = {"system", "criterion", "score"}


def replicate(
    original: Path,
    *replications: Path,
    task: str | None = None,
    begins: Annotated[list[str] | None, Parameter(negative="")] = None,
    tables: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Compare an evaluation with its replication: how far they differ, and what was upheld (QRA++).

    Args:
        original: A study directory, a table of answers, or a table of published scores (system, criterion, score).
        replications: The same for each replication.
        task: Which task's answers a table holds, where its columns fit several.
        begins: Where the scale of a criterion begins, as CRITERION=VALUE, for CV*; a study knows it.
        tables: Folder into which all tables are also written as CSV.
        format: How the result is printed.
    """
    sources = [original, *replications]
    places = [source.resolve() for source in sources]
    twice = next((source for number, source in enumerate(sources) if places[number] in places[:number]), None)
    if twice is not None:
        raise UsageError(f"{twice} is there twice: a run is not its own replication")
    example = "clarity=1"
    starts = dict(named_number(text, "--begins", example) for text in begins or ())
    found = pipeline.replicate([_runs(source, task) for source in sources], starts)
    if tables is not None:
        write_tables([table for analysis in found for table in analysis.tables], tables)
    show_analyses(found, format)


def _runs(source: Path, task: str | None) -> list[EvaluationRun]:
    from textassay.analysis.evaluation_runs import answered_run, published_run  # noqa: PLC0415 -- pandas and scipy

    if source.is_dir() or source.suffix in (".yaml", ".yml"):
        study = pipeline.load(source)
        data = pipeline.collect(study)
        return pipeline.evaluation_runs(study, data, pipeline.screen(study, data))
    columns = columns_of(source)
    if set(columns) >= _SCORES:
        return [published_run(source)]
    kind = matching_task(columns, task, table=str(source))
    return [answered_run(source.stem, kind.judgements(read_frame(source, kind.schema)))]
