"""Frames of judgements for the recipes."""

from collections.abc import Callable

import pandas as pd
import pytest

Row = tuple[str, str, str, float]


@pytest.fixture
def small() -> pd.DataFrame:
    """Two evaluators, four items, two systems: each sees each item once and each system twice."""
    rows = [
        ("p", "i1", "A", 1), ("p", "i2", "A", 2), ("p", "i3", "B", 3), ("p", "i4", "B", 4),
        ("q", "i1", "B", 5), ("q", "i2", "B", 4), ("q", "i3", "A", 2), ("q", "i4", "A", 1),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")


@pytest.fixture
def latin() -> Callable[[int, int, int], pd.DataFrame]:
    """Repeated Latin squares: evaluator e sees item i from system (i + e) mod systems; values that vary."""

    def make(systems: int, items: int, evaluators: int) -> pd.DataFrame:
        rows = [
            (f"e{e}", f"i{i}", f"s{(i + e) % systems}", (3 * ((i + e) % systems) + i * i + 7 * e + i * e) % 7 + 1)
            for e in range(evaluators)
            for i in range(items)
        ]
        return pd.DataFrame(rows, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")

    return make
