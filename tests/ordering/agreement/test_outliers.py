"""Systems that stand apart, without a reference."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.ordering import Mallows, Order, system_agreement, tau
from textassay.seeds import Stream

SYSTEMS = "ABCD"


def study(items: int, phis: dict[str, float], seed: int, n: int = 6) -> dict[str, dict[str, Order]]:
    """Systems that scatter around one order an item, each as its phi says."""
    stream = Stream(seed, "outliers")
    found: dict[str, dict[str, Order]] = {system: {} for system in phis}
    for item in range(items):
        centre = tuple(stream.permutation(n))
        for system, phi in phis.items():
            found[system][str(item)] = Mallows(centre, phi).sample(1, stream.child(system, item))[0]
    return found


def test_means_over_items() -> None:
    orders = study(5, dict.fromkeys(SYSTEMS, 0.5), 1)
    found = system_agreement(orders, samples=99)
    for i, one in enumerate(SYSTEMS):
        for j, other in enumerate(SYSTEMS):
            expected = np.mean([tau(orders[one][item], orders[other][item]) for item in orders["A"]])
            assert found.taus[i, j] == pytest.approx(expected)
        others = [found.taus[i, j] for j in range(4) if j != i]
        assert found.means[i] == pytest.approx(np.mean(others))
    assert len(found.records()) == 4 + 6


def test_an_outlier_is_found() -> None:
    found = system_agreement(study(12, {"A": 0.3, "B": 0.3, "C": 0.3, "D": 1.0}, 2), samples=999)
    assert found.outliers == ("D",)
    assert found.p[3] == pytest.approx(1 / 1000)
    assert not found.exact


def test_a_p_that_equals_the_level_makes_an_outlier() -> None:
    """Exchanges are counted, so that p can be just the level."""
    orders = study(12, {"A": 0.3, "B": 0.3, "C": 0.3, "D": 1.0}, 2)
    assert system_agreement(orders, samples=19, alpha=0.05).p[3] == 1 / 20
    assert system_agreement(orders, samples=19, alpha=0.05).outliers == ("D",)
    assert system_agreement(orders, samples=19, alpha=0.0499).outliers == ()


@pytest.mark.long
def test_level_is_held_where_all_systems_are_alike() -> None:
    """Of 200 studies without outlier at most as many alarms as the level allows: 10 on average, 20 is p < .002."""
    alarms = sum(
        bool(system_agreement(study(6, dict.fromkeys("ABC", 0.6), seed, 5), samples=199, seed=seed).outliers)
        for seed in range(200)
    )
    assert alarms <= 20


def test_few_exchanges_are_all_gone_through() -> None:
    orders = study(3, dict.fromkeys("ABC", 0.5), 4)
    found = system_agreement(orders)
    assert found.exact
    own = np.array(
        [[np.mean([tau(orders[s][i], orders[t][i]) for t in "ABC" if t != s]) for s in "ABC"] for i in orders["A"]]
    )
    lowest = [
        min(sum(own[item][order[place]] for item, order in enumerate(chosen)) for place in range(3))
        for chosen in product(list(permutations(range(3))), repeat=3)
    ]
    expected = [np.mean([each <= total + 1e-9 for each in lowest]) for total in own.sum(axis=0)]
    assert found.p.tolist() == pytest.approx(expected)


def test_same_seed_same_p() -> None:
    orders = study(8, dict.fromkeys(SYSTEMS, 0.5), 6)
    first, again = (system_agreement(orders, samples=99, seed=3).p.tolist() for _ in range(2))
    assert first == again


def test_items_that_some_lack_are_counted() -> None:
    orders = study(4, dict.fromkeys("ABC", 0.5), 5)
    orders["A"].pop("0")
    found = system_agreement(orders)
    assert len(found.items) == 3
    assert "1 of 4 items are excluded" in found.warnings[0]


def test_one_item_says_nothing() -> None:
    found = system_agreement({"A": {"1": "abc"}, "B": {"1": "abc"}, "C": {"1": "cba"}})
    assert found.p[2] == 1
    assert "p is uninformative" in found.warnings[0]


def test_wrong_arguments() -> None:
    two = {"A": {"1": "ab"}, "B": {"1": "ab"}}
    with pytest.raises(DataError, match="at least 3 systems, got 'A', 'B'"):
        system_agreement(two)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no item has an order of every system"):
        system_agreement({**two, "C": {"2": "ab"}})  # type: ignore[arg-type]
    with pytest.raises(DataError, match="item 1, C, compared with A: the order lacks units"):
        system_agreement({**two, "C": {"1": "ac"}})  # type: ignore[arg-type]
    three = {**two, "C": {"1": "ab"}}
    with pytest.raises(UsageError, match="samples"):
        system_agreement(three, samples=0)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="alpha"):
        system_agreement(three, alpha=2)  # type: ignore[arg-type]


def test_units_that_not_all_systems_have() -> None:
    orders = {"A": {"1": "abc"}, "B": {"1": "abcd"}, "C": {"1": "dba"}}
    with pytest.raises(
        DataError, match="item 1, B, compared with A: the order has units that the reference lacks: 'd'"
    ):
        system_agreement(orders)
    found = system_agreement(orders, units="common")  # a b, a b and b a are left
    assert found.taus.tolist() == [[1, 1, -1], [1, 1, -1], [-1, -1, 1]]
    assert found.warnings[0] == "in 1 items only the units that all systems have are compared"
    with pytest.raises(UsageError, match="units must be one of same, common"):
        system_agreement(orders, units="any")  # type: ignore[arg-type]
