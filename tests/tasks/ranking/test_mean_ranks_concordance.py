from __future__ import annotations

import math

import pandas as pd
import pytest

from textassay.stats import KendallW, KrippendorffAlpha
from textassay.tasks.ranking.answers import read_rankings
from textassay.tasks.ranking.mean_ranks import complete_means, item_concordance, rank_concordance, same_order


def ranked(*orders: tuple[str, str, str]) -> pd.DataFrame:
    """Rankings as (participant, item, systems from the best on)."""
    rows = [
        (who, item, system, "clarity", place) for who, item, order in orders for place, system in enumerate(order, 1)
    ]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "rank"])
    return read_rankings(frame).main


def test_w_on_mean_ranks() -> None:
    main = ranked(("p", "i", "abc"), ("p", "j", "bac"), ("q", "i", "abc"), ("q", "j", "abc"))
    # mean ranks p: a 1.5, b 1.5, c 3 (a tie); q: 1, 2, 3. Ranks 1.5 1.5 3 and 1 2 3: sums 2.5, 3.5, 6 about 4:
    # Σ = 2.25 + 0.25 + 4 = 6.5; W = 12 · 6.5 / (4 · 24 - 2 · 6) = 78 / 84
    found = rank_concordance(main)
    assert isinstance(found, KendallW)
    assert found.w == pytest.approx(78 / 84)
    assert (found.raters, found.warnings, complete_means(main)[1]) == (2, (), ())


def test_w_within_items() -> None:
    main = ranked(("p", "i", "abc"), ("q", "i", "abc"), ("p", "j", "abc"), ("q", "j", "acb"), ("p", "k", "abc"))
    found = item_concordance(main)
    # i: W = 1; j: sums 2, 5, 5, W = 0.75 (as in kendall_w's own example); k was ranked by one person
    assert [(item, raters) for item, _, raters in found.per_item] == [("i", 2), ("j", 2)]
    assert [w for _, w, _ in found.per_item] == pytest.approx([1, 0.75])
    assert found.mean_w == pytest.approx(0.875)
    why = "fewer than two participants ranked the same texts, or all tied them"
    assert found.warnings == (f"W within items leaves out 1 set(s) of texts of which {why}",)


def test_subsets_have_alpha_on_means_and_a_w_for_each_set() -> None:
    main = ranked(("p", "i", "ab"), ("q", "i", "ab"), ("r", "i", "bc"), ("s", "i", "cb"))
    means, said = complete_means(main)
    found = rank_concordance(main)
    assert isinstance(found, KrippendorffAlpha)
    # the better of two is at 1/4, the worse at 3/4: a ¼ ¼, b ¾ ¾ ¼ ¾, c ¾ ¼; 4 of ¾ and 4 of ¼, so δ² is 0 or 1 (times
    # a constant). Observed: (b 2·3/3 + c 2·1) / 8 = 1/2; expected 2·16 / 56
    assert found.alpha == pytest.approx(1 - (1 / 2) / (32 / 56))
    assert found.warnings[0].endswith("alpha in place of W between participants: trials show only some systems")
    assert math.isnan(same_order(means))
    assert "trials show only some systems" in said[0]
    # a over b twice: W = 1; b and c once each: sums equal, W = 0
    assert [w for _, w, _ in item_concordance(main).per_item] == pytest.approx([1, 0])


def test_who_lacks_a_system_is_left_out_and_counted() -> None:
    main = ranked(("p", "i", "abc"), ("q", "i", "acb"), ("r", "i", "abc"))
    main = main[~((main["participant"] == "r") & (main["system"] == "c"))]
    means, said = complete_means(main)
    assert list(means.index) == ["p", "q"]
    assert said == ("Friedman's test leaves out 1 participant(s) without every system",)
    found = rank_concordance(main)
    assert isinstance(found, KrippendorffAlpha)
    assert (found.raters, found.n) == (3, 8)


def test_same_order() -> None:
    # all together: a 1, b 2.25, c 2.75; p and r have that order, q has c before b, s has a tie of b and c
    main = ranked(("p", "i", "abc"), ("q", "i", "acb"), ("r", "i", "abc"), ("s", "i", "abc"), ("s", "j", "acb"))
    assert same_order(complete_means(main)[0]) == 2 / 4
