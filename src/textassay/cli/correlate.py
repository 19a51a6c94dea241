"""`textassay correlate`: agreement of metrics with human judgements, for a study or for two tables."""

from __future__ import annotations

from pathlib import Path

from textassay import pipeline
from textassay.analysis.metric_correlations import metric_correlations
from textassay.cli.options import Format
from textassay.cli.output import show_analyses
from textassay.errors import UsageError
from textassay.tables.frames import read_frame, to_frame
from textassay.tables.schema import SCORES


def correlate(
    source: Path,
    scores: Path | None = None,
    *,
    reference_system: str | None = None,
    task: str | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Compare metrics with human judgements.

    Args:
        source: A study directory, or a table of answers: ratings, rankings, preferences, decisions, reading times …
        scores: A table of scores (`item, system, metric, value`); for a study, by default its own metrics.
        reference_system: The system whose texts are the references, for a table (a study names its own); results are
            shown with and without it.
        task: Which task's answers a table holds, where its columns fit several.
        format: How the result is printed.
    """
    if source.is_dir() or source.suffix in (".yaml", ".yml"):
        if reference_system is not None:
            raise UsageError(
                "a study names its reference system itself, in 'tables.reference_system' of the study file; change it "
                "there"
            )
        study = pipeline.load(source)
        if scores is None and not study.file.metrics:
            raise UsageError(f"{source} names no metrics; add them to the study file or give a table of scores")
        frame = read_frame(scores, SCORES) if scores else to_frame(pipeline.score(study).rows(), SCORES)
        data = pipeline.collect(study)
        found = list(pipeline.correlate(study, data, pipeline.screen(study, data), frame).values())
    elif scores is None:
        raise UsageError(f"{source} is a table of judgements; give a table of scores after it")
    else:
        judged = pipeline.judged_table(source, task=task)
        found = [metric_correlations(judged.judgements, read_frame(scores, SCORES), reference_system=reference_system)]
    show_analyses(found, format)
