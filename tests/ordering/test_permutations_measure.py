"""Every measure: known answers, the definition written out, and one order like many."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay import ordering
from textassay.errors import DataError

NAMES = (
    "tau", "spearman", "cayley", "ulam", "position_accuracy", "perfect_match", "pairwise_accuracy", "displacement",
    "within_window", "first_correct", "last_correct", "lsr", "adjacent_accuracy", "average_continuity",
)  # fmt: skip
# 2 1 3 5 4 against 1..5, by hand: two inversions of ten; Σd² = 4, Σ|d| = 4; cycles (21)(3)(54); longest rise 2 3 5;
# no unit is followed by the one that follows it in the reference, so that each share of runs is the smoothing alone.
KNOWN = dict(zip(NAMES, (0.6, 0.8, 2, 2, 0.2, 0, 0.8, 0.8, 1, 0, 0, 0.6, 0, 0.01), strict=True))


def one(name: str) -> Callable[..., float]:
    return getattr(ordering, name)  # type: ignore[no-any-return]


def many(name: str) -> Callable[..., np.ndarray]:
    return getattr(ordering, f"{name}_batch")  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", NAMES)
def test_known_answer(name: str) -> None:
    assert one(name)([2, 1, 3, 5, 4], [1, 2, 3, 4, 5]) == pytest.approx(KNOWN[name])


@pytest.mark.parametrize("name", NAMES)
@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=4)))
def test_many_orders_like_one(name: str, rows: list[list[int]]) -> None:
    letters = [["abcdefghi"[unit] for unit in row] for row in rows]
    expected = [one(name)(row, letters[0]) for row in letters]
    assert many(name)(rows, rows[0]) == pytest.approx(expected, nan_ok=True)
    each = many(name)(rows, rows[::-1])
    assert each == pytest.approx(
        [one(name)(row, other) for row, other in zip(letters, letters[::-1], strict=True)], nan_ok=True
    )
    # Which names the units have does not matter, nor (without reference) that they are numbers in order.
    assert many(name)(rows) == pytest.approx([one(name)(row, list(range(len(row)))) for row in rows], nan_ok=True)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_order_is_best(name: str) -> None:
    best = 0.0 if name in ("cayley", "ulam", "displacement") else 1.01 if name == "average_continuity" else 1.0
    assert one(name)("dcab", "dcab") == pytest.approx(best)


@pytest.mark.parametrize("name", NAMES)
def test_units_that_differ_are_refused_or_left_out(name: str) -> None:
    with pytest.raises(DataError, match="lacks units"):
        one(name)("ab", "abc")
    assert one(name)("bxac", "abc", units="common") == one(name)("bac", "abc")


@pytest.mark.parametrize("name", NAMES)
def test_too_few_units_are_undefined(name: str) -> None:
    assert math.isnan(one(name)([], []))
    of_pairs = ("tau", "spearman", "pairwise_accuracy", "adjacent_accuracy", "average_continuity")
    assert math.isnan(one(name)("a", "a")) == (name in of_pairs)


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_no_permutations_are_refused(name: str) -> None:
    for wrong in ([[0, 0]], [[1, 2]], [[-1, 0]]):
        with pytest.raises(DataError, match="not a permutation"):
            many(name)(wrong)
    with pytest.raises(DataError, match="shape"):
        many(name)([0, 1])
    with pytest.raises(DataError, match="shape"):
        many(name)([[0, 1]], [0, 1, 2])


def test_all_orders_of_seven_keep_the_identities() -> None:
    """Daniels 1950; tau and pairwise accuracy are one thing; chance is as the docstrings say."""
    orders = np.array(list(permutations(range(7))))
    tau, rho = ordering.tau_batch(orders), ordering.spearman_batch(orders)
    assert np.all(np.abs(3 * tau - 2 * rho) <= 1 + 1e-12)
    assert ordering.pairwise_accuracy_batch(orders) == pytest.approx((tau + 1) / 2)
    assert tau.mean() == pytest.approx(0, abs=1e-12)
    assert rho.mean() == pytest.approx(0, abs=1e-12)
    assert ordering.position_accuracy_batch(orders).mean() == pytest.approx(1 / 7)
    assert ordering.displacement_batch(orders).mean() == pytest.approx((49 - 1) / 21)
    assert tau[orders[:, 0] == 0].mean() == pytest.approx(2 / 7)
    assert ordering.adjacent_accuracy_batch(orders).mean() == pytest.approx(1 / 7)
    assert ordering.lsr_batch(orders) == pytest.approx(1 - ordering.ulam_batch(orders) / 7)
    # Neither exchanges nor moves can be more than adjacent transpositions.
    inversions = (1 - tau) * 42 / 4
    assert np.all(ordering.cayley_batch(orders) <= inversions + 1e-9)
    assert np.all(ordering.ulam_batch(orders) <= inversions + 1e-9)
