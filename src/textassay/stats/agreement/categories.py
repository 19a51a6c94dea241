"""Categories of a scale: which there are, in which order, and how far two that differ still agree (their weight)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.stats.samples import FloatArray, IntArray


@dataclass(frozen=True)
class Categories:
    """The categories in their order."""

    labels: tuple[Any, ...]
    given: bool
    """Whether the caller named them, and with them their order."""

    @property
    def names(self) -> tuple[str, ...]:
        """As text; whole numbers without a point."""
        return tuple(str(int(x)) if isinstance(x, float) and x.is_integer() else str(x) for x in self.labels)

    @property
    def numeric(self) -> bool:
        """Whether all are numbers."""
        return all(isinstance(label, (int, float)) for label in self.labels)

    def scores(self, use: str) -> FloatArray:
        """The position of each on the scale: its value if all are numbers, else its place in the order that was given.

        Raises:
            UsageError: text without a given order, for which the alphabetical one would be a guess.
        """
        if self.numeric:
            return np.array(self.labels, dtype=float)
        if not self.given:
            seen = ", ".join(self.names[:5])
            raise UsageError(
                f"{use} needs the order of the categories ({seen} …), which text does not show; "
                "name all of them in order with categories=[...]"
            )
        return np.arange(len(self.labels), dtype=float)


def categorise(values: npt.NDArray[Any], given: Sequence[Any] | None) -> tuple[IntArray, Categories]:
    """Each value as the number of its category, and the categories: those given, or those seen, sorted.

    Raises:
        DataError: a value that is not among the categories given.
        UsageError: a category given twice.
    """
    if values.dtype.kind == "f":
        unique, codes = np.unique(values, return_inverse=True)
        labels: list[Any] = unique.tolist()
    else:
        seen = list(values.tolist())
        try:
            distinct = set(seen)
        except TypeError as error:
            raise DataError(f"ratings must be text or numbers: {error}") from None
        try:
            labels = sorted(distinct)
        except TypeError:  # numbers among text
            labels = sorted(distinct, key=str)
        index = {label: code for code, label in enumerate(labels)}
        codes = np.array([index[label] for label in seen], dtype=np.intp)
    codes = codes.astype(np.intp)
    if given is None:
        return codes, Categories(tuple(labels), given=False)
    return _place_of(labels, given)[codes], Categories(tuple(given), given=True)


def _place_of(labels: list[Any], given: Sequence[Any]) -> IntArray:
    places = {label: place for place, label in enumerate(given)}
    if len(places) < len(given):
        raise UsageError(f"categories names {len(given) - len(places)} of them twice: {list(given)}")
    unknown = [label for label in labels if label not in places]
    if unknown:
        raise DataError(
            f"{len(unknown)} value(s) are not among the categories {list(given)}: {unknown[:5]}; "
            "correct the data or name all categories"
        )
    return np.array([places[label] for label in labels], dtype=np.intp)


WeightKind = Literal["identity", "linear", "quadratic", "ordinal"]
"""Only equal categories agree; 1 - d/D; 1 - (d/D)²; 1 - d(d+1)/(D(D+1)) with d counted in places."""

_BLOCK = 1 << 20
"""Cells of the table of weights that are in memory at once."""


@dataclass(frozen=True)
class AgreementWeights:
    """The weights of all pairs of categories, made as they are needed."""

    kind: WeightKind
    scores: FloatArray
    """The position of each category; ranks for `ordinal`."""

    @property
    def size(self) -> int:
        """Number of categories."""
        return self.scores.size

    def between(self, first: IntArray, second: IntArray) -> FloatArray:
        """The weights of pairs of categories, given by number."""
        if self.kind == "identity":
            return np.asarray(first == second, dtype=float)
        far = np.abs(self.scores[first] - self.scores[second])
        span = float(np.ptp(self.scores))
        if self.kind == "linear":
            return np.asarray(1 - far / span)
        if self.kind == "quadratic":
            return np.asarray(1 - (far / span) ** 2)
        return np.asarray(1 - far * (far + 1) / (span * (span + 1)))

    def times(self, vector: FloatArray, *, power: int = 1) -> FloatArray:
        """The table of weights (each to a power) times a vector; never more than a block of rows in memory."""
        if self.kind == "identity":
            return vector
        columns = np.arange(self.size)[None, :]
        parts = [self.between(rows[:, None], columns) ** power @ vector for rows in self._blocks()]
        return np.concatenate(parts)

    def total(self) -> float:
        """The sum of all weights."""
        return float(self.times(np.ones(self.size)).sum())

    def _blocks(self) -> Iterator[IntArray]:
        step = max(1, _BLOCK // self.size)
        for start in range(0, self.size, step):
            yield np.arange(start, min(start + step, self.size))


def agreement_weights(kind: WeightKind, categories: Categories) -> AgreementWeights:
    """The weights of that kind for these categories.

    Raises:
        UsageError: an unknown kind, or categories whose order is not known.

    >>> weights = agreement_weights("linear", Categories((1, 2, 5), given=False))
    >>> weights.between(np.array([0, 0, 1]), np.array([0, 1, 2])).tolist()  # by value: 2 to 5 is three quarters
    [1.0, 0.75, 0.25]
    """
    check_choice("weights", kind, get_args(WeightKind))
    if kind == "identity" or len(categories.labels) < 2:
        return AgreementWeights("identity", np.arange(len(categories.labels), dtype=float))
    scores = categories.scores(f"weights={kind!r}")
    if kind == "ordinal":
        scores = np.argsort(np.argsort(scores)).astype(float)
    return AgreementWeights(kind, scores)
