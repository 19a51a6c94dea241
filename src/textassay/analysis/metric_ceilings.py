"""What people themselves reach, beside metrics: each rater, and the metric, against the mean of the other raters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from textassay.analysis.wording import list_some
from textassay.meta.alignment import ScoreGrid
from textassay.meta.like_with_like import leave_one_out
from textassay.results import Record, Table, table_of_records


def leave_one_out_tables(grids: Sequence[ScoreGrid]) -> list[Table]:
    """One row per metric and criterion: how close a rater is to the mean of the others, and how close the metric is."""
    records: list[Record] = []
    for grid in grids:
        for metric in grid.metrics:
            alone = grid.reference is not None and metric in grid.comparing
            found = leave_one_out(grid.without(str(grid.reference)) if alone else grid, metric)
            if found.raters:
                records.append(
                    {
                        "metric": metric, "criterion": grid.criterion, "people_r": found.people,
                        "metric_r": found.metric, "raters": found.raters, "raters_no_closer": found.behind,
                    }
                )  # fmt: skip
    if not records:
        return []
    note = (
        "Each rater in turn against the mean of the other raters, over the texts that this rater and others judged: "
        "the rater's own correlation (people r) and that of the metric (metric r), means over raters. raters "
        "no closer: those whose correlation is no higher than the metric's. Pearson's r over all texts."
    )
    title = "Metrics in the place of a rater"
    return [replace(table_of_records(records, name="leave-one-out", title=title, note=note), detail=True)]


def ceiling_notes(grids: Sequence[ScoreGrid]) -> list[str]:
    """The criteria for which each text has one rater, so that nothing is known of how far people agree."""
    alone = [grid.criterion for grid in grids if grid.rated.values.size and not _several(grid)]
    if not alone:
        return []
    about = "" if len(alone) == len(grids) else f"{list_some(alone)}: "
    return [f"{about}each text was judged by one person, so that nothing is known of what people themselves reach"]


def _several(grid: ScoreGrid) -> bool:
    """Whether a text was judged by two raters or more."""
    return len(np.unique(grid.rated.item * len(grid.systems) + grid.rated.system)) < grid.rated.values.size
