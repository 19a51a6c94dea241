"""Measures of a whole output: no scores of texts, no intervals and no tests, and the reason why."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.metrics import metric, score_aligned
from textassay.metrics.significance import corpus_intervals, paired_bootstrap, paired_randomisation

SYSTEMS = {"one": ["a b c", "a b d", "e f g"], "two": ["a b c", "a b c", "a b c"]}
NAMES = ["distinct-n", "rouge-l", "self-bleu", "compression-ratio"]
REASON = "it is a measure of the whole output, not of single texts that could be drawn again or swapped"


def test_each_system_is_an_output_of_its_own() -> None:
    # Bigrams: a b, b c, a b, b d, e f, f g: 5 of 6 are different; in the other system 2 of 6.
    table = score_aligned(["distinct-n"], SYSTEMS)
    assert table.scores["distinct-n"]["one"].corpus == pytest.approx(5 / 6)
    assert table.scores["distinct-n"]["two"].corpus == pytest.approx(2 / 6)


def test_tables_have_no_rows_of_single_texts() -> None:
    table = score_aligned(["distinct-n", "self-bleu"], SYSTEMS)
    items = {name: [row["item"] for row in table.rows() if row["metric"] == name] for name in table.scores}
    assert items == {"distinct-n": ["", ""], "self-bleu": ["1", "2", "3", "", "1", "2", "3", ""]}


def test_intervals_are_undefined_and_say_why() -> None:
    table = score_aligned(NAMES, SYSTEMS, [["a b c"]] * 3)
    found = corpus_intervals(table, draws=50)
    undefined = {each.metric for each in found.intervals if math.isnan(each.ci[0])}
    assert undefined == {"distinct-n", "self-bleu", "compression-ratio"}
    assert [each.value for each in found.intervals if each.metric == "distinct-n"] == pytest.approx([5 / 6, 2 / 6])
    assert f"distinct-n: no interval, for {REASON}" in found.warnings


@pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])
def test_tests_are_undefined_and_say_why(test: type[paired_bootstrap]) -> None:
    found = test(score_aligned(NAMES, SYSTEMS, [["a b c"]] * 3))
    p = {each.metric: each.p for each in found.comparisons}
    assert not math.isnan(p.pop("rouge-l"))
    assert np.isnan(list(p.values())).all()
    assert f"distinct-n, two and one: p is undefined, since {REASON}" in found.warnings
    assert found.comparisons[0].difference == pytest.approx(-3 / 6)


def test_references_are_asked_for_only_where_a_metric_compares() -> None:
    with pytest.raises(UsageError, match="rouge-l compares with references"):
        score_aligned(NAMES, SYSTEMS)


@pytest.mark.parametrize("name", ["compression-ratio", "distinct-n"])
def test_value_needs_a_survey(name: str) -> None:
    with pytest.raises(UsageError, match="needs to see all texts first"):
        metric(name).corpus_score(np.zeros((1, 2)))
