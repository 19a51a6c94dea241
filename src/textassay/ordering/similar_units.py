"""Units that are alike but not the same: the best assignment of one text's units to another's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.lcs import lcs_lengths
from textassay.ordering.measures.measure import Floats
from textassay.ordering.orders import Order, Unit, read_order


@dataclass(frozen=True)
class Matched:
    """Which unit stands for which unit of the reference."""

    of: Mapping[Unit, Unit]
    """Unit → unit of the reference."""
    similarity: Mapping[Unit, float]
    """Of each unit that was matched, with its partner."""
    unmatched: tuple[Unit, ...]
    """Units without a partner that is similar enough."""
    unmatched_reference: tuple[Unit, ...]

    def translated(self, order: Order) -> list[Unit]:
        """The order in the ids of the reference; a unit without partner keeps a name that no unit of the reference has.

        Compare it with `units="common"`, which counts those without partner as extra.
        """
        return [self.of.get(unit, ("unmatched", unit)) for unit in read_order(order, "order")]


def match_units(
    units: Mapping[Any, str] | Sequence[Any],
    reference: Mapping[Any, str] | Sequence[Any],
    *,
    similarity: npt.ArrayLike | None = None,
    threshold: float = 0.5,
) -> Matched:
    """Assign the units of a text to those of a reference so that they are as similar as possible in all.

    Each unit has at most one partner; pairs below the threshold are never made. The sum of similarities is the largest
    that there is (the assignment problem, solved exactly).

    Args:
        units: Unit id → its text; or only the ids, with a similarity that is given.
        reference: The same of the reference.
        similarity: Shape (units, units of the reference), larger is more alike. By default of strings, from 0 to 1:
            2·L / (sum of lengths), L the length of the longest common subsequence of characters.
        threshold: The least similarity that makes a pair.

    Raises:
        DataError: a similarity of the wrong shape, or one that is missing.
        UsageError: no similarity, and units without texts.

    >>> found = match_units({1: "A cat sat.", 2: "It rained."}, {"x": "It rained a lot.", "y": "The cat sat."})
    >>> found.of, found.translated([1, 2])
    ({1: 'y', 2: 'x'}, ['y', 'x'])
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 -- scipy only where used

    mine, wanted = list(units), list(reference)
    table = _given(similarity, mine, wanted) if similarity is not None else _of_strings(units, reference)
    # A pair that may not be made adds nothing, so that none is preferred to it.
    allowed = table >= threshold
    worth = np.where(allowed, table - min(0.0, float(table.min(initial=0.0))) + 1e-12, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    pairs = [(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True) if allowed[row, column]]
    of = {mine[row]: wanted[column] for row, column in pairs}
    return Matched(
        of,
        {mine[row]: float(table[row, column]) for row, column in pairs},
        tuple(unit for unit in mine if unit not in of),
        tuple(unit for unit in wanted if unit not in set(of.values())),
    )


def _given(similarity: npt.ArrayLike, mine: Sequence[Unit], wanted: Sequence[Unit]) -> Floats:
    table = np.asarray(similarity, dtype=float)
    if table.shape != (len(mine), len(wanted)):
        raise DataError(f"similarity must have the shape {(len(mine), len(wanted))}, got {table.shape}")
    if not np.isfinite(table).all():
        row, column = (int(place) for place in np.argwhere(~np.isfinite(table))[0])
        raise DataError(f"similarity of {mine[row]!r} and {wanted[column]!r} is {table[row, column]}; give a number")
    return table


def _of_strings(units: Any, reference: Any) -> Floats:
    for name, given in (("units", units), ("reference", reference)):
        if not isinstance(given, Mapping):
            raise UsageError(f"{name} has ids only; map each id to its text, or give a table of similarities")
    texts = [str(text) for given in (units, reference) for text in given.values()]
    codes = np.array([ord(letter) for text in texts for letter in text], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, texts)])
    mine, wanted = np.arange(len(units)), np.arange(len(units), len(texts))
    left, right = (part.ravel() for part in np.meshgrid(mine, wanted, indexing="ij"))
    common = lcs_lengths(codes, offsets, left, right).astype(float)
    lengths = np.diff(offsets)
    both = (lengths[left] + lengths[right]).astype(float)
    found = np.divide(2 * common, both, out=np.ones_like(both), where=both > 0)
    return np.asarray(found.reshape(len(mine), len(wanted)))
