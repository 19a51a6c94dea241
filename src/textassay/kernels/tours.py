"""Shortest paths through all units by Held and Karp's table, and short tours by local search with kicks.

The fallbacks take the same steps in the same order as the compiled loops, so that they find the same tour.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, Int64
from textassay.kernels.choice import compiled_loop

LARGEST = 2**60
"""The most that n times the highest cost may be, so that no sum leaves the range of 64 bits."""
NEAR = 12
"""How many of the cheapest neighbours of each node are tried."""
_REACH = 30
"""The longest part that a kick moves."""
_BITS = (1 << 64) - 1
Floats = npt.NDArray[np.float64]
MOST = 20
"""The most units: the table then has 2¹⁹ × 19 places, which take 80 MB."""


def held_karp(distances: npt.ArrayLike) -> Floats:
    """The table of Held and Karp (1962).

    Args:
        distances: Shape (n, n) with n from 2 to 20: entry (j, k) from unit j to unit k; all finite.

    Returns:
        Shape (2ⁿ⁻¹, n-1). Place (S, j): the least cost of a path that starts at unit 0, goes through all units of S and
        ends at unit j + 1, which is one of them (else infinite). Bit b of S stands for unit b + 1. The same numbers
        with the compiled loop and with its fallback.

    Raises:
        DataError: the wrong shape, or a distance that is not finite.

    >>> held_karp([[0, 1, 9], [9, 0, 1], [9, 9, 0]]).tolist()
    [[inf, inf], [1.0, inf], [inf, 9.0], [18.0, 2.0]]
    """
    steps = np.asarray(distances, dtype=np.float64)
    if steps.ndim != 2 or steps.shape[0] != steps.shape[1] or not 2 <= len(steps) <= MOST:
        raise DataError(f"distances must have the shape (n, n) with n from 2 to {MOST}, got {steps.shape}")
    if not np.isfinite(steps).all():
        raise DataError("distances must be finite")
    m = len(steps) - 1
    into = np.ascontiguousarray(np.concatenate([steps[1:, 1:].T, steps[:1, 1:].T], axis=1))
    loop = compiled_loop("tours")
    if loop is None:
        return _held_karp_fallback(into)
    table = np.empty((1 << m, m))
    loop.held_karp(into, table)
    return table


def _held_karp_fallback(into: Floats) -> Floats:
    """All subsets of one size at once, the sizes in rising order."""
    m = len(into)
    table = np.full((1 << m, m), np.inf)
    subsets = np.arange(1 << m)
    sizes = np.bitwise_count(subsets) if hasattr(np, "bitwise_count") else _sizes(m)
    table[1 << np.arange(m), np.arange(m)] = into[:, m]
    for size in range(1, m):
        rests = subsets[sizes == size]
        before = table[rests]
        for j in range(m):
            without = (rests >> j) & 1 == 0
            table[rests[without] | (1 << j), j] = (before[without] + into[j, :m]).min(axis=1)
    return table


def _sizes(m: int) -> npt.NDArray[np.int64]:
    """How many bits each number below 2ᵐ has; NumPy counts them itself from 2.0 on."""
    counts = np.zeros(1, dtype=np.int64)
    for _ in range(m):
        counts = np.concatenate([counts, counts + 1])
    return counts


def tour_search(
    costs: npt.ArrayLike,
    tour: npt.ArrayLike,
    *,
    kicks: int,
    seed: int = 0,
    target: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[Int32, int]:
    """Make a tour shorter.

    Parts of the tour are reversed (2-opt) and adjacent parts change places (3-opt without reversal, which includes
    or-opt) until neither helps. Then, again and again, three random parts are put in the opposite order (a
    double bridge) and the tour around them is improved in the same way; what is no longer than before is kept (Johnson
    & McGeoch 1997, iterated 3-opt).

    Args:
        costs: Shape (n, n) with n of at least 3, whole numbers: from the row's node to the column's.
        tour: All nodes in the order of a tour that closes on itself; the first stays in its place.
        kicks: How often the tour is disturbed.
        seed: Of the disturbances, at least 0.
        target: Where a tour of this length is found, no more is tried.
        stop: Asked from time to time whether to stop with the best tour so far.

    Returns:
        The tour and its length. The same with the compiled loop and with its fallback, unless it was stopped.

    Raises:
        DataError: the wrong shape, numbers that are not whole or too large, or no tour.

    >>> around = [[0, 1, 9, 1], [1, 0, 1, 9], [9, 1, 0, 1], [1, 9, 1, 0]]
    >>> found, length = tour_search(around, [0, 2, 1, 3], kicks=0)
    >>> found.tolist(), length
    ([0, 1, 2, 3], 4)
    """
    steps = _checked_costs(costs)
    n = len(steps)
    best = np.array(tour, dtype=np.int32)
    if best.shape != (n,) or not np.array_equal(np.sort(best), np.arange(n)):
        raise DataError(f"tour must name each of the nodes 0 … {n - 1} once, got {best.tolist()[:10]}")
    symmetric = bool((steps == steps.T).all())
    after = _cheapest(steps)
    before = after if symmetric else _cheapest(steps.T)
    aim = -LARGEST if target is None else target
    loop = compiled_loop("tours")
    if loop is None:
        return _tour_search_fallback(
            _Tour(steps, after.tolist(), before.tolist(), best.astype(np.int64)), kicks, seed, aim, stop
        )
    into = steps if symmetric else np.ascontiguousarray(steps.T)
    length = loop.tour_search(steps, into, after, before, best, kicks, seed, aim, symmetric, stop)
    return best, int(length)


def _checked_costs(costs: npt.ArrayLike) -> Int64:
    given = np.asarray(costs)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) < 3:
        raise DataError(f"costs must have the shape (n, n) with n of at least 3, got {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        raise DataError(f"costs must be whole numbers, got {given.dtype}")
    highest = max(abs(int(given.min())), abs(int(given.max())))
    if highest * len(given) > LARGEST:
        raise DataError(f"costs may be up to 2⁶⁰ / n, got {highest}")
    return np.ascontiguousarray(given, dtype=np.int64)


def _cheapest(steps: Int64) -> Int32:
    """For each row the cheapest other columns, in rising order; of equals the first."""
    n = len(steps)
    ordered = np.argsort(steps, axis=1, kind="stable")
    others = ordered[ordered != np.arange(n)[:, None]].reshape(n, n - 1)
    return np.ascontiguousarray(others[:, :NEAR], dtype=np.int32)


def _tour_search_fallback(
    tour: _Tour, kicks: int, seed: int, target: int, stop: Callable[[], bool] | None
) -> tuple[Int32, int]:
    """The tour made shorter, and its length."""
    tour.push(*tour.node.tolist())
    tour.settle(stop)
    found, shortest = tour.node.copy(), tour.length()
    state = seed
    for _ in range(kicks):
        if shortest <= target or (stop is not None and stop()):
            break
        state = tour.kick(state)
        tour.settle()
        now = tour.length()
        if now <= shortest:
            found, shortest = tour.node.copy(), now
        else:
            tour.restore(found)
    return found.astype(np.int32), shortest


class _Tour:
    """A tour that closes on itself; the node in place 0 never moves."""

    def __init__(self, costs: Int64, after: list[list[int]], before: list[list[int]], node: Int64) -> None:
        self.costs, self.after, self.before, self.n = costs, after, before, len(costs)
        self.rows: list[list[int]] = costs.tolist()
        self.queue: deque[int] = deque()
        self.queued: set[int] = set()
        self.restore(node)

    def restore(self, node: Int64) -> None:
        self.node = node.copy()
        self._measure()

    def _measure(self) -> None:
        """Places, and lengths up to each place: there, and walked the other way."""
        self.place = np.empty(self.n, dtype=np.int64)
        self.place[self.node] = np.arange(self.n)
        follows = np.roll(self.node, -1)
        self.steps = self.costs[self.node, follows]
        turned = self.costs[follows, self.node] - self.steps
        self.back = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(turned)])

    def length(self) -> int:
        return int(self.steps.sum())

    def push(self, *nodes: int) -> None:
        for node in nodes:
            if node not in self.queued:
                self.queued.add(node)
                self.queue.append(node)

    def settle(self, stop: Callable[[], bool] | None = None) -> None:
        while self.queue and not (stop is not None and stop()):
            a = self.queue.popleft()
            self.queued.discard(a)
            while self._improved_after(a) or self._improved_before(a):
                pass

    def _at(self, place: int) -> int:
        return int(self.node[place % self.n])

    def _turning_gain(self, i: int, j: int) -> int:
        a, b, c, d = self._at(i - 1), self._at(i), self._at(j), self._at(j + 1)
        kept = self.rows[a][b] + self.rows[c][d] - self.rows[a][c] - self.rows[b][d]
        return kept - int(self.back[j] - self.back[i])

    def _turn(self, i: int, j: int) -> None:
        self.push(self._at(i - 1), self._at(i), self._at(j), self._at(j + 1))
        self.node[i : j + 1] = self.node[i : j + 1][::-1].copy()
        self._measure()

    def _exchange(self, x: int, y: int, z: int) -> None:
        """Exchange the places x+1 to y with the places y+1 to z."""
        self.push(*(self._at(place) for place in (x, x + 1, y, y + 1, z, z + 1)))
        self.node[x + 1 : z + 1] = np.concatenate([self.node[y + 1 : z + 1], self.node[x + 1 : y + 1]])
        self._measure()

    def _improved_after(self, a: int) -> bool:
        p = int(self.place[a])
        row, old = self.rows[a], self.rows[a][self._at(p + 1)]
        for c in self.after[a]:
            if old - row[c] <= 0:
                return False
            q = int(self.place[c])
            part = (p + 1, q) if q > p else (q + 1, p)
            turned = self._turning_gain(*part)
            best, end = self._best_exchange(p, q, old - row[c])
            if turned > best:
                self._turn(*part)
                return True
            if best > 0:
                low, middle, high = sorted((p, (q - 1) % self.n, end))
                self._exchange(low, middle, high)
                return True
        return False

    def _best_exchange(self, p: int, q: int, gain: int) -> tuple[int, int]:
        """The most that is gained by putting the part that begins in place q after place p, and where the part ends."""
        count = (p - q) % self.n
        ends = (q + np.arange(count)) % self.n
        before, moved = self._at(q - 1), self._at(p + 1)
        last, follows = self.node[ends], self.node[(ends + 1) % self.n]
        gain += self.rows[before][self._at(q)]
        gains = gain + self.steps[ends] - self.costs[last, moved] - self.costs[before, follows]
        best = int(np.argmax(gains))
        return max(int(gains[best]), 0), int(ends[best])

    def _improved_before(self, a: int) -> bool:
        p = int(self.place[a])
        end = p or self.n
        old = self.rows[self._at(end - 1)][a]
        for c in self.before[a]:
            if old - self.rows[c][a] <= 0:
                return False
            q = int(self.place[c]) or self.n
            part = (end, q - 1) if q > end else (q, end - 1)
            if self._turning_gain(*part) > 0:
                self._turn(*part)
                return True
        return False

    def kick(self, state: int) -> int:
        """Turn the order of three random parts that lie side by side; the generator's next state."""
        reach = min(_REACH, (self.n - 1) // 3)
        if reach == 0:
            return state
        sizes = []
        for _ in range(3):
            state, drawn = _draw(state, reach)
            sizes.append(drawn + 1)
        state, x = _draw(state, self.n - sum(sizes))
        self._exchange(x, x + sizes[0], x + sum(sizes))
        self._exchange(x, x + sizes[1], x + sizes[1] + sizes[2])
        return state


def _draw(state: int, below: int) -> tuple[int, int]:
    """splitmix64 (Steele, Lea & Flood 2014): the next state, and a number below the limit."""
    state = (state + 0x9E3779B97F4A7C15) & _BITS
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _BITS
    return state, (mixed ^ (mixed >> 31)) % below
