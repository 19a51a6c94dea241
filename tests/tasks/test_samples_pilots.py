"""What varies how much in a pilot; that it comes out is tested beside the samples of rating and reading."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import pytest

from textassay.errors import DataError
from textassay.seeds import Stream
from textassay.stats import mixed_model
from textassay.tasks.samples import spreads


@pytest.fixture(scope="module")
def answers() -> pd.DataFrame:
    """Eight people, each of six items once, three systems in Latin squares."""
    cells = [(f"p{p}", f"i{i}", f"s{(p + i) % 3}") for p in range(8) for i in range(6)]
    frame = pd.DataFrame(cells, columns=["participant", "item", "system"])
    people = Stream(2, "people").normals(8)[frame["participant"].str[1:].astype(int)]
    return frame.assign(value=people + 0.5 * Stream(2, "noise").normals(len(frame)))


def test_spreads_are_those_of_the_mixed_model(answers: pd.DataFrame) -> None:
    found = spreads(answers)
    columns = {name: answers[name].to_numpy() for name in ("participant", "item")}
    columns["text"] = (answers["item"] + answers["system"]).to_numpy()
    columns["liking"] = (answers["participant"] + answers["system"]).to_numpy()
    model = mixed_model(answers["value"].to_numpy(), {"system": answers["system"].to_numpy()}, columns)
    assert found["noise_sd"] == pytest.approx(model.sigma, rel=1e-6)
    assert all(found[f"{name}_sd"] == pytest.approx(model.sd(name), abs=1e-6) for name in columns)
    assert found["participant_sd"] == pytest.approx(1, rel=3 / math.sqrt(14))  # 3 / sqrt(2 (n - 1))


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.assign(system="s0"),
        lambda frame: frame[frame["participant"] == "p0"],
        lambda frame: frame.drop_duplicates(["item", "system"]),
        lambda frame: frame.head(0),
    ],
    ids=["one system", "one participant", "each text once", "nothing"],
)
def test_what_cannot_be_told_is_refused_with_the_counts(
    answers: pd.DataFrame, change: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    with pytest.raises(DataError, match=r"do not tell what varies how much \(levels: participant \d"):
        spreads(change(answers))
