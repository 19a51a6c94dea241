"""Orders as tables and figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textassay.analysis.system_means import means_figure
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from textassay.analysis.quasi_f import QuasiF
    from textassay.tasks.reordering.analysis import ConditionResults

_PREFIX = "tau with "


def tables(parts: Sequence[ConditionResults], tests: Mapping[str, QuasiF], confidence: float) -> tuple[Table, ...]:
    """All tables, one row per condition and whatever the table is about."""
    return taus(parts, confidence), changes(parts), *((condition_tests(tests),) if tests else ())


def condition_tests(tests: Mapping[str, QuasiF]) -> Table:
    """Whether conditions differ in what participants did."""
    rows = tuple((of, test.f, *test.df, test.p) for of, test in tests.items())
    note = "Quasi-F with participants and items as random: holds for other participants and other texts."
    return Table("condition-tests", "Do conditions differ?", ("Measure", "F", "df", "Error df", "p"), rows, note)


def taus(parts: Sequence[ConditionResults], confidence: float) -> Table:
    """Mean tau of each condition with each target."""
    rows = [
        (part.condition, result.of.removeprefix(_PREFIX), result.n, result.mean, result.sd, *result.ci)
        for part in parts
        for result in part.taus
        if not math.isnan(result.mean)
    ]
    return Table(
        "tau",
        "How far participants' orders agree with others",
        ("Condition", "Compared with", "Participants", "Mean tau", "SD", "Low", "High"),
        tuple(rows),
        note="Kendall's tau of orders: 1 the same, -1 the reverse. Means, SD and the "
        f"{confidence * 100:g} % intervals are over participants' own means. Those with other participants have no "
        "interval, because they depend on each other.",
    )


def changes(parts: Sequence[ConditionResults]) -> Table:
    """How much was done to the texts of each condition."""
    rows = [
        (
            part.condition,
            part.orders,
            part.participants,
            part.unchanged.mean,
            part.moves.mean,
            part.least.mean,
            part.seconds.mean,
        )
        for part in parts
    ]
    return Table(
        "changes",
        "What participants did",
        (
            "Condition",
            "Orders",
            "Participants",
            "Share left as it was",
            "Mean moves",
            "Mean of the fewest",
            "Mean seconds",
        ),
        tuple(rows),
        note="Means over participants' own means. A unit that is moved step by step, with no other in between, "
        "counts as one move; the fewest moves are those that the order given needs.",
    )


def figures(parts: Sequence[ConditionResults]) -> tuple[Figure, ...]:
    """Mean tau of the conditions with the order shown first."""
    figure = means_figure(
        "tau-with-start",
        "How far the order shown first was kept",
        "tau with the order shown first",
        [first for part in parts for first in part.taus[:1]],
        (-1, 1),
        "1: left as it was; -1: turned round. Intervals over participants' own means.",
    )
    return (figure,)
