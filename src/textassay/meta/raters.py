"""What several raters make of a text: the mean of their answers, with or without what belongs to the rater."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from textassay.known_names import check_choice
from textassay.stats.crossed.two_way_residuals import TwoWayResiduals
from textassay.stats.samples import FloatArray, IntArray

Raters = Literal["mean", "adjusted", "z-scores"]
"""Averaged; averaged with each rater's own level removed; averaged after each rater's level and spread are removed."""
_TEXT = ["item", "system"]
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class TextValues:
    """One value for each text."""

    texts: pd.DataFrame
    """Columns `item, system, judgement, raters` (their number), in the order of the answers."""
    used: FloatArray
    """For each answer the value that went into the mean; undefined where it could not be used."""
    notes: tuple[str, ...] = ()


def rated_texts(answers: pd.DataFrame, raters: Raters = "mean") -> TextValues:
    """One value for each text from the answers of several raters to one criterion.

    Args:
        answers: Columns `participant, item, system, value`; a participant judges a text once.
        raters: `mean`. `adjusted`: values are the sum of an effect of the text and one of the rater, fitted by least
            squares; what is left of a text without the raters' effects. It needs texts that several raters judged.
            `z-scores`: each rater's values less their mean, over their standard deviation. Where raters saw different
            mixes of texts, z-scores remove differences between systems too; a note says so.

    Raises:
        UsageError: there is no such way.
    """
    check_choice("raters", raters, get_args(Raters))
    value = answers["value"].to_numpy(dtype=float)
    names = answers["item"] + "\0" + answers["system"]
    text, who = pd.factorize(names)[0].astype(np.int64), pd.factorize(answers["participant"])[0].astype(np.int64)
    value, notes = _WAYS[raters](value, text, who, answers)
    table = answers[_TEXT].assign(judgement=value, raters=np.isfinite(value).astype(int))
    means = table.groupby(_TEXT, sort=False).agg({"judgement": "mean", "raters": "sum"}).reset_index()
    return TextValues(means, value, tuple(notes))


Way = Callable[[FloatArray, IntArray, IntArray, pd.DataFrame], tuple[FloatArray, list[str]]]


def _as_given(value: FloatArray, text: IntArray, who: IntArray, answers: pd.DataFrame) -> tuple[FloatArray, list[str]]:
    del text, who, answers
    return value, []


def _adjusted(value: FloatArray, text: IntArray, who: IntArray, answers: pd.DataFrame) -> tuple[FloatArray, list[str]]:
    """The values without the effects of raters, which have mean 0 in each part of the design that hangs together."""
    del answers
    if value.size == 0 or who.max() == 0:
        return value, ["there is one rater, so no rater effects are removed"] if value.size else []
    model = TwoWayResiduals([text, who], np.zeros((value.size, 0)), value.size)
    larger, smaller, parts = model.effects(value)
    if who.max() > text.max():  # the larger factor is that of raters; texts tell which part a rater belongs to
        part = np.zeros(who.max() + 1, dtype=np.int64)
        part[who] = parts[text]
        counts = np.bincount(who).astype(float)
        effects = larger - (np.bincount(part, counts * larger) / np.bincount(part, counts))[part]
    else:
        effects, part = smaller, parts
    groups = int(part.max()) + 1
    notes = []
    if groups > 1:
        notes.append(
            f"raters form {groups} groups that have no text in common; rater effects are removed within groups, and "
            "differences between groups are left in"
        )
    return np.asarray(value - effects[who]), notes


def _standardised(
    value: FloatArray, text: IntArray, who: IntArray, answers: pd.DataFrame
) -> tuple[FloatArray, list[str]]:
    del text
    n = np.bincount(who).astype(float)
    mean = np.bincount(who, value) / n
    left = value - mean[who]
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.bincount(who, left**2) / (n - 1))
        flat = ~(spread > _ROUNDING * np.maximum(np.abs(mean), 1.0))
        found = np.where(flat[who], np.nan, left / spread[who])
    notes = []
    if flat.any():
        notes.append(f"{int(flat.sum())} of {len(n)} raters gave one value only, so they have no z-scores: not used")
    different = [name for name in ("system", "item") if _mixes_differ(answers[name], who)]
    if different:
        notes.append(
            f"raters judged different mixes of {' and '.join(f'{name}s' for name in different)}, so z-scores also "
            "remove differences between texts; prefer raters='adjusted' or 'mean'"
        )
    return np.asarray(found), notes


def _mixes_differ(names: pd.Series[str], who: IntArray) -> bool:
    """Whether the shares of systems (or items) in what a rater judged differ between raters."""
    counts = pd.crosstab(who, names.to_numpy()).to_numpy(dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return bool(np.abs(shares - shares[:1]).max(initial=0.0) > _ROUNDING)


_WAYS: Mapping[str, Way] = {"mean": _as_given, "adjusted": _adjusted, "z-scores": _standardised}
