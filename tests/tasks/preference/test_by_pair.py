"""Pairs and sides, by hand: each participant counts once."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from preference_data import preferences_by_hand

from textassay.tasks.preference.answers import read_preferences
from textassay.tasks.preference.by_pair import direct_pairs, sides_of


@pytest.fixture(scope="module")
def main() -> pd.DataFrame:
    return read_preferences(preferences_by_hand()).main


def test_wins_ties_and_losses(main: pd.DataFrame) -> None:
    found = direct_pairs(main, "clarity", alpha=0.05, confidence=0.95)
    (pair,) = found.pairs
    assert (pair.first, pair.second, found.answers) == ("A", "B", ((3, 2, 1),))
    (record,) = found.records()
    assert [record[key] for key in ("for_first", "for_neither", "for_second", "ties")] == [3, 2, 1, 1]


def test_each_participant_counts_once(main: pd.DataFrame) -> None:
    # stored means of p, q, r: -3, 1, 0, below 0 for A; so A − B is 3, -1, 0.
    # Their mean 2/3, sd √((49 + 25 + 4) / 9 / 2) = 2.0817, t(.975, 2) = 4.3027
    found = direct_pairs(main, "clarity", alpha=0.05, confidence=0.95)
    (pair,) = found.pairs
    half = 4.302653 * 2.081666 / math.sqrt(3)
    assert (pair.difference, pair.favours, pair.n) == (pytest.approx(2 / 3), "A", 3)
    assert pair.ci == pytest.approx((2 / 3 - half, 2 / 3 + half), rel=1e-5)
    assert (pair.se, pair.df, pair.more["sd"]) == pytest.approx((2.081666 / math.sqrt(3), 2, 2.081666), rel=1e-6)
    assert (pair.effect_size, pair.p, pair.p_raw) == (0.5, 1.0, 1.0)  # one for A, one for B, one for neither
    (mean,) = found.means
    assert (mean.of, mean.by, mean.mean) == ("clarity", "A – B", pair.difference)


def test_pairs_are_corrected_together() -> None:
    # six people for B over A (p = 2/64), and the same for C over A: Holm doubles the smaller, which both are
    rows = [(f"p{n}", "i", "A", other, "clarity", 5) for n in range(6) for other in "BC"]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system_a", "system_b", "criterion", "value"])
    found = direct_pairs(read_preferences(frame).main, "clarity", alpha=0.05, confidence=0.95)
    assert [pair.p_raw for pair in found.pairs] == pytest.approx([2 / 64] * 2)
    assert [pair.p for pair in found.pairs] == pytest.approx([4 / 64] * 2)
    assert [pair.favours for pair in found.pairs] == ["B", "C"]
    assert found.settings["correction"] == "Holm, over the pairs of a criterion"


def test_sides(main: pd.DataFrame) -> None:
    # as given on the page: p -4 -2, q 1 -3, r 0 0 → means -3, -1, 0
    sides = sides_of(main, "clarity", 0.95)
    assert sides is not None
    assert sides.mean.mean == pytest.approx(-4 / 3)
    assert (sides.test.below, sides.test.ties, sides.test.above, sides.test.p) == (2, 1, 0, 0.5)


def test_unknown_sides_are_none(main: pd.DataFrame) -> None:
    assert sides_of(main.assign(towards_right=math.nan), "clarity", 0.95) is None


def test_a_system_with_itself_is_no_pair() -> None:
    frame = preferences_by_hand().assign(system_b="A")
    assert len(direct_pairs(read_preferences(frame).main, "clarity", alpha=0.05, confidence=0.95).pairs) == 0
