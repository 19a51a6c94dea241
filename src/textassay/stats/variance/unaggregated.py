"""A warning for tests that take rows as independent although several come from one subject."""

from __future__ import annotations

from typing import Any

import numpy as np

from textassay.stats.labels import Column
from textassay.stats.samples import IntArray, coded


def unaggregated(
    subjects: Column | None, conditions: Column | None = None, *, test: str, of: str = "values"
) -> tuple[str, ...]:
    """A warning that names the design where a subject has several rows; nothing where each has one.

    Rows of one subject resemble each other. A test that takes them as independent counts the same person several
    times: its degrees of freedom are too many and its p is too small.

    >>> unaggregated(["s1", "s2", "s3"], test="a t test")
    ()
    >>> print(unaggregated(["s1", "s1", "s2", "s2"], list("abab"), test="this F")[0])
    unaggregated repeated measures: 2 subjects gave 4 values, 2 each, the conditions within subjects. this F takes \
them as 4 independent ones, and its p is too small: average to one value for each subject and condition and use \
rm_anova (with items: by_subjects_items), or use mixed_model

    Args:
        subjects: One label a row; None where it is not known, which warns of nothing.
        conditions: One label a row: what the test compares.
        test: How the sentence calls the test.
        of: What the rows are: `values` or `pairs`.
    """
    if subjects is None:
        return ()
    rows, names = coded(subjects, "subjects")
    if len(names) == rows.size:
        return ()
    counts = np.bincount(rows)
    each = f"{counts[0]}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    design, remedy = _design(rows, conditions)
    warning = (
        f"unaggregated repeated measures: {len(names)} subjects gave {rows.size} {of}, {each} each{design}. "
        f"{test} takes them as {rows.size} independent ones, and its p is too small: {remedy}, or use mixed_model"
    )
    return (warning,)


def _design(rows: IntArray, conditions: Any) -> tuple[str, str]:
    single = "average to one value for each subject first"
    if conditions is None:
        return "", f"{single} (with items: by_subjects_items)"
    codes, labels = coded(conditions, "conditions")
    cells = np.unique(rows * len(labels) + codes).size
    if cells == np.unique(rows).size:
        return ", the conditions between subjects", single
    both = "average to one value for each subject and condition and use rm_anova (with items: by_subjects_items)"
    return ", the conditions within subjects", both
