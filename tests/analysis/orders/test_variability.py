"""The recipe, from plain orders to analyses."""

from __future__ import annotations

import pytest
from people_orders import people_orders, starts_of
from svg_only import svg_only

from textassay.analysis.options import RecipeOptions
from textassay.analysis.orders.variability import FEW, order_variability, start_targets
from textassay.ordering import GivenOrder, reorderings
from textassay.ordering.variability.pair_anova import NOT_VALID
from textassay.report.figures.render import describe_figure, render
from textassay.report.figures.style import Palette
from textassay.results import Analysis

QUICK = RecipeOptions(draws=99)


@pytest.fixture(scope="module")
def found() -> dict[str, Analysis]:
    given = people_orders(1, pull=0.4, noise=(0.3, 1.2, 1.2))
    return {each.name: each for each in order_variability(given, targets=starts_of(given), options=QUICK)}


def test_parts_of_the_report_and_what_comes_first(found: dict[str, Analysis]) -> None:
    assert list(found) == ["agreement", "condition-effect", "references", "variability-details"]
    assert [table.name for table in found["agreement"].tables] == ["text-agreement", "texts-that-differ"]
    names = [table.name for table in found["condition-effect"].tables]
    assert names == ["start-effect", "condition-agreement", "condition-scores"]
    assert [table.name for table in found["references"].tables] == ["against-people", "references-needed"]
    every = [table.name for part in found.values() for table in part.tables]
    assert len(set(every)) == len(every)


def test_texts_by_agreement(found: dict[str, Analysis]) -> None:
    agreement, _ = found["agreement"].tables
    rows = agreement.records()
    assert {row["Text"] for row in rows[:3]} == {"S1", "S4", "S7"}  # those on which people stray least
    assert [row["Mean tau"] for row in rows] == sorted((row["Mean tau"] for row in rows), reverse=True)
    assert all(row["Low tau"] < row["Mean tau"] < row["High tau"] for row in rows)
    assert rows[0]["Consensus"].split()[0] in "0123"
    tests = {row[0] for row in found["agreement"].tables[1].rows}
    assert tests == {"people resampled", "published: pairs as observations"}


def test_table_1_has_twelve_scores(found: dict[str, Analysis]) -> None:
    (scores,) = [t for t in found["condition-effect"].tables if t.name == "condition-scores"]
    assert scores.columns[:8] == ("Score", "F", "df 1", "df 2", "p", "HSD", "D1", "δ1")
    assert scores.columns[-2:] == ("p exchanged", "p exchanged raw")
    assert len(scores.rows) == 12
    row = scores.records()[0]
    assert row["Score"] == "kappa with O"
    assert row["D1"].startswith("O > ")
    assert row["δ1"] > row["HSD"]
    assert (row["df 1"], row["df 2"]) == (2, 16)


def test_published_table_1_has_the_numbers_of_the_original(found: dict[str, Analysis]) -> None:
    tables = {table.name: table for table in found["variability-details"].tables}
    two_way, one_way = tables["condition-scores-published"], tables["condition-scores-one-way"]
    assert all(table.title.startswith("Published: ") for table in (two_way, one_way))
    assert "correlated with the numbers in O, R and T" in one_way.note
    assert [len(table.rows) for table in (two_way, one_way)] == [12, 12]
    row = two_way.records()[-1]
    assert (row["df 1"], row["df 2"], row["df 1 text"], row["df 2 text"]) == (2, 16, 8, 16)
    assert row["F text"] > 0
    assert (one_way.records()[-1]["df 1"], one_way.records()[-1]["df 2"]) == (2, 24)
    assert "condition-scores-published" not in {table.name for table in found["condition-effect"].tables}


def test_another_order_may_number_the_units() -> None:
    given = people_orders(1, people=6, texts=3, n=5)
    titles = {
        numbering: [
            table.title
            for part in order_variability(given, targets=starts_of(given), numbering=numbering, options=QUICK)
            for table in part.tables
            if table.name == "condition-scores-published"
        ]
        for numbering in (None, "T")
    }
    assert titles[None] == ["Published: closeness to given orders in the numbers of O"]
    assert titles["T"] == ["Published: closeness to given orders in the numbers of T"]


def test_published_analysis_says_that_it_is_not_valid(found: dict[str, Analysis]) -> None:
    details = found["variability-details"]
    assert NOT_VALID in details.warnings
    (published,) = [t for t in details.tables if t.name == "pairs-anova"]
    assert [row[0] for row in published.rows] == ["text", "pair", "condition"]
    (cells,) = [t for t in details.tables if t.name == "target-scores"]
    assert len(cells.rows) == 27
    assert len(cells.columns) == 3 + 12
    (pairs,) = [t for t in details.tables if t.name == "pairs-of-people"]
    assert len(pairs.rows) == 153


@svg_only()
def test_figures_can_be_drawn(found: dict[str, Analysis]) -> None:
    figures = [figure for part in found.values() for figure in part.figures]
    kinds = [figure.kind for figure in figures]
    assert kinds == ["text-means", "distribution", "heatmap", "heatmap", "heatmap"]
    for figure in figures:
        assert render(figure, Palette.of("ORT")).files["svg"]
        assert describe_figure(figure)
    # 15 pairs of six people in each of 9 texts
    assert [sum(row) for row in figures[1].data["counts"]] == [135, 135, 135]
    shares = figures[2].data["values"]
    assert [sum(row) for row in shares] == pytest.approx([1] * 8, abs=0.001)


def test_bare_orders_without_conditions_starts_or_targets() -> None:
    given = [GivenOrder(each.item, each.by, each.order) for each in people_orders(1, people=5, texts=2)]
    parts = order_variability(given, targets={})
    assert [part.name for part in parts] == ["agreement", "references", "variability-details"]
    assert [table.name for table in parts[1].tables] == ["references-needed"]


def test_orders_that_conditions_start_with_are_the_targets() -> None:
    given = people_orders(1, people=6, texts=3)
    assert start_targets(reorderings(given)) == starts_of(given)
    drawn = [*given[:-1], GivenOrder(given[-1].item, "p6", given[-1].order, given[-1].condition, given[0].order)]
    assert start_targets(reorderings(drawn)) == {}
    assert start_targets(reorderings([GivenOrder("s", "p", "ab")])) == {}


def test_too_few_to_compare() -> None:
    for given in ([], [GivenOrder("s", "p", "ab"), GivenOrder("t", "q", "ab")]):
        (only,) = order_variability(given, targets={})
        assert only.warnings == (FEW,)


def test_one_text_and_a_person_alone_on_another() -> None:
    given = [GivenOrder("s", by, order) for by, order in (("p", "abc"), ("q", "acb"), ("r", "abc"))]
    parts = {part.name: part for part in order_variability([*given, GivenOrder("t", "p", "ab")], targets={})}
    rows = parts["agreement"].tables[0].records()
    assert [row["Text"] for row in rows] == ["s", "t"]  # what is undefined comes last
    single = order_variability(given, targets={"gold": {"s": "abc"}})
    assert [table.name for table in single[0].tables] == ["text-agreement"]
