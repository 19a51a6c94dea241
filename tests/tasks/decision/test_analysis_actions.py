"""Single actions as counts out of those that an item offers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.options import RecipeOptions
from textassay.tasks.decision.analysis import single_actions


def answers(**sets: Any) -> pd.DataFrame:
    random, rows = np.random.default_rng(11), []
    for p in range(20):
        for i in range(6):
            system = "ab"[(p + i) % 2]
            good = [action for action in "klm" if random.random() < (0.7 if system == "a" else 0.4)]
            bad = [action for action in "xy" if random.random() < 0.2]
            given = {"appropriate": "k l m", "inappropriate": "x y" if i else "", **sets}
            rows.append(
                {"participant": f"p{p}", "item": f"i{i}", "system": system, **given, "chosen": " ".join(good + bad)}
            )
    return pd.DataFrame(rows)


def test_odds_of_both_sets() -> None:
    frame = answers()
    found = single_actions(frame, RecipeOptions())
    rows = {(row["Of"], row["Compared"]): row for row in found.tables[0].records()}
    assert set(rows) == {
        (f"{name} chosen", what) for name in ("appropriate", "inappropriate") for what in ("all systems", "a / b")
    }
    # put in: odds .7/.3 against .4/.6, a ratio of 7/2
    assert rows["appropriate chosen", "a / b"]["Low"] < 7 / 2 < rows["appropriate chosen", "a / b"]["High"]
    assert rows["appropriate chosen", "all systems"]["p"] < 0.001
    # items without inappropriate actions offer none of them: 5 of 6 items are left
    counted = {record["of"]: record["n"] for record in found.records() if record["statistic"] == "Wald χ²"}
    assert counted == {"appropriate chosen": 120, "inappropriate chosen": 100}


def test_set_that_no_item_has_is_said() -> None:
    found = single_actions(answers(inappropriate=""), RecipeOptions())
    assert {row["Of"] for row in found.tables[0].records()} == {"appropriate chosen"}
    assert [text for text in found.warnings if text.startswith("inappropriate chosen: ")] != []


def test_neutral_actions_are_neither() -> None:
    frame = answers()
    more = frame.assign(chosen=frame["chosen"] + " other another")
    first, second = (single_actions(each, RecipeOptions()).tables[0].rows for each in (frame, more))
    assert [row[2] for row in first] == pytest.approx([row[2] for row in second], nan_ok=True)
