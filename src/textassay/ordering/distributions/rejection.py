"""Random orders of many units with a given number of inversions, by drawing until one fits.

The code of an order says of each unit before how many lower ones it stands: any c₀ … c₍ₙ₋₁₎ with 0 ≤ c_j ≤ j is the
code of one order, and their sum is its number of inversions. So a uniformly random order among those with a ≤ S ≤ b
inversions is a uniformly random code with such a sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.seeds import Stream

_GRID = 2.0**40
"""Odds are multiples of 1/this, so that another machine's last digit gives no other order."""
_HALVINGS = 60
_AT_ONCE = 1 << 20


def drawn_until_it_fits(n: int, least: int, most: int, stream: Stream) -> list[int]:
    """A random order of 0 … n-1 with `least` to `most` inversions; all such orders are equally likely.

    Few inversions are rare among all codes, so codes are drawn as Mallows' model has them, each further inversion less
    likely by a factor phi; whichever phi, keeping a code with a chance of phi^(b - S) makes all that fit equally
    likely. The last number is not drawn but chosen among those that make the sum fit, with weights phi^c and, for
    having been chosen so, kept by the sum of these weights beside the largest that it could be. With phi such that
    codes have about b inversions, one in about √n codes is kept.

    >>> from textassay.seeds import Stream
    >>> drawn_until_it_fits(4, 6, 6, Stream(1, "an example"))
    [3, 2, 1, 0]
    """
    total = n * (n - 1) // 2
    if 2 * least > total:  # the mirror image of an order with few inversions
        return drawn_until_it_fits(n, total - most, total - least, stream)[::-1]
    if most == 0:
        return list(range(n))
    phi = _phi(n, most)
    powers = np.concatenate([[1.0], np.cumprod(np.full(n - 1, phi))])
    sums = np.concatenate([[0.0], np.cumsum(powers)])
    widest = sums[min(n, most - least + 1)]
    tries = max(1, min(256, _AT_ONCE // n))
    while True:
        codes = _codes(sums, n - 1, tries, stream)
        keep, choose = stream.uniforms(2 * tries).reshape(2, tries)
        rest = codes.sum(axis=1)
        low, high = np.maximum(least - rest, 0), np.minimum(most - rest, n - 1)
        for row in np.flatnonzero(low <= high).tolist():
            below, weight = sums[low[row]], sums[high[row] + 1] - sums[low[row]]
            last = int(np.searchsorted(sums, below + choose[row] * weight, side="right")) - 1
            last = min(max(last, int(low[row])), int(high[row]))
            spare = most - int(rest[row]) - last
            if keep[row] < weight / widest * phi**spare:
                return order_of_code([*codes[row].tolist(), last])


def order_of_code(code: Sequence[int]) -> list[int]:
    """The order in which each unit stands before so many lower ones.

    >>> order_of_code([0, 0, 2])
    [2, 0, 1]
    """
    order: list[int] = []
    for unit, c in enumerate(code):
        order.insert(unit - c, unit)
    return order


def _codes(sums: Floats, n: int, size: int, stream: Stream) -> np.ndarray:
    """Codes of n units, shape (size, n): c_j from 0 to j with weights phi^c."""
    draws = stream.uniforms(size * n).reshape(size, n) * sums[1 : n + 1]
    found = np.searchsorted(sums, draws, side="right") - 1
    return np.minimum(found, np.arange(n))


def _phi(n: int, inversions: int) -> float:
    """The odds with which codes have about so many inversions on average; 1 for half of all or more."""
    if 4 * inversions >= n * (n - 1):
        return 1.0
    low, high = 0.0, 1.0
    c = np.arange(n, dtype=float)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        weights = middle**c
        if float((np.cumsum(c * weights) / np.cumsum(weights)).sum()) < inversions:
            low = middle
        else:
            high = middle
    return max(1.0, round(high * _GRID)) / _GRID
