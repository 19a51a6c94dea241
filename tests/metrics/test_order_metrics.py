"""Metrics of orders say what the measures of `textassay.ordering` say."""

from __future__ import annotations

import math

import pytest

from textassay import catalogue, ordering
from textassay.errors import UsageError
from textassay.metrics import metric, score

ORDERS = [[2, 1, 3, 5, 4], [4, 1, 2, 3]]
REFERENCES = [[[1, 2, 3, 4, 5], [2, 1, 3, 4, 5]], [[1, 2, 3, 4]]]
PLAIN = {
    "order-accuracy": "position_accuracy",
    "order-displacement": "displacement",
    "order-first": "first_correct",
    "order-last": "last_correct",
    "order-pairwise": "pairwise_accuracy",
    "order-perfect-match": "perfect_match",
    "order-spearman": "spearman",
    "order-tau": "tau",
    "order-within": "within_window",
}
NAMES = [name for name in catalogue.names("metric") if name.startswith("order-")]


@pytest.mark.parametrize(("name", "function"), PLAIN.items())
def test_mean_and_best_over_references(name: str, function: str) -> None:
    measure = getattr(ordering, function)
    each = [[measure(order, reference) for reference in its] for order, its in zip(ORDERS, REFERENCES, strict=True)]
    best = max if metric(name).higher_is_better else min
    assert score(name, ORDERS, REFERENCES).segments.tolist() == pytest.approx([sum(its) / len(its) for its in each])
    assert score(name, ORDERS, REFERENCES, multi="best").segments.tolist() == pytest.approx([best(its) for its in each])


@pytest.mark.parametrize("name", ["order-cayley", "order-ulam"])
def test_distances_become_similarities(name: str) -> None:
    measure = getattr(ordering, name.removeprefix("order-"))
    expected = [1 - measure(order, its[0]) / (len(order) - 1) for order, its in zip(ORDERS, REFERENCES, strict=True)]
    assert score(name, ORDERS, [its[:1] for its in REFERENCES]).segments.tolist() == pytest.approx(expected)


def test_kappa_with_weights() -> None:
    target = [[1, 2, 3, 4, 5]]
    for weights in ("none", "linear", "quadratic"):
        expected = ordering.position_kappa([ORDERS[0]], target[0], weights=weights).kappa  # type: ignore[arg-type]
        assert score("order-kappa", ORDERS[:1], [target], weights=weights).corpus == pytest.approx(expected)


def test_weighted_tau_against_the_first_reference() -> None:
    refs = [[list("ABCD"), list("ABDC")], [list("ABDC"), list("ABCD")]]
    found = score("order-tau", [list("BADC")] * 2, refs, multi="weighted")
    assert found.segments.tolist() == pytest.approx([0.5, 2 / 3])
    assert "multi:weighted" in found.signature


@pytest.mark.parametrize("name", NAMES)
def test_common_units_with_coverage(name: str) -> None:
    found = score(name, [["b", "x", "a", "c"]], [[["a", "b", "c", "d"]]], units="common")
    assert found.segments.tolist() == score(name, [["b", "a", "c"]], [[["a", "b", "c"]]]).segments.tolist()
    assert found.parts["coverage"].tolist() == [0.75]
    assert found.parts["units"].tolist() == [3]
    assert any("do not cover all units" in warning for warning in found.warnings)


@pytest.mark.parametrize("name", ["order-tau", "order-spearman", "order-kappa", "order-cayley", "order-pairwise"])
def test_an_order_without_value_is_said_and_left_out_of_the_mean(name: str) -> None:
    found = score(name, [["a"], ["a", "b"]], [[["a"]], [["a", "b"]]])
    assert math.isnan(found.segments[0])
    assert found.corpus == 1
    alone = score(name, [["a"]], [[["a"]]])
    assert math.isnan(alone.corpus)


def test_empty_orders_have_no_value() -> None:
    found = score("order-tau", [[], ["a", "b"]], [[["a"]], [["a", "b"]]], units="common")
    assert math.isnan(found.segments[0])
    assert any("too few units" in warning for warning in found.warnings)


def test_wrong_window() -> None:
    with pytest.raises(UsageError, match="order-within: window is -1; it must be at least 0"):
        metric("order-within", window=-1)
