"""What is measured of each order: tau with others and with targets, what was changed; and whether conditions differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from textassay.analysis.quasi_f import QuasiF, quasi_f
from textassay.ordering import tau, tau_matrix, ulam
from textassay.tasks.reordering.orders import Orders, kept

START = "the order shown first"
OTHERS = "other participants"
TAU = "tau with "
Targets = Mapping[str, Mapping[str, Sequence[str]]]
"""Orders to compare with: name of the target → item → ids of the units."""


def measures(orders: Orders, targets: Targets) -> dict[str, list[float]]:
    """For each order: tau with each target and with others, whether nothing was changed, and the fewest moves to it."""
    main = orders.main
    rows = list(zip(main["item"], main["order"], main["start"], strict=True))
    found = {TAU + START: [kept(order, start) for _, order, start in rows], TAU + OTHERS: tau_with_others(main)}
    for name, by_item in targets.items():
        found[TAU + name] = [_tau_with(order, by_item.get(item)) for item, order, _ in rows]
    known = [(order, start) if start else None for _, order, start in rows]
    found["unchanged"] = [math.nan if both is None else float(both[0] == both[1]) for both in known]
    # a unit that is taken out and put in elsewhere is one move, so that the fewest are Ulam's distance
    return {**found, "least": [math.nan if both is None else ulam(*both) for both in known]}


def tau_with_others(main: pd.DataFrame) -> list[float]:
    """Mean tau of each order with those that others gave to the same units of an item in the same condition."""
    found = np.full(len(main), math.nan)
    orders = list(main["order"])
    units = main["order"].map(lambda order: " ".join(sorted(order))) if len(main) else main["order"]
    keys = main.reset_index(drop=True)[["item", "condition"]].assign(units=list(units))
    for places in keys.groupby(["item", "condition", "units"]).indices.values():
        if len(places) > 1:
            taus = tau_matrix([orders[int(place)] for place in places])
            found[places] = (taus.sum(axis=1) - 1) / (len(places) - 1)
    return [float(value) for value in found]


def condition_tests(measured: pd.DataFrame) -> dict[str, QuasiF]:
    """Whether conditions differ in what participants did, with participants and items as random."""
    found = {}
    for name in (TAU + START, "moves", "seconds"):
        cells = measured.assign(system=measured["condition"], value=measured[name])
        cells = cells[cells["value"].notna()]
        if cells["system"].nunique() > 1:
            found[name] = replace(quasi_f(cells), of=name, by="condition")
    return found


def _tau_with(order: Sequence[str], target: Sequence[str] | None) -> float:
    return tau(order, target) if target is not None and sorted(target) == sorted(order) else math.nan
