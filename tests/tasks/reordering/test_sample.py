"""What power assumes about orders comes out of those that are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from reordering_study import write_reordering_study
from sampled import Sampled, sampled

from textassay.errors import UsageError
from textassay.ordering import tau
from textassay.study.load import load_study

PEOPLE, ITEMS = 30, 24


def make(directory: Path, **settings: Any) -> Sampled:
    return sampled(load_study(write_reordering_study(directory, lambda block: block.update(settings))), PEOPLE, ITEMS)


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    return make(tmp_path_factory.mktemp("data"))


def taus(table: pd.DataFrame, wanted: Callable[[pd.Series[Any]], str]) -> pd.Series[float]:
    """Mean tau of each system's orders with the ones looked for."""
    values = [tau(row["order"].split(), wanted(row).split()) for _, row in table.iterrows()]
    return table.assign(tau=values).groupby("condition")["tau"].mean()


@pytest.mark.long
@pytest.mark.parametrize("spread", [{}, {"participant_sd": 0.6, "text_sd": 0.4}])
def test_difference_in_tau_comes_out_with_the_order_shown(orders: Sampled, spread: dict[str, float]) -> None:
    found = []
    for order, table in orders.drawn(15, effect=0.16, **spread):
        mean = taus(table, lambda row: row["start"])
        found.append(mean[order[-1]] - mean[order[0]])
    assert np.mean(found) == pytest.approx(0.16, abs=4 * np.std(found) / math.sqrt(15))


@pytest.mark.long
def test_share_of_slips_is_the_one_assumed(orders: Sampled) -> None:
    # four units: three places for a slip, each of which costs 4 / (4 · 3); so mean tau is 1 - 3 · 0.3 / 3 = 0.7
    found = [taus(table, lambda row: row["start"]).mean() for _, table in orders.drawn(5, effect=0, slip=0.3)]
    # a slip has variance 0.21, a tau 3 · 0.21 / 9; 5 · 720 of them
    assert np.mean(found) == pytest.approx(0.7, abs=4 * math.sqrt(0.07 / (5 * PEOPLE * ITEMS)))


def test_where_the_start_is_drawn_people_look_for_the_coherent_order(tmp_path: Path) -> None:
    drawn = make(tmp_path / "random", start="random")
    for order, table in drawn.drawn(2, effect=0.3):
        mean = taus(table, lambda _: "s1 s2 s3 s4")
        # 240 orders a system, a tau varies by less than 0.33: the standard error of a difference is below 0.031
        assert mean[order[-1]] - mean[order[0]] == pytest.approx(0.3, abs=4 * 0.031)


def test_fixed_unit_stays_and_every_order_holds_all_units(tmp_path: Path) -> None:
    fixed = make(tmp_path / "fixed", first_fixed=True)
    _, table = next(iter(fixed.drawn(1, effect=0.1, slip=0.4)))
    for order, start in zip(table["order"], table["start"], strict=True):
        assert order.split()[0] == start.split()[0]
        assert sorted(order.split()) == sorted(start.split())
    # two places for a slip, each of which costs 1/3
    assert taus(table, lambda row: row["start"]).mean() == pytest.approx(1 - 2 * 0.4 / 3, abs=0.06)


def test_effect_that_no_slips_can_make_is_refused(orders: Sampled) -> None:
    # 0.2 ± 0.2 at most: 2 · 0.2 of the three places, 1 each in tau
    with pytest.raises(UsageError, match=r"effect is 0\.5, but with slips in 0\.2 of all places .* less than 0\.4;"):
        orders.sample(effect=0.5)
