"""What people say of texts, from a block of a study or from a table of any task's answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from textassay.analysis.metric_comparison import comparing
from textassay.analysis.metric_correlations import MetricOptions
from textassay.analysis.metric_details import metric_details
from textassay.analysis.metric_overview import metric_overview
from textassay.meta.judged_texts import JudgedTexts, cells_of
from textassay.tables.frames import read_frame
from textassay.tables.reader import columns_of

if TYPE_CHECKING:
    from textassay.study.study import Block, Study


def judged_block(study: Study, block: Block, table: pd.DataFrame) -> JudgedTexts:
    """The answers to a block as judgements, with the texts that participants read and the columns of their table.

    Args:
        study: The study.
        block: One of its blocks.
        table: The answers to it that count.
    """
    rows = study.text_rows
    columns = dict.fromkeys(name for own in rows.values() for row in own[:1] for name in row.values)
    where = study.directory.resolve().name
    return JudgedTexts(
        f"{where}, {block.name}" if len(study.blocks) > 1 else where,
        block.task.block_judgements(table),
        block.task.error_criteria,
        {key: text for key, text in study.texts.items() if block.task.shows_text(key[1])},
        {
            name: {key: str(own[0][name]) for key, own in rows.items() if own[0].get(name) is not None}
            for name in columns
        },
    )


def judged_table(source: Path, *, task: str | None = None) -> JudgedTexts:
    """A table of answers that belongs to no study, as judgements.

    Args:
        source: The file: answers of any task.
        task: Which task's answers it holds, where its columns fit several.

    Raises:
        UsageError: it is not clear which task's answers it holds.
        TableError: the file is not such a table.
    """
    from textassay.tasks.matching import matching_task  # noqa: PLC0415 -- tasks use the recipes of this package

    kind = matching_task(columns_of(source), task, table=str(source))
    judged = kind.judgements(read_frame(source, kind.schema))
    return JudgedTexts(source.stem, judged, kind.error_criteria, cells_of(judged, "text"))


def reported_metric_options() -> MetricOptions:
    """What a report shows of metrics and people."""
    parts = (metric_overview, comparing(), metric_details)
    return MetricOptions(parts=parts)


def study_metric_options(study: Study, judged: JudgedTexts, options: MetricOptions | None = None) -> MetricOptions:
    """The options with what the study itself says: its reference, its levels, and which criteria count errors."""
    options = options or MetricOptions()
    alignment = replace(
        options.correlation.alignment,
        reference_system=study.file.tables.reference_system,
        error_criteria=judged.error_criteria,
    )
    intervals = options.correlation.intervals
    correlation = replace(
        options.correlation,
        alignment=alignment,
        alpha=study.file.analysis.alpha,
        intervals=replace(intervals, confidence=study.file.analysis.confidence) if intervals else None,
    )
    return replace(options, correlation=correlation)
