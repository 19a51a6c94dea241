"""Preferences as the statistics want them: one order for each pair, which answers count, what they say of a system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.judgements import CELL, Judgements, need_columns, read_judgements

BETWEEN = " – "
"""Between the names of a pair, in what a report shows."""
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


def scored(main: pd.DataFrame) -> SystemScores:
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
    scores = scored(read_preferences(frame).main).scores
    return scores.groupby(CELL, sort=False)["value"].mean().reset_index()


def _scores(main: pd.DataFrame, system: pd.Series[str], value: pd.Series[float]) -> pd.DataFrame:
    return main.assign(system=system, value=value)[[*CELL, "value"]]
