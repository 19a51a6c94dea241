"""Metrics against people: known answers, levels, groupings, and what is undefined."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import DataError, UsageError
from textassay.meta import AlignmentOptions, CorrelationOptions, Correlations, correlate
from textassay.stats import pearson

HUMAN = [
    [-0.0, None, -1.0, -0.0, -0.0, -1.0],
    [-0.0, -1.0, -0.0, -0.0, -1.0, -1.0],
    [-1.0, -1.0, -1.0, -1.0, None, -1.0],
    [-1.0, -0.0, -1.0, -0.0, None, -1.0],
    [-1.0, -1.0, -0.0, -1.0, -1.0, -1.0],
]
METRIC = [
    [0.25, 0.25, 0.25, 0.25, 0.25, 0.25],
    [0.375, -0.75, -0.25, 0.125, -1.25, -0.75],
    [-0.875, -1.125, -1.375, -0.625, -1.0, -0.625],
    [-0.875, 0.25, -0.75, -0.25, -0.125, -1.0],
    [-1.0, -1.375, 0.0, -1.25, -0.75, -0.875],
]
"""Rows are systems. Known answers below: mt-metrics-eval 68a481a (AverageCorrelation) with scipy 1.17.1."""


def judgements(rows: list[list[Any]], criterion: str = "clarity", participant: str = "p1") -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"participant": participant, "item": f"i{i}", "system": f"s{s}", "criterion": criterion, "value": value}
            for s, row in enumerate(rows)
            for i, value in enumerate(row)
            if value is not None
        ]
    )


def scores(rows: list[list[Any]], metric: str = "m", *, corpus: bool = False) -> pd.DataFrame:
    table = [
        {"item": f"i{i}", "system": f"s{s}", "metric": metric, "value": value}
        for s, row in enumerate(rows)
        for i, value in enumerate(row)
    ]
    if corpus:
        table += [
            {"item": "", "system": f"s{s}", "metric": metric, "value": np.mean(row)} for s, row in enumerate(rows)
        ]
    return pd.DataFrame(table)


def only(result: Correlations) -> dict[str, Any]:
    records = result.records()
    assert len(records) == 1
    return records[0]


@pytest.mark.parametrize(
    ("coefficient", "by", "value", "n"),
    [
        ("pearson", None, 0.7533798753390866, 27),
        ("pearson", "item", 0.8355173323987509, 5),
        ("pearson", "system", 0.9003295901189295, 3),
        ("spearman", None, 0.7018199273519565, 27),
        ("spearman", "item", 0.7367691856087625, 5),
        ("spearman", "system", 0.8039372877238077, 3),
    ],
)
def test_groupings(coefficient: Any, by: Any, value: float, n: int) -> None:
    result = correlate(judgements(HUMAN), scores(METRIC), "segment", by, coefficient)
    record = only(result)
    assert record["value"] == pytest.approx(value, abs=1e-12)
    assert (record["n"], record["by"]) == (n, by or "")
    assert "m and clarity: 3 of 30 scored texts have no judgement" in result.warnings
    assert 0 < record["least_p"] <= record["p"] <= 1
    assert record["exact"] is (by is not None)  # all 5! orders of systems or 6! of items, not all 5! · 6! of both
    if by is not None:
        groups = 6 if by == "item" else 5
        assert any(f"{groups - n} of {groups} {by}s have no value and are omitted" in text for text in result.warnings)


def test_system_level() -> None:
    # Without rows for whole systems the metric's mean is over the judged texts; with them it is theirs.
    judged = correlate(judgements(HUMAN), scores(METRIC), "system")
    assert only(judged)["value"] == pytest.approx(0.8961461291929396, abs=1e-12)
    assert judged.settings["scores"] == "mean over the judged texts"
    whole = correlate(judgements(HUMAN), scores(METRIC, corpus=True), "system")
    assert only(whole)["value"] == pytest.approx(0.9090233563813099, abs=1e-12)
    assert whole.settings["scores"] == "corpus score"
    every = AlignmentOptions(system_scores="all")
    found = correlate(judgements(HUMAN), scores(METRIC, corpus=True), "system", options=CorrelationOptions(every))
    assert only(found)["value"] == pytest.approx(0.9090233563813099, abs=1e-12)  # its corpus scores are means
    assert found.settings["scores"] == "mean over all scored texts"


def test_rows_of_whole_systems_do_not_count_as_texts() -> None:
    assert only(correlate(judgements(HUMAN), scores(METRIC, corpus=True), by=None))["n"] == 27


# C09, experiment B: p follows from r and n = 52 within the rounding of r.
@pytest.mark.parametrize(
    ("r", "p"),
    [
        (0.095, 0.5048), (0.207, 0.1417), (0.424, 0.0017), (0.168, 0.2344),
        (-0.188, 0.1817), (-0.024, 0.8646), (0.186, 0.1860), (0.290, 0.0369),
    ],
)  # fmt: skip
def test_published_p_values(r: float, p: float) -> None:
    # Two vectors with exactly this r: y = r·x + √(1-r²)·z for orthogonal x and z of unit length and mean 0.
    x, z = np.linalg.qr(np.stack([np.ones(52), np.arange(52.0), np.sin(np.arange(52.0))], axis=1))[0].T[1:]
    y = r * x + math.sqrt(1 - r * r) * z
    high, low = (pearson(x, size * x + math.sqrt(1 - size * size) * z).p for size in (abs(r) - 0.0005, abs(r) + 0.0005))
    assert low - 5e-5 <= p <= high + 5e-5
    # One text per item, all of one system: texts may be exchanged, and p is nearly that of Student's t.
    record = only(correlate(judgements([list(y)]), scores([list(x)]), by=None))
    assert (record["value"], record["n"]) == (pytest.approx(r), 52)
    assert record["p"] == pytest.approx(p, abs=0.025)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau-b"])
def test_three_systems_have_the_exact_p(coefficient: Any) -> None:
    # Two of the 3! orders are as extreme as a perfect one of equal steps.
    result = correlate(judgements([[1], [2], [3]]), scores([[0.1], [0.2], [0.3]]), "system", coefficient=coefficient)
    record = only(result)
    assert (record["value"], record["p"]) == pytest.approx((1, 1 / 3))
    assert (record["n"], record["exact"]) == (3, True)
    assert record["least_p"] == pytest.approx(1 / 3)


def test_judgements_are_averaged_over_participants() -> None:
    people = pd.concat([judgements([[1, 5, 2, 3]], participant="p1"), judgements([[3, 5, 4, 5]], participant="p2")])
    record = only(correlate(people, scores([[0.2, 0.5, 0.3, 0.4]]), by=None))
    assert record["value"] == pytest.approx(1.0)  # means 2 5 3 4
    assert record["n"] == 4


def test_practice_checks_and_repeats_do_not_count() -> None:
    people = judgements([[1, 2, 3, 4]]).assign(kind="main")
    extra = judgements([[4, 3, 2, 1]], participant="p1")
    noise = pd.concat([extra.assign(kind=kind) for kind in ("practice", "check", "repeat")])
    record = only(correlate(pd.concat([people, noise]), scores([[1, 2, 3, 4]]), by=None))
    assert record["value"] == pytest.approx(1.0)


REFERENCE = CorrelationOptions(AlignmentOptions(reference_system="s3"))


def test_reference_is_left_out_with_the_figure_that_includes_it_beside() -> None:
    # The reference s3 has a perfect score by construction and makes the correlation; the other three disagree.
    people, metric = judgements([[1, 2], [2, 3], [3, 4], [9, 9]]), scores([[0.3, 0.3], [0.2, 0.2], [0.1, 0.1], [1, 1]])
    result = correlate(people, metric, "system", options=REFERENCE)
    without, with_it = result.records()
    assert (with_it["systems"], with_it["n"], with_it["leads"]) == ("all", 4, False)
    assert with_it["value"] > 0.9
    assert (without["systems"], without["n"], without["leads"]) == ("without s3", 3, True)
    assert without["value"] == pytest.approx(-1)
    assert result.settings["reference"] == "s3"
    assert without["p_holm"] == without["p"]  # corrected apart from the figures with the reference


def test_reference_is_left_out_only_for_metrics_that_compare_with_references() -> None:
    people, metric = judgements([[1, 2], [2, 3], [3, 4], [9, 9]]), scores([[0.3, 0.3], [0.2, 0.2], [0.1, 0.1], [1, 1]])
    both = pd.concat([metric, metric.assign(metric="relevance")])
    found = correlate(people, both, "system", options=REFERENCE).records()
    assert [(one["metric"], one["systems"], one["leads"]) for one in found] == [
        ("m", "without s3", True), ("m", "all", False), ("relevance", "all", True),
    ]  # fmt: skip


def test_reference_that_was_not_judged_changes_nothing() -> None:
    options = CorrelationOptions(AlignmentOptions(reference_system="gold"))
    result = correlate(judgements(HUMAN), scores(METRIC), options=options)
    assert [(record["systems"], record["leads"]) for record in result.records()] == [("all", True)]


def test_metrics_that_count_errors_are_turned_unless_signs_are_wanted_as_given() -> None:
    people, errors = judgements([[1, 2, 4], [2, 4, 6], [3, 7, 9]]), scores([[9, 8, 7], [7, 6, 3], [5, 3, 1]], "ter")
    turned = correlate(people, errors)
    assert (only(turned)["value"] > 0.9, only(turned)["turned"]) == (True, True)
    given = correlate(people, errors, options=CorrelationOptions(given_signs=True))
    assert only(given)["value"] == -only(turned)["value"]
    assert only(given)["p"] == only(turned)["p"]
    accuracy = correlate(people, errors, coefficient="accuracy", options=CorrelationOptions(given_signs=True))
    assert only(accuracy)["value"] == 1  # a share of pairs has no sign
    both = CorrelationOptions(AlignmentOptions(error_criteria=frozenset({"clarity"})))
    assert only(correlate(people, errors, options=both))["turned"] is False


def test_mean_over_significant_groups_only_is_a_choice_without_p() -> None:
    # tau is 1 within i0 and i1 (p = 2/5! = .017) and 0.6 within i2 (p = .23)
    rows: list[list[float]] = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 4], [4, 4, 3]]
    rows[0][2] = 1.5
    people, metric = judgements([[s] * 3 for s in range(5)]), scores(rows)
    every = only(correlate(people, metric, coefficient="tau-b"))
    assert every["value"] == pytest.approx((1 + 1 + 0.6) / 3)
    chosen = correlate(people, metric, coefficient="tau-b", options=CorrelationOptions(significant_groups=0.05))
    assert (only(chosen)["value"], only(chosen)["n"]) == (pytest.approx(1), 2)
    assert math.isnan(only(chosen)["p"])
    assert any("the mean over 2 of 3 items, those with p ≤ 0.05 of their own" in text for text in chosen.warnings)
    assert chosen.settings["groups"] == "those with p ≤ 0.05"
    with pytest.raises(UsageError, match="there is no p of accuracy within one item"):
        correlate(people, metric, coefficient="accuracy", options=CorrelationOptions(significant_groups=0.05))


def test_every_metric_with_every_criterion() -> None:
    people = pd.concat([judgements(HUMAN), judgements(HUMAN, "fluency")])
    both = pd.concat([scores(METRIC, "m1"), scores(METRIC, "m2")])
    records = correlate(people, both).records()
    pairs = [(record["metric"], record["criterion"]) for record in records]
    assert pairs == [("m1", "clarity"), ("m2", "clarity"), ("m1", "fluency"), ("m2", "fluency")]
    assert [record["of"] for record in records][:1] == ["m1 and clarity"]
    assert all(record["p_holm"] == pytest.approx(min(1, 4 * record["p"])) for record in records)


@pytest.mark.parametrize(
    ("human", "metric", "level", "by", "reason"),
    [
        ([[1, 2, 3], [2, 3, 4], [3, 5, 9]], [[0.5] * 3] * 3, "segment", "item", "undefined: all scores are equal"),
        ([[4] * 3] * 3, [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "segment", None, "undefined: all judgements are equal"),
        ([[1, 2], [2, 1]], [[0.1, 0.2], [3, 4]], "system", None,
         "undefined: fewer than 3 systems with a judgement and a score"),
        ([[1, 2], [2, 1]], [[0.1, 0.2], [3, 4]], "segment", "item", "an item has two texts, and two points always lie"),
        ([[1, 2, 3]], [[0.1, 0.2, 0.4]], "segment", "system", "one system, so this is the same as over all texts"),
        ([[1], [2], [4]], [[5], [5], [5]], "segment", None, "undefined: all scores are equal"),  # one item
        ([[1, 2, 3]], [[0.1, 0.2, 0.4]], "segment", "item", "each item has one text, so there is no agreement within"),
    ],
)  # fmt: skip
def test_undefined_is_nan_with_its_reason(human: Any, metric: Any, level: Any, by: Any, reason: str) -> None:
    result = correlate(judgements(human), scores(metric), level, by)
    record = only(result)
    assert math.isnan(record["value"])
    assert math.isnan(record["p"])
    assert any(reason in text for text in result.warnings), result.warnings


def test_two_systems_have_orders_of_pairs() -> None:
    people, metric = judgements([[1, 2, 1], [2, 3, 4]]), scores([[0.1, 0.2, 0.6], [0.3, 0.4, 0.5]])
    record = only(correlate(people, metric, coefficient="tau-b"))
    assert (record["value"], record["n"], record["least_p"]) == (pytest.approx(1 / 3), 3, 1.0)


def test_one_item_has_a_figure_within_it() -> None:
    record = only(correlate(judgements([[1], [2], [3], [5]]), scores([[1], [2], [3], [5]])))
    assert (record["value"], record["n"], record["p"]) == (pytest.approx(1), 1, pytest.approx(1 / 24))


def test_metric_that_misses_a_system_is_compared_over_the_others() -> None:
    people, metric = judgements([[1, 2], [2, 1], [3, 3], [4, 5]]), scores([[1, 2], [2, 1], [3, 3]])
    result = correlate(people, metric, "system", coefficient="tau-a")
    assert only(result)["n"] == 3
    assert "m and clarity: s3: judged but not scored, so omitted" in result.warnings
    assert only(correlate(people, metric))["n"] == 2


def test_metric_without_scores_of_texts_says_so() -> None:
    whole = scores([[1], [2], [3]], corpus=True)
    result = correlate(judgements([[1], [2], [4]]), whole[whole["item"] == ""])
    assert math.isnan(only(result)["value"])
    assert any("no judged text has a score of its own" in text for text in result.warnings)


@pytest.mark.parametrize("empty", ["judgements", "scores"])
def test_empty_tables(empty: str) -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    result = correlate(people[:0] if empty == "judgements" else people, metric[:0] if empty == "scores" else metric)
    assert result.records() == []
    assert "nothing to correlate: there are no judgements or no scores" in result.warnings


def test_numbers_and_names_of_items_are_the_same() -> None:
    people = judgements([[1, 2, 3]]).assign(item=[1, 2, 3])
    metric = scores([[1, 2, 3]]).assign(item=["1", "2", "3"])
    assert only(correlate(people, metric, by=None))["n"] == 3


def test_wrong_calls() -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    with pytest.raises(UsageError, match="level must be one of segment, system; got 'corpus'"):
        correlate(people, metric, "corpus")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="by must be one of item, system"):
        correlate(people, metric, by="participant")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="coefficient must be one of pearson, spearman"):
        correlate(people, metric, coefficient="tau")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="by='system' groups texts and needs level='segment'"):
        correlate(people, metric, "system", "system")
    with pytest.raises(DataError, match=r"judgements need the column\(s\) criterion; there are: participant, item"):
        correlate(people.drop(columns="criterion"), metric)


def test_tables_stay_as_they_were() -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    before = people.copy(), metric.copy()
    correlate(people, metric)
    pd.testing.assert_frame_equal(people, before[0])
    pd.testing.assert_frame_equal(metric, before[1])


def test_p_counts_systems_and_not_texts() -> None:
    # Two systems far apart on both sides: 40 texts tell no more than 2 orders of systems.
    rows = [[n % 3 for n in range(20)], [9 + n % 4 for n in range(20)]]
    record = only(correlate(judgements(rows), scores([row[::-1] for row in rows]), coefficient="tau-b"))
    assert (record["value"], record["n"], record["p"]) == (pytest.approx(1), 20, 1)  # both orders are as far from 0
    pooled = only(correlate(judgements(rows), scores([row[::-1] for row in rows]), by=None))
    assert pooled["value"] > 0.9
    assert pooled["p"] > 0.4


def test_signature_tells_how() -> None:
    signature = correlate(judgements(HUMAN), scores(METRIC)).signature
    assert signature.startswith("agreement of metrics with people, pearson|level:segment|by:item|raters:mean|")
