"""The greedy matching of the General Text Matcher.

In the fallback, as in the loop, runs are found length by length without a table of all matches. Stretches of 2, 4, 8, …
words are numbered, equal ones alike; two overlapping stretches of that kind make a stretch of any length, known by the
pair of their numbers.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.arguments import Int64, encoded_texts, integers, numbered_densely
from textassay.kernels.choice import compiled_loop

Float64 = npt.NDArray[np.float64]
_BITS = 64
"""The most words that the loop for short texts can take."""
_Stretch = tuple[int, int]


def gtm_sums(
    tokens: npt.ArrayLike,
    offsets: npt.ArrayLike,
    hypotheses: npt.ArrayLike,
    references: npt.ArrayLike,
    first_reference: npt.ArrayLike,
    exponent: float,
) -> Float64:
    """For each hypothesis the sum over its runs, greedily matched, of length to the power of `exponent`.

    A run is a stretch of words in both the hypothesis and one of its references. The longest is taken first,
    of equally long ones the last in the hypothesis and there the last in the references; no word is taken twice. In
    all no more words are taken than the shorter of hypothesis and mean reference has; the last run may be cut for it.
    Memory grows with words × log words, time with that and the number of different lengths of runs.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        hypotheses: The text's number of each hypothesis.
        references: The text's number of each reference, those of one hypothesis side by side.
        first_reference: Where each hypothesis's references begin in `references`, and where the last ones end.
        exponent: At least 1: how much a run is worth more than its words one by one.

    Returns:
        One float64 per hypothesis. The same numbers with the compiled loop and with its fallback.

    >>> gtm_sums([1, 2, 3, 4, 3, 4, 1, 2], [0, 4, 8], [0], [1], [0, 1], exponent=2).tolist()
    [8.0]
    """
    if not 1 <= exponent < float("inf"):
        raise UsageError(f"exponent is {exponent}; it must be at least 1, so that longer runs do not weigh less")
    words, starts = encoded_texts(tokens, offsets)
    texts = len(starts) - 1
    rows = np.ascontiguousarray(integers("hypotheses", hypotheses, texts - 1), dtype=np.int64)
    others = np.ascontiguousarray(integers("references", references, texts - 1), dtype=np.int64)
    first = np.ascontiguousarray(integers("first_reference", first_reference, len(others)), dtype=np.int64)
    if len(first) != len(rows) + 1 or first[0] != 0 or first[-1] != len(others) or np.any(np.diff(first) < 0):
        raise DataError(
            f"first_reference must rise from 0 to the number of references, {len(others)}, with one more entry than "
            f"there are hypotheses, {len(rows)}; got {first.tolist()[:10]}"
        )
    loop, short_loop = compiled_loop("gtm"), compiled_loop("gtm_short")
    if loop is None or short_loop is None:
        flat, bounds = words.tolist(), starts.tolist()
        lists = [flat[start:end] for start, end in pairwise(bounds)]
        its = [[lists[other] for other in others[start:end]] for start, end in pairwise(first.tolist())]
        sums = [greedy_sum(lists[row], refs, float(exponent)) for row, refs in zip(rows.tolist(), its, strict=True)]
        return np.array(sums, dtype=np.float64)
    found = np.zeros(len(rows))
    dense, vocabulary = numbered_densely(words)
    lengths = np.diff(starts)
    if np.all(np.diff(first) == 1) and lengths.max(initial=0) <= _BITS:
        short_loop.gtm_short_sums(dense, starts, rows, others, exponent, vocabulary, found)
    else:
        longest, most = int(lengths.max(initial=0)), _most_columns(starts, others, first)
        loop.gtm_sums(dense, starts, rows, others, first, exponent, vocabulary, longest, most, found)
    return found


def _most_columns(starts: Int64, others: Int64, first: Int64) -> int:
    """The words, and the ends of texts, in the references of the hypothesis that has most."""
    total = np.zeros(len(others) + 1, dtype=np.int64)
    np.cumsum(np.diff(starts)[others] + 1, out=total[1:])
    return int(np.diff(total[first]).max(initial=0))


class _Side:
    """The hypothesis, or all references one after the other."""

    def __init__(self, words: list[int]) -> None:
        self.ranks = [words]
        """ranks[k][p] is the number of the stretch of 2**k words from p on; -1 where no other side has it."""
        self.used = [word < 0 for word in words]
        self.free: list[int] = []
        """How many words from p on are not used; as it was when `look` was last called."""

    def look(self) -> int:
        """Bring `free` up to date; the longest stretch that is free."""
        free, run = [0] * len(self.used), 0
        for place in range(len(free) - 1, -1, -1):
            run = 0 if self.used[place] else run + 1
            free[place] = run
        self.free = free
        return max(free, default=0)

    def stretches(self, length: int) -> list[tuple[int, _Stretch]]:
        """Every free stretch of that length that can match, from first to last."""
        power = length.bit_length() - 1
        ranks, shift = self.ranks[power], length - (1 << power)
        free = self.free
        return [
            (place, (ranks[place], ranks[place + shift]))
            for place in range(len(free) - length + 1)
            if free[place] >= length and ranks[place] >= 0 and ranks[place + shift] >= 0
        ]


def greedy_sum(hypothesis: list[int], references: list[list[int]], exponent: float) -> float:
    """The sum over the runs of length to the power of `exponent`."""
    columns = [word for text in references for word in (*text, -1)]  # -1 ends a text and matches nothing
    known = set(columns)
    rows = _Side([word if word in known else -1 for word in hypothesis])
    cols = _Side(columns)
    words = len(columns) - len(references)
    cap = float(min(len(hypothesis), words / len(references))) if references else 0.0
    highest = _number_stretches(rows, cols)
    matcher = _Matcher(rows, cols, cap, exponent)
    while (length := matcher.next_length(highest)) > 1:
        matcher.take(length)
        highest = length - 1
    matcher.take_words()
    return matcher.total


def _number_stretches(rows: _Side, cols: _Side) -> int:
    """Number stretches of 2, 4, 8, … words while both sides have one in common; no run is longer than the result."""
    width = 1
    while True:
        below, numbers = cols.ranks[-1], dict[_Stretch, int]()
        ranks = [
            numbers.setdefault((a, b), len(numbers)) if a >= 0 and b >= 0 else -1
            for a, b in zip(below, below[width:], strict=False)
        ]
        above = rows.ranks[-1]
        found = [numbers.get(pair, -1) for pair in zip(above, above[width:], strict=False)]
        if max(found, default=-1) < 0:
            return 2 * width - 1
        cols.ranks.append(ranks)
        rows.ranks.append(found)
        width *= 2


class _Matcher:
    """Takes runs and keeps the books."""

    def __init__(self, rows: _Side, cols: _Side, cap: float, exponent: float) -> None:
        self._rows, self._cols = rows, cols
        self._cap = cap
        self._exponent = exponent
        self.total = 0.0

    def next_length(self, highest: int) -> int:
        """The length of the longest run that can be taken, at most `highest`; at most 1 where there is none of two.

        With less than a run's length left to take, its beginning counts, which is a run itself, of just that length.
        """
        low, high = 1, min(highest, ceil(self._cap), self._rows.look(), self._cols.look())
        while low < high:
            middle = (low + high + 1) // 2
            there = {stretch for _, stretch in self._cols.stretches(middle)}
            if any(stretch in there for _, stretch in self._rows.stretches(middle)):
                low = middle
            else:
                high = middle - 1
        return min(low, high)

    def take(self, length: int) -> None:
        """Take runs of that length, the last first."""
        places: dict[_Stretch, list[int]] = {}
        for column, stretch in self._cols.stretches(length):
            places.setdefault(stretch, []).append(column)
        used, lowest = self._cols.used, len(self._rows.used)
        for row, stretch in reversed(self._rows.stretches(length)):
            if ceil(self._cap) < length:
                return
            if row + length > lowest or stretch not in places:
                continue
            its = places[stretch]
            # What this call used came in stretches of the same length: one that meets them begins or ends there.
            while its and (used[its[-1]] or used[its[-1] + length - 1]):
                its.pop()
            if its:
                column, lowest = its.pop(), row
                used[column : column + length] = [True] * length
                self._rows.used[row : row + length] = [True] * length
                self._count(length)

    def take_words(self) -> None:
        """Take the remaining words one by one; their order no longer matters."""
        left: dict[int, int] = {}
        for word, used in zip(self._cols.ranks[0], self._cols.used, strict=True):
            if not used:
                left[word] = left.get(word, 0) + 1
        for word, used in zip(self._rows.ranks[0], self._rows.used, strict=True):
            if not used and left.get(word, 0) > 0 and self._cap > 0:
                left[word] -= 1
                self._count(1)

    def _count(self, length: int) -> None:
        worth = min(float(length), self._cap)
        self._cap -= worth
        self.total += worth**self._exponent
