"""All orders, counted by tau."""

from __future__ import annotations

import math
import time
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.ordering import chance_tau, tau_batch, tau_counts, tau_of_inversions
from textassay.ordering.distributions.tau_counts import inversions_p

# Lapata 2006, the first half for eight sentences; the second half is its mirror.
EIGHT = [1, 7, 27, 76, 174, 343, 602, 961, 1415, 1940, 2493, 3017, 3450, 3736, 3836]


def test_eight_sentences() -> None:
    assert tau_counts(8) == [*EIGHT, *EIGHT[-2::-1]]


@pytest.mark.parametrize("n", range(8))
def test_like_going_through_all_orders(n: int) -> None:
    every = Counter(
        sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n)) for order in permutations(range(n))
    )
    assert tau_counts(n) == [every[k] for k in range(n * (n - 1) // 2 + 1)]


@pytest.mark.parametrize("n", [9, 10, 11, 50, 100])
def test_counts_are_whole_symmetric_and_sum_to_all_orders(n: int) -> None:
    found = tau_counts(n)
    assert len(found) == n * (n - 1) // 2 + 1
    assert found == found[::-1]
    assert sum(found) == math.factorial(n)
    assert all(type(count) is int for count in found)


def test_hundred_units_take_little_time() -> None:
    from textassay.ordering.distributions import tau_counts as module

    vars(module)["_counts"].cache_clear()
    spent = []
    for _ in range(3):
        vars(module)["_counts"].cache_clear()
        start = time.perf_counter()
        tau_counts(100)
        spent.append(time.perf_counter() - start)
    assert min(spent) < 0.5  # about 0.02 s on a quiet machine; the bench has the real bar


@pytest.mark.parametrize("n", [-1, 2.0, True, "8"])
def test_what_is_no_number_of_units(n: object) -> None:
    with pytest.raises(UsageError, match="whole number of at least 0"):
        tau_counts(n)  # type: ignore[arg-type]


def test_chance_is_the_mean_of_all_orders() -> None:
    for n in (2, 3, 6):
        orders = np.array(list(permutations(range(n))))
        taus = tau_batch(orders)
        assert chance_tau(n) == pytest.approx(taus.mean(), abs=1e-12)
        assert chance_tau(n, first_fixed=True) == pytest.approx(taus[orders[:, 0] == 0].mean()) == pytest.approx(2 / n)
    assert math.isnan(chance_tau(1))
    assert math.isnan(tau_of_inversions(0, 1))


def test_exact_and_normal_p_agree_for_many_units() -> None:
    exact, was_exact = inversions_p(6700, 170)
    normal, was_normal = inversions_p(6700, 171)
    assert (was_exact, was_normal) == (True, False)
    # The 171st unit adds 85 inversions on average: 6785 there is what 6700 is here.
    assert inversions_p(6785, 171)[0] == pytest.approx(exact, rel=0.05)
    assert normal < exact
    assert math.isnan(inversions_p(0, 1)[0])


def test_more_than_fits_into_memory_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the orders of 5000 units are not counted: .* 1000 units are the most"):
        tau_counts(5000)
