"""Tables and figures of cohorts compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textassay.analysis.system_tables import slug
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from textassay.analysis.cohorts import CohortsOn

Row = tuple[object, ...]
_EFFECTS = {"system:cohort": "System × cohort", "cohort": "Cohort", "system": "System"}
"""In the order of the table: what is asked here comes first."""


def tables(parts: Sequence[CohortsOn], confidence: float) -> tuple[Table, ...]:
    """Whether cohorts differ, how they correlate, each by itself, and all means."""
    return _together(parts), _correlations(parts), _alone(parts), _means(parts, confidence)


def _together(parts: Sequence[CohortsOn]) -> Table:
    return Table(
        "cohort-tests",
        "Do the cohorts see the systems differently?",
        ("Criterion", "Effect", "F", "df 1", "df 2", "p", "p GG", "partial eta squared"),
        tuple(row for part in parts for row in _effects(part)),
        note="System × cohort asks whether the differences between systems are the same in all cohorts; Cohort, "
        "whether one of them judges higher throughout. Repeated measures over participants' means; p GG: with the "
        "degrees of freedom of Greenhouse and Geisser.",
    )


def _effects(part: CohortsOn) -> Iterator[Row]:
    if part.interaction is None:
        return
    for name, shown in _EFFECTS.items():
        effect = part.interaction[name]
        p_gg = effect.p_gg if effect.sphericity is not None else None
        yield part.criterion, shown, effect.f, effect.df, effect.error.df, effect.p, p_gg, effect.partial_eta2


def _correlations(parts: Sequence[CohortsOn]) -> Table:
    rows = [
        (part.criterion, *names, linear.n, linear.r, linear.p, ranks.r, ranks.p)
        for part in parts
        for names, (linear, ranks) in part.correlations.items()
    ]
    return Table(
        "cohort-correlations",
        "Means of systems in one cohort and in another",
        ("Criterion", "Cohort", "Other cohort", "n", "r", "p", "rho", "p of rho"),
        tuple(rows),
        note="r: Pearson's, rho: Spearman's correlation over the systems (n); p counts all orders where there are few.",
    )


def _alone(parts: Sequence[CohortsOn]) -> Table:
    rows: list[Row] = []
    for part in parts:
        for own in part.cohorts:
            found = own.test.effect if own.test is not None else None
            test: Row = (None,) * 4 if found is None else (found.f, found.df, found.error.df, found.p)
            rows.append((part.criterion, own.cohort, own.participants, *test, own.agreement.w))
    return Table(
        "cohort-systems",
        "Do the systems differ in each cohort?",
        ("Criterion", "Cohort", "Participants", "F", "df 1", "df 2", "p", "W"),
        tuple(rows),
        note="F by participants; W: Kendall's, between the participants of the cohort. That one cohort finds a "
        "difference and another none does not tell that they differ: System × cohort does.",
    )


def _means(parts: Sequence[CohortsOn], confidence: float) -> Table:
    rows = [
        (part.criterion, mean.by, own.cohort, mean.n, mean.mean, *mean.ci)
        for part in parts
        for place in range(len(part.cohorts[0].means))
        for own in part.cohorts
        for mean in own.means[place : place + 1]
    ]
    return Table(
        "cohort-means",
        "Means of the systems in each cohort",
        ("Criterion", "System", "Cohort", "Participants", "Mean", "Low", "High"),
        tuple(rows),
        note=f"Over participants' means, with {confidence * 100:g} % intervals.",
    )


def figures(parts: Sequence[CohortsOn]) -> tuple[Figure, ...]:
    """The means of systems in one cohort against those in the other, for each criterion and pair of cohorts."""
    return tuple(_figure(part, *names) for part in parts for names in part.correlations)


def _figure(part: CohortsOn, one: str, other: str) -> Figure:
    means = {own.cohort: {mean.by: mean.mean for mean in own.means if mean.n} for own in part.cohorts}
    linear = part.correlations[one, other][0]
    points = [
        {"label": system, "system": system, "x": x, "y": means[other][system]}
        for system, x in means[one].items()
        if system in means[other]
    ]
    data = {"x_label": one, "y_label": other, "points": points, "r": linear.r, "p": linear.p, "n": linear.n}
    return Figure(
        f"cohorts-{slug(f'{part.criterion} {one} {other}')}",
        f"Mean {part.criterion} of each system: {one} and {other}",
        "scatter",
        {**data, "coefficient": "pearson"},
    )
