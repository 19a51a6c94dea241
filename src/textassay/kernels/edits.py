"""Edit distances of many pairs of texts, and how many edits are of which kind.

In the fallback one big integer holds all positions of a text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from math import isqrt

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, checked_pairs, number_of_pair, numbers_of_pairs
from textassay.kernels.choice import compiled_loop

KEPT = 1 << 25
"""Bits of a pair that are all kept; of a larger pair every √n-th column is, and those between are made again."""

SHORT = 30
"""Words up to which a single pair is sooner compared in plain Python than numbered for the loop."""

Column = tuple[int, int]
"""One bit per position of the pattern: where the distance grows from the position before, and where it falls."""


def edit_distances(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Int32:
    """The least number of substitutions, deletions and insertions for each pair (left[k], right[k]) of texts.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: One text's number for each pair.
        right: The other text's number for each pair.

    Returns:
        One int32 per pair. The same numbers with the compiled loop and with its fallback.

    >>> edit_distances([1, 2, 3, 4, 9, 2, 4], [0, 4, 7], left=[0, 0], right=[1, 0]).tolist()
    [2, 0]
    """
    return numbers_of_pairs(checked_pairs(tokens, offsets, left, right), "edits", "edit_distances", pair_distance)


def edit_counts(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Int32:
    """Hits, substitutions, deletions and insertions of a least-cost alignment of each pair (left[k], right[k]).

    Words of the left text (the reference) that the right one (the hypothesis) lacks are deletions, further words of
    the right one insertions. Of several alignments with the fewest edits the counts are those of the one that
    RapidFuzz, and with it jiwer, takes: words in common at both ends are hits, and between them, from the end, a
    deletion goes before an insertion and that before a hit or a substitution. RapidFuzz leaves this rule where the
    product of both lengths without their common ends exceeds four million; the rule here is the same at any length.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: The reference's number for each pair.
        right: The hypothesis's number for each pair.

    Returns:
        int32, (pairs, 4). The same numbers with the compiled loop and with its fallback.

    >>> edit_counts([1, 2, 3, 4, 9, 2, 4], [0, 4, 7], left=[0, 0], right=[1, 0]).tolist()
    [[2, 1, 1, 0], [4, 0, 0, 0]]
    """
    pairs = checked_pairs(tokens, offsets, left, right)
    return numbers_of_pairs(pairs, "edits", "edit_counts", pair_counts, columns=4)


def string_edits(left: list[str], right: list[str], *, words: bool) -> Int32:
    """Edit distance, and the lengths of both, for each pair (left[k], right[k]) of strings.

    Args:
        left: One text for each pair.
        right: The other.
        words: Whether words by white space are edited; else characters, without white space at the ends.

    Returns:
        int32, (pairs, 3). The same numbers with the compiled loop and with its fallback.

    >>> string_edits(["kitten ", "a cat"], ["sitting", "a small cat"], words=False).tolist()
    [[3, 6, 7], [6, 5, 11]]
    """
    return _of_strings(left, right, 3, words=words)


def string_edit_counts(left: list[str], right: list[str], *, words: bool) -> Int32:
    """What `edit_counts` says of pairs of strings: int32, (pairs, 4); see `string_edits`.

    >>> string_edit_counts(["a cat sat"], ["the cat"], words=True).tolist()
    [[1, 1, 1, 0]]
    """
    return _of_strings(left, right, 4, words=words)


def _of_strings(left: list[str], right: list[str], columns: int, *, words: bool) -> Int32:
    if len(left) != len(right):
        raise DataError(f"left has {len(left)} texts and right has {len(right)}; pairs need as many of each")
    loop = compiled_loop("edits")
    if loop is None:
        read: Callable[[str], Sequence[str]] = str.split if words else str.strip
        units = ((read(first), read(second)) for first, second in zip(left, right, strict=True))
        found = [pair_counts(a, b) if columns == 4 else (pair_distance(a, b), len(a), len(b)) for a, b in units]
        return np.array(found, np.int32).reshape(len(left), columns)
    out = np.empty((len(left), columns), np.int32)
    loop.string_edits(left, right, words, columns == 4, out)
    return out


def distance_of(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The edit distance of one pair of texts, whose words may be any values, as strings are.

    >>> distance_of("kitten", "sitting"), distance_of(["a", "cat"], ["a", "small", "cat"])
    (3, 1)
    """
    loop = compiled_loop("edits") if len(first) > SHORT and len(second) > SHORT else None
    return pair_distance(first, second) if loop is None else number_of_pair(loop.edit_distances, first, second)


def pair_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The edit distance of two texts."""
    first, second = _without_common_ends(first, second)
    pattern, text = (first, second) if len(first) >= len(second) else (second, first)  # each word of the text is a turn
    if not text:
        return len(pattern)
    (last,) = deque(_columns(_masks(pattern), text, _first_column(pattern)), maxlen=1)
    return _last_distance(last, text)


def pair_counts(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> tuple[int, int, int, int]:
    """Hits, substitutions, deletions and insertions."""
    pattern, text = _without_common_ends(reference, hypothesis)
    m, n = len(pattern), len(text)
    if not pattern or not text:
        distance, deletions = m + n, m
    elif m * n <= KEPT:
        columns = [(first := _first_column(pattern)), *_columns(_masks(pattern), text, first)]
        distance = _last_distance(columns[-1], text)
        rest, _, deletions = _way_back(columns, m, n)
        deletions += rest
    else:
        distance, deletions = _large(pattern, text)
    insertions = deletions + n - m
    substitutions = distance - deletions - insertions
    return len(reference) - substitutions - deletions, substitutions, deletions, insertions


def _large(pattern: Sequence[Hashable], text: Sequence[Hashable]) -> tuple[int, int]:
    """Distance and deletions in memory for 2·√n columns."""
    gap = isqrt(len(text))
    masks, first = _masks(pattern), _first_column(pattern)
    kept = [first, *islice(_columns(masks, text, first), gap - 1, None, gap)]
    col, row = len(pattern), len(text)
    distance = deletions = 0
    for number in range((row - 1) // gap, -1, -1):
        begins = number * gap
        columns = [kept[number], *_columns(masks, text[begins:row], kept[number])]
        distance = distance or _last_distance(columns[-1], text)
        col, row, found = _way_back(columns, col, row - begins)
        deletions += found
        row += begins
        if not col:
            break
    return distance, deletions + col


def _way_back(columns: list[Column], col: int, row: int) -> tuple[int, int, int]:
    """Follow the alignment back to the first of the columns or of the positions: where it gets, and the deletions.

    A deletion goes before an insertion and that before a diagonal step, as in RapidFuzz.
    """
    deletions = 0
    while row and col:
        bit = 1 << (col - 1)
        if columns[row][0] & bit:
            deletions += 1
            col -= 1
        else:
            row -= 1
            if not columns[row][1] & bit:
                col -= 1
    return col, row, deletions


def _without_common_ends(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    shorter = min(len(first), len(second))
    head = 0
    while head < shorter and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < shorter - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return first[head : len(first) - tail], second[head : len(second) - tail]


def _masks(pattern: Sequence[Hashable]) -> dict[Hashable, int]:
    """For each word the positions where the pattern has it."""
    masks: dict[Hashable, int] = {}
    bit = 1
    for word in pattern:
        masks[word] = masks.get(word, 0) | bit
        bit <<= 1
    return masks


def _first_column(pattern: Sequence[Hashable]) -> Column:
    return (1 << len(pattern)) - 1, 0


def _columns(masks: dict[Hashable, int], text: Sequence[Hashable], first: Column) -> Iterator[Column]:
    """The column after each word of the text: Hyyrö's recurrence."""
    full = _full(masks)
    up, down = first
    get = masks.get
    for word in text:
        same = get(word)
        if same is None:
            grows = (down | ((down | up) ^ full)) << 1 | 1
            up, down = ((down & up) << 1 | ((down | grows) ^ full)) & full, grows & down
        else:
            flat = ((((same & up) + up) ^ up) | same | down) & full  # where the diagonal step is free
            grows = (down | ((flat | up) ^ full)) << 1 | 1
            up, down = ((flat & up) << 1 | ((flat | grows) ^ full)) & full, grows & flat
        yield up, down


def _full(masks: dict[Hashable, int]) -> int:
    """A bit for each position."""
    full = 0
    for mask in masks.values():
        full |= mask
    return full


def _last_distance(column: Column, text: Sequence[Hashable]) -> int:
    """The distance at the end of the column after the whole text."""
    return len(text) + column[0].bit_count() - column[1].bit_count()
