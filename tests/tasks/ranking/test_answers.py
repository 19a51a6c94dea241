from __future__ import annotations

import pandas as pd
import pytest

from textassay.errors import DataError
from textassay.tasks.ranking.answers import as_judgements, read_rankings


def table(*rows: tuple[str, str, str, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["participant", "item", "system", "rank"]).assign(criterion="clarity")


def test_ties_however_written_share_the_mean_of_their_places() -> None:
    dense = table(("p", "i", "a", 1), ("p", "i", "b", 1), ("p", "i", "c", 2))
    competition = table(("p", "i", "a", 1), ("p", "i", "b", 1), ("p", "i", "c", 3))
    for each in (dense, competition):
        assert read_rankings(each).main["value"].tolist() == [1.5, 1.5, 3.0]


def test_repeats_and_practice_do_not_count() -> None:
    rows = table(("p", "i", "a", 1), ("p", "i", "b", 2), ("p", "i", "a", 2), ("p", "i", "b", 1), ("p", "j", "a", 1))
    found = read_rankings(rows.assign(kind=["main", "main", "repeat", "repeat", "practice"]))
    assert found.main["value"].tolist() == [1, 2]
    assert found.repeats["value"].tolist() == [2, 1]


def test_text_that_stands_alone_is_left_out_and_counted() -> None:
    found = read_rankings(table(("p", "i", "a", 1), ("p", "i", "b", 2), ("p", "j", "a", 1)))
    assert list(found.main["item"]) == ["i", "i"]
    assert found.warnings == ("1 answer(s) rank a single text, which says nothing; they are omitted",)


def test_judgements_are_more_for_better_texts() -> None:
    found = as_judgements(table(("p", "i", "a", 1), ("p", "i", "b", 2.5), ("p", "i", "c", 2.5)))
    # k + 1 - rank with k = 3
    assert dict(zip(found["system"], found["value"], strict=True)) == {"a": 3, "b": 1.5, "c": 1.5}
    assert set(found.columns) >= {"participant", "item", "system", "criterion", "value"}


def test_column_that_is_missing_is_named() -> None:
    with pytest.raises(DataError, match=r"rankings need the column\(s\) rank; there are: participant, item"):
        read_rankings(pd.DataFrame({"participant": [], "item": []}))
