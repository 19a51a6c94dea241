"""What was found of the pairs and of the sides, as tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textassay.analysis.system_tables import slug
from textassay.results import Figure, Table
from textassay.stats import MeanInterval
from textassay.tasks.preference.sign_test import SignTest


@dataclass(frozen=True)
class Compared:
    """One pair on one criterion; or, with the same systems, the two sides."""

    criterion: str
    first: str
    second: str
    answers: tuple[int, int, int]
    """For the first, for neither, for the second."""
    mean: MeanInterval
    """Over participants."""
    test: SignTest
    """Over participants."""

    @property
    def row(self) -> tuple[Any, ...]:
        """The tests, as tables show them."""
        test, mean = self.test, self.mean
        return mean.n, mean.mean, *mean.ci, test.below, test.ties, test.above, test.p, test.p_adjusted


def counts(pairs: Sequence[Compared]) -> Table:
    """Wins, ties and losses."""
    rows = [(each.criterion, each.first, each.second, *each.answers, sum(each.answers)) for each in pairs]
    return Table(
        "wins-ties-losses",
        "Which of the two was preferred",
        ("Criterion", "First", "Second", "For first", "For neither", "For second", "Answers"),
        tuple(rows),
        note="Numbers of answers.",
    )


def tests(pairs: Sequence[Compared], alpha: float, confidence: float) -> Table:
    """Mean preference and sign test of each pair."""
    rows = [(each.criterion, each.first, each.second, *each.row, bool(each.test.p_adjusted < alpha)) for each in pairs]
    return Table(
        "preference-tests",
        "Preference in each pair",
        ("Criterion", "First", "Second", *_columns("first", "second"), "p (Holm)", "Significant"),
        tuple(rows),
        note=f"Means above 0 prefer the second system, with {confidence * 100:g} % intervals. Each participant counts "
        "once, by the mean of the answers given. p: exact sign test of participants for the first against those for "
        "the second; corrected (Holm) for all pairs of a criterion.",
    )


def of_sides(sides: Sequence[Compared], confidence: float) -> Table:
    """Mean preference and sign test of right against left."""
    return Table(
        "sides",
        "Whether participants lean to one side",
        ("Criterion", *_columns("left", "right")),
        tuple((each.criterion, *each.row[:-1]) for each in sides),
        note="Means above 0 prefer the text on the right (the second one, on a narrow screen), with "
        f"{confidence * 100:g} % intervals. Sides are drawn for each trial: a lean shows here and cancels in pairs.",
    )


def means(criterion: str, pairs: Sequence[Compared], scale: tuple[float, float] | None, confidence: float) -> Figure:
    """Mean preference of each pair on one criterion."""
    found = [each.mean for each in pairs]
    low, high = scale or (None, None)
    return Figure(
        name=f"preferences-{slug(criterion)}",
        title=f"Mean preference on {criterion} in each pair",
        kind="means",
        data={
            "criterion": criterion,
            "scale_from": low,
            "scale_to": high,
            "groups": [
                {"system": mean.by, "mean": mean.mean, "low": mean.ci[0], "high": mean.ci[1], "n": mean.n}
                for mean in found
            ],
        },
        note=f"Below 0 the system named first is preferred, above 0 the second. {confidence * 100:g} % intervals over "
        "participants.",
    )


def _columns(first: str, second: str) -> tuple[str, ...]:
    return "Participants", "Mean", "Low", "High", f"For {first}", "For neither", f"For {second}", "p"
