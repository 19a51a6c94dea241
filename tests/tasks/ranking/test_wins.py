from __future__ import annotations

import math

import pandas as pd
import pytest

from textassay.tasks.ranking.wins import pair_wins


def ranked(*orders: tuple[str, str]) -> pd.DataFrame:
    """Rankings as (participant, systems from the best on); an item for each."""
    rows = [
        (who, f"i{number}", system, float(place))
        for number, (who, order) in enumerate(orders)
        for place, system in enumerate(order, 1)
    ]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value"])


def test_counts_by_hand() -> None:
    # p1 ranks a above b twice and below once; p2 above; p3 once each; p4 below
    main = ranked(("p1", "ab"), ("p1", "ab"), ("p1", "ba"), ("p2", "ab"), ("p3", "ab"), ("p3", "ba"), ("p4", "ba"))
    found = pair_wins(main, ["a", "b"], alpha=0.05, confidence=0.95)
    (pair,), (wins,) = found.pairs, found.wins
    assert (wins.above, wins.below, wins.tied) == (4, 3, 0)
    assert (wins.for_first, wins.for_second, wins.for_neither) == (2, 1, 1)
    assert wins.win_share == pytest.approx(4 / 7)
    assert (pair.effect_size, pair.difference) == pytest.approx((2 / 3, 2 / 3 - 1 / 3))
    assert (pair.favours, pair.n, pair.no_effect) == ("a", 3, 0.5)
    # of 3, 2 or more extreme on either side: 2 · (C(3,2) + C(3,3)) / 8 = 1
    assert pair.p == 1


def test_exact_p_and_holm() -> None:
    # a above b above c for eight people: each pair has p = 2 / 2⁸ = 0.0078125; Holm: · 3 for each of the three
    main = ranked(*[(f"p{number}", "abc") for number in range(8)])
    found = pair_wins(main, ["a", "b", "c"], alpha=0.05, confidence=0.95)
    assert [pair.p_raw for pair in found.pairs] == [0.0078125] * 3
    assert [pair.p for pair in found.pairs] == pytest.approx([0.0234375] * 3)
    assert found.pairs.n_significant == 3
    # Clopper-Pearson for 8 of 8: low = (alpha / 2)^(1/8)
    assert found.pairs[0].effect_size_ci == pytest.approx((0.025 ** (1 / 8), 1.0))
    assert found.pairs[0].ci == pytest.approx((2 * 0.025 ** (1 / 8) - 1, 1.0))
    first, *pairs = found.about("clarity").records()
    assert (first["statistic"], first["value"], first["n"]) == ("significant pairs", 3, 3)
    assert (pairs[1]["first"], pairs[1]["second"], pairs[1]["above"], pairs[1]["win_share"]) == ("a", "c", 8, 1.0)


def test_tie_counts_half_and_pair_never_shown_is_undefined() -> None:
    main = ranked(("p1", "ab"), ("p2", "ac"))
    main.loc[main["participant"] == "p1", "value"] = 1.5
    found = pair_wins(main, ["a", "b", "c"], alpha=0.05, confidence=0.95)
    tied, won, never = found.wins
    assert (tied.tied, tied.win_share, tied.for_neither) == (1, 0.5, 1)
    assert (won.above, won.for_first) == (1, 1)
    assert (never.above, never.below, never.tied) == (0, 0, 0)
    assert math.isnan(found.pairs["b", "c"].p)
    assert math.isnan(never.win_share)
    assert found.warnings == ("nobody is for one of the two, so the sign test is undefined: a and b, b and c",)
