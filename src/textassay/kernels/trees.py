"""Edit distances of many pairs of ordered labelled trees."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.arguments import Int32, checked_pairs, integers
from textassay.kernels.choice import compiled_loop

LARGEST = 20_000
"""Nodes of the largest tree: two of that size need 3.2 GB."""


def tree_distances(
    labels: npt.ArrayLike,
    leftmost: npt.ArrayLike,
    offsets: npt.ArrayLike,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    substitution: int = 1,
) -> Int32:
    """The edit distance of each pair (left[k], right[k]) of ordered trees: Zhang and Shasha (1989).

    The least number of nodes to insert, delete or relabel, where children of a deleted node become its parent's. Time
    grows with the product of both sizes times, for each tree, the smaller of its depth and its number of leaves.

    Args:
        labels: The nodes' labels as integers of at least 0, each tree in postorder, all trees one after the other.
        leftmost: For each node the place of its leftmost leaf in its tree, from 0; that of a leaf is its own.
        offsets: Where each tree begins, and where the last one ends.
        left: One tree's number for each pair.
        right: The other tree's number for each pair.
        substitution: What relabelling costs: 1, or 2 as much as a deletion and an insertion.

    Returns:
        One int32 per pair. The same numbers with the compiled loop and with its fallback.

    >>> # a(b(c)) is b's child c below; a(b, c) has both below a: one node moves, which is a deletion and an insertion
    >>> tree_distances([2, 1, 0, 1, 2, 0], [0, 0, 0, 0, 1, 0], [0, 3, 6], [0], [1]).tolist()
    [2]
    """
    if substitution not in (1, 2):
        raise UsageError(f"substitution is {substitution}; it is 1 or 2")
    pairs = checked_pairs(labels, offsets, left, right)
    leaves = np.ascontiguousarray(integers("leftmost", leftmost, max(pairs.longest - 1, 0)), dtype=np.int32)
    if len(leaves) != len(pairs.words):
        raise DataError(f"{len(pairs.words)} labels but {len(leaves)} leftmost leaves; give one each")
    own = np.arange(len(leaves)) - np.repeat(pairs.starts[:-1], np.diff(pairs.starts))
    if np.any(leaves > own):
        raise DataError("a node's leftmost leaf comes after the node; give trees in postorder")
    if pairs.longest > LARGEST:
        raise DataError(f"a tree of {pairs.longest} nodes; at most {LARGEST} can be compared")
    loop = compiled_loop("trees")
    if loop is None:
        trees = [
            (pairs.words[start:end].tolist(), leaves[start:end].tolist())
            for start, end in pairwise(pairs.starts.tolist())
        ]
        both = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
        return np.array([_distance(trees[a], trees[b], substitution) for a, b in both], dtype=np.int32)
    found = np.zeros(len(pairs.left), dtype=np.int32)
    loop.tree_distances(pairs.words, leaves, pairs.starts, pairs.left, pairs.right, pairs.longest, substitution, found)
    return found


Postorder = tuple[list[int], list[int]]
"""Labels and leftmost leaves."""


def _distance(first: Postorder, second: Postorder, substitution: int) -> int:
    (a, la), (b, lb) = first, second
    if not a or not b:
        return len(a) + len(b)
    trees = [[0] * len(b) for _ in a]
    for i in _key_roots(la):
        for j in _key_roots(lb):
            _forests(first, i, second, j, substitution, trees)
    return trees[-1][-1]


def _key_roots(leftmost: list[int]) -> list[int]:
    """The highest node with each leftmost leaf."""
    return sorted({leaf: node for node, leaf in enumerate(leftmost)}.values())


def _forests(first: Postorder, i: int, second: Postorder, j: int, substitution: int, trees: list[list[int]]) -> None:
    """The distances of all subtrees on the leftmost paths of the key roots i and j."""
    (a, la), (b, lb) = first, second
    low, base = la[i], lb[j]
    table = [list(range(j - base + 2))]
    for x in range(low, i + 1):
        above, row = table[-1], [x - low + 1]
        for y in range(base, j + 1):
            q = y - base + 1
            best = min(above[q], row[q - 1]) + 1
            if la[x] == low and lb[y] == base:
                best = min(best, above[q - 1] + (0 if a[x] == b[y] else substitution))
                trees[x][y] = best
            else:
                best = min(best, table[la[x] - low][lb[y] - base] + trees[x][y])
            row.append(best)
        table.append(row)
