"""`textassay analyse`: the statistics of the answers, for a study or a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import catalogue, pipeline
from textassay.cli.options import Format
from textassay.cli.output import show_analyses
from textassay.errors import UsageError
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.tables.frames import read_frame
from textassay.tables.reader import columns_of


def analyse(
    source: Path,
    *,
    everyone: Annotated[bool, Parameter(negative="")] = False,
    alpha: float | None = None,
    confidence: float | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Run the statistics of the answers.

    Args:
        source: A study directory, or a table of judgements.
        everyone: Also count those whom the screening leaves out.
        alpha: Level of significance, for a table (.05 if not given); a study says its own.
        confidence: Level of confidence intervals, for a table (.95 if not given); a study says its own.
        format: How the result is printed.
    """
    if not (source.is_dir() or source.suffix in (".yaml", ".yml")):
        given = {"alpha": alpha, "confidence": confidence}
        options = {name: value for name, value in given.items() if value is not None}
        show_analyses(_of_table(source, _options(options)), format)
        return
    if alpha is not None or confidence is not None:
        raise UsageError(
            "a study says its own alpha and confidence, under 'analysis' in the study file; set them there"
        )
    study = pipeline.load(source)
    data = pipeline.collect(study)
    findings = pipeline.analyse(study, data, [] if everyone else pipeline.screen(study, data))
    show_analyses([analysis for analyses in findings.values() for analysis in analyses], format)


def _options(given: dict[str, float]) -> AnalysisOptions:
    for name, value in given.items():
        if not 0 < value < 1:
            raise UsageError(f"--{name} must lie between 0 and 1, got {value:g}")
    return AnalysisOptions(**given)


def _of_table(path: Path, options: AnalysisOptions) -> list[Analysis]:
    """A table is analysed by the task whose answers have its columns."""
    columns = set(columns_of(path))
    for name in catalogue.names("task"):
        task = catalogue.find("task", name)()
        if {column.name for column in task.schema.columns if column.required} <= columns:
            return list(task.analyse_table(read_frame(path, task.schema), options))
    known = "; ".join(
        f"{name}: {', '.join(column.name for column in catalogue.find('task', name).schema.columns if column.required)}"
        for name in catalogue.names("task")
    )
    raise UsageError(f"{path} has not the columns of any task's answers ({known}); seen: {', '.join(sorted(columns))}")
