"""Frames of judgements for the recipes."""

from collections.abc import Callable

import numpy as np
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


class Drawn:
    """Ratings drawn from a known model: participants and items vary, by themselves and with each system."""

    def __init__(self, participants: int, items: int, systems: int, *, complete: bool = False) -> None:
        """Latin squares, or every participant with every text."""
        self.counts = (participants, items, systems)
        grid = np.array([(p, i, s) for p in range(participants) for i in range(items) for s in range(systems)])
        self.rows = grid if complete else grid[(grid[:, 0] + grid[:, 1]) % systems == grid[:, 2]]

    def values(self, seed: int, effect: float = 0.0, sds: tuple[float, ...] = (0.6, 0.5, 0.3, 0.5, 1.0)) -> np.ndarray:
        """`effect`: the best system less the worst; `sds`: participants, items, both with systems, noise."""
        draw = np.random.default_rng(seed)
        people, items, systems = self.counts
        p, i, s = self.rows.T
        places = np.linspace(-0.5, 0.5, systems) * effect
        by_participant, by_item, liking, text, noise = sds
        random = draw.normal(0, by_participant, people)[p] + draw.normal(0, by_item, items)[i]
        random += draw.normal(0, liking, (people, systems))[p, s] + draw.normal(0, text, (items, systems))[i, s]
        return 4 + places[s] + random + draw.normal(0, noise, len(p))

    def frame(self, seed: int, effect: float = 0.0, *, steps: int | None = 7, **more: object) -> pd.DataFrame:
        """The ratings on a scale from 1 to `steps`; as they are without it."""
        values = self.values(seed, effect, **more)
        p, i, s = (column.astype(str) for column in self.rows.T)
        labels = {"participant": np.char.add("p", p), "item": np.char.add("i", i), "system": np.char.add("s", s)}
        kept = values if steps is None else np.clip(np.floor(values + 0.5), 1, steps)
        return pd.DataFrame({**labels, "criterion": "clarity", "value": kept}).astype({"participant": object})


@pytest.fixture(scope="session")
def drawn() -> type[Drawn]:
    return Drawn
