"""Random orders with a given tau: all that have it are equally likely.

Up to 200 units the orders are counted; with more of them, orders are drawn until one fits (rejection).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.ordering.distributions.tau_counts import (
    COUNTED,
    inversions_between,
    tau_counts,
    tau_of_inversions,
)
from textassay.ordering.permutations import Floats
from textassay.seeds import Stream

_WORD = 64
_GRID = 2.0**40
"""Odds are multiples of 1/this, so that another machine's last digit gives no other order."""
_HALVINGS = 60
_AT_ONCE = 1 << 20


def sample_order(n: int, low: float, high: float, seed: int | Stream) -> list[int]:
    """A random order of 0 … n-1 whose tau with 0 … n-1 lies in a range; all orders in it are equally likely.

    Args:
        n: How many units, at least 2.
        low: The least tau.
        high: The tau that it stays below; `high` itself counts where it is 1, or equal to `low`.
        seed: A number, or a stream to draw from.

    Raises:
        DataError: no order of n units has a tau in the range; the message names those nearest.
        UsageError: a range that is none, or n out of bounds.

    >>> sample_order(8, 0.75, 1, seed=1)
    [1, 0, 2, 3, 5, 4, 6, 7]
    """
    inside = inversions_between(n, low, high)
    if not inside:
        near = [k for k in (inside.start - 1, inside.start) if 0 <= k <= n * (n - 1) // 2]
        taus = " and ".join(f"{tau_of_inversions(k, n):.4g}" for k in near)
        raise DataError(f"no order of {n} units has a tau from {low} to {high}; the nearest are {taus}")
    return sample_of(n, inside, seed)


def sample_of(n: int, inversions: Sequence[int], seed: int | Stream) -> list[int]:
    """A random order of 0 … n-1 with one of these numbers of inversions; all such orders are equally likely.

    Up to 200 units the draw is made with whole numbers and exact; beyond that by drawing until an order fits (see
    `drawn_until_it_fits`), every order's chance being right to about n² · 10⁻¹⁶ of it.

    Raises:
        UsageError: numbers that no order of n units has; or, beyond 200 units, numbers that do not follow each other.

    >>> sample_of(4, [6], seed=1)
    [3, 2, 1, 0]
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise UsageError(f"n must be a whole number of at least 1, got {n!r}")
    most = n * (n - 1) // 2
    if not inversions or _ends(inversions)[0] < 0 or _ends(inversions)[1] > most:
        raise UsageError(f"orders of {n} units have 0 to {most} inversions, got {list(inversions[:5])}")
    stream = seed if isinstance(seed, Stream) else Stream(seed, "ordering", "sample order")
    if n > COUNTED:
        return _of_many(n, inversions, stream)
    counts = tau_counts(n)
    k = inversions[_weighted([counts[each] for each in inversions], stream)]
    if 2 * k > most:  # the mirror image of an order with few inversions, so that half the table is enough
        return _with_inversions(n, most - k, stream)[::-1]
    return _with_inversions(n, k, stream)


def _ends(inversions: Sequence[int]) -> tuple[int, int]:
    """The least and the most; a range of millions is not gone through for that."""
    if isinstance(inversions, range):
        return min(inversions[0], inversions[-1]), max(inversions[0], inversions[-1])
    return min(inversions), max(inversions)


def _of_many(n: int, inversions: Sequence[int], stream: Stream) -> list[int]:
    least, most = _ends(inversions)
    if most - least + 1 != len(inversions):
        raise UsageError(
            f"beyond {COUNTED} units the numbers of inversions must follow each other, such as range(100, 200); "
            f"got {len(inversions)} between {least} and {most}"
        )
    return drawn_until_it_fits(n, least, most, stream)


def _with_inversions(n: int, k: int, stream: Stream) -> list[int]:
    """Unit by unit from the last: it comes before c of the lower ones, c weighted by what remains for those."""
    rows = _rows(n)
    before: list[int] = []
    for unit in range(n - 1, 0, -1):
        row = rows[unit]
        # A row ends at the most inversions that so few units can have, if not at what is needed.
        weights = [row[k - c] if k - c < len(row) else 0 for c in range(min(unit, k) + 1)]
        chosen = _weighted(weights, stream)
        before.append(chosen)
        k -= chosen
    return order_of_code([0, *reversed(before)])


@lru_cache(maxsize=4)
def _rows(n: int) -> tuple[tuple[int, ...], ...]:
    """For each number of units up to n: how many orders have 0, 1 … inversions, as far as the half of n needs it."""
    half = n * (n - 1) // 4
    rows: list[tuple[int, ...]] = [(1,), (1,)]
    for size in range(2, n + 1):
        last = rows[-1]
        length = min(half, size * (size - 1) // 2) + 1
        sums = list(accumulate((*last, *(0,) * (length - len(last)))))[:length]
        rows.append(tuple(total - sums[k - size] if k >= size else total for k, total in enumerate(sums)))
    return tuple(rows)


def _weighted(weights: Sequence[int], stream: Stream) -> int:
    """A number, as likely as its weight; exact for whole numbers of any size."""
    totals = list(accumulate(weights))
    return bisect_right(totals, _below(totals[-1], stream))


def _below(n: int, stream: Stream) -> int:
    """A whole number from 0 to n-1, each equally likely, however large n is."""
    if n <= 1 << _WORD:
        return stream.below(n)
    words = (n.bit_length() + _WORD - 1) // _WORD
    spare = words * _WORD - n.bit_length()
    while True:
        draw = 0
        for word in stream.raw(words).tolist():
            draw = draw << _WORD | word
        draw >>= spare
        if draw < n:
            return draw


def drawn_until_it_fits(n: int, least: int, most: int, stream: Stream) -> list[int]:
    """A random order of 0 … n-1 with `least` to `most` inversions; all such orders are equally likely.

    Few inversions are rare among all codes, so codes are drawn as Mallows' model has them, each further inversion less
    likely by a factor phi; whichever phi, keeping a code with a chance of phi^(b - S) makes all that fit equally
    likely. The last number is not drawn but chosen among those that make the sum fit, with weights phi^c and, for
    having been chosen so, kept with the sum of these weights divided by its largest possible value. With phi such that
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
    """The order in which each unit comes before that many lower ones.

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
    """The odds with which codes have about that many inversions on average; 1 for half of all or more."""
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
