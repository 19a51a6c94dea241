"""Which comparisons have finite estimates: groups apart, systems ahead of all, directions without end."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.preferences.separation import not_on_one_scale, without_end


def matrix(pairs, k):
    found = np.zeros((k, k), dtype=bool)
    for one, other in pairs:
        found[one, other] = True
    return found


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 1), (1, 2), (2, 0)], ""),
        ([(0, 1), (1, 0), (2, 3), (3, 2)], "2 groups never compared with each other: {a, b} and {c, d}"),
        ([(0, 1), (0, 2), (1, 2), (2, 1)], "a was never placed below another"),
        ([(1, 0), (2, 0), (1, 2), (2, 1)], "a was never placed above another"),
        ([(0, 1), (1, 0), (2, 3), (3, 2), (0, 2)], "no system of {a, b} was ever placed below"),
    ],
)
def test_reasons_name_the_systems(pairs, message):
    k = 1 + max(max(pair) for pair in pairs)
    found = not_on_one_scale(matrix(pairs, k), "abcd"[:k])
    assert message in found
    assert bool(found) == bool(message)


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1])))
def test_one_scale_if_and_only_if_no_direction_runs_away(pairs):
    # The linear program says the same by other means: forms x_winner - x_loser, the first system's place fixed.
    above = matrix(pairs, 5)
    reason = not_on_one_scale(above, "abcde")
    forms = np.array([np.eye(5)[one] - np.eye(5)[other] for one, other in pairs] or [np.zeros(5)])
    connected = np.linalg.matrix_rank(forms) == 4
    assert ("never compared" in reason) == (not connected)
    if connected:
        assert bool(reason) == bool(without_end(forms[:, 1:], "abcde", []))


def test_many_names_are_cut_short():
    names = [f"s{index}" for index in range(30)]
    above = matrix([*product(range(15), range(15)), *product(range(15, 30), range(15, 30)), (0, 20)], 30)
    assert "and 7 more" in not_on_one_scale(above, names)


def test_the_simplest_reason_is_given():
    # Parameters: abilities of b and c, order effect γ. Whoever was first won: γ alone explains it.
    first_wins = np.array([[-1.0, 0, 1], [1, 0, 1], [0, -1, 1], [0, 1, 1]])
    assert without_end(first_wins, "abc", ["order effect"]).endswith("growing with the order effect")
    # a won all, in both orders: a - b ± γ ≥ 0 and a - c ± γ ≥ 0, and b and c are even.
    a_wins = np.array([[-1.0, 0, 1], [-1, 0, -1], [0, -1, 1], [0, -1, -1], [1, -1, 0], [-1, 1, 0]])
    assert without_end(a_wins, "abc", ["order effect"]).endswith("as a moves away from the rest")
    assert without_end(np.concatenate([a_wins, -a_wins]), "abc", ["order effect"]) == ""
