"""Orders as the statistics want them: which answers count, from where they started, and what is measured of each."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from textassay.analysis.judgements import need_columns, read_judgements
from textassay.analysis.leading_test import LeadingTest, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.ordering import tau, tau_matrix, ulam
from textassay.pairwise import Better

CRITERION = "order kept"
"""What judgements made from orders are about: how much of the order that a system gave was kept."""
START = "the order shown first"
OTHERS = "other participants"
TAU = "tau with "
Targets = Mapping[str, Mapping[str, Sequence[str]]]
"""Orders to compare with: name of the target → item → ids of the units."""
_NEEDED = ("item", "order")


@dataclass(frozen=True)
class Orders:
    """Orders that participants gave, those that count."""

    main: pd.DataFrame
    """Columns `participant, item, condition, order, start` (lists of ids; `start` empty where it is not known), `moves`
    and `seconds` where known."""
    warnings: tuple[str, ...]
    """What was omitted, counted."""


def read_orders(table: pd.DataFrame) -> Orders:
    """First answers of participants; practice, checks, repeats and orders of systems and references do not count.

    Raises:
        DataError: a column is missing; the message lists those that are there.
    """
    need_columns(table, _NEEDED, "orders")
    judged = read_judgements(_as_cells(table))
    main = judged.main.rename(columns={"system": "condition"})
    start = main["start"] if "start" in main else pd.Series(None, index=main.index, dtype=object)
    main = main.assign(order=main["order"].map(_ids), start=start.map(_ids))
    sound = main.apply(_is_sound, axis=1) if len(main) else pd.Series(dtype=bool)
    warnings = list(judged.warnings)
    if not sound.all():
        unlike = int((~sound).sum())
        warnings.append(f"{unlike} order(s) do not hold the units of their start, each once; they are omitted")
        main = main[sound]
    moves = main["moves"].map(_moves) if "moves" in main else math.nan
    seconds = pd.to_numeric(main["rt_ms"], errors="coerce") / 1000 if "rt_ms" in main else math.nan
    return Orders(main.assign(moves=moves, seconds=seconds).reset_index(drop=True), tuple(warnings))


def _as_cells(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of participants with the columns of a judgement, so that the same rules say which of them count."""
    people = table[table["role"].fillna("participant") == "participant"] if "role" in table else table
    who = people["participant"] if "participant" in people else pd.Series(pd.NA, index=people.index, dtype=object)
    by = people.get("by", who)
    condition = people["condition"] if "condition" in people else pd.Series("", index=people.index, dtype=object)
    named = condition.astype(object).where(condition.notna() & (condition != ""), "all")
    cells = people.assign(participant=who.astype(object).fillna(by), system=named, criterion=CRITERION, value=0.0)
    return cells.drop(columns=["condition"], errors="ignore")


def _ids(cell: Any) -> list[str]:
    return cell.split() if isinstance(cell, str) else []


def _is_sound(row: Mapping[str, Any]) -> bool:
    """Whether each unit occurs once, and the same units at the start, where it is known."""
    units = sorted(row["order"])
    return bool(units) and len(set(units)) == len(units) and (not row["start"] or sorted(row["start"]) == units)


def _moves(cell: Any) -> float:
    """How many moves were made; a unit that is moved step by step, with no other in between, is moved once.

    >>> _moves('[["a", 1, 2, 900], ["a", 2, 3, 1300], ["b", 1, 2, 2500]]')
    2.0
    """
    if not isinstance(cell, str) or not cell:
        return math.nan
    return float(len(list(groupby(move[0] for move in json.loads(cell)))))


def kept(order: list[str], start: list[str]) -> float:
    """Tau of an order with the one that was shown first; nan where that is not known."""
    return tau(order, start) if start else math.nan


def as_judgements(table: pd.DataFrame) -> pd.DataFrame:
    """Orders as judgements: tau of the participant's order with the one that was shown first, the system's.

    The less people change, the better they find it. Where the start of one item and condition differs between
    participants, it was drawn and is no system's order; those rows say nothing about a system and are omitted.
    """
    main = read_orders(table).main
    values = [kept(order, start) for order, start in zip(main["order"], main["start"], strict=True)]
    judged = main.assign(system=main["condition"], value=np.array(values, dtype=float))
    starts = judged["start"].map(" ".join) if len(judged) else judged["start"]
    drawn = starts.groupby([judged["item"], judged["condition"]]).transform("nunique") > 1
    return judged.loc[~drawn & judged["value"].notna()].drop(columns=["condition"]).reset_index(drop=True)


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


def in_item_order(rows: pd.DataFrame, items: Sequence[str]) -> pd.DataFrame:
    """The rows with the items in the order of the study, so that tables list texts as the researcher does."""
    places = {item: place for place, item in enumerate(items)}
    return rows.iloc[rows["item"].map(lambda item: places.get(str(item), -1)).argsort(kind="stable")]


def condition_tests(measured: pd.DataFrame, options: RecipeOptions) -> dict[str, LeadingTest]:
    """Whether conditions differ in what participants did: the leading test of each measure."""
    cells = measured.assign(system=measured["condition"])
    better: dict[str, Better] = {TAU + START: "higher", "moves": "none", "seconds": "none"}
    known = [name for name in better if cells[name].notna().any()]
    return {name: leading_test(cells, name, of=name, options=options, better=better[name]) for name in known}


def with_tau(options: RecipeOptions) -> RecipeOptions:
    """The options with what the study calls tau under its name in results: that with the order shown first."""
    return replace(options, smallest={TAU + START if of == "tau" else of: x for of, x in options.smallest.items()})


def _tau_with(order: Sequence[str], target: Sequence[str] | None) -> float:
    return tau(order, target) if target is not None and sorted(target) == sorted(order) else math.nan
