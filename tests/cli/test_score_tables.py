"""Cells for LaTeX, and what goes below tables."""

from __future__ import annotations

import math

import numpy as np
from score_tables import Mean, Rate, Ratio, score_of, table_of

from textassay.cli.score_tables import comparison_tables, format_cell, segments_table, signatures, system_scores_table
from textassay.cli.score_tests import Uncertainty
from textassay.metrics import ScoreTable, score_aligned
from textassay.metrics.significance import PairedOptions, corpus_intervals, paired_bootstrap, paired_randomisation


def two(metric: type[Ratio] = Ratio, n: int = 40) -> ScoreTable:
    """A has half of the words right, B a fifth."""
    counts = {"A": np.tile([5, 10], (n, 1)), "B": np.tile([2, 10], (n, 1))}
    return table_of({metric.name: {name: score_of(metric(), rows) for name, rows in counts.items()}})


def cells(table: ScoreTable, sure: Uncertainty | None = None) -> list[str | None]:
    name = next(iter(table.scores))
    shown = format_cell(table, sure or Uncertainty(), 0.05)
    return [shown(row, name, score.corpus) for row, score in enumerate(table.scores[name].values())]


def test_the_best_is_bold_whichever_way_is_good() -> None:
    assert cells(two()) == [r"\textbf{0.250}", "0.040"]
    assert cells(two(Rate)) == ["0.250", r"\textbf{0.040}"]


def test_where_1_is_best_the_nearest_to_it_is_bold() -> None:
    texts = {"long": ["a a a a"], "right": ["a a"], "short": ["a"]}
    table = score_aligned(["length-ratio"], texts, [["b b"]])
    assert cells(table) == ["2.000", r"\textbf{1.000}", "0.500"]


def test_what_looks_equal_is_equally_bold_and_undefined_is_not() -> None:
    values = {"A": 0.50001, "B": 0.50002, "C": math.nan}
    table = table_of({"mean": {name: score_of(Mean(), [[value]]) for name, value in values.items()}})
    assert cells(table) == [r"\textbf{0.500}", r"\textbf{0.500}", None]


def test_large_scores_have_two_decimals_and_a_true_minus() -> None:
    table = table_of({"mean": {name: score_of(Mean(), [[value]]) for name, value in {"A": 34.567, "B": -5.0}.items()}})
    assert cells(table) == [r"\textbf{34.57}", "$-$5.00"]
    table = table_of({"mean": {name: score_of(Mean(), [[value]]) for name, value in {"A": -34.567, "B": 5.0}.items()}})
    assert cells(table) == ["$-$34.57", r"\textbf{5.00}"]


def test_marks_stand_for_one_baseline() -> None:
    table = two()
    sure = Uncertainty(None, (paired_bootstrap(table), paired_randomisation(table)))
    assert cells(table, sure) == [r"\textbf{0.250}", r"0.040$^{*}$$^{\dagger}$"]
    third = table.scores["ratio"] | {"C": table.scores["ratio"]["A"]}
    all_pairs = paired_bootstrap(table_of({"ratio": third}), PairedOptions(all_pairs=True))
    assert cells(table_of({"ratio": third}), Uncertainty(None, (all_pairs,)))[1] == "0.040"


def test_columns_of_tables() -> None:
    table = two()
    sure = Uncertainty(corpus_intervals(table), (paired_bootstrap(table), paired_randomisation(table)))
    assert system_scores_table(table, Uncertainty()).columns == ("system", "ratio")
    assert system_scores_table(table, sure).columns == ("system", "ratio", "ratio interval")
    assert segments_table(table).rows[40] == ("0", "B", 0.04000000000000001)
    bootstrap, randomisation = comparison_tables(sure)
    assert "won" in bootstrap.columns
    assert "won" not in randomisation.columns
    assert bootstrap.note == sure.tests[0].signature


def test_signatures_are_named_where_they_must_be() -> None:
    table = two()
    renamed = table_of({"mine": table.scores["ratio"]})
    assert signatures(table, Uncertainty())[0].startswith("ratio|nrefs:1|")
    assert signatures(renamed, Uncertainty())[0].startswith("mine: ratio|nrefs:1|")
