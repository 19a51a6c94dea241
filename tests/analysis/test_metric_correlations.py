"""Metrics against people as the report gets it."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.meta import AlignmentOptions, CorrelationOptions
from textassay.metrics import metric, score_table

SYSTEMS = ["gold", "good", "poor"]
TEXTS = {
    "gold": ["the cat sat on the mat", "a dog barks loudly", "it rains today", "she reads books"],
    "good": ["the cat sat on a mat", "a dog barks", "it rains now", "she reads a book"],
    "poor": ["cat mat", "loud dog", "rain", "books read she"],
}
RATINGS = {"gold": [5, 5, 5, 4], "good": [5, 4, 3, 4], "poor": [2, 1, 1, 2]}


def people() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "participant": who,
                "item": str(i),
                "system": system,
                "criterion": "Clarity & ease",
                "value": value + change,
            }
            for system in SYSTEMS
            for i, value in enumerate(RATINGS[system])
            for who, change in (("p1", 0), ("p2", 0.5))
        ]
    )


def scores(metrics: Any = ("rouge-l",)) -> pd.DataFrame:
    rows = [(str(i), system, text) for system in SYSTEMS for i, text in enumerate(TEXTS[system])]
    items, systems, texts = zip(*rows, strict=True)
    references = {str(i): [text] for i, text in enumerate(TEXTS["gold"])}
    return pd.DataFrame(score_table(metrics, items, systems, texts, references).rows())


GOLD = MetricOptions(correlation=CorrelationOptions(AlignmentOptions(reference_system="gold")))


def test_results_at_all_levels_with_both_coefficients() -> None:
    found = metric_correlations(people(), scores(), GOLD)
    keys = [(r["level"], r["by"], r["statistic"], r["systems"], r["n"]) for r in found.records()]
    # within items there are two systems without gold, and two points always lie on a line
    assert keys == [
        (level, by, statistic, systems, n)
        for level, by, counts in (
            ("segment", "item", (0, 4)), ("segment", "", (8, 12)), ("segment", "system", (2, 2)), ("system", "", (2, 3))
        )
        for statistic in ("pearson", "spearman")
        for systems, n in zip(("without gold", "all"), counts, strict=True)
    ]  # fmt: skip
    rho = next(r for r in found.records() if (r["level"], r["statistic"], r["n"]) == ("system", "spearman", 3))
    assert (rho["value"], rho["p"]) == pytest.approx((1, 1 / 3))
    assert "systems, without gold: undefined: fewer than 3 systems with a judgement and a score" in found.warnings


def test_one_note_per_thing() -> None:
    twice = pd.concat([people(), people().assign(criterion="fluency")])
    both = pd.concat([scores(), scores().assign(metric="other")])
    missing = both[~((both["item"] == "0") & (both["system"] == "good"))]
    found = metric_correlations(twice, missing)
    few, equal = "fewer than 3 texts with a judgement and a score", "all scores are equal"
    assert found.warnings == (
        "1 of 12 judged texts have no score",
        f"within items: 1 of 4 items have no value and are omitted (1: {few})",
        f"within systems: 1 of 3 systems have no value and are omitted (1: {equal})",
    )
    one = missing[(missing["metric"] == "other") | (missing["item"] != "1")]
    found = metric_correlations(twice, one)
    assert "rouge-l and Clarity & ease, fluency: 4 of 12 judged texts have no score" in found.warnings


def test_levels_that_are_undefined_for_all_are_left_out_of_the_table() -> None:
    single = people()[people()["system"] != "poor"]
    table = metric_correlations(single, scores()).tables[0]
    assert {row[0] for row in table.rows} == {"all texts", "within systems"}


def test_coefficients_can_be_chosen() -> None:
    found = metric_correlations(people(), scores(), MetricOptions(("tau-b", "accuracy")))
    assert {record["statistic"] for record in found.records()} == {"tau-b", "accuracy"}
    assert "mean Kendall's τ_b = " in found.headlines[0].text


def test_table_of_correlations() -> None:
    table = metric_correlations(people(), scores(), GOLD).tables[0]
    assert table.name == "correlations"
    assert table.columns == (
        "level", "metric", "criterion", "systems", "statistic", "value", "ci", "ceiling", "p", "p_holm", "least_p", "n",
        "exact",
    )  # fmt: skip
    # two systems without gold have no correlation within items, nor over systems
    rows = [(row[0], row[3]) for row in table.rows]
    both = [("within items", "all"), ("all texts", "without gold"), ("all texts", "all")]
    both += [("within systems", "without gold"), ("within systems", "all"), ("systems", "all")]
    assert sorted(set(rows)) == sorted(both)


def test_rows_that_were_not_used_are_counted_with_their_reasons() -> None:
    table = metric_correlations(people(), scores(), GOLD).tables[-1]
    rows = [(row["table"], row["rows"], row["used"]) for row in table.records()]
    assert rows == [
        ("judgements", 8, "the system is the reference"), ("judgements", 16, "yes"),
        ("scores", 5, "the system is the reference"), ("scores", 10, "yes"),
    ]  # fmt: skip
    assert table.detail
    assert metric_correlations(people(), scores()).tables[-1].name == "leave-one-out"  # all were used


def test_order_of_systems() -> None:
    table = metric_correlations(people(), scores(), GOLD).tables[1]
    rows = [(row["system"], row["people_rank"], row["metric_rank"]) for row in table.records()]
    assert rows == [("gold (reference)", 1, 1), ("good", 2, 2), ("poor", 3, 3)]
    assert table.records()[0]["people"] == pytest.approx(5)  # ratings 5 5 5 4, half of them raised by a half
    assert "gold" in table.note


def test_order_of_systems_by_a_metric_that_counts_errors() -> None:
    # by its own name, by a label (which its signature explains), and by its name in a table without signatures
    ter = metric("ter")
    for table in (scores({"ter": ter}), scores({"edits": ter}), scores({"ter": ter}).drop(columns="signature")):
        found = metric_correlations(people(), table)
        rows = found.tables[1].records()
        assert [(row["system"], row["metric_rank"]) for row in rows] == [("gold", 1), ("good", 2), ("poor", 3)]
        within = next(record for record in found.records() if record["by"] == "item")
        assert (within["value"] > 0.5, within["turned"]) == (True, True)
    # and a label that is another metric's name
    rows = metric_correlations(people(), scores({"ter": metric("rouge-l")})).tables[1].records()
    assert [row["metric_rank"] for row in rows] == [1, 2, 3]


def test_metric_that_orders_texts_the_other_way_round_is_not_the_best() -> None:
    ter = scores({"ter": metric("ter")}).assign(metric="closeness", signature="")  # taken as: the more, the better
    weak = scores().assign(metric="weak")
    weak["value"] = [value + 0.9 * (place % 2) for place, value in enumerate(weak["value"])]
    found = metric_correlations(people(), pd.concat([ter, weak]))
    r = {one["metric"]: one["value"] for one in found.records() if one["by"] == "item"}
    assert r["closeness"] < 0 < r["weak"] < -r["closeness"]
    assert "the closest is weak" in found.headlines[0].text
    assert [figure.data["x_label"] for figure in found.figures if not figure.detail] == ["weak"]


def test_figures() -> None:
    found = metric_correlations(people(), scores())
    names = [figure.name for figure in found.figures]
    assert names == ["rouge-l-clarity-ease-by-text", "rouge-l-clarity-ease-by-system"]
    by_text, by_system = found.figures
    assert by_text.kind == by_system.kind == "scatter"
    assert (by_text.data["x_label"], by_text.data["y_label"]) == ("rouge-l", "Clarity & ease")
    assert by_text.data["points"][0] == {"label": "0, gold", "system": "gold", "x": 1.0, "y": 5.25}
    assert [point["label"] for point in by_system.data["points"]] == SYSTEMS
    pearson = next(r for r in found.records() if (r["level"], r["by"], r["statistic"]) == ("segment", "", "pearson"))
    assert (by_text.data["r"], by_text.data["p"]) == (pearson["value"], pearson["p"])


def test_nobody_judged() -> None:
    found = metric_correlations(people()[:0], scores())
    assert found.records() == []
    assert found.figures == ()
    assert "nothing to correlate: there are no judgements or no scores" in found.warnings


def test_constant_scores_do_not_stop_it() -> None:
    found = metric_correlations(people(), scores().assign(value=1.0))
    assert all(math.isnan(record["value"]) for record in found.records())
    assert math.isnan(found.figures[0].data["r"])


def test_only_the_closest_metric_is_drawn_where_there_would_be_very_many_figures() -> None:
    many = pd.concat([scores().assign(metric=f"m{n}", signature="") for n in range(7)])
    many.loc[many["metric"] == "m3", "value"] **= 2
    found = metric_correlations(people(), many)
    within = [one for one in found.records() if one["by"] == "item" and one["statistic"] == "pearson"]
    closest = max(within, key=lambda one: one["value"])["metric"]
    assert [figure.data["x_label"] for figure in found.figures] == [closest, closest]
    assert all("only the closest agreement" in figure.note for figure in found.figures)


def test_one_item_one_rater_and_all_ties() -> None:
    one_item = people()[people()["item"] == "0"]
    found = metric_correlations(one_item, scores())
    assert "within systems: undefined: fewer than 3 texts with a judgement and a score" in found.warnings
    assert "within items: no interval: fewer than 6 systems and no items to draw from" in found.warnings
    assert {row["n"] for row in found.tables[0].records()} == {1, 3}
    alone = metric_correlations(people()[people()["participant"] == "p1"], scores())
    assert "ceiling" not in alone.tables[0].columns
    assert [text for text in alone.warnings if "judged by one person" in text] == [
        "each text was judged by one person, so that nothing is known of what people themselves reach"
    ]
    ties = metric_correlations(people().assign(value=3), scores())
    assert "within items: undefined: all judgements are equal" in ties.warnings
    assert ties.headlines[0].text.startswith("No metric has a correlation with people over texts.")


def test_metric_that_misses_a_system_is_compared_over_the_others() -> None:
    fourth = people()[people()["system"] == "good"].assign(system="fair")
    fourth["value"] -= 0.7 * (fourth["item"] == "1")
    extra = scores()[scores()["system"] == "good"].assign(system="fair")
    extra["value"] *= 0.9
    every = pd.concat([scores(), extra])
    both = pd.concat([every.assign(metric="whole"), scores().assign(metric="part")])
    found = metric_correlations(pd.concat([people(), fourth]), both)
    assert "part and Clarity & ease: fair: judged but not scored, so omitted" in found.warnings
    systems = {r["metric"]: (r["n"], round(1 / r["least_p"])) for r in found.records() if r["level"] == "system"}
    assert systems == {"whole": (4, 12), "part": (3, 3)}  # Spearman's comes last: 2/4! and 2/3!
