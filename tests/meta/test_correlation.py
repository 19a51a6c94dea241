"""Metrics against people: known answers, levels, groupings, and what is undefined."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from textassay.errors import DataError, UsageError
from textassay.meta import Correlations, correlate

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
    assert record["n"] == n
    assert record["by"] == (by or "")
    assert "m and clarity: 3 of 30 scored texts have no judgement" in result.warnings
    if by is None:
        assert record["p"] is not None
    else:
        assert record["p"] is record["ci"] is None
        groups = 6 if by == "item" else 5
        assert any(f"{groups - n} of {groups} groups" in warning for warning in result.warnings)


def test_system_level() -> None:
    # Without rows for whole systems the metric's mean is over the judged texts; with them it is theirs.
    judged = correlate(judgements(HUMAN), scores(METRIC), "system")
    assert only(judged)["value"] == pytest.approx(0.8961461291929396, abs=1e-12)
    assert judged.settings["scores"] == "the mean over the judged texts"
    assert "m and clarity: 3 of 30 scored texts have no judgement" in judged.warnings
    whole = correlate(judgements(HUMAN), scores(METRIC, corpus=True), "system")
    assert only(whole)["value"] == pytest.approx(0.9090233563813099, abs=1e-12)
    assert whole.settings["scores"] == "the metric's corpus score"


def test_rows_of_whole_systems_do_not_count_as_texts() -> None:
    assert only(correlate(judgements(HUMAN), scores(METRIC, corpus=True)))["n"] == 27


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
    record = only(correlate(judgements([list(y)]), scores([list(x)])))
    assert record["value"] == pytest.approx(r)
    low, high = (2 * scipy_stats.t.sf(abs(t), 50) for t in (_t(abs(r) - 0.0005), _t(abs(r) + 0.0005)))
    assert high <= record["p"] <= low
    assert high - 5e-5 <= p <= low + 5e-5


def _t(r: float) -> float:
    return r * math.sqrt(50 / (1 - r * r))


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_three_systems_have_the_exact_p(coefficient: Any) -> None:
    # Two of the 3! orders are as extreme as a perfect one.
    result = correlate(judgements([[1], [2], [4]]), scores([[0.1], [0.2], [0.4]]), "system", coefficient=coefficient)
    record = only(result)
    assert (record["value"], record["p"], record["n"], record["exact"]) == (1.0, pytest.approx(1 / 3), 3, True)


def test_judgements_are_averaged_over_participants() -> None:
    people = pd.concat([judgements([[1, 5, 2, 3]], participant="p1"), judgements([[3, 5, 4, 5]], participant="p2")])
    record = only(correlate(people, scores([[0.2, 0.5, 0.3, 0.4]])))
    assert record["value"] == pytest.approx(1.0)  # means 2 5 3 4
    assert record["n"] == 4


def test_practice_checks_and_repeats_do_not_count() -> None:
    people = judgements([[1, 2, 3, 4]]).assign(kind="main")
    extra = judgements([[4, 3, 2, 1]], participant="p1")
    noise = pd.concat([extra.assign(kind=kind) for kind in ("practice", "check", "repeat")])
    record = only(correlate(pd.concat([people, noise]), scores([[1, 2, 3, 4]])))
    assert record["value"] == pytest.approx(1.0)


def test_with_and_without_the_reference() -> None:
    # The reference s3 has a perfect score by construction and makes the correlation; the other three disagree.
    people, metric = judgements([[1, 2], [2, 3], [3, 4], [9, 9]]), scores([[0.3, 0.3], [0.2, 0.2], [0.1, 0.1], [1, 1]])
    result = correlate(people, metric, "system", reference_system="s3")
    with_it, without = result.records()
    assert (with_it["systems"], with_it["n"]) == ("all", 4)
    assert with_it["value"] > 0.9
    assert (without["systems"], without["n"]) == ("without s3", 3)
    assert without["value"] == pytest.approx(-1)
    assert result.settings["reference"] == "s3"


def test_reference_that_was_not_judged_changes_nothing() -> None:
    result = correlate(judgements(HUMAN), scores(METRIC), reference_system="gold")
    assert [record["systems"] for record in result.records()] == ["all"]


def test_every_metric_with_every_criterion() -> None:
    people = pd.concat([judgements(HUMAN), judgements(HUMAN, "fluency")])
    both = pd.concat([scores(METRIC, "m1"), scores(METRIC, "m2")])
    records = correlate(people, both).records()
    pairs = [(record["metric"], record["criterion"]) for record in records]
    assert pairs == [("m1", "clarity"), ("m1", "fluency"), ("m2", "clarity"), ("m2", "fluency")]
    assert [record["of"] for record in records][:1] == ["m1 and clarity"]


def test_one_side_only_is_counted() -> None:
    people, metric = judgements([[1, 2, 3], [2, 1, 3], [3, 2, 2]]), scores([[1, 2, 3, 9], [2, 1, 3, 9]])
    result = correlate(people, metric)
    assert only(result)["n"] == 6
    assert result.warnings[:2] == (
        "m and clarity: 3 of 9 judged texts have no score",
        "m and clarity: 2 of 8 scored texts have no judgement",
    )
    extra = pd.concat([metric, pd.DataFrame([{"item": "i0", "system": "s9", "metric": "m", "value": 1.0}])])
    by_system = correlate(people, pd.concat([extra, scores([[1], [2], [3]]).assign(item="")[:2]]), "system")
    assert "m and clarity: s2: judged but not scored, so omitted" in by_system.warnings


def test_scored_but_not_judged_systems_are_named() -> None:
    whole = pd.DataFrame([{"item": None, "system": f"s{s}", "metric": "m", "value": s} for s in range(5)])
    result = correlate(judgements([[1], [2], [4]]), whole, "system")
    assert only(result)["n"] == 3
    assert "m and clarity: s3, s4: scored but not judged, so omitted" in result.warnings


@pytest.mark.parametrize(
    ("human", "metric", "reason"),
    [
        ([[1, 2, 3]], [[0.5, 0.5, 0.5]], "all 3 scores are equal (0.5), so there is no correlation"),
        ([[4, 4, 4]], [[0.1, 0.2, 0.3]], "all 3 judgements are equal (4), so there is no correlation"),
        ([[1, 2]], [[0.1, 0.2]], "2 texts have both a judgement and a score; a correlation needs 3"),
        ([[1]], [[0.1]], "1 texts have both a judgement and a score; a correlation needs 3"),
    ],
)
@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_undefined_is_nan_with_its_reason(human: Any, metric: Any, reason: str, coefficient: Any) -> None:
    result = correlate(judgements(human), scores(metric), coefficient=coefficient)
    record = only(result)
    assert math.isnan(record["value"])
    assert math.isnan(record["p"])
    assert f"m and clarity ({coefficient}, segment level): {reason}" in result.warnings
    grouped = correlate(judgements(human), scores(metric), by="system", coefficient=coefficient)
    assert math.isnan(only(grouped)["value"])
    assert any(
        warning.endswith("no group has a correlation, so their mean is undefined") for warning in grouped.warnings
    )


def test_nothing_in_common() -> None:
    result = correlate(judgements([[1, 2, 3]]), scores([[1, 2, 3]]).assign(system="other"))
    assert (only(result)["n"], math.isnan(only(result)["value"])) == (0, True)
    at_system_level = correlate(judgements([[1, 2, 3]]), scores([[1, 2, 3]]).assign(system="other"), "system")
    assert only(at_system_level)["n"] == 0


@pytest.mark.parametrize("empty", ["judgements", "scores"])
def test_empty_tables(empty: str) -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    result = correlate(people[:0] if empty == "judgements" else people, metric[:0] if empty == "scores" else metric)
    assert result.records() == []
    assert "nothing to correlate: there are no judgements or no scores" in result.warnings


def test_undefined_scores_are_counted() -> None:
    result = correlate(judgements([[1, 2, 3, 4]]), scores([[0.1, math.nan, 0.3, 0.5]]))
    assert "1 of 4 scores are undefined; they are omitted" in result.warnings
    assert only(result)["n"] == 3


def test_numbers_and_names_of_items_are_the_same() -> None:
    people = judgements([[1, 2, 3]]).assign(item=[1, 2, 3])
    metric = scores([[1, 2, 3]]).assign(item=["1", "2", "3"])
    assert only(correlate(people, metric))["n"] == 3


def test_wrong_calls() -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    with pytest.raises(UsageError, match="level is 'corpus'; choose one of: segment, system"):
        correlate(people, metric, "corpus")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="by is 'participant'; choose one of: item, system"):
        correlate(people, metric, by="participant")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="coefficient is 'tau'; choose one of: pearson, spearman"):
        correlate(people, metric, coefficient="tau")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="by='item' groups texts and needs level='segment'"):
        correlate(people, metric, "system", "item")


def test_wrong_tables() -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    with pytest.raises(DataError, match=r"judgements need the column\(s\) criterion; there are: participant, item"):
        correlate(people.drop(columns="criterion"), metric)
    with pytest.raises(DataError, match=r"scores need the column\(s\) metric; there are: item, system, value"):
        correlate(people, metric.drop(columns="metric"))
    with pytest.raises(DataError, match="scores: item i0, system s0 has two values of m; keep one"):
        correlate(people, pd.concat([metric, metric[:1]]))
    with pytest.raises(DataError, match="scores, row 2: value is 'high'; it must be a number"):
        correlate(people, metric[:2].assign(value=[0.5, "high"]))


FLOATS = st.lists(st.floats(-100, 100).map(lambda value: round(value, 3)), min_size=4, max_size=20)


@given(st.data(), FLOATS)
def test_equals_scipy_and_ignores_scale_and_order(data: st.DataObject, human: list[float]) -> None:
    metric = data.draw(
        st.lists(st.floats(-100, 100).map(lambda x: round(x, 3)), min_size=len(human), max_size=len(human))
    )
    assume(len(set(human)) > 1 and len(set(metric)) > 1)
    people, table = judgements([human]), scores([metric])
    value = only(correlate(people, table))["value"]
    assert value == pytest.approx(scipy_stats.pearsonr(metric, human)[0], abs=1e-9)
    shuffled = table.sample(frac=1, random_state=1)
    changed = shuffled.assign(value=shuffled["value"] * 2 + 5)
    assert only(correlate(people.sample(frac=1, random_state=2), changed))["value"] == pytest.approx(value, abs=1e-9)
    rho = only(correlate(people, table, coefficient="spearman"))["value"]
    assert rho == pytest.approx(scipy_stats.spearmanr(metric, human)[0], abs=1e-9)


def test_tables_stay_as_they_were() -> None:
    people, metric = judgements(HUMAN), scores(METRIC)
    before = people.copy(), metric.copy()
    correlate(people, metric)
    pd.testing.assert_frame_equal(people, before[0])
    pd.testing.assert_frame_equal(metric, before[1])


def test_signature_tells_how() -> None:
    signature = correlate(judgements(HUMAN), scores(METRIC), by="item").signature
    assert signature.startswith("Pearson correlation of metrics with people|level:segment|by:item|judgements:mean over")
