"""`textassay analyse`: the statistics of the answers, for a study or a table; or two versions compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.columns import trial_time
from textassay.cli.options import Database, Format, refuse_for_several
from textassay.cli.output import show_analyses, stage_line, write_tables
from textassay.errors import UsageError
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.tables.frames import read_frame
from textassay.tables.reader import columns_of
from textassay.tasks.matching import matching_task, missing_columns

if TYPE_CHECKING:
    from textassay.analysis.evaluation_summary import EvaluationSummary


def analyse(  # noqa: PLR0913 -- one parameter per flag
    source: Path,
    other: Path | None = None,
    *,
    task: str | None = None,
    everyone: Annotated[bool, Parameter(negative="")] = False,
    alpha: float | None = None,
    confidence: float | None = None,
    tables: Path | None = None,
    db: Database = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Run the statistics of the answers; with two sources, compare two versions of one evaluation.

    Args:
        source: A study directory, or a table of answers.
        other: Another version of the evaluation, such as preferences instead of ratings; which separates systems?
        task: Which task's answers a table holds, where its columns fit several.
        everyone: Also include participants whom screening excludes.
        alpha: Level of significance, for a table (.05 if not given); a study sets its own.
        confidence: Level of confidence intervals, for a table (.95 if not given); a study sets its own.
        tables: Folder into which all tables are also written as CSV, in full; the terminal shows
            letters instead of the pairs of many systems.
        db: Address of the database with the answers, if it is not where the study says.
        format: How the result is printed.
    """
    given = {"alpha": alpha, "confidence": confidence}
    options = _options({name: value for name, value in given.items() if value is not None})
    sources = [source] if other is None else [source, other]
    if options.model_fields_set and any(map(_is_study, sources)):
        raise UsageError(
            "a study sets its own alpha and confidence, under 'analysis' in the study file; change them there"
        )
    refuse_for_several(db, sum(map(_is_study, sources)))
    if task is not None and any(map(_is_study, sources)):
        raise UsageError("a study names the task of each block; --task is for tables")
    if other is None:
        found = _analyses(source, options, task, everyone=everyone, db=db)
    else:
        one, two = (_summaries(each, options, task, everyone=everyone, db=db) for each in sources)
        found = pipeline.compare(one, _with_distinct_names(one, two))
    if tables is not None:
        write_tables([table for analysis in found for table in analysis.tables], tables)
    show_analyses([_readable(analysis, tables) for analysis in found] if format == "text" else found, format)


def _readable(analysis: Analysis, folder: Path | None) -> Analysis:
    """The analysis for a terminal: letters instead of all pairs of many systems, and no table of hundreds of rows."""
    from textassay.analysis.letters import with_letters, without_long_tables  # noqa: PLC0415 -- only to show

    where = "--tables FOLDER writes all tables in full." if folder is None else f"They are in {folder}."
    return without_long_tables(with_letters(analysis, ""), where)


def _is_study(source: Path) -> bool:
    return source.is_dir() or source.suffix in (".yaml", ".yml")


def _options(given: dict[str, float]) -> AnalysisOptions:
    for name, value in given.items():
        if not 0 < value < 1:
            raise UsageError(f"--{name} must lie between 0 and 1, got {value:g}")
    return AnalysisOptions.model_validate(given)


def _analyses(
    source: Path, options: AnalysisOptions, task: str | None, *, everyone: bool, db: str | None
) -> list[Analysis]:
    if not _is_study(source):
        return pipeline.analyse_table(source, task=task, options=options)
    study = pipeline.load(source, db)
    data = pipeline.collect(study)
    with stage_line() as stage:
        findings = pipeline.analyse(study, data, [] if everyone else pipeline.screen(study, data), stage=stage)
    return [analysis for analyses in findings.values() for analysis in analyses]


def _summaries(
    source: Path, options: AnalysisOptions, task: str | None, *, everyone: bool, db: str | None
) -> list[EvaluationSummary]:
    if _is_study(source):
        study = pipeline.load(source, db)
        data = pipeline.collect(study)
        return pipeline.evaluation_summaries(study, data, [] if everyone else pipeline.screen(study, data))
    from textassay.analysis.evaluation_summary import summarise_evaluation  # noqa: PLC0415 -- only to compare

    columns = columns_of(source)
    # Two tables may be of different kinds: the name is for the one that it fits.
    named = task if task is not None and not missing_columns(task, columns) else None
    kind = matching_task(columns, named, table=str(source))
    table = read_frame(source, kind.schema)
    found = kind.analyse_table(table, options)
    return [summarise_evaluation(source.stem, found, kind.judgements(table), table, trial_time(kind.schema))]


def _with_distinct_names(one: list[EvaluationSummary], other: list[EvaluationSummary]) -> list[EvaluationSummary]:
    """The second source's versions under names that the first source does not have."""
    taken = {version.name for version in one}
    return [replace(each, name=f"{each.name} (second)") if each.name in taken else each for each in other]
