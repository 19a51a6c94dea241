"""One order against several references."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.ordering import several_references, tau, weighted_taus

sets = st.integers(2, 6).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=5))


def test_example() -> None:
    """Against ABCD: AB turned (both agree, 1) and CD turned (half agree, .5): 1 - 2·1.5/6; against ABDC: AB alone."""
    found = several_references("BADC", ["ABCD", "ABDC"])
    assert found.taus.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert found.mean == pytest.approx(0.5)
    assert found.best == pytest.approx(2 / 3)
    assert found.weighted.tolist() == pytest.approx([0.5, 2 / 3])
    assert (found.highest, found.exact) == (pytest.approx(5 / 6), True)
    # Reversed, all pairs cost what they can: 5 unanimous and one half.
    assert found.lowest.tolist() == pytest.approx([1 - 2 * 5.5 / 6] * 2)
    assert several_references("DCBA", ["ABCD", "ABDC"]).weighted[0] == pytest.approx(found.lowest[0])


@given(sets)
def test_parts_are_what_they_say(orders: list[list[int]]) -> None:
    order, *references = orders
    found = several_references(order, references)
    taus = [tau(order, reference) for reference in references]
    assert found.taus.tolist() == pytest.approx(taus)
    assert found.mean == pytest.approx(np.mean(taus))
    assert found.best == pytest.approx(max(taus))
    assert found.mean <= found.highest + 1e-12
    assert weighted_taus(order, references).tolist() == pytest.approx(found.weighted.tolist())
    # A transposition costs at most 1, and what costs nothing leaves 1.
    assert all(found.weighted >= np.array(taus) - 1e-12)
    assert np.all(found.weighted >= found.lowest - 1e-12)
    assert several_references(references[0], references).weighted[0] == pytest.approx(1)


@given(sets)
def test_one_reference_leaves_plain_tau(orders: list[list[int]]) -> None:
    found = several_references(orders[0], [orders[1]] * 3)
    assert found.weighted.tolist() == pytest.approx([tau(orders[0], orders[1])] * 3)
    assert found.highest == pytest.approx(1)


def test_common_units_of_all() -> None:
    found = several_references("xbac", ["abcd", "acb"], units="common")
    assert found.n == 3
    assert found.coverage == pytest.approx(3 / 4)
    assert found.taus.tolist() == pytest.approx([1 / 3, -1 / 3])
    assert "units that all have: 3" in found.warnings[0]


def test_records_hold_the_range() -> None:
    records = several_references("BADC", ["ABCD", "ABDC"]).records()
    assert [record["statistic"] for record in records] == ["mean tau", "best tau", "weighted tau", "weighted tau"]
    assert records[0]["highest"] == pytest.approx(5 / 6)
    assert records[2]["lowest"] == pytest.approx(1 - 2 * 5.5 / 6)


def test_too_few_units() -> None:
    found = several_references("a", ["a"])
    assert math.isnan(found.mean)
    assert math.isnan(found.highest)
    assert "at least 2 units" in found.warnings[0]


def test_wrong_arguments() -> None:
    with pytest.raises(DataError, match="no references"):
        several_references("ab", [])
    with pytest.raises(UsageError, match=r"for example \[reference\]"):
        several_references("ab", "ab")
    with pytest.raises(DataError, match="lacks units of the reference: 'c'"):
        several_references("ab", ["abc"])
    with pytest.raises(DataError, match=r"orders\[1\]"):
        several_references("ab", ["ab", "abc"])
    with pytest.raises(UsageError, match="units must be one of"):
        several_references("ab", ["ab"], units="any")  # type: ignore[arg-type]


def test_one_reference_of_many_units_needs_no_table_of_pairs() -> None:
    reference = list(range(20_000))  # a table of all pairs would take 3 gigabytes
    found = several_references(reference[::-1], [reference, reference])
    assert (found.mean, found.best, found.highest, found.exact) == (-1, -1, 1, True)
    assert found.weighted.tolist() == found.lowest.tolist() == [-1, -1]
