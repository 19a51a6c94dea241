"""How each evaluator uses the scale: some avoid its ends, some use little of it, some lean to one side."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.analysis.judgements import Judgements
from textassay.results import Record, Table
from textassay.stats.statistic import Statistic

_LEAST_SKEWED = 3
"""Skewness of fewer values is undefined."""


@dataclass(frozen=True)
class OfEvaluator:
    """One evaluator on one criterion."""

    participant: str
    n: int
    mean: float
    sd: float
    least: float
    most: float
    at_ends: float
    """Share of answers at one of the two ends of the scale."""
    skew: float
    """Above 0 where few answers are high and most low; nan for fewer than three answers, or equal ones."""
    excluded: bool


@dataclass(frozen=True, kw_only=True)
class ScaleUse(Statistic):
    """All evaluators on one criterion."""

    evaluators: tuple[OfEvaluator, ...]
    at_ends: float
    """Share of all answers at the ends."""
    never: int
    """Evaluators who have no answer at either end."""
    skew: float
    """Mean over evaluators."""

    def records(self) -> list[Record]:
        """The share at the ends, how many avoid them, and the mean skewness."""
        people = len(self.evaluators)
        answers = sum(each.n for each in self.evaluators)
        return [
            self.record("share of answers at the ends", self.at_ends, n=answers),
            self.record("evaluators who never use an end", self.never, n=people),
            self.record("mean skewness", self.skew, n=people),
        ]

    def in_words(self) -> str:
        """For a note."""
        return (
            f"{self.of}: {100 * self.at_ends:.0f} % of the answers are at an end, and {self.never} of "
            f"{len(self.evaluators)} never use one"
        )


def scale_use(
    judged: Judgements, criterion: str, scale: tuple[float, float], *, excluded: Collection[str] = ()
) -> ScaleUse:
    """End aversion, range and skewness of each evaluator's answers to one criterion.

    Args:
        judged: All answers.
        criterion: Its name.
        scale: Its ends.
        excluded: Evaluators to be marked; what is said of all leaves them out.
    """
    main = judged.of(criterion).main
    people = tuple(
        _evaluator(str(name), own["value"].to_numpy(dtype=float), scale, excluded)
        for name, own in main.groupby("participant", sort=True)
    )
    kept = tuple(each for each in people if not each.excluded)
    answers = sum(each.n for each in kept)
    skews = [each.skew for each in kept if not math.isnan(each.skew)]
    without = len(kept) - len(skews)
    few = f"fewer than {_LEAST_SKEWED} answers, or equal ones"
    why = f"the skewness of {without} of {len(kept)} evaluators is undefined: {few}"
    return ScaleUse(
        method="use of the scale",
        settings={"scale": f"{scale[0]:g} to {scale[1]:g}", "skewness": "G1, adjusted for n", "evaluators": len(kept)},
        warnings=(why,) if without else (),
        of=criterion,
        evaluators=people,
        at_ends=sum(each.at_ends * each.n for each in kept) / answers if answers else math.nan,
        never=sum(each.at_ends == 0 for each in kept),
        skew=float(np.mean(skews)) if skews else math.nan,
    )


def _evaluator(
    name: str, values: npt.NDArray[np.float64], scale: tuple[float, float], excluded: Collection[str]
) -> OfEvaluator:
    return OfEvaluator(
        participant=name,
        n=values.size,
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)) if values.size > 1 else math.nan,
        least=float(values.min()),
        most=float(values.max()),
        at_ends=float(np.mean((values == scale[0]) | (values == scale[1]))),
        skew=skewness(values),
        excluded=name in excluded,
    )


def skewness(values: npt.ArrayLike) -> float:
    """The adjusted Fisher–Pearson skewness G1 = n / ((n-1)(n-2)) Σ((x-x̄)/s)³.

    >>> round(skewness([1, 1, 1, 2, 5]), 4)  # e1071::skewness(x, type = 2)
    1.9245
    """
    x = np.asarray(values, dtype=float)
    n = x.size
    if n < _LEAST_SKEWED or np.all(x == x[0]):
        return math.nan
    z = (x - x.mean()) / x.std(ddof=1)
    return float(n / ((n - 1) * (n - 2)) * np.sum(z**3))


def scale_use_table(found: Sequence[ScaleUse]) -> Table:
    """One row an evaluator and criterion."""
    rows = [
        (use.of, x.participant, x.n, x.mean, x.sd, x.least, x.most, x.at_ends, x.skew, x.excluded)
        for use in found
        for x in use.evaluators
    ]
    measures = ("Answers", "Mean", "SD", "Least", "Most", "Share at the ends", "Skewness")
    columns = ("Criterion", "Participant", *measures, "Excluded")
    note = (
        "Least and Most: the outermost answers given. Skewness: above 0 where most answers are low, below 0 where most "
        f"are high. {'; '.join(use.in_words() for use in found)}."
    )
    return Table("scale-use", "How each participant uses the scale", columns, tuple(rows), note)
