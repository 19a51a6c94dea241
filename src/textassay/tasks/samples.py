"""Samples for power: all participants' answers to all trials of a study, drawn at once by effects that can be set.

A simulated participant of a task answers page by page, as a person would, by effects that the study's seed fixes. A
sample takes a table of such answers for what it says about the trials (who saw what) and replaces the answers: by those
of other people, about other items, with the effect that is asked for. Hundreds can be drawn in a second.

Everything that varies is drawn again for each sample: people, items, texts (an item as one system wrote it), how people
like single systems, and the residual. Systems are equally spaced from the worst to the best, in a random order.

What varies how much can be estimated from the answers to a pilot study; effects that people can picture (a share of
wins, a difference of two shares) are turned into the scale of a model.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import unknown
from textassay.seeds import Stream
from textassay.stats import mixed_model
from textassay.tasks.contract import SettingsT, Task

if TYPE_CHECKING:
    import pandas as pd


EFFECT = "effect"
"""The first assumption of every sample: how far the best and the worst system lie apart."""
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Assumption:
    """One number that a sample rests on."""

    name: str
    value: float
    """Taken where nothing else is said."""
    unit: str
    meaning: str
    least: float = 0.0
    most: float = math.inf
    null: float | None = None
    """Of an effect: the value with which all systems are alike."""

    def checked(self, value: float) -> float:
        """The value, if it can be assumed.

        Raises:
            UsageError: it lies outside what is possible.
        """
        if not self.least <= value <= self.most or not math.isfinite(value):
            most = f" to {self.most:g}" if math.isfinite(self.most) else " or more"
            raise UsageError(f"{self.name} is {value:g}; it must be {self.least:g}{most} ({self.unit})")
        return value


class Sample(ABC, Generic[SettingsT]):
    """Redraws the answers in a table under the assumptions."""

    def __init__(self, task: Task[SettingsT], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        self.task = task
        self.settings = task.settings
        self.table = table
        self.assumed = assumed

    @classmethod
    @abstractmethod
    def assumptions(cls, task: Task[SettingsT]) -> Sequence[Assumption]:
        """What can be assumed about answers to this block; the effect first."""

    @classmethod
    def pilot_assumptions(cls, task: Task[SettingsT], table: pd.DataFrame) -> Mapping[str, float]:
        """Assumptions taken from answers to a pilot study; override it where the task has a model for that.

        Raises:
            UsageError: they cannot be taken from a table.
            DataError: the table does not tell them.
        """
        del table
        raise UsageError(
            f"what varies how much cannot be taken from answers to the task {task.name!r}; "
            "say it with --assume name=value"
        )

    @abstractmethod
    def draw(self, stream: Stream) -> Mapping[str, npt.NDArray[Any]]:
        """The columns that hold the answers, for the rows of the table as they are."""

    def places(self, stream: Stream) -> Floats:
        """The systems in the order of the study: evenly from -1/2 (the worst) to 1/2 (the best), in a drawn order."""
        count = len(self.task.study.systems)
        return np.linspace(-0.5, 0.5, count)[stream.child("systems").permutation(count)]

    def system_codes(self, column: str) -> Ints:
        """The number of the system that each row names in this column."""
        number = {system: place for place, system in enumerate(self.task.study.systems)}
        return np.array([number[system] for system in self.table[column]], dtype=np.int64)


def resolve_assumptions(assumptions: Sequence[Assumption], given: Mapping[str, float]) -> dict[str, float]:
    """The value of each assumption: the one given, or else its own.

    Raises:
        UsageError: a name is unknown, or a value is impossible.
    """
    known = {each.name: each for each in assumptions}
    for name in given:
        if name not in known:
            raise UsageError(unknown("assumption", name, known))
    return {name: each.checked(given.get(name, each.value)) for name, each in known.items()}


class CrossedFactors:
    """The factors that the rows of a table are crossed by, and random effects of their levels.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"item": ["i", "j", "i"], "system": ["A", "A", "B"]})
    >>> rows = CrossedFactors(table, text=["item", "system"])
    >>> rows.levels["text"].tolist()
    [0, 1, 2]
    """

    def __init__(self, table: pd.DataFrame, **factors: Sequence[str]) -> None:
        self.rows = len(table)
        self.levels: dict[str, Ints] = {
            name: np.asarray(table.groupby(list(columns), sort=False).ngroup(), dtype=np.int64)
            for name, columns in factors.items()
        }

    def deviates(self, factor: str, sd: float, stream: Stream) -> Floats:
        """A normal deviate for each level of the factor, given to its rows; for `noise`, one for each row."""
        if sd == 0:
            return np.zeros(self.rows)
        own = stream.child(factor)
        if factor not in self.levels:
            return sd * own.normals(self.rows)
        levels = self.levels[factor]
        return np.asarray(sd * own.normals(int(levels.max()) + 1)[levels], dtype=float)

    def summed(self, sds: Mapping[str, float], stream: Stream) -> Floats:
        """The sum of the deviates of several factors, each with its standard deviation."""
        return sum((self.deviates(factor, sd, stream) for factor, sd in sds.items()), np.zeros(self.rows))


FACTORS = {
    "participant": ("participant",),
    "item": ("item",),
    "text": ("item", "system"),
    "liking": ("participant", "system"),
}
"""Assumption, less its `_sd` → the columns whose levels it is about."""


def spreads(answers: pd.DataFrame, more: Mapping[str, tuple[str, ...]] | None = None) -> dict[str, float]:
    """Standard deviations between participants, items, texts, likings, and of what is left, by a mixed model (REML).

    Args:
        answers: Columns `participant, item, system, value`, one row per answer.
        more: Further factors: name and columns.

    Raises:
        DataError: there are too few answers, or they do not tell the sources apart.
    """
    columns = {name: _joined(answers, names) for name, names in {**FACTORS, **(more or {})}.items()}
    systems = answers["system"].astype(str).to_numpy()
    levels = {name: len(set(column)) for name, column in columns.items()}
    if len(set(systems)) < 2 or min(levels.values()) < 2 or max(levels.values()) >= len(answers):
        counted = ", ".join(f"{name} {count}" for name, count in levels.items())
        raise DataError(
            f"{len(answers)} answers of a pilot do not tell what varies how much (levels: {counted}; systems "
            f"{len(set(systems))}); several participants must have judged each text, and several texts of each system"
        )
    model = mixed_model(answers["value"].to_numpy(dtype=float), {"system": systems}, columns)
    found = {**{f"{name}_sd": model.sd(name) for name in columns}, "noise_sd": model.sigma}
    if not model.converged or not all(math.isfinite(sd) for sd in found.values()):
        raise DataError("the mixed model of the pilot's answers did not converge; say what is assumed with --assume")
    return found


def _joined(answers: pd.DataFrame, names: tuple[str, ...]) -> np.ndarray:
    levels = answers.groupby(list(names), sort=False).ngroup()
    return np.array([f"{level}" for level in levels], dtype=object)


_NODES = 40
_ROUNDING = 1e-12


def logistic(logit: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The probability of a logit."""
    return np.asarray(0.5 * (1 + np.tanh(np.asarray(logit, dtype=float) / 2)))  # overflows nowhere


def mean_logistic(logit: float, sd: float) -> float:
    """The mean probability where logits vary normally, by the quadrature of Gauss and Hermite.

    >>> round(mean_logistic(1.0, 1.0), 4)  # R: integrate(function(z) plogis(1 + z) * dnorm(z), -9, 9)
    0.6967
    """
    nodes, weights = _hermite()
    return float(np.sum(weights * logistic(logit + math.sqrt(2) * sd * nodes)) / math.sqrt(math.pi))


@cache
def _hermite() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Nodes and weights."""
    nodes, weights = np.polynomial.hermite.hermgauss(_NODES)
    return np.asarray(nodes, dtype=float), np.asarray(weights, dtype=float)


def solved(function: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Where an increasing function has that value, between two places, by bisection; nan where it has it nowhere.

    >>> round(solved(lambda x: x * x, 2.0, 0.0, 2.0), 6)
    1.414214
    >>> solved(lambda x: x * x, 5.0, 0.0, 2.0)
    nan
    """
    if abs(function(low) - target) < _ROUNDING:
        return low
    if not function(low) <= target <= function(high):
        return math.nan
    middle = (low + high) / 2
    while low < middle < high:  # until no number lies between the two
        low, high = (middle, high) if function(middle) < target else (low, middle)
        middle = (low + high) / 2
    return middle
