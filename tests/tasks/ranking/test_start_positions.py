"""Where a text was shown first: against R, over all orders that could have been shown, and in words."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.leading_test import leading_contrasts
from textassay.analysis.options import RecipeOptions
from textassay.analysis.page_positions import PositionEffect, position_cautions, position_effects
from textassay.analysis.trial_contrasts import trial_contrasts, trial_table
from textassay.tasks.ranking.answers import read_rankings
from textassay.tasks.ranking.start_positions import start_position_table, start_positions

OPTIONS = RecipeOptions()
# Six people, four trials each; for the systems a, b, c of a trial their ranks, and where they were shown first.
_RANKS = "213 123 132 132 231 213 123 213 123 213 123 213 231 132 123 123 123 123 123 123 123 132 123 312"
_SHOWN = "231 312 321 132 321 213 123 321 213 312 321 321 321 321 213 213 231 231 213 321 231 312 123 312"
RANKS, SHOWN = _RANKS.split(), _SHOWN.split()


def answers(ranks: list[str] = RANKS, shown: list[str] = SHOWN) -> pd.DataFrame:
    rows = [
        (f"p{number // 4}", f"i{number % 4}", system, "quality", float(rank), int(place))
        for number, (of_trial, places) in enumerate(zip(ranks, shown, strict=True))
        for system, rank, place in zip("abc", of_trial, places, strict=True)
    ]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "rank", "start_position"])


def found(table: pd.DataFrame) -> PositionEffect | None:
    main = read_rankings(table).main
    ranks = trial_table(main, sorted(set(main["system"])))
    leading = leading_contrasts(trial_contrasts(ranks), of="quality", options=OPTIONS)
    return start_positions(main, ranks, leading, OPTIONS)


def test_the_same_as_in_r() -> None:
    # Slope of lm(rank ~ factor(trial) + system + position). Its standard error: of the two orthogonal contrasts of each
    # trial, lm(v ~ 0 + H1 + H2 + x), sandwich::vcovCL(cluster = person, type = "HC1")   (R 4.2.2, sandwich 3.0-2)
    effect = found(answers())
    assert effect is not None
    assert effect.trend.estimates == pytest.approx([0.2271844660194])
    assert effect.trend.se == pytest.approx([0.0994437760469])
    assert (effect.trend.df, effect.trend.p) == ((1, 5), pytest.approx(0.0711320658339))
    assert effect.change == pytest.approx(2 * 0.2271844660194)  # two steps from first to last
    half = 2 * 0.0994437760469 * 2.570581835636  # qt(.975, 5)
    assert effect.ci == pytest.approx((effect.change - half, effect.change + half))
    # W <- t(b) %*% solve(V) %*% b; F <- W * (6 - 2) / (2 * (6 - 1)); pf(F, 2, 4, lower.tail = FALSE)
    assert effect.any_difference is not None
    assert effect.any_difference.f == pytest.approx(2.301060509392)
    assert effect.any_difference.p == pytest.approx(0.216226483989)
    # 24 rankings; the mean ranks are counted: each text shown first, each shown last
    at = {place: [int(r[s.index(place)]) for r, s in zip(RANKS, SHOWN, strict=True)] for place in "13"}
    assert (effect.first, effect.last) == (np.mean(at["1"]), np.mean(at["3"]))


def test_over_all_orders_that_could_have_been_shown_the_slope_is_0_on_average() -> None:
    # Positions are random: whatever the ranks, over the 6 × 6 ways to show two trials the slopes cancel, since mirrored
    # orders (1 ↔ 3) have the opposite slope. Where the design cannot tell positions from systems there is none.
    main = read_rankings(answers(["123", "213"], ["123", "123"]).assign(participant=list("pppqqq"))).main
    given = trial_contrasts(trial_table(main, "abc"))
    assert given.trials is not None
    slopes = {}
    for shown in product(permutations((1.0, 2.0, 3.0)), repeat=2):
        trend, _ = position_effects(given, np.array(shown)[given.trials])
        slopes[shown] = 0.0 if trend is None else float(trend.estimates[0])
    assert len(slopes) == 36
    assert np.mean(list(slopes.values())) == pytest.approx(0, abs=1e-12)
    assert np.std(list(slopes.values())) > 0.1
    for (first, second), slope in slopes.items():
        mirrored = (tuple(4 - each for each in first), tuple(4 - each for each in second))
        assert slopes[mirrored] == pytest.approx(-slope)


def simulated(random: np.random.Generator, pull: float = 0.0, people: int = 8, items: int = 8) -> pd.DataFrame:
    """People and items with tastes of their own; texts further up gain by `pull` in every step."""
    liking = 0.5 * random.normal(size=(people, 1, 3)) + 0.8 * random.normal(size=(1, items, 3))
    places = np.argsort(random.random((people, items, 3)), axis=2) + 1
    appeal = np.array([0.8, 0.0, -0.8]) + liking - pull * places + random.gumbel(size=(people, items, 3))
    ranks = np.argsort(np.argsort(-appeal, axis=2), axis=2) + 1.0
    names = (np.arange(people).astype(str), np.arange(items).astype(str), list("abc"))
    columns = [each.ravel() for each in np.meshgrid(*names, indexing="ij")]
    frame = pd.DataFrame(dict(zip(("participant", "item", "system"), columns, strict=True)))
    return frame.assign(criterion="quality", rank=ranks.ravel(), start_position=places.ravel())


def test_positions_that_matter_are_found() -> None:
    # That those which do nothing are found in one of twenty studies is shown by the benchmark of calibration.
    random = np.random.default_rng(11)
    moved = found(simulated(random, pull=0.9))
    assert moved is not None
    assert moved.trend.p < 0.01
    assert moved.any_difference is not None
    assert moved.any_difference.p < 0.05
    assert 0.3 < moved.ci[0] < moved.change < moved.ci[1]
    assert moved.last > moved.first


@pytest.mark.parametrize("change", ["no column", "a gap", "the same place twice", "always the same place"])
def test_where_positions_say_nothing_there_is_nothing(change: str) -> None:
    table = answers()
    if change == "no column":
        table = table.drop(columns="start_position")
    elif change == "a gap":
        table = table.assign(start_position=table["start_position"].astype(float).where(table.index != 5))
    elif change == "the same place twice":
        table = table.assign(start_position=table["start_position"].where(table.index != 0, 1))
    else:  # then nobody can tell the system from its place
        table = table.assign(start_position=table["system"].map({"a": 1, "b": 2, "c": 3}))
    assert found(table) is None
    assert start_position_table([None], 0.95) is None


def test_of_two_texts_there_is_only_a_trend() -> None:
    pairs = answers()
    effect = found(pairs[pairs["system"] != "c"].assign(start_position=_ranked))
    assert effect is not None
    assert effect.any_difference is None
    table = start_position_table([effect], 0.95)
    assert table is not None
    assert dict(zip(table.columns, table.rows[0], strict=True))["p of any difference"] is None


def _ranked(frame: pd.DataFrame) -> pd.Series:
    return frame.groupby(["participant", "item"])["start_position"].rank()


def test_a_sentence_says_what_was_found_and_a_caution_where_it_changes_the_conclusion() -> None:
    effect = found(answers())
    assert effect is not None
    assert effect.sentence == (
        "quality: no clear effect of the position (from first to last 0.45 ranks, 95 % CI −0.06 to 0.97, p = .071)."
    )
    clear = replace(effect, trend=replace(effect.trend, p=0.01))
    assert "texts shown last are ranked 0.45 ranks worse than texts shown first (95 % CI" in clear.sentence
    assert "0.45 ranks better" in replace(clear, change=-clear.change).sentence
    table = start_position_table([clear], 0.95)
    assert table is not None
    assert table.note.endswith(clear.sentence)
    assert list(position_cautions([None, replace(effect, p=0.01, p_without=0.2)])) == []  # it does not matter
    assert list(position_cautions([replace(clear, p=0.01, p_without=0.02)])) == []
    (said,) = position_cautions([replace(clear, p=0.01, p_without=0.2)])
    assert said == (
        "quality: with the position shown first taken out there is no significant difference between systems "
        "(p = .200), as analysed there is a significant one (p = .010; ANOVA-type test)"
    )
