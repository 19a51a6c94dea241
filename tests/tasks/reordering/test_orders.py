from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

from textassay.errors import DataError
from textassay.tasks.reordering.orders import CRITERION, as_judgements, kept, read_orders


def table(*rows: tuple[str, str, str, str, str], **more: Sequence[Any]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["participant", "item", "condition", "order", "start"])
    for name, cells in more.items():
        frame[name] = cells
    return frame


def test_only_first_answers_of_participants_count() -> None:
    given = table(
        ("p", "i", "O", "a b", "a b"),
        ("p", "i", "O", "b a", "a b"),
        ("p", "j", "O", "b a", "a b"),
        ("", "i", "", "a b", ""),
        kind=["main", "repeat", "practice", None],
        role=["participant", "participant", "participant", "system"],
        by=["p", "p", "p", "O"],
    )
    main = read_orders(given).main
    assert main[["participant", "item", "condition"]].to_numpy().tolist() == [["p", "i", "O"]]
    assert main["order"].tolist() == [["a", "b"]]


def test_who_answered_may_stand_in_by_and_condition_may_be_unknown() -> None:
    given = pd.DataFrame({"by": ["p"], "role": ["participant"], "item": ["i"], "order": ["a b"], "start": ["b a"]})
    main = read_orders(given).main
    assert main[["participant", "condition"]].to_numpy().tolist() == [["p", "all"]]


def test_orders_of_other_units_are_left_out_and_counted() -> None:
    found = read_orders(table(("p", "i", "O", "a b", "a b c"), ("p", "j", "O", "a b", "b a")))
    assert found.main["item"].tolist() == ["j"]
    assert found.warnings == ("1 order(s) do not hold the units of their start, each once; they are omitted",)


def test_moves_and_seconds() -> None:
    moves = ['[["a", 1, 2, 10], ["a", 2, 3, 20], ["b", 1, 2, 30], ["a", 3, 1, 40]]', "[]"]
    rows = table(("p", "i", "O", "a b", "a b"), ("p", "j", "O", "a b", "a b"), moves=moves, rt_ms=[1500, 2000])
    main = read_orders(rows).main
    assert main["moves"].tolist() == [3, 0]
    assert main["seconds"].tolist() == [1.5, 2]


def test_column_that_is_missing_is_named() -> None:
    with pytest.raises(DataError, match=r"orders need the column\(s\) order; there are: item"):
        read_orders(pd.DataFrame({"item": []}))


def test_judgement_is_how_much_of_the_systems_order_was_kept() -> None:
    # of three pairs one is turned: tau = 1 - 4 · 1 / 6
    found = as_judgements(table(("p", "i", "O", "b a c", "a b c"), ("q", "i", "O", "a b c", "a b c")))
    assert found[["participant", "item", "system", "criterion"]].to_numpy().tolist() == [
        ["p", "i", "O", CRITERION],
        ["q", "i", "O", CRITERION],
    ]
    assert found["value"].tolist() == pytest.approx([1 / 3, 1])


def test_a_start_that_was_drawn_is_no_systems_order() -> None:
    drawn = table(("p", "i", "O", "a b", "a b"), ("q", "i", "O", "a b", "b a"), ("q", "j", "O", "a b", "a b"))
    assert as_judgements(drawn)["item"].tolist() == ["j"]
    assert list(as_judgements(drawn.iloc[:0])["value"]) == []


def test_start_may_be_unknown() -> None:
    given = pd.DataFrame({"by": ["p", "q"], "item": ["i", "i"], "order": ["a b", "b b"]})
    found = read_orders(given)
    assert found.main["start"].tolist() == [[]]
    assert math.isnan(kept(["a", "b"], []))
    assert found.warnings == ("1 order(s) do not hold the units of their start, each once; they are omitted",)
    assert as_judgements(given).empty
