"""Categories of a scale: which there are, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
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
        """Where each stands on the scale: its value if all are numbers, else its place in the order that was given.

        Raises:
            UsageError: text without a given order, for which the alphabet would be a guess.
        """
        if self.numeric:
            return np.array(self.labels, dtype=float)
        if not self.given:
            seen = ", ".join(self.names[:5])
            raise UsageError(
                f"{use} needs the order of the categories ({seen} …), and the alphabet is none; "
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
