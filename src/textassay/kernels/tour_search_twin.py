"""The twin of the compiled local search: the same steps in the same order, so that the same tour is found."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
_REACH = 30
"""The longest part that a kick moves."""
_BITS = (1 << 64) - 1


def search(
    costs: Int64, after: Int32, before: Int32, best: Int32, kicks: int, seed: int, target: int
) -> tuple[Int32, int]:
    """Make the tour in `best` shorter; the tour and its length."""
    tour = _Tour(costs, after.tolist(), before.tolist(), best.astype(np.int64))
    tour.push(*best.tolist())
    tour.settle()
    found, shortest = tour.node.copy(), tour.length()
    state = seed
    for _ in range(kicks):
        if shortest <= target:
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

    def settle(self) -> None:
        while self.queue:
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
