"""What power assumes about rankings comes out of those that are drawn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from ranking_study import write_ranking_study
from sampled import Sampled, sampled
from scipy.stats import rankdata

from textassay.study.load import load_study
from textassay.tasks.ranking.sample import ranks_within

PEOPLE, ITEMS = 40, 20


@pytest.fixture(scope="module")
def rankings(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    return sampled(load_study(write_ranking_study(tmp_path_factory.mktemp("ranking"))), PEOPLE, ITEMS)


def above(table: pd.DataFrame, better: str, worse: str) -> float:
    """How often the one is ranked above the other, on the first criterion."""
    wide = table[table["criterion"] == "clarity"].pivot_table(
        index=["participant", "item"], columns="system", values="rank"
    )
    return float((wide[better] < wide[worse]).mean())


@pytest.mark.parametrize("spread", [{}, {"text_sd": 0.6, "liking_sd": 0.4}])
def test_probability_comes_out_whatever_varies(rankings: Sampled, spread: dict[str, float]) -> None:
    found = [above(table, order[-1], order[0]) for order, table in rankings.drawn(20, effect=0.7, **spread)]
    assert np.mean(found) == pytest.approx(0.7, abs=4 * np.std(found) / math.sqrt(20))


def test_middle_system_stands_between(rankings: Sampled) -> None:
    # Plackett-Luce: half the difference in worth, log(0.7 / 0.3) / 2, gives 1 / (1 + exp(-0.4236)) = 0.604
    found = [above(table, order[1], order[0]) for order, table in rankings.drawn(10, effect=0.7)]
    assert np.mean(found) == pytest.approx(0.604, abs=4 * math.sqrt(0.24 / (10 * PEOPLE * ITEMS)))


def test_without_an_effect_all_are_alike(rankings: Sampled) -> None:
    order, table = next(iter(rankings.drawn(1, effect=0.5)))
    assert above(table, order[-1], order[0]) == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(PEOPLE * ITEMS))


def test_every_ranking_is_one(rankings: Sampled) -> None:
    _, table = next(iter(rankings.drawn(1, effect=0.8, text_sd=1)))
    for _, ranks in table.groupby(["participant", "trial", "criterion"])["rank"]:
        assert sorted(ranks) == [1, 2, 3]


def test_ties_come_only_where_they_are_allowed(tmp_path: Path) -> None:
    directory = write_ranking_study(tmp_path, lambda block: block.update(ties=True))
    tied = sampled(load_study(directory), 12, 6)
    _, table = next(iter(tied.drawn(1, effect=0.6)))
    assert set(table["rank"]) == {1, 1.5, 2, 2.5, 3}
    sums = table.groupby(["participant", "trial", "criterion"])["rank"].sum()
    assert set(sums) == {6.0}


@given(arrays.arrays(float, st.integers(1, 30), elements=st.integers(0, 5).map(float)), st.data())
def test_ranks_are_those_of_scipy(appeal: np.ndarray, data: st.DataObject) -> None:
    ranking = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(appeal), max_size=len(appeal))))
    found = ranks_within(ranking, appeal, 0.5)
    for each in set(ranking):
        own = ranking == each
        assert found[own].tolist() == rankdata(-appeal[own]).tolist()  # a threshold below every difference: exact ties
