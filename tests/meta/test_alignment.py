"""Scores and judgements on one grid: what is where, what was not used and why."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import DataError, UsageError
from textassay.meta.alignment import AlignmentOptions, ScoreGrid, error_metrics, score_grids

NAN = math.nan


def judgements(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")


def scores(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["item", "system", "metric", "value"])


JUDGED = judgements([("p", "1", "a", 1), ("q", "1", "a", 3), ("p", "2", "a", 4), ("p", "1", "b", 5)])
SCORED = scores(
    [
        ("1", "a", "m", 0.1), ("2", "a", "m", 0.2), ("3", "a", "m", 0.9),  # nobody judged item 3
        ("1", "b", "ter", 0.7), ("1", "a", "ter", NAN), ("1", "c", "ter", 0.3), ("", "a", "ter", 0.4),
        ("", "d", "ter", 0),
    ]
)  # fmt: skip


def only(people: pd.DataFrame, table: pd.DataFrame, **options: Any) -> ScoreGrid:
    (grid,) = score_grids(people, table, AlignmentOptions(**options))
    return grid


def test_grid_of_items_and_systems_keeps_what_is_missing_missing() -> None:
    grid = only(JUDGED, SCORED)
    assert (grid.criterion, grid.items, grid.systems, grid.metrics) == ("clarity", ("1", "2"), ("a", "b"), ["m", "ter"])
    np.testing.assert_array_equal(grid.people, [[2, 5], [4, NAN]])
    np.testing.assert_array_equal(grid.scores["m"], [[0.1, NAN], [0.2, NAN]])
    np.testing.assert_array_equal(grid.scores["ter"], [[NAN, -0.7], [NAN, NAN]])
    np.testing.assert_array_equal(grid.given("ter"), [[NAN, 0.7], [NAN, NAN]])
    assert (grid.turned, grid.people_turned, grid.texts_per_item) == ({"ter"}, False, 2)


def test_every_row_of_both_tables_has_a_fate() -> None:
    extra = pd.concat(
        [
            JUDGED.assign(kind="main"),
            judgements([("p", "1", "a", 9), ("p", "9", "c", 2)]).assign(kind=["practice", "main"]),
            judgements([("p", "1", "b", 5), ("q", "2", "b", None), ("q", None, "b", 3)]).assign(kind="main"),
        ]
    )
    rows = only(extra, SCORED).rows
    assert len(rows) == len(extra) + len(SCORED)
    why = list(zip(rows["table"], rows["row"], rows["why"], strict=True))
    assert why == [
        ("judgements", 1, ""), ("judgements", 2, ""), ("judgements", 3, ""), ("judgements", 4, ""),
        ("judgements", 5, "practice or attention check"), ("judgements", 6, "the text has no score"),
        ("judgements", 7, "repeats an earlier answer"), ("judgements", 8, "has no value"),
        ("judgements", 9, "names no participant, item, system or criterion"),
        ("scores", 1, ""), ("scores", 2, ""), ("scores", 3, "the text has no judgement"),
        ("scores", 4, ""), ("scores", 5, "the score is undefined"), ("scores", 6, "the text has no judgement"),
        ("scores", 7, ""), ("scores", 8, "the system has no judgement"),
    ]  # fmt: skip
    assert rows["used"].tolist() == [reason == "" for _, _, reason in why]


@pytest.mark.parametrize(
    ("choice", "m", "ter", "source"),
    [
        ("corpus", [0.15, NAN], [-0.4, NAN], "corpus score"),
        ("all", [0.4, NAN], [NAN, -0.7], "mean over all scored texts"),
        ("judged", [0.15, NAN], [NAN, -0.7], "mean over the judged texts"),
    ],
)
def test_scores_of_systems_over_which_texts(choice: Any, m: list[float], ter: list[float], source: str) -> None:
    grid = only(JUDGED, SCORED, system_scores=choice)
    np.testing.assert_allclose(grid.system_scores["m"], m)
    np.testing.assert_allclose(grid.system_scores["ter"], ter)
    np.testing.assert_array_equal(grid.system_people, [3, 5])
    assert grid.scores_are["ter"] == source


def test_what_occurs_on_one_side_only_is_counted() -> None:
    grid = only(JUDGED, SCORED)
    assert grid.notes == ("1 of 8 scores are undefined; they are omitted",)
    assert grid.metric_notes == {
        "m": (
            "1 of 3 judged texts have no score",
            "1 of 3 scored texts have no judgement",
            "b: judged but not scored, so omitted",
        ),
        "ter": (
            "2 of 3 judged texts have no score",
            "1 of 2 scored texts have no judgement",
            "b: judged but not scored, so omitted",
            "c, d: scored but not judged, so omitted",
        ),
    }


def test_metrics_that_compare_with_references_are_known() -> None:
    table = scores([("1", "a", "m", 1), ("1", "a", "ter", 1), ("1", "a", "relevance", 1), ("1", "a", "label", 1)])
    table["signature"] = ["", "", "", "event-count|version:1"]
    assert only(JUDGED, table).comparing == {"m", "ter"}


def test_the_reference_is_left_out_for_metrics_that_compare_with_it() -> None:
    table = scores([("1", "a", "bleu", 1), ("1", "b", "bleu", 0.5), ("1", "a", "mine", 1), ("1", "b", "mine", 2)])
    grid = replace(only(JUDGED, table, reference_system="a"), comparing=frozenset({"bleu"}))
    assert grid.fair_to("bleu").systems == ("b",)
    assert grid.fair_to("mine") is grid
    assert only(JUDGED, table).fair_to("bleu").systems == ("a", "b")


def test_without_the_reference() -> None:
    grid = only(JUDGED, SCORED, reference_system="a")
    assert grid.reference == "a"
    left = grid.without("a")
    assert (left.systems, left.reference, left.people.tolist()[0]) == (("b",), None, [5.0])
    assert left.system_people.tolist() == [5.0]
    assert left.scores["ter"][0].tolist() == [-0.7]
    gone = left.rows[left.rows["why"] == "the system is the reference"]
    assert (len(gone), set(gone["system"]), gone["used"].any()) == (6, {"a"}, False)
    assert grid.rows["used"].sum() - left.rows["used"].sum() == 6
    assert only(JUDGED, SCORED, reference_system="gold").reference is None


def test_criterion_of_which_less_is_better_is_turned() -> None:
    grid = only(JUDGED, SCORED, error_criteria=frozenset({"clarity"}))
    np.testing.assert_array_equal(grid.people, [[-2, -5], [-4, NAN]])
    assert grid.people_turned
    np.testing.assert_array_equal(grid.system_people, [-3, -5])


def test_rater_effects_removed() -> None:
    # q gives 2 more than p for the same text, and judged the better half of b only
    people = judgements([("p", "1", "a", 1), ("q", "1", "a", 3), ("p", "2", "a", 2), ("q", "2", "b", 5)])
    plain, adjusted = (only(people, SCORED, raters=way) for way in ("mean", "adjusted"))
    np.testing.assert_allclose(plain.people, [[2, NAN], [2, 5]])
    np.testing.assert_allclose(adjusted.people, [[2, NAN], [3, 4]])


def test_criteria_have_grids_of_their_own() -> None:
    both = pd.concat([JUDGED, JUDGED[:1].assign(criterion="fluency")])
    first, second = score_grids(both, SCORED)
    assert (first.criterion, second.criterion, second.items, second.systems) == ("clarity", "fluency", ("1",), ("a",))
    assert score_grids(JUDGED[:0], SCORED) == ()


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(UsageError, match="system_scores must be one of corpus, all, judged; got 'some'"):
        replace(AlignmentOptions(), system_scores="some")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"scores need the column\(s\) metric; there are: item, system, value"):
        score_grids(JUDGED, SCORED.drop(columns="metric"))
    with pytest.raises(DataError, match="scores: item 1, system a has two values of m; keep one"):
        score_grids(JUDGED, pd.concat([SCORED, SCORED[:1]]))
    with pytest.raises(DataError, match="scores, row 2: value is 'high'; it must be a number"):
        score_grids(JUDGED, SCORED[:2].assign(value=[0.5, "high"]))


def test_the_table_may_say_which_values_of_a_metric_are_better() -> None:
    rows = [("errors", "Lower"), ("judge", ""), ("ter", ""), ("wer", "higher"), ("comet", "higher")]
    scores = pd.DataFrame(
        [(f"i{n}", "s", metric, float(n), better) for metric, better in rows for n in range(3)],
        columns=["item", "system", "metric", "value", "better"],
    )
    assert error_metrics(scores) == {"errors", "ter"}
    assert error_metrics(scores.drop(columns="better")) == {"ter", "wer"}
    people = pd.DataFrame(
        [("p", f"i{n}", "s", "clarity", n) for n in range(3)],
        columns=["participant", "item", "system", "criterion", "value"],
    )
    (grid,) = score_grids(people, scores)
    assert grid.turned == {"errors", "ter"}
    assumed = "higher is taken to be better of judge, since the scores do not say it (column 'better')"
    assert assumed in grid.notes
    (plain,) = score_grids(people, scores.drop(columns="better"))
    assert not any("taken to be better" in note for note in plain.notes)
