"""Preferences as the statistics want them: one order for each pair, which answers count, what they say of a system.

As a table for the published analysis and for metrics; as arrays, with who was on which side, for the models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.judgements import CELL, Judgements, in_order, need_columns, read_judgements

BETWEEN = " – "
"""Between the names of a pair, in what a report shows."""
LEAN = "lean to the right"
MOST_DEGREES = 3
"""Strengths with more sizes than this are cut into this many degrees to either side."""
Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]
if TYPE_CHECKING:
    Values = TypeVar("Values", "pd.Series[float]", npt.NDArray[np.float64])
_NEEDED = ("participant", "item", "system_a", "system_b", "criterion", "value")


def read_preferences(frame: pd.DataFrame) -> Judgements:
    """First answers of main trials, and repeats, in which the pair takes the place of a system.

    A pair that comes in both orders is turned to the one that comes first in the table. Column `system` names the pair;
    `towards_right` is the value as it was given on the page, undefined where it is not known who stood left.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    need_columns(frame, _NEEDED, "preferences")
    return read_judgements(in_one_order(frame))


def first_minus_second(values: Values) -> Values:
    """How far the first system of each answer is preferred to the second: the stored values with their sign turned.

    In the stored table `preferences` a positive value prefers `system_b`, towards which the page's slider moves. All
    comparisons of pairs are first − second. This function alone turns the one into the other.

    >>> first_minus_second(np.array([-3.0, 0.0, 2.0])).tolist()  # 3 for the first, neither, 2 for the second
    [3.0, 0.0, -2.0]
    """
    return 0.0 - values


def label(first: str, second: str) -> str:
    """The name of a pair; what is said of it is first − second."""
    return f"{first}{BETWEEN}{second}"


def pairs_in(main: pd.DataFrame) -> list[tuple[str, str]]:
    """The pairs, in the order in which they first appear."""
    return list(dict.fromkeys(zip(main["system_a"], main["system_b"], strict=True)))


def in_one_order(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with each pair in one order, and the columns that `read_preferences` adds."""
    first, second = (frame[name].fillna("").astype(str) for name in ("system_a", "system_b"))
    order: dict[frozenset[str], tuple[str, str]] = {}
    turned = [order.setdefault(frozenset(pair), pair) != pair for pair in zip(first, second, strict=True)]
    turn = pd.Series(turned, index=frame.index, dtype=bool)
    value = pd.to_numeric(frame["value"], errors="coerce").astype(float)
    value = value.where(~turn, -value)
    a, b = first.where(~turn, second), second.where(~turn, first)
    left = frame["left"].fillna("").astype(str) if "left" in frame else pd.Series("", index=frame.index, dtype=str)
    named = (a != "") & (b != "")
    return frame.assign(
        system_a=a,
        system_b=b,
        value=value,
        system=(a + BETWEEN + b).where(named, ""),
        towards_right=value.where(left == a, (-value).where(left == b)),
    )


@dataclass(frozen=True, eq=False)
class SystemScores:
    """What each answer says of single systems."""

    scores: pd.DataFrame
    """Columns `participant, item, system, criterion, value`: high is good."""
    topline: str | None
    """The system that all others were compared with, itself included: then an answer scores the other one only."""
    left_out: int
    """Answers that compare a system with itself, where there is no topline: they say nothing of it."""


def system_scores(main: pd.DataFrame) -> SystemScores:
    """From one value per pair to scores of systems (Belz & Kow 2010).

    Where every pair has one topline in it, and the topline was compared with itself too, an answer scores the system
    beside it. Otherwise it scores both: what it says for the one, it says against the other.

    Args:
        main: As `read_preferences` gives it.
    """
    same = main["system_a"] == main["system_b"]
    with_itself = set(main.loc[same, "system_a"])
    top = next(iter(with_itself)) if len(with_itself) == 1 else None
    if top is not None and ((main["system_a"] == top) | (main["system_b"] == top)).all():
        other_is_first = main["system_b"] == top
        system = main["system_a"].where(other_is_first, main["system_b"])
        # the topline beside itself keeps the value as it is
        value = main["value"].where(same | ~other_is_first, first_minus_second(main["value"]))
        return SystemScores(_scores(main, system, value), top, 0)
    pairs = main[~same]
    for_first = first_minus_second(pairs["value"])
    both = [_scores(pairs, pairs["system_a"], for_first), _scores(pairs, pairs["system_b"], -for_first)]
    # both scores of an answer stay together, in the order in which answers were given
    return SystemScores(pd.concat(both).sort_index(kind="stable").reset_index(drop=True), None, int(same.sum()))


def as_judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """Each participant's mean score of each text, for metrics against people."""
    scores = system_scores(read_preferences(frame).main).scores
    return scores.groupby(CELL, sort=False)["value"].mean().reset_index()


def _scores(main: pd.DataFrame, system: pd.Series[str], value: pd.Series[float]) -> pd.DataFrame:
    return main.assign(system=system, value=value)[[*CELL, "value"]]


@dataclass(frozen=True, eq=False)
class PreferenceArrays:
    """All comparisons of one criterion; in those of a system with itself only the side tells."""

    first: Labels
    second: Labels
    values: Floats
    """Below 0 the first is preferred, above 0 the second."""
    right: Floats
    """1 where the second stood right, -1 where it stood left, 0 where that is not known."""
    participants: Labels
    items: Labels
    systems: tuple[str, ...]

    @property
    def n(self) -> int:
        """PreferenceArrays of two systems."""
        return int(np.count_nonzero(self.two))

    @cached_property
    def two(self) -> npt.NDArray[np.bool_]:
        """Whether two systems are compared, and not one with itself."""
        return np.asarray(self.first != self.second)

    @property
    def sides_known(self) -> bool:
        """Whether it is known of every comparison who stood where."""
        return bool(np.all(self.right != 0))

    @cached_property
    def contrasts(self) -> Contrasts:
        """What the answers say of systems and sides."""
        place = {system: index for index, system in enumerate(self.systems)}
        rows = np.zeros((len(self.values), len(self.systems)))
        each = np.arange(len(rows))
        rows[each, [place[name] for name in self.second]] += 1
        rows[each, [place[name] for name in self.first]] -= 1
        covariates = {LEAN: self.right} if np.any(self.right) else {}
        return Contrasts(self.values, rows, self.systems, self.participants, self.items, covariates)

    @cached_property
    def sides_tell_apart(self) -> bool:
        """Whether the effect of the side is identifiable from comparisons of two systems alone."""
        given = self.contrasts
        covariates = {LEAN: self.between_two(self.right)}
        alone = replace(given, rows=self.between_two(given.rows), covariates=covariates)
        return self.sides_known and alone.tell_apart(LEAN)

    @property
    def left(self) -> Labels:
        """Who stood left; where that is not known, the first."""
        return np.asarray(np.where(self.right < 0, self.second, self.first))

    def between_two(self, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of a column, what belongs to comparisons of two systems."""
        return np.asarray(labels[self.two])


def preference_arrays(main: pd.DataFrame, systems: Sequence[str] = ()) -> PreferenceArrays:
    """The comparisons of one criterion.

    Args:
        main: As `read_preferences` gives it.
        systems: The order in which systems are named; others follow.
    """
    first, second = main["system_a"].to_numpy(dtype=str), main["system_b"].to_numpy(dtype=str)
    value, towards_right = main["value"].to_numpy(dtype=float), main["towards_right"].to_numpy(dtype=float)
    left = main["left"].fillna("").astype(str).to_numpy() if "left" in main else np.full(len(main), "")
    right = np.where(np.isnan(towards_right), 0.0, np.where(left == first, 1.0, -1.0))
    return PreferenceArrays(
        first,
        second,
        value,
        right,
        main["participant"].to_numpy(dtype=str),
        main["item"].to_numpy(dtype=str),
        tuple(in_order({*first.tolist(), *second.tolist()}, systems)),
    )


def degrees(values: Floats) -> tuple[Floats, Mapping[str, str]]:
    """Signed strengths as degrees of preference, and what was done to them if they had too many sizes.

    >>> found, said = degrees(np.array([-50.0, -3, 0, 1, 2, 30, 40, 50]))
    >>> found.astype(int).tolist(), said
    ([-3, -1, 0, 1, 1, 2, 2, 3], {'degrees': '6 sizes of preference cut into 3 of about equal number'})
    """
    sizes = np.abs(values)
    seen = np.unique(sizes[sizes > 0])
    if seen.size <= MOST_DEGREES:
        return np.sign(values) * np.searchsorted(seen, sizes, side="right"), {}
    edges = np.quantile(sizes[sizes > 0], np.arange(1, MOST_DEGREES) / MOST_DEGREES)
    kept, codes = np.unique(np.searchsorted(edges, sizes, side="left"), return_inverse=True)
    said = f"{seen.size} sizes of preference cut into {len(kept)} of about equal number"
    return np.sign(values) * (codes + 1.0), {"degrees": said}
