"""Orders of many items: every number is that of a metric."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.analysis.orders.scored_orders import evaluate_orders, order_metrics
from textassay.errors import DataError
from textassay.metrics import score
from textassay.ordering import GivenOrder, position_accuracy, several_references, tau, ulam
from textassay.stats import mean_interval

GIVEN = [
    GivenOrder("1", "A", "badc"),
    GivenOrder("2", "A", "vwxyz"),
    GivenOrder("1", "B", "abcd"),
    GivenOrder("2", "B", "zyxwv"),
]
REFERENCES = {"1": ["abcd", "abdc"], "2": ["vwxyz"]}


def test_every_measure_is_the_mean_over_references() -> None:
    found = evaluate_orders(GIVEN, REFERENCES)
    first = found.orders[0]
    assert first.values["tau"] == pytest.approx(0.5)
    assert first.values["Ulam"] == pytest.approx(np.mean([1 - ulam("badc", order) / 3 for order in REFERENCES["1"]]))
    assert first.values["accuracy"] == pytest.approx(
        np.mean([position_accuracy("badc", order) for order in REFERENCES["1"]])
    )
    assert first.several is not None
    assert first.several.weighted.tolist() == several_references("badc", REFERENCES["1"]).weighted.tolist()


def test_means_over_items_with_interval() -> None:
    found = evaluate_orders(GIVEN, REFERENCES, confidence=0.9)
    taus = [0.5, tau("vwxyz", "vwxyz")]
    expected = mean_interval(taus, confidence=0.9)
    assert found.taus["A"].mean == pytest.approx(0.75)
    assert expected.ci[1] > 1  # two items only; what tau cannot be is omitted
    assert found.taus["A"].ci == pytest.approx((max(expected.ci[0], -1), 1))
    assert found.mean("B", "perfect") == pytest.approx((0.5 + 0) / 2)


def test_chance_stands_beside_tau_where_the_first_is_fixed() -> None:
    orders = [GivenOrder("1", "A", "abdc"), GivenOrder("2", "A", "vwxzy"), GivenOrder("1", "B", "abcd")]
    fixed = evaluate_orders(orders, REFERENCES, first_fixed=True)
    assert [each.chance for each in fixed.orders] == pytest.approx([2 / 4, 2 / 5, 2 / 4])
    assert fixed.records()[0]["chance"] == pytest.approx((2 / 4 + 2 / 5) / 2)
    free = evaluate_orders(orders, REFERENCES)
    assert {each.chance for each in free.orders} == {0}
    assert any("if the first unit was fixed, say so" in warning for warning in free.warnings)
    wrong = evaluate_orders(GIVEN, REFERENCES, first_fixed=True)
    assert any("begin differently" in warning for warning in wrong.warnings)


def test_common_units_are_said() -> None:
    found = evaluate_orders([GivenOrder("1", "A", "ba")], {"1": ["abcd"]}, units="common")
    assert (found.orders[0].values["tau"], found.orders[0].n) == (-1, 2)
    assert found.orders[0].coverage == 0.5
    assert "do not cover all units" in found.warnings[0]


def test_common_units_are_those_of_each_reference_as_in_score() -> None:
    # a c b with a b c, and a b d with a b d: 1/3 and 1; the units that all have, a and b, are for the weighted tau only
    found = evaluate_orders([GivenOrder("1", "A", "acbd")], {"1": ["abcx", "abdx"]}, units="common")
    each = found.orders[0]
    alone = score("order-tau", [list("acbd")], [[list("abcx"), list("abdx")]], units="common")
    assert each.values["tau"] == alone.segments[0] == pytest.approx(2 / 3)
    assert each.several is not None
    assert (each.several.mean, each.several.n, each.coverage) == (1, 2, 0.75)


def test_one_item_has_no_interval_and_says_so() -> None:
    found = evaluate_orders([GivenOrder("1", "A", "ba")], {"1": ["ab"]})
    assert math.isnan(found.taus["A"].ci[0])
    assert found.warnings == ("no interval of mean tau for 'A': one item only",)


def test_undefined_orders_are_left_out_and_counted() -> None:
    found = evaluate_orders([GivenOrder("1", "A", "a"), GivenOrder("2", "A", "ba")], {"1": ["a"], "2": ["ab"]})
    assert math.isnan(found.orders[0].values["tau"])
    assert found.taus["A"].mean == -1
    assert "fewer than 2 units" in found.warnings[0]


def test_mistakes_name_item_and_system() -> None:
    with pytest.raises(DataError, match="item 1, system A: the order lacks units of the reference: 'c'"):
        evaluate_orders([GivenOrder("1", "A", "ab")], {"1": ["abc"]})
    with pytest.raises(DataError, match="no reference for item 2"):
        evaluate_orders([GivenOrder("2", "A", "ab")], {"1": ["ab"]})
    with pytest.raises(DataError, match="no orders"):
        evaluate_orders([], {})


def test_every_number_is_that_of_the_metric_with_its_signature() -> None:
    found = evaluate_orders(GIVEN, REFERENCES, window=2)
    orders, references = [list("badc"), list("vwxyz")], [[list("abcd"), list("abdc")], [list("vwxyz")]]
    for heading, chosen in order_metrics(window=2).items():
        expected = score(chosen, orders, references)
        assert found.mean("A", heading) == expected.corpus, heading
        assert [each.values[heading] for each in found.by("A")] == expected.segments.tolist(), heading
        record = next(row for row in found.records() if row["signature"].startswith(f"{chosen.name}|"))
        if heading != "linear kappa":  # as order-kappa, whose record comes first
            assert record["signature"] == expected.signature
    assert found.score_rows()[0]["signature"] == score("order-tau", orders, references).signature


def test_names_and_values() -> None:
    found = order_metrics(window=2)
    values = {name: one.one([2, 1, 3, 5, 4], [1, 2, 3, 4, 5]) for name, one in found.items()}
    assert values["tau"] == 0.6
    assert values["within 2"] == 1
    # linear kappa: 1 - 3·4 / 24
    assert values["linear kappa"] == 0.5
