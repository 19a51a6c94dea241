"""Edits of the translation edit rate for many pairs of texts, and the notes on how loop and fallback work.

Snover, M., Dorr, B., Schwartz, R., Micciulla, L., Makhoul, J. (2006). A study of translation edit rate with targeted
human annotation. The search is greedy: of all blocks of words that the hypothesis shares with the reference at another
place, shift the one that lowers the edit distance most; stop when none does. Which blocks are tried, in which order and
how ties are broken is tercom's choice as sacreBLEU made it precise; both limit the distance to a band (the beam).

What makes it quick is that the band fits into one machine word. A row of the table of distances (a word of the
hypothesis) is kept as two bit strings, where the distance grows and where it falls along the reference, as Myers (1999)
has it, in a window that moves with the band. Cells outside the band count as unreachable; three rules keep the bits
true to that. Beyond the end of a row the distance goes on growing by one, and no match may start from there: then no
way through such a cell is shorter than one inside. Before the beginning is one cell with the value of the cell
above it and one more, which no way can use with profit. Where the band does not move, no match may start from that
cell. Neighbours inside the band differ by one at most, as they do without a band.

A shift leaves the rows before the first word that it moves as they are; and once, behind the last word that it moves,
a row has the same bits as before the shift, all further rows have, too, and the distance is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import (
    Int32,
    TextPairs,
    checked_pairs,
    number_of_pair,
    numbered_densely,
    numbered_texts,
)
from textassay.kernels.choice import compiled_loop

LONGEST, FARTHEST, BEAM, MOST_TRIED = 10, 50, 25, 1000
"""Words in a block, positions between its two places, half the band, shifts tried in all: tercom's and sacreBLEU's."""


def ter_edits(
    tokens: npt.ArrayLike, offsets: npt.ArrayLike, hypotheses: npt.ArrayLike, references: npt.ArrayLike
) -> Int32:
    """Shifts, substitutions, deletions and insertions that make each pair's reference of its hypothesis.

    The numbers are those of sacreBLEU 2.6.0, which follows tercom 0.8.0: blocks of at most 10 words move over at most
    50 positions, distances are sought in a band of 25 cells on either side, and the search ends after 1,000 shifts.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        hypotheses: The hypothesis's number for each pair.
        references: The reference's number for each pair.

    Returns:
        One int32 per pair. The same numbers with the compiled loop and with its fallback.

    >>> ter_edits([4, 5, 1, 2, 3, 1, 2, 3, 4, 5], [0, 5, 10], hypotheses=[0], references=[1]).tolist()
    [1]
    """
    pairs = checked_pairs(tokens, offsets, hypotheses, references)
    loop = compiled_loop("ter")
    if loop is None:
        return _fallback(pairs)
    edits = np.zeros(len(pairs.left), dtype=np.int32)
    words, vocabulary = numbered_densely(pairs.words)
    wide = _wide(pairs)
    if wide.any():  # the fallback's integers have as many bits as it takes
        edits[wide] = _fallback(pairs._replace(left=pairs.left[wide], right=pairs.right[wide]))
    narrow = np.zeros(len(edits) - int(wide.sum()), dtype=np.int32)
    loop.ter_edits(words, pairs.starts, pairs.left[~wide], pairs.right[~wide], vocabulary, pairs.longest, narrow)
    edits[~wide] = narrow
    return edits


def edits_of(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> int:
    """The edits of one pair of texts, whose words may be any values.

    >>> edits_of("d e f g h a b c".split(), "a b c d e f g h".split())
    1
    """
    loop = compiled_loop("ter")
    if loop is None or len(reference) > 2 * BEAM * len(hypothesis) > 0:
        numbered = numbered_texts((hypothesis, reference)).words.tolist()
        return pair_edits(numbered[: len(hypothesis)], numbered[len(hypothesis) :])
    return number_of_pair(loop.ter_edits, hypothesis, reference)


def _wide(pairs: TextPairs) -> npt.NDArray[np.bool_]:
    """Whose band is wider than a machine word: references more than fifty times as long as the hypothesis."""
    lengths = np.diff(pairs.starts)
    hypothesis = lengths[pairs.left]
    return np.asarray((hypothesis > 0) & (lengths[pairs.right] > 2 * BEAM * hypothesis))


def _fallback(pairs: TextPairs) -> Int32:
    return np.array([pair_edits(hypothesis, reference) for hypothesis, reference in pairs.lists()], dtype=np.int32)


class BandRow(NamedTuple):
    """Where the band lies in the row of one word; only the lengths of the texts decide."""

    base: int
    """The window's first bit is the cell behind this one."""
    shift: int
    """How far the window moved since the row before."""
    low: int
    """The first cell, or 0 where the way up must not be forced."""
    high: int
    """The last cell that a diagonal step can reach."""
    allowed: int
    """Bits where a match may start."""
    beyond: int
    """Bits behind the band."""


class DistanceRow(NamedTuple):
    """One row of the table of distances."""

    up: int
    down: int
    value: int
    """The distance at the window's base."""


def pair_edits(hypothesis: list[int], reference: list[int]) -> int:
    """Shifts and edits that make the reference of the hypothesis."""
    if not hypothesis or not reference:
        return len(hypothesis) + len(reference)
    table = DistanceTable(hypothesis, reference)
    common = (Counter(hypothesis) & Counter(reference)).total()
    least = max(len(hypothesis), len(reference)) - common  # no shift changes it
    shifts = tried = 0
    # With one edit more than the least, a last shift would cost what it saves.
    while table.distance > least + 1:
        best, tried = _best_shift(table, tried, least)
        if best is None or tried >= MOST_TRIED:
            break
        shifts += 1
        table.apply(best)
    return shifts + table.distance


class BlockShift(NamedTuple):
    """Words of the hypothesis in another order: `words` from position `first` on."""

    first: int
    words: list[int]


class DistanceTable:
    """Distances between the beginnings of the hypothesis, as shifted so far, and those of the reference."""

    def __init__(self, hypothesis: list[int], reference: list[int]) -> None:
        self.words = hypothesis
        self.reference = reference
        self.places: dict[int, list[int]] = {}
        for place, word in enumerate(reference):
            self.places.setdefault(word, []).append(place)
        self._masks = {word: sum(1 << place for place in places) for word, places in self.places.items()}
        self._rows, self._full = _band(len(hypothesis), len(reference))
        self._states = [DistanceRow(self._full, 0, 0)]
        self._flat: list[int] = []
        self._grows: list[int] = []
        self.apply(BlockShift(0, hypothesis))

    @property
    def distance(self) -> int:
        """At the end of both texts."""
        return self._distance(self._states[-1])

    def apply(self, shift: BlockShift) -> None:
        """Make the shift and all rows that it changes."""
        first, moved = shift
        self.words = self.words[:first] + moved + self.words[first + len(moved) :]
        for kept in (self._flat, self._grows):
            del kept[first:]
        del self._states[first + 1 :]
        for word, row in zip(self.words[first:], self._rows[first:], strict=True):
            state, flat, grows = self._next(self._states[-1], word, row)
            self._states.append(state)
            self._flat.append(flat)
            self._grows.append(grows)

    def distance_after(self, shift: BlockShift) -> int:
        """The distance if the shift were made."""
        first, moved = shift
        state = self._states[first]
        for word, row in zip(moved, self._rows[first:], strict=False):
            state = self._next(state, word, row)[0]
        for number in range(first + len(moved), len(self.words)):
            before = self._states[number]
            if state.up == before.up and state.down == before.down:
                return self.distance + state.value - before.value
            state = self._next(state, self.words[number], self._rows[number])[0]
        return self._distance(state)

    def _next(self, state: DistanceRow, word: int, row: BandRow) -> tuple[DistanceRow, int, int]:
        """The row of one more word; also where its diagonal steps are free, and where it grows from the row above."""
        full, shift = self._full, row.shift
        up, down, value = state
        if shift:
            left_out = (1 << shift) - 1
            value += (up & left_out).bit_count() - (down & left_out).bit_count()
            up, down = up >> shift | full ^ (full >> shift), down >> shift
        same = self._masks.get(word, 0) >> row.base & row.allowed
        flat = ((((same & up) + up) ^ up) | same | down) & full
        grows = down | (flat | up) ^ full
        down_now = grows << 1 | 1
        up = ((flat & up) << 1 | (flat | down_now) ^ full) & full | row.beyond
        return DistanceRow(up, down_now & flat & ~row.beyond, value + 1), flat, grows

    def _distance(self, state: DistanceRow) -> int:
        cells = (1 << (len(self.reference) - self._rows[-1].base)) - 1
        return state.value + (state.up & cells).bit_count() - (state.down & cells).bit_count()

    def alignment(self) -> tuple[list[int], list[int], list[int]]:
        """For each word of the reference the last word of the hypothesis up to it; where both have errors.

        Of ways with the fewest edits, a diagonal step goes before one along the hypothesis and that before one along
        the reference.
        """
        i, j = len(self.words), len(self.reference)
        aligned = [-1] * j
        hypothesis_errors, reference_errors = [1] * i, [1] * j
        while i and j:
            row, cell = self._rows[i - 1], j - 1 - self._rows[i - 1].base
            if j == row.low:
                step = (1, 0)
            elif j > row.high:
                step = (0, 1)
            elif self.words[i - 1] == self.reference[j - 1]:
                hypothesis_errors[i - 1] = reference_errors[j - 1] = 0
                step = (1, 1)
            elif not self._flat[i - 1] >> cell & 1:
                step = (1, 1)
            else:
                step = (1, 0) if self._grows[i - 1] >> cell & 1 else (0, 1)
            if step[1]:
                aligned[j - 1] = i - 1
            i, j = i - step[0], j - step[1]
        return aligned, hypothesis_errors, reference_errors


def _band(words: int, reference: int) -> tuple[list[BandRow], int]:
    """The band in each row, and a bit for each cell of the window."""
    ratio = reference / words
    beam = ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    full = (1 << min(reference, 2 * beam)) - 1
    rows = []
    low = base = 0
    high = reference + 1
    for number in range(1, words + 1):
        middle = floor(number * ratio)
        low_before, base_before, high_before = low, base, high
        low = max(0, middle - beam)
        base = max(low, 1) - 1
        high = reference + 1 if number == words else min(reference + 1, middle + beam)
        stays = low > 0 and low == low_before
        rows.append(
            BandRow(
                base,
                base - base_before,
                low if stays else 0,
                high_before,
                ((1 << (high_before - base)) - 1) & full & ~stays,
                full & ~((1 << (high - 1 - base)) - 1),
            )
        )
    return rows, full


def _best_shift(table: DistanceTable, tried: int, least: int) -> tuple[BlockShift | None, int]:
    """The shift that lowers the distance most, if one does, and how many have been tried by now.

    Of equals the longest block, then the first in the hypothesis, then the first place to put it.
    """
    aligned, hypothesis_errors, reference_errors = table.alignment()
    next_errors = _next_errors(hypothesis_errors), _next_errors(reference_errors)
    best: BlockShift | None = None
    lowest, rank = table.distance, (0, 0, 0)
    seen: set[tuple[int, int, int]] = set()
    for start in range(len(table.words)):
        for place, length in _blocks(table, start, aligned, next_errors):
            for target in dict.fromkeys((aligned[place - 1] if place else -1, *aligned[place : place + length])):
                tried += 1
                candidate = (length, -start, -target)
                if lowest == least or candidate in seen:
                    continue
                seen.add(candidate)
                shift = _shifted(table.words, start, length, target + 1)
                distance = table.distance_after(shift)
                if distance < lowest or (distance == lowest and best is not None and candidate > rank):
                    best, lowest, rank = shift, distance, candidate
            if tried >= MOST_TRIED:
                return best, tried
    return best, tried


def _blocks(
    table: DistanceTable, start: int, aligned: list[int], next_errors: tuple[list[int], list[int]]
) -> list[tuple[int, int]]:
    """Places in the reference where the block at `start` of the hypothesis could belong, with its length.

    Both sides have an error in it, and it is not aligned to itself.
    """
    words, reference = table.words, table.reference
    found: list[tuple[int, int]] = []
    if next_errors[0][start] - start >= LONGEST:
        return found
    for place in table.places.get(words[start], ()):
        if abs(place - start) > FARTHEST:
            continue
        shortest = max(next_errors[0][start] - start, next_errors[1][place] - place) + 1
        longest = min(LONGEST, len(words) - start, len(reference) - place)
        if aligned[place] >= start:
            longest = min(longest, aligned[place] - start)
        for length in range(1, longest + 1):
            if words[start + length - 1] != reference[place + length - 1]:
                break
            if length >= shortest:
                found.append((place, length))
    return found


def _next_errors(errors: list[int]) -> list[int]:
    """For each position the next one with an error, itself included."""
    following = [len(errors) + LONGEST] * len(errors)
    last = len(errors) + LONGEST
    for position in range(len(errors) - 1, -1, -1):
        if errors[position]:
            last = position
        following[position] = last
    return following


def _shifted(words: list[int], start: int, length: int, target: int) -> BlockShift:
    """The block of words moved before `target`, or, if that lies inside it, as many words to the right."""
    end = start + length
    if target < start:
        return BlockShift(target, words[start:end] + words[target:start])
    stop = target if target > end else target + length
    return BlockShift(start, words[end:stop] + words[start:end])
