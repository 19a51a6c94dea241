"""The compiled loop, its fallback and a definition by recursion give the same tree edit distances."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.trees import tree_distances

Tree = tuple[int, tuple[Any, ...]]
"""Label and children."""


@st.composite
def trees(draw: st.DrawFn, most: int = 7) -> Tree:
    children: list[list[int]] = [[]]
    for node in range(1, draw(st.integers(1, most))):
        children[draw(st.integers(0, node - 1))].append(node)
        children.append([])
    labels = draw(st.lists(st.integers(0, 2), min_size=len(children), max_size=len(children)))

    def made(node: int) -> Tree:
        return labels[node], tuple(made(child) for child in children[node])

    return made(0)


def postorder(tree: Tree) -> tuple[list[int], list[int]]:
    labels: list[int] = []
    leftmost: list[int] = []

    def walk(node: Tree) -> int:
        leaves = [walk(child) for child in node[1]]
        leftmost.append(leaves[0] if leaves else len(labels))
        labels.append(node[0])
        return leftmost[-1]

    walk(tree)
    return labels, leftmost


def distances(pairs: list[tuple[Tree, Tree]], substitution: int, kernel: str) -> list[int]:
    both = [postorder(tree) for pair in pairs for tree in pair]
    labels = [label for each, _ in both for label in each]
    leftmost = [leaf for _, each in both for leaf in each]
    offsets = np.cumsum([0, *(len(each) for each, _ in both)])
    left = np.arange(0, len(both), 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        found: list[int] = tree_distances(labels, leftmost, offsets, left, left + 1, substitution).tolist()
        return found


@cache
def forest_distance(a: tuple[Tree, ...], b: tuple[Tree, ...], substitution: int) -> int:
    """The recursion that defines the distance: the last roots are deleted, inserted or matched."""
    if not a or not b:
        return sum(map(size, a + b))
    (x, below_x), (y, below_y) = a[-1], b[-1]
    return min(
        forest_distance(a[:-1] + below_x, b, substitution) + 1,
        forest_distance(a, b[:-1] + below_y, substitution) + 1,
        forest_distance(a[:-1], b[:-1], substitution)
        + forest_distance(below_x, below_y, substitution)
        + (0 if x == y else substitution),
    )


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree[1]))


@given(st.lists(st.tuples(trees(), trees()), min_size=1, max_size=3), st.sampled_from([1, 2]))
def test_equals_the_recursion(pairs: list[tuple[Tree, Tree]], substitution: int) -> None:
    compiled = distances(pairs, substitution, "auto")
    assert compiled == distances(pairs, substitution, "python")
    assert compiled == [forest_distance((a,), (b,), substitution) for a, b in pairs]


def test_the_example_of_zhang_and_shasha() -> None:
    # f(d(a, c(b)), e) and f(c(d(a, b)), e), figure 4 of the paper: distance 2.
    first = (5, ((3, ((0, ()), (2, ((1, ()),)))), (4, ())))
    second = (5, ((2, ((3, ((0, ()), (1, ()))),)), (4, ())))
    assert distances([(first, second)], 1, "auto") == [2]


def test_an_empty_tree_is_as_far_as_the_other_has_nodes() -> None:
    for kernel in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, kernel)
            assert tree_distances([1, 0], [0, 0], [0, 0, 2], [0, 1, 0], [1, 0, 0]).tolist() == [2, 2, 0]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"substitution": 3}, UsageError, "substitution is 3; it is 1 or 2"),
        ({"leftmost": [0]}, DataError, "2 labels but 1 leftmost leaves; give one each"),
        ({"leftmost": [1, 0]}, DataError, "a node's leftmost leaf comes after the node; give trees in postorder"),
        ({"leftmost": [0, 5]}, DataError, "leftmost must lie between 0 and 1, got 5"),
        ({"left": [1]}, DataError, "left and right must lie between 0 and 0, got 1"),
    ],
)
def test_arguments_that_would_lead_outside_an_array_are_refused(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    given_values: dict[str, Any] = {
        "labels": [1, 0],
        "leftmost": [0, 0],
        "offsets": [0, 2],
        "left": [0],
        "right": [0],
    }
    with pytest.raises(error, match=message):
        tree_distances(**(given_values | changes))
