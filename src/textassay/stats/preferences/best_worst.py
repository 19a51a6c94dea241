"""Best–worst scaling: systems on one scale by which of several shown is the best and which the worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.preferences.abilities import CENTRED, Abilities
from textassay.stats.preferences.choice_scale import (
    BoolArray,
    ChoiceSets,
    JudgementCounts,
    counted,
    distinct_rows,
    fit_choices,
)
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, MAXDIFF
from textassay.stats.samples import Column, FloatArray, IntArray, check_share, code_labels, same_length


@dataclass(frozen=True)
class Trials:
    """Which systems were shown together, and which was chosen as best and as worst."""

    systems: tuple[str, ...]
    shown: BoolArray
    """Shape (trials, systems)."""
    best: IntArray
    worst: IntArray

    def above(self) -> FloatArray:
        """How often the row's system was placed above the column's: best above all others, all above worst."""
        k = len(self.systems)
        wins = np.zeros((k, k))
        rest = self.shown.astype(float)
        rest[np.arange(len(rest)), self.best] = 0
        for system in range(k):
            wins[system] += rest[self.best == system].sum(axis=0)
        rest[np.arange(len(rest)), self.worst] = 0
        for system in range(k):
            wins[:, system] += rest[self.worst == system].sum(axis=0)
        return wins


def read_trials(shown: Sequence[Column], best: Column, worst: Column) -> Trials:
    """Trials, checked.

    Raises:
        DataError: unequal lengths, a missing label, a system shown twice, or a choice of what was not shown.
    """
    same_length(("shown", shown), ("best", best), ("worst", worst))
    sizes = np.array([len(trial) for trial in shown], dtype=np.intp)
    flat = [system for trial in shown for system in trial]
    systems, (members, top, bottom) = code_labels(("shown", flat), ("best", best), ("worst", worst))
    n = len(sizes)
    trial = np.repeat(np.arange(n), sizes)
    times = np.zeros((n, len(systems)), dtype=np.intp)
    np.add.at(times, (trial, members), 1)
    rows = np.arange(n)
    _refuse(times.max(axis=1, initial=0) > 1, "shows a system twice; each trial needs different systems")
    _refuse(sizes < 2, "shows fewer than two systems; leave it out")
    _refuse(times[rows, top] == 0, "has as best a system that it does not show")
    _refuse(times[rows, bottom] == 0, "has as worst a system that it does not show")
    _refuse(top == bottom, "has one system as best and as worst")
    return Trials(systems, times > 0, top, bottom)


def _refuse(wrong: BoolArray, why: str) -> None:
    if np.any(wrong):
        at = np.flatnonzero(wrong)
        raise DataError(f"the trial at index {at[0]} {why} ({at.size} such trial(s) of {wrong.size})")


def sequential_choices(data: Trials) -> ChoiceSets:
    """Best of all by e^θ, then worst of the rest by e^-θ; the alternatives are the systems as best, then as worst."""
    k, n = len(data.systems), len(data.best)
    ability = np.eye(k)[:, 1:]
    rest = data.shown.copy()
    rest[np.arange(n), data.best] = False
    second = rest.sum(axis=1) > 1  # with one left there is nothing to choose
    none = np.zeros_like(data.shown)
    allowed = np.concatenate([np.hstack([data.shown, none]), np.hstack([none, rest])[second]])
    sets, place = distinct_rows(allowed)
    chosen = np.concatenate([data.best, k + data.worst[second]])
    return counted(np.concatenate([ability, -ability]), sets, place, chosen)


def maxdiff_choices(data: Trials) -> ChoiceSets:
    """The pair of best and worst by e^(θ of the best - θ of the worst); the alternatives are all ordered pairs."""
    k = len(data.systems)
    one, other = np.nonzero(~np.eye(k, dtype=bool))
    ability = np.eye(k)[:, 1:]
    sets, place = distinct_rows(data.shown)
    row_of = np.zeros((k, k), dtype=np.intp)
    row_of[one, other] = np.arange(one.size)
    return counted(ability[one] - ability[other], sets[:, one] & sets[:, other], place, row_of[data.best, data.worst])


BestWorstModel = Literal["sequential", "maxdiff"]
"""`sequential`: the best is chosen, then the worst of the rest; `maxdiff`: both at once, as the pair furthest apart."""


@dataclass(frozen=True, kw_only=True)
class BestWorst(Abilities):
    """Systems on one scale by best–worst trials, with the plain counts."""

    shown: tuple[int, ...]
    """How often each system was shown, in the order of `systems`."""
    best: tuple[int, ...]
    worst: tuple[int, ...]

    @property
    def scores(self) -> tuple[float, ...]:
        """(best - worst) / shown, from -1 to 1."""
        return tuple((b - w) / s for b, w, s in zip(self.best, self.worst, self.shown, strict=True))

    def records(self) -> list[Record]:
        """Those of the abilities, then the score of each system by counting."""
        rows = zip(self.systems, self.scores, self.best, self.worst, self.shown, strict=True)
        counts = [
            self.record("best–worst score", score, n=shown, system=system, best=best, worst=worst)
            for system, score, best, worst, shown in rows
        ]
        return [*super().records(), *counts]


def best_worst(
    shown: Sequence[Column],
    best: Column,
    worst: Column,
    *,
    model: BestWorstModel = "sequential",
    confidence: float = 0.95,
) -> BestWorst:
    """Abilities of systems from trials that show several and ask for the best and the worst.

    Purpose: put systems on one scale when each trial shows several texts and asks for the best and the worst of them.

    Counting: score = (times best - times worst) / times shown (Louviere & Woodworth 1990). Sequential logit: P(best i)
    = e^θᵢ / Σ e^θ over those shown, then P(worst j) = e^-θⱼ / Σ e^-θ over the rest. Maxdiff: P(best i, worst j) =
    e^(θᵢ - θⱼ) / Σ e^(θ - θ') over all ordered pairs shown (Marley & Louviere 2005). Estimates, tests and intervals as
    in `plackett_luce`; a pair's probability is that of the first being best in a trial of the two.

    R: `survival::clogit(chosen ~ ability1 + ability2 + strata(choice))`, on one row for each possible choice.

    Example:
        >>> result = best_worst([["a", "b", "c"]] * 4, ["a", "a", "b", "c"], ["c", "b", "c", "a"])
        >>> result.systems, [round(score, 4) for score in result.scores]  # a: best twice, worst once, shown four times
        (('a', 'b', 'c'), [0.25, 0.0, -0.25])

    Args:
        shown: For each trial the systems that it shows.
        best: For each trial the one chosen as best.
        worst: For each trial the one chosen as worst.
        model: How the two choices hang together.
        confidence: Of all intervals.

    Raises:
        DataError: unequal lengths, a missing label, a system shown twice, or a choice of what was not shown.
        UsageError: an unknown or impossible setting.
    """
    check_share("confidence", confidence)
    check_choice("model", model, _MODELS)
    unfold, family, name = _MODELS[model]
    data = read_trials(shown, best, worst)
    judged = _judged(data, confidence)
    scale, reason = fit_choices(unfold(data), judged, family, ())
    k = len(data.systems)
    return BestWorst(
        method=name,
        settings={"model": model, "abilities": CENTRED, "confidence": confidence, "systems": k, "n": judged.n},
        warnings=(reason,) if reason else (),
        shown=tuple(data.shown.sum(axis=0).tolist()),
        best=tuple(np.bincount(data.best, minlength=k).tolist()),
        worst=tuple(np.bincount(data.worst, minlength=k).tolist()),
        **scale.fields(),
    )


_MODELS = {
    "sequential": (sequential_choices, BRADLEY_TERRY, "sequential best–worst logit"),
    "maxdiff": (maxdiff_choices, MAXDIFF, "maxdiff best–worst logit"),
}


def _judged(data: Trials, confidence: float) -> JudgementCounts:
    above = data.above()
    sizes = data.shown.sum(axis=0).astype(float)
    return JudgementCounts(data.systems, above, np.zeros_like(above), sizes, len(data.best), confidence)
