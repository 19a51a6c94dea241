"""All texts together, and texts with items of their own: exchanges by hand, gaps, clusters."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.coefficients import Coefficient, grouped
from textassay.meta.system_permutation import Exchanges
from textassay.meta.text_permutation import _clustered_pearson, permute_systems_and_items, permute_texts
from textassay.stats.samples import FloatArray

RANDOM = np.random.Generator(np.random.PCG64(5))
PEOPLE, NOISE = RANDOM.normal(size=(2, 4, 3))
SCORES = PEOPLE + 0.7 * NOISE


def nested(systems: int, each: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """One text per item: row i has a value for one system only."""
    random = np.random.Generator(np.random.PCG64(seed))
    people, scores = np.full((2, systems * each, systems), np.nan)
    system = np.repeat(np.arange(systems), each)
    rows = np.arange(system.size)
    people[rows, system] = random.normal(size=systems)[system] + random.normal(size=system.size)
    scores[rows, system] = random.normal(size=systems)[system] + random.normal(size=system.size)
    return people, scores


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau-b"])
@pytest.mark.parametrize("gap", [False, True])
def test_all_orders_of_systems_and_items(coefficient: Coefficient, *, gap: bool) -> None:
    people = PEOPLE.copy()
    people[1, 1] = np.nan if gap else people[1, 1]
    figures = [
        grouped(people, SCORES[list(rows)][:, columns], None, coefficient).mean
        for rows, columns in product(permutations(range(4)), permutations(range(3)))
    ]
    found = permute_systems_and_items(people, SCORES, coefficient)
    assert found.p == pytest.approx(np.mean(np.abs(figures) >= abs(figures[0]) - 1e-10))
    assert (found.permutations, found.exact) == (144, True)


def test_large_grids_are_drawn() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    people = random.normal(size=(20, 9))
    found = permute_systems_and_items(
        people, people + random.normal(size=people.shape), "spearman", Exchanges(draws=99)
    )
    assert (found.p, found.permutations, found.exact) == (0.01, 99, False)
    by_pairs = permute_systems_and_items(people, -people, "tau-a")
    assert (by_pairs.value, by_pairs.permutations, by_pairs.p) == (-1.0, 999, 0.001)


def test_one_text_per_item_cannot_be_exchanged_by_items() -> None:
    found = permute_systems_and_items(*nested(5, 6, 1), "pearson", Exchanges(draws=99))
    assert math.isnan(found.p)
    assert found.reason.startswith("exchanging systems and items would leave less than half")


@pytest.mark.parametrize("by", ["system", None])
def test_texts_of_own_items_are_clustered(by: None) -> None:
    people, scores = nested(6, 8, 2)
    found = permute_texts(people, scores, "pearson", by, Exchanges(draws=199))
    assert found.value == pytest.approx(grouped(people, scores, by, "pearson").mean)
    assert found.p > 0.05
    agreeing = permute_texts(people, people, "tau-b", by, Exchanges(draws=199))
    assert (agreeing.value, agreeing.p) == (1.0, 0.005)


def test_systems_that_differ_on_both_sides_do_not_make_a_metric_significant() -> None:
    # Two systems, far apart on both sides, and nothing within: among all texts r is near 1, but there are two systems.
    people, scores = nested(2, 30, 4)
    people[:, 1], scores[:, 1] = people[:, 1] + 50, scores[:, 1] + 50
    pooled = permute_texts(people, scores, "pearson", None, Exchanges(draws=199))
    assert pooled.value > 0.99
    assert pooled.p > 0.05
    assert permute_texts(people, scores, "pearson", "system", Exchanges(draws=199)).p > 0.05


def test_what_has_no_p_and_what_is_refused() -> None:
    assert permute_texts([[1, 2]], [[1, 1]], "tau-b").reason == "all scores are equal"
    assert permute_systems_and_items([[1, 1]], [[1, 2]], "tau-b").reason == "all judgements are equal"
    with pytest.raises(UsageError, match="by must be one of system"):
        permute_texts([[1, 2]], [[1, 2]], "tau-b", "item")


def test_orders_from_sums_are_those_of_the_coefficient() -> None:
    # Pearson's r of clustered texts comes from sums by system; every draw must equal the coefficient of its own values.
    random = np.random.Generator(np.random.PCG64(5))
    sizes, means = [3, 5, 4], np.array([1.0, 4.0, 2.0])
    system = np.repeat(np.arange(3), sizes)
    x, scores = random.normal(size=12), random.normal(size=12)
    rest = scores - (np.bincount(system, scores) / sizes)[system]
    orders = np.array(list(permutations(range(3))))
    mixed = np.array(
        [np.concatenate([random.permutation(np.flatnonzero(system == one)) for one in range(3)]) for _ in orders]
    )
    found = _clustered_pearson(x, means, rest, system, orders, mixed)
    expected = [
        np.corrcoef(x, means[order][system] + rest[row])[0, 1] for order, row in zip(orders, mixed, strict=True)
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-12)
