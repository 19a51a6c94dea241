"""Judgements and scores brought together."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from textassay.meta import read_tables


def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    people = pd.DataFrame(
        [("p1", "1", "B", 2.0), ("p2", "1", "B", 4.0), ("p1", "2", "B", 5.0), ("p2", "1", "A", 1.0)],
        columns=["participant", "item", "system", "value"],
    ).assign(criterion="clarity")
    scores = pd.DataFrame(
        [("1", "A", 0.1), ("1", "B", 0.2), ("2", "B", 0.4), (None, "A", 0.5)], columns=["item", "system", "value"]
    ).assign(metric="m")
    return people, scores


def test_pairs_of_texts() -> None:
    aligned = next(read_tables(*tables()).aligned("segment"))
    rows = aligned.pairs.sort_values(["system", "item"]).values.tolist()
    assert rows == [["1", "A", 1.0, 0.1], ["1", "B", 3.0, 0.2], ["2", "B", 5.0, 0.4]]
    assert aligned.systems == ["B", "A"]
    assert aligned.notes == ()


def test_pairs_of_systems_take_the_row_of_the_system() -> None:
    aligned = next(read_tables(*tables()).aligned("system"))
    assert aligned.pairs.values.tolist() == [["", "A", 1.0, 0.5]]
    assert aligned.notes == ("B: judged but not scored, so omitted",)


def test_pairs_of_systems_without_such_rows_are_means() -> None:
    people, scores = tables()
    aligned = next(read_tables(people, scores[:3]).aligned("system"))
    # B: texts judged 3 and 5 on average, scored .2 and .4.
    assert [[*row[:2], round(row[2], 9), round(row[3], 9)] for row in aligned.pairs.values.tolist()] == [
        ["", "B", 4.0, 0.3],
        ["", "A", 1.0, 0.1],
    ]


def test_texts_without_a_score_are_counted_for_means_but_not_for_corpus_scores() -> None:
    people, scores = tables()
    unscored = "1 of 3 judged texts have no score"
    means = next(read_tables(people, scores[:2]).aligned("system"))
    assert means.notes == (unscored,)
    own_rows = pd.DataFrame([("", "A", 0.5, "m"), ("", "B", 0.6, "m")], columns=["item", "system", "value", "metric"])
    corpus = next(read_tables(people, pd.concat([scores[:2], own_rows])).aligned("system"))
    # The corpus scores cover all texts, so it does not matter that one text has no score of its own.
    assert corpus.notes == ()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None])
def test_undefined_and_infinite_scores_are_counted_and_omitted(value: float | None) -> None:
    people, scores = tables()
    found = read_tables(people, scores.assign(value=[0.1, value, 0.4, 0.5]))
    assert found.warnings == ("1 of 4 scores are undefined; they are omitted",)
    aligned = next(found.aligned("segment"))
    assert sorted(aligned.pairs["score"]) == [0.1, 0.4]
    assert aligned.notes == ("1 of 3 judged texts have no score",)


def test_one_system_left_out() -> None:
    aligned = next(read_tables(*tables()).aligned("segment")).without("B")
    assert aligned.systems == ["A"]
