"""Friedman's test of mean ranks, and the pairs after it."""

from __future__ import annotations

import pandas as pd
import pytest

from textassay.tasks.ranking.answers import read_rankings
from textassay.tasks.ranking.mean_ranks import mean_rank_tests


def ranked(*orders: tuple[str, str]) -> pd.DataFrame:
    """Rankings as (participant, systems from the best on)."""
    rows = [(who, "i", system, "clarity", place) for who, order in orders for place, system in enumerate(order, 1)]
    return read_rankings(pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "rank"])).main


def test_by_hand() -> None:
    # sums 3, 7, 8 about 6: χ² = 12 · 14 / (3 · 3 · 4), F = 2 · χ² / (6 - χ²)
    found = mean_rank_tests(ranked(("p", "abc"), ("q", "acb"), ("r", "abc")), ["a", "b", "c"], alpha=0.05)
    assert found.friedman.chi2 == pytest.approx(14 / 3)
    assert found.friedman.f == pytest.approx(7)
    assert found.between.w == pytest.approx(14 / 3 / 6)
    assert found.same_order == pytest.approx(2 / 3)
    assert [(pair.first, pair.second) for pair in found.nemenyi.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found.nemenyi.pairs[1].difference == pytest.approx(-5 / 3)
    assert found.warnings == ()


def test_letters_begin_with_the_best() -> None:
    # 20 people of one mind about a and c; b is in between: a differs from c, and b from neither
    found = mean_rank_tests(
        ranked(*[(f"p{n}", "abc" if n % 2 else "bac") for n in range(20)]), ["a", "b", "c"], alpha=0.001
    )
    assert found.letters == {"a": "a", "b": "a", "c": "b"}


def test_sets_have_none_and_say_so_once() -> None:
    found = mean_rank_tests(ranked(("p", "ab"), ("q", "bc")), ["a", "b", "c"], alpha=0.05)
    assert found.friedman.n == 0
    assert found.letters == {}
    assert sum("Friedman" in text for text in found.warnings) == 1
    assert found.warnings[1].startswith("Krippendorff's alpha in place of W")


def test_ties_are_said_of_the_test_that_does_not_use_them() -> None:
    main = ranked(("p", "abc"), ("q", "acb"), ("r", "abc"))
    main.loc[main["participant"] == "r", "value"] = [1.5, 1.5, 3.0]
    found = mean_rank_tests(main, ["a", "b", "c"], alpha=0.05)
    assert found.warnings == ("Nemenyi: there are ties, which the test does not use: its p are too large",)
