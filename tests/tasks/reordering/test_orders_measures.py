from __future__ import annotations

import math

import pandas as pd
import pytest

from textassay.analysis.options import RecipeOptions
from textassay.tasks.reordering.orders import START, TAU, condition_tests, measures, read_orders, tau_with_others

TABLE = pd.DataFrame(
    [
        ("p", "i", "a b c", "a b c"),
        ("q", "i", "b a c", "a b c"),
        ("r", "i", "c b a", "a b c"),
        ("p", "j", "a b", "b a"),
    ],
    columns=["participant", "item", "order", "start"],
)


def test_tau_with_others_of_the_same_item() -> None:
    # p with q 1/3 and with r -1; q with r 1 - 4 · 2 / 6 = -1/3; nobody else has j
    found = tau_with_others(read_orders(TABLE).main)
    assert found[:3] == pytest.approx([-1 / 3, 0, -2 / 3])
    assert math.isnan(found[3])


def test_fewest_moves_and_what_is_not_known() -> None:
    found = measures(read_orders(TABLE), {"gold": {"i": ["a", "b", "c"]}})
    assert found["least"] == [0, 1, 2, 1]
    assert found["unchanged"] == [1, 0, 0, 0]
    assert found[TAU + "gold"][:3] == pytest.approx([1, 1 / 3, -1])
    assert math.isnan(found[TAU + "gold"][3])
    unknown = measures(read_orders(TABLE.drop(columns="start")), {})
    assert all(math.isnan(value) for name in (TAU + START, "least", "unchanged") for value in unknown[name])


def test_conditions_are_tested_on_what_is_known() -> None:
    rows = [(f"p{k}", f"i{t}", "xy"[(k + t) % 2], 1.0 if (k + t) % 2 else k / 10) for k in range(6) for t in range(4)]
    frame = pd.DataFrame(rows, columns=["participant", "item", "condition", TAU + START])
    found = condition_tests(frame.assign(moves=math.nan, seconds=math.nan), RecipeOptions())
    assert list(found) == [TAU + START]
    assert found[TAU + START].general.p < 0.01
    # more of the order kept is better; of moves and seconds neither more nor less is
    known = condition_tests(frame.assign(moves=frame[TAU + START] + 1, seconds=frame[TAU + START] + 2), RecipeOptions())
    better = {name: test.found.pairs.better for name, test in known.items()}
    assert better == {TAU + START: "higher", "moves": "none", "seconds": "none"}
