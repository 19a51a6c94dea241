"""Metrics of what stays together, and what papers on sentence ordering do with unequal lengths and lost units."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay import ordering
from textassay.errors import UsageError
from textassay.metrics import metric, score
from textassay.metrics.order_contract import COUNTED_UNITS

ORDERS = [[2, 1, 3, 5, 4], [4, 1, 2, 3], [1, 2]]
REFERENCES = [[[1, 2, 3, 4, 5], [2, 1, 3, 4, 5]], [[1, 2, 3, 4]], [[1, 2]]]
COUNTING = ["order-accuracy", "order-lsr", "order-perfect-match", "order-rouge-s"]

two_orders = st.tuples(st.permutations(range(8)), st.permutations(range(8)), st.integers(0, 8), st.integers(1, 8))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("order-adjacent", "adjacent_accuracy"),
        ("order-continuity", "average_continuity"),
        ("order-lsr", "lsr"),
        ("order-rouge-s", "pairwise_accuracy"),
    ],
)
def test_mean_and_best_over_references(name: str, function: str) -> None:
    measure = getattr(ordering, function)
    each = [[measure(order, reference) for reference in its] for order, its in zip(ORDERS, REFERENCES, strict=True)]
    assert score(name, ORDERS, REFERENCES).segments.tolist() == pytest.approx([sum(its) / len(its) for its in each])
    assert score(name, ORDERS, REFERENCES, multi="best").segments.tolist() == pytest.approx([max(its) for its in each])


@given(two_orders)
def test_missing_and_extra_units_as_papers_count_them(given_: tuple[list[int], list[int], int, int]) -> None:
    mine, wanted, have, need = given_
    order, reference = mine[:have], wanted[:need]

    def value(name: str) -> float:
        return metric(name, units="reference").one(order, reference)

    hits = sum(one == other for one, other in zip(order, reference, strict=False))
    assert value("order-accuracy") == pytest.approx(hits / need)
    assert value("order-perfect-match") == (order == reference)
    subsequences = {part for size in range(have + 1) for part in combinations(order, size)}
    shared = max(
        len(part) for size in range(need + 1) for part in combinations(reference, size) if part in subsequences
    )
    assert value("order-lsr") == pytest.approx(shared / need)
    if need > 1:
        pairs = set(combinations(reference, 2))
        assert value("order-rouge-s") == pytest.approx(len(pairs & set(combinations(order, 2))) / len(pairs))


@given(st.permutations(range(7)), st.permutations(range(7)))
def test_with_the_same_units_the_policy_does_not_matter(order: list[int], reference: list[int]) -> None:
    for name in COUNTING:
        values = {metric(name, units=units).one(order, reference) for units in COUNTED_UNITS}
        assert len(values) == 1, name
    rouge_s, tau = metric("order-rouge-s").one(order, reference), ordering.tau(order, reference)
    assert rouge_s == pytest.approx((tau + 1) / 2)


def test_a_repeated_unit_counts_where_it_is_first() -> None:
    found = metric("order-lsr", units="reference").one(["b", "a", "b"], ["a", "b"])
    assert found == 0.5  # b a


def test_an_order_that_is_another_text_altogether_scores_0_and_is_said() -> None:
    for name in COUNTING:
        found = score(name, [["x", "y"], ["a", "b"]], [[["a", "b"]], [["a", "b"]]], units="reference")
        assert found.segments.tolist() == [0, 1]
        assert "1 comparisons do not cover all units of the reference" in found.warnings[0]
        assert "units:reference" in found.signature


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("order-accuracy", [5, 4, 2]),
        ("order-lsr", [5, 4, 2]),
        ("order-within", [5, 4, 2]),
        ("order-adjacent", [4, 3, 1]),
        ("order-rouge-s", [10, 6, 1]),
    ],
)
def test_pooled_over_what_the_share_is_a_share_of(name: str, weights: list[int]) -> None:
    references = [its[:1] for its in REFERENCES]
    each = score(name, ORDERS, references)
    pooled = score(name, ORDERS, references, corpus="pooled")
    assert pooled.segments.tolist() == each.segments.tolist()
    assert each.corpus == pytest.approx(sum(each.segments) / 3)
    expected = sum(value * weight for value, weight in zip(each.segments, weights, strict=True)) / sum(weights)
    assert pooled.corpus == pytest.approx(expected)
    assert "corpus:pooled" in pooled.signature
    assert "corpus:mean" in each.signature


def test_a_text_without_value_has_no_weight() -> None:
    found = score("order-adjacent", [["a"], ["b", "a", "c"]], [[["a"]], [["a", "b", "c"]]], corpus="pooled")
    assert found.corpus == 0
    assert score("order-accuracy", [[]], [[["a"]]], units="common", corpus="pooled").corpus != 0  # undefined


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"run": 1}, "run is 1; it must be at least 2"), ({"smoothing": -1.0}, "smoothing is -1; it must")],
)
def test_wrong_settings(settings: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metric("order-continuity", **settings)


def test_only_shares_of_the_reference_can_count_what_is_missing() -> None:
    with pytest.raises(UsageError, match="choose one of: same, common"):
        metric("order-tau", units="reference")
