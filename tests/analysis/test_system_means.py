"""Correlations over few systems have the p of all orders."""

import pytest

from textassay.analysis.system_means import system_correlation
from textassay.stats import pearson


def test_few_systems_have_an_exact_p():
    # 4 systems in the same order: 2 of 24 orders are as extreme, the reversed one included.
    linear, ranks = system_correlation(
        dict(zip("abcd", range(4), strict=True)), dict(zip("abcd", (1, 2, 4, 5), strict=True)), "one", "two"
    )
    assert linear.p == pytest.approx(2 / 24)
    assert ranks.p == pytest.approx(2 / 24)
    assert (linear.of, linear.by, linear.n) == ("one", "two", 4)


def test_many_systems_have_the_p_of_t():
    one = {f"s{n}": float(n) for n in range(12)}
    other = {f"s{n}": float((n * 5) % 12) for n in range(12)}
    linear, _ = system_correlation(one, other, "one", "two")
    assert linear.p == pearson(list(one.values()), list(other.values())).p


def test_only_shared_systems_count():
    linear, _ = system_correlation({"a": 1.0, "b": 2.0, "x": 9.0}, {"b": 3.0, "a": 1.0, "y": 0.0}, "one", "two")
    assert linear.n == 2


def test_nine_systems_have_all_orders_counted_and_ten_do_not():
    for many, exact in ((9, True), (10, False)):
        one = {f"s{n}": float(n) for n in range(many)}
        linear, _ = system_correlation(one, {name: (value * 7) % 11 for name, value in one.items()}, "one", "two")
        assert linear.exact is exact
