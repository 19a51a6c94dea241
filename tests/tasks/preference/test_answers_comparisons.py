"""Preferences as arrays."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from preference_data import preferences_by_hand, topline

from textassay.tasks.preference.answers import LEAN, PreferenceArrays, degrees, preference_arrays, read_preferences


def read(frame: pd.DataFrame) -> PreferenceArrays:
    return preference_arrays(read_preferences(frame).main)


def test_by_hand() -> None:
    found = read(preferences_by_hand())
    assert found.systems == ("A", "B")
    assert found.values.tolist() == [-4, -2, -1, 3, 0, 0]
    # A stood left, so B right, of p's answers and of r's first
    assert found.right.tolist() == [1, 1, -1, -1, 1, -1]
    assert found.left.tolist() == ["A", "A", "B", "B", "A", "B"]
    assert found.contrasts.rows.tolist() == [[-1, 1]] * 6
    assert found.contrasts.covariates[LEAN].tolist() == found.right.tolist()
    assert found.sides_tell_apart


def test_pairs_in_both_orders_are_turned_to_one() -> None:
    turned = preferences_by_hand()
    turned.loc[1:, ["system_a", "system_b"]] = ["B", "A"]
    turned.loc[1:, "value"] *= -1
    assert read(turned).values.tolist() == read(preferences_by_hand()).values.tolist()
    assert read(turned).right.tolist() == read(preferences_by_hand()).right.tolist()


def test_unknown_sides_are_0_and_no_covariate() -> None:
    found = read(preferences_by_hand().drop(columns="left"))
    assert found.right.tolist() == [0] * 6
    assert not found.sides_known
    assert found.contrasts.covariates == {}


def test_side_that_never_changes_cannot_be_told_from_two_systems() -> None:
    assert not read(preferences_by_hand().assign(left="A")).sides_tell_apart


def test_topline_with_itself_compares_nothing_but_tells_of_sides() -> None:
    found = read(topline())
    assert (len(found.values), found.n) == (300, 270)
    assert np.count_nonzero(np.abs(found.contrasts.rows).sum(axis=1)) == 270
    assert np.all(found.right == 1)  # the topline always stood right


def test_few_sizes_are_degrees_as_they_are() -> None:
    assert degrees(np.array([-2.0, 0, 4, 2]))[0].tolist() == [-1, 0, 2, 1]
    assert degrees(np.array([-1.0, 1]))[1] == {}


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60))
def test_degrees_keep_signs_and_order_and_are_alike_on_both_sides(values: list[int]) -> None:
    array = np.array(values, dtype=float)
    found, _ = degrees(array)
    assert np.array_equal(np.sign(found), np.sign(array))
    assert np.array_equal(degrees(-array)[0], -found)
    assert np.all(np.diff(found[np.argsort(array, kind="stable")]) >= 0)
    assert np.abs(found).max() <= 3
