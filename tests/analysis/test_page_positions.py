"""Where on its page a text was rated: what is put in comes out, and what is not known is not told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.leading_test import leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.page_positions import (
    PositionEffect,
    position_cautions,
    rating_position_table,
    rating_positions,
)

OPTIONS = RecipeOptions()
PEOPLE, ITEMS = 12, 8


def ratings(shift: float, seed: int = 1) -> pd.DataFrame:
    """Three texts on a page; the second is rated `shift` higher than the first, the third twice that."""
    random = np.random.default_rng(seed)
    rows = []
    for person in range(PEOPLE):
        for item in range(ITEMS):
            page = random.normal()  # what all ratings of the page have in common
            for system, place in zip("abc", random.permutation(3) + 1, strict=True):
                value = 4 + page + shift * (place - 1) + 0.3 * random.normal() + (system == "c")
                rows.append((f"p{person}", f"i{item}", system, value, int(place)))
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value", "page_position"])


def found(table: pd.DataFrame) -> PositionEffect | None:
    return rating_positions(table, leading_test(table, "value", of="clarity", options=OPTIONS), OPTIONS)


@pytest.mark.parametrize(("shift", "words"), [(0.4, "points higher"), (-0.4, "points lower"), (0.0, "no clear effect")])
def test_what_is_put_in_comes_out(shift: float, words: str) -> None:
    effect = found(ratings(shift))
    assert effect is not None
    # The trend has a standard error of 0.3 / sqrt(2 · 96) = 0.022, two steps twice that.
    assert effect.change == pytest.approx(2 * shift, abs=4 * 0.044)
    assert effect.last - effect.first == pytest.approx(2 * shift, abs=0.25)
    assert words in effect.sentence
    assert effect.p < 0.001
    assert effect.p_without < 0.001
    table = rating_position_table([effect, None], 0.95)
    assert table is not None
    assert table.rows[0][:3] == ("clarity", effect.first, effect.last)
    assert list(position_cautions([effect])) == []  # systems differ with and without


def test_pages_may_lack_a_rating_but_not_a_place() -> None:
    table = ratings(0.4)
    fewer = found(table[table.index % 7 > 0])
    assert fewer is not None
    assert fewer.change == pytest.approx(0.8, abs=0.2)
    unknown = table.assign(page_position=table["page_position"].where(table.index != 5))
    twice = table.assign(page_position=1)
    alone = table.groupby(["participant", "item"]).head(1)
    for without in (table.drop(columns="page_position"), unknown, twice, alone):
        assert found(without) is None
