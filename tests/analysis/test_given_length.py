"""The table of metrics at equal length: what is in it, and when there is none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.given_length import given_length_tables
from textassay.analysis.metric_correlations import metric_correlations
from textassay.meta.alignment import ScoreGrid, score_grids
from textassay.meta.given_covariate import given_covariate

RNG = np.random.default_rng(3)
TEXTS = [(f"i{item}", system) for item in range(12) for system in "AB"]
WORDS = {text: float(RNG.integers(20, 90)) for text in TEXTS}
"""People react to length alone; `long` is the length, `other` is unrelated, `errors` counts what people dislike."""


def tables(texts: list[tuple[str, str]] = TEXTS) -> tuple[pd.DataFrame, pd.DataFrame]:
    rows = [{"participant": "p", "item": i, "system": s, "criterion": "ease", "value": WORDS[i, s] / 9 + RNG.normal()}
            for i, s in texts]  # fmt: skip
    scores = [
        {"item": item, "system": system, "metric": metric, "value": value}
        for item, system in texts
        for metric, value in (("long", WORDS[item, system]), ("other", RNG.normal()))
    ]
    return pd.DataFrame(rows), pd.DataFrame(scores)


def grids(texts: list[tuple[str, str]] = TEXTS) -> list[ScoreGrid]:
    return list(score_grids(*tables(texts)))


def test_what_is_length_alone_is_undefined_and_the_rest_is_the_partial_correlation() -> None:
    (grid,) = grids()
    (table,) = given_length_tables([grid], WORDS)
    long, other = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    assert long["r"] > 0.9
    assert np.isnan(long["r given length"])
    assert long["why undefined"] == "the scores do not vary beyond items, systems and covariate"
    length = np.array([[WORDS[item, system] for system in grid.systems] for item in grid.items])
    expected = given_covariate(grid.people, grid.scores["other"], length)
    assert (other["r given length"], other["p"], other["df"]) == (expected.r, expected.p, 12 - 1 - 2 - 1)
    assert other["p_holm"] == pytest.approx(expected.p)  # the only one that is defined
    assert other["n"] == 24


def test_texts_without_a_length_do_not_count() -> None:
    (table,) = given_length_tables(grids(), {text: n for text, n in WORDS.items() if text[0] != "i1"})
    assert set(table.to_frame()["n"]) == {22}


def test_one_text_per_item_has_no_such_table() -> None:
    assert given_length_tables(grids([text for text in TEXTS if text[1] == "A"]), WORDS) == []
    assert given_length_tables(grids(), {}) == []
    assert given_length_tables([], WORDS) == []


def test_the_recipe_has_the_table_where_lengths_are_known() -> None:
    judged, scored = tables()
    names = [
        [table.name for table in metric_correlations(judged, scored, lengths=each).tables] for each in (WORDS, None)
    ]
    assert [name for name in names[0] if name not in names[1]] == ["given-length"]
