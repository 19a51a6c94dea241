"""Means, tests and pairs of systems as tables: one row holds what the valid and the published methods say of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from textassay.results import Table

if TYPE_CHECKING:
    from textassay.analysis.systems import SystemsOn

Row = tuple[object, ...]
PREFER = {
    "mixed model": "first choice",
    "cumulative link model": "where steps may be unequal or answers crowd at an end",
    "min F′": "beside older work; safe, but blunt",
    "one-way ANOVA (published)": "beside Belz & Kow (2010) only; not valid here",
}
"""Test → when to prefer it."""
_LARGEST = 700.0
"""Logarithms of odds above this are too large for a number."""
_INDEPENDENT = "first choice: each participant and item has one answer"


def means(parts: Sequence[SystemsOn], confidence: float) -> Table:
    """Mean and spread of the answers, and what the mixed model makes of them."""
    rows: list[Row] = []
    for part in parts:
        found = part.model.means
        estimated: Mapping[str, Row] = {} if found is None else {x.name: (x.estimate, *x.ci) for x in found.means}
        rows += [
            (part.criterion, x.by, x.n, x.mean, x.sd, *estimated.get(x.by, (None, None, None)))
            for x in part.published.means
        ]
    return Table(
        "means",
        "Means of the systems",
        ("Criterion", "System", "n", "Mean", "SD", "Estimate", "Low", "High"),
        tuple(rows),
        note="Mean and SD: of the answers as they are. Estimate: mean of the mixed model, all participants and items "
        f"equal, with its {confidence * 100:g} % interval, which holds for other participants and other items.",
    )


def tests(parts: Sequence[SystemsOn]) -> Table:
    """Every test that systems differ."""
    rows = tuple((part.criterion, *row) for part in parts for row in _tests(part))
    return Table(
        "tests",
        "Do the systems differ?",
        ("Criterion", "Test", "Statistic", "Value", "df 1", "df 2", "p", "When to prefer it"),
        rows,
        note="The mixed model has participants and items as random, by themselves and with each system; the cumulative "
        "link model has them too, and only the order of the answers. The one-way analysis takes all answers as "
        "independent, which they are not: its p is mostly too small.",
    )


def _tests(part: SystemsOn) -> Iterator[Row]:
    if part.model.model is not None:
        linear = part.model.model.test("system")
        yield _row("mixed model", "F", linear.f, *linear.df, linear.p)
    if part.ordinal.model is not None:
        ordered = part.ordinal.model.test("system")
        yield _row("cumulative link model", "χ²", ordered.chi2, ordered.df, None, ordered.p)
    for line in part.subjects_items.lines:
        if line.test == "min F′":
            yield _row(line.test, "F", line.f, *line.df, line.p)
    published = part.published.variance[0]
    row = _row("one-way ANOVA (published)", "F", published.f, *published.df, published.p)
    yield (*row[:-1], _INDEPENDENT) if part.independent else row


def _row(test: str, *figures: object) -> Row:
    return test, *figures, PREFER[test]


def pairs(parts: Sequence[SystemsOn], confidence: float) -> Table:
    """Every pair of systems, by each method."""
    rows = tuple(row for part in parts for row in _pairs(part))
    return Table(
        "pairs",
        "All pairs of systems",
        ("Criterion", "System", "Other system", "Difference", "Low", "High", "p", "Significant", "p ordinal",
         "p published"),
        rows,
        note="Difference: mean of System less that of Other system in the mixed model; p and intervals are Tukey's and "
        f"hold for all pairs together (intervals at {confidence * 100:g} %). p ordinal: cumulative link model, Holm's "
        "correction. p published: Tukey's HSD over single answers, which are not independent.",
    )  # fmt: skip


def _pairs(part: SystemsOn) -> Iterator[Row]:
    """In the order of the published pairs; without a model, their differences alone."""
    for published in part.published.pairs.pairs:
        names = published.first, published.second
        found = None if part.model.means is None else part.model.means.pairs.get(*names)
        ordinal = None if part.ordinal.pairs is None else part.ordinal.pairs.get(*names)
        row: Row = (published.difference, None, None, None, None)
        if found is not None:
            row = (found.difference, *found.ci, found.p, found.significant)
        yield part.criterion, *names, *row, None if ordinal is None else ordinal.p, published.p


def ordered(parts: Sequence[SystemsOn], confidence: float) -> Table | None:
    """Systems in the cumulative link model; nothing where there is none."""
    rows = tuple(row for part in parts for row in _ordered(part))
    if not rows:
        return None
    return Table(
        "ordinal",
        "Systems as ordered answers",
        ("Criterion", "System", "Compared with", "Log odds", "Low", "High", "Odds ratio", "z", "p"),
        rows,
        note="Cumulative link model: by how much the odds of a higher answer, at every step of the scale, differ from "
        f"those of the system compared with; {confidence * 100:g} % intervals and p of each system alone.",
    )


def _ordered(part: SystemsOn) -> Iterator[Row]:
    if part.ordinal.model is None:
        return
    found = {each.name.removeprefix("system[").removesuffix("]"): each for each in part.ordinal.model.coefficients}
    names = [mean.by for mean in part.published.means]
    first = next(name for name in names if name not in found)
    for name in (each for each in names if each in found):
        x = found[name]
        odds = math.exp(x.estimate) if x.estimate < _LARGEST else math.inf
        yield part.criterion, name, first, x.estimate, *x.ci, odds, x.z, x.p
