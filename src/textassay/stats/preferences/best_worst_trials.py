"""Best–worst trials, read and unfolded into choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError
from textassay.stats.labels import Column, coded
from textassay.stats.preferences.choice_sets import BoolArray, ChoiceSets, counted, distinct_rows
from textassay.stats.samples import FloatArray, IntArray, same_length


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
    systems, (members, top, bottom) = coded(("shown", flat), ("best", best), ("worst", worst))
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
