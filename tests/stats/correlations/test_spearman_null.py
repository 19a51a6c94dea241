"""The null distribution of Spearman's rho against full enumeration and against R's series."""

import math
from collections import Counter
from itertools import permutations

import pytest

from textassay.stats.correlations.spearman_null import EXACT_LIMIT, exact_p, null_counts, series_p


@pytest.mark.parametrize("n", range(1, 8))
def test_counts_equal_enumeration(n):
    found = Counter(sum((i - j) ** 2 for i, j in enumerate(order)) for order in permutations(range(n)))
    assert null_counts(n).tolist() == [found[s] for s in range(0, (n**3 - n) // 3 + 1, 2)]


def test_counts_of_the_largest_are_complete_and_symmetric():
    counts = null_counts(EXACT_LIMIT)
    assert counts.sum() == math.factorial(EXACT_LIMIT)
    assert counts.tolist() == counts[::-1].tolist()


def test_counts_cannot_be_changed_by_who_got_them():
    with pytest.raises(ValueError, match="read-only"):
        null_counts(4)[0] = 5


@pytest.mark.parametrize(("n", "p"), [(2, 1.0), (3, 1 / 3), (4, 1 / 12), (5, 1 / 60), (12, 2 / math.factorial(12))])
def test_perfect_agreement_is_two_of_all_orders(n, p):
    largest = (n**3 - n) // 3
    assert exact_p(0, n) == p
    assert exact_p(largest, n) == p
    assert exact_p(largest // 4 * 2, n) <= 1.0


@pytest.mark.parametrize(
    ("n", "s", "p"),
    [  # R 4.2.2: set.seed(n); x <- rnorm(n); y <- x * .5 + rnorm(n); cor.test(x, ±y, method = "spearman")
        (10, 62, 0.0602489828244726),
        (12, 86, 0.0145393118705073),
        (13, 472, 0.324652305696781),
        (20, 2122, 0.00655512686406234),
        (50, 16672, 0.164584302524881),
        (200, 837810, 7.59677206956713e-08),
    ],
)
def test_series_equals_r(n, s, p):
    assert series_p(s, n) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("n", [9, 10, 11, 12])
def test_series_is_close_to_the_count_where_both_can_be_had(n):
    # An approximation: it agrees with the full count to a few thousandths, and less well in the far tail.
    for s in range(0, (n**3 - n) // 3 + 1, 2):
        if exact_p(s, n) > 0.01:
            assert series_p(s, n) == pytest.approx(exact_p(s, n), abs=0.004)


def test_series_never_goes_below_what_n_values_can_show():
    assert series_p(0, 15) == pytest.approx(2 / math.factorial(15))
    assert series_p((15**3 - 15) / 6, 15) == 1.0
