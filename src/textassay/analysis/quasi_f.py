"""A quick test that systems differ, with participants and items as random: the F of the mixed model without its search.

Where a design is complete it gives what a mixed model gives, some hundred times as fast. That is what power by
simulation needs; for a report, `crossed_model` gives estimates too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.results import Record
from textassay.stats.distributions import f_upper
from textassay.stats.statistic import Statistic

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_NOTHING = 1e-9
"""A share of a sum of squares, or of a length, below this is rounding."""
_NONE = (math.nan, math.nan, math.nan)

Variances = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class QuasiF(Statistic):
    """An F ratio whose denominator is put together from several mean squares."""

    f: float
    df: tuple[float, float]
    p: float
    variances: Variances
    """Of what is left, of participant × system, and of item × system."""
    n: int

    def records(self) -> list[Record]:
        """One record."""
        left, by_participant, by_item = self.variances
        more: Record = {"variance": left, "variance_participant": by_participant, "variance_item": by_item}
        return [self.record("quasi-F", self.f, df=self.df, p=self.p, n=self.n, **more)]


def quasi_f(frame: pd.DataFrame, value: str = "value") -> QuasiF:
    """Whether systems differ, for other participants and other items too.

    The mean square of systems, participants and items taken out, has the expectation
    σ² + c₁ σ²(participant × system) + c₂ σ²(item × system) + that of the systems. The three variances are those with
    which the sums of squares within cells, between the cells of participant × system, and between those of item ×
    system have the expectations seen (Henderson 1953, method 3, for any design); none is taken below 0. Degrees of
    freedom after Satterthwaite (1946). In a complete design this is Winer's quasi-F.

    Args:
        frame: Columns `participant, item, system`, and the measure's; one row per answer, none of them missing.
        value: The measure's column.
    """
    codes = [_codes(frame[name]) for name in ("participant", "item", "system")]
    y = frame[value].to_numpy(dtype=float)
    reason = _undefined(y, codes)
    if reason:
        return _result(math.nan, (math.nan, math.nan), _NONE, y.size, (reason,))
    sums = _sums(*(code.tobytes() for code in codes))
    if not sums.possible:
        why = "quasi-F is undefined: the effect of systems is not identifiable from those of participants and items"
        return _result(math.nan, (sums.levels - 1, math.nan), _NONE, y.size, (why,))
    f, df, variances = sums.ratio(y - y.mean())
    exact = ("quasi-F is undefined: no residual variance is left to compare systems with",)
    return _result(f, (sums.levels - 1, df), variances, y.size, exact if math.isnan(f) else ())


def _undefined(y: Floats, codes: Sequence[Ints]) -> str:
    if not y.size:
        return "quasi-F is undefined: there are no values"
    if np.all(y == y[0]):
        return f"quasi-F is undefined: all values are equal ({y[0]:g})"
    if any(code.max() == 0 for code in codes):
        return "quasi-F is undefined: it needs several participants, items and systems"
    return ""


class _Sums:
    """Sums of squares of a design, and what variances they expect; made once, whatever the values are."""

    def __init__(self, codes: Sequence[Ints]) -> None:
        participant, item, system = codes
        self.levels = int(system.max()) + 1
        n = system.size
        # Participants or items with one answer each are not identifiable from the residual, and are part of it.
        several = [code for code in (participant, item) if int(code.max()) + 1 < n]
        base = _basis(np.hstack([np.ones((n, 1)), *map(_indicators, several)]))
        beyond = _indicators(system)
        self.systems = _basis(beyond - base @ (base.T @ beyond))
        self.basis = np.hstack([base, self.systems])
        joint = {"participant": _joint(participant, system), "item": _joint(item, system)}
        # With one answer per cell, the variance of cells is not identifiable from the residual.
        self.cells = {name: cells for name, cells in joint.items() if cells.max() + 1 < n}
        self.possible = self.systems.shape[1] == self.levels - 1 and n > self.basis.shape[1]
        self.expected, self.of_systems = self._expectations(n)

    def _expectations(self, n: int) -> tuple[Floats, Floats]:
        """For each sum of squares, and for the mean square of systems, what it expects of each variance."""
        inside = {name: _by_cell(self.basis, cells) for name, cells in self.cells.items()}
        squares = [[n - self.basis.shape[1], *(float(n - np.sum(sums**2)) for sums in inside.values())]]
        for name, cells in self.cells.items():
            root = np.sqrt(np.bincount(cells))[:, None]
            own = inside[name] / root
            shared = {other: _table(cells, self.cells[other]) / root - own @ inside[other].T for other in self.cells}
            squares.append([float(len(root) - np.sum(own**2)), *(float(np.sum(part**2)) for part in shared.values())])
        df = max(self.systems.shape[1], 1)
        means = [float(np.sum(_by_cell(self.systems, cells) ** 2)) / df for cells in self.cells.values()]
        return np.array(squares), np.array([1.0, *means])

    def ratio(self, y: Floats) -> tuple[float, float, Variances]:
        """F, its denominator's degrees of freedom, and the variances."""
        effect = self.systems.T @ y
        left = y - self.basis @ (self.basis.T @ y)
        seen = np.array([float(left @ left), *(_between(left, cells) for cells in self.cells.values())])
        if seen[0] <= _NOTHING * float(y @ y):
            return math.nan, math.nan, _NONE
        used, found = self._variances(seen)
        denominator = float(self.of_systems[used] @ found)
        weights = np.asarray(np.linalg.solve(self.expected[np.ix_(used, used)].T, self.of_systems[used]), dtype=float)
        spread = self._spread(seen[used], weights, self.expected[used, 0])
        names = ["", *self.cells]
        known = {names[place]: float(variance) for place, variance in zip(used, found, strict=True)}
        f = float(effect @ effect) / len(effect) / denominator
        variances = (known[""], known.get("participant", 0.0), known.get("item", 0.0))
        return f, 2 * denominator**2 / spread, variances

    @staticmethod
    def _spread(seen: Floats, weights: Floats, df: Floats) -> float:
        """The variance of a sum of weighted sums of squares, each of which varies as χ² on its degrees of freedom.

        What is left in all holds what lies between cells: taken apart, the parts are independent in a complete design.
        """
        within, df_within = seen[0] - seen[1:].sum(), df[0] - df[1:].sum()
        if within > 0 and df_within > 0:
            weights = np.concatenate([weights[:1], weights[1:] + weights[0]])
            seen, df = np.concatenate([[within], seen[1:]]), np.concatenate([[df_within], df[1:]])
        return float(np.sum((weights * seen) ** 2 * 2 / df))

    def _variances(self, seen: Floats) -> tuple[list[int], Floats]:
        """As many of the variances as can be, none negative; those that would be are 0."""
        count = len(seen)
        for size in range(count, 0, -1):
            for more in combinations(range(1, count), size - 1):
                used = [0, *more]
                matrix = self.expected[np.ix_(used, used)]
                if np.linalg.cond(matrix) > 1 / _NOTHING:
                    continue
                found = np.asarray(np.linalg.solve(matrix, seen[used]), dtype=float)
                if np.all(found >= 0):
                    return used, found
        return [0], seen[:1] / self.expected[0, 0]


@lru_cache(maxsize=4)
def _sums(*codes: bytes) -> _Sums:
    """The sums of a design: criteria mostly share one, and power by simulation asks it hundreds of times."""
    return _Sums([np.frombuffer(code, dtype=np.int64) for code in codes])


def _result(f: float, df: tuple[float, float], variances: Variances, n: int, warnings: tuple[str, ...]) -> QuasiF:
    return QuasiF(
        method="quasi-F with participants and items as random",
        settings={"variances": "Henderson's method 3, none below 0", "df": "Satterthwaite", "n": n},
        warnings=warnings,
        by="system",
        f=f,
        df=df,
        p=math.nan if math.isnan(f) else f_upper(f, *df),
        variances=variances,
        n=n,
    )


def _codes(column: pd.Series[str]) -> Ints:
    return np.asarray(pd.factorize(column)[0], dtype=np.int64)


def _indicators(codes: Ints) -> Floats:
    found = np.zeros((codes.size, int(codes.max()) + 1))
    found[np.arange(codes.size), codes] = 1.0
    return found


def _basis(columns: Floats) -> Floats:
    """An orthonormal basis of what the columns span."""
    # From the sums of products, which are few: a decomposition of the columns themselves takes a hundred times as long.
    squares, directions = np.linalg.eigh(columns.T @ columns)
    kept = squares > _NOTHING * max(1.0, float(squares[-1]))
    return np.asarray(columns @ (directions[:, kept] / np.sqrt(squares[kept])), dtype=float)


def _joint(one: Ints, other: Ints) -> Ints:
    return _dense(one * (int(other.max()) + 1) + other)


def _dense(codes: Ints) -> Ints:
    return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.int64)


def _by_cell(columns: Floats, cells: Ints) -> Floats:
    """Sums of each column over the rows of each cell."""
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    return np.asarray(np.add.reduceat(columns[order], starts, axis=0), dtype=float)


def _between(values: Floats, cells: Ints) -> float:
    """The sum of squares between cells."""
    return float(np.sum(np.bincount(cells, values) ** 2 / np.bincount(cells)))


def _table(one: Ints, other: Ints) -> Floats:
    """How many rows each pair of cells shares."""
    width = int(other.max()) + 1
    counts = np.bincount(one * width + other, minlength=(int(one.max()) + 1) * width)
    return np.asarray(counts.reshape(-1, width), dtype=float)
