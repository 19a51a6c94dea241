"""What power assumes about preferences comes out of those that are drawn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from preference_study import write_preference_study
from sampled import Sampled, sampled

from textassay.errors import UsageError
from textassay.study.load import load_study

PEOPLE, ITEMS = 60, 30


def make(directory: Path, form: str) -> Sampled:
    def change(data: dict[str, Any]) -> None:
        data["blocks"][0]["form"] = form

    return sampled(load_study(write_preference_study(directory, change)), PEOPLE, ITEMS)


@pytest.fixture(scope="module")
def sliders(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    return make(tmp_path_factory.mktemp("slider"), "slider")


def for_second(table: pd.DataFrame, worse: str, better: str) -> np.ndarray:
    """How strongly the better of two systems was preferred on the first criterion, in all their comparisons."""
    table = table[table["criterion"] == "clarity"]
    straight = table[(table["system_a"] == worse) & (table["system_b"] == better)]["value"].to_numpy()
    turned = table[(table["system_a"] == better) & (table["system_b"] == worse)]["value"].to_numpy()
    return np.concatenate([straight, -turned])


def test_effect_on_the_slider_comes_out(sliders: Sampled) -> None:
    for order, table in sliders.drawn(3, effect=12, noise_sd=8):
        values = for_second(table, order[0], order[-1])
        assert len(values) == PEOPLE * ITEMS / 3
        # 600 comparisons; the general lean moves as many to the one as to the other side, give or take
        assert values.mean() == pytest.approx(12, abs=4 * 9 / math.sqrt(600))
        assert for_second(table, order[0], order[1]).mean() == pytest.approx(6, abs=4 * 9 / math.sqrt(600))


@pytest.mark.long
@pytest.mark.parametrize("form", ["choice", "choice-with-tie"])
def test_share_of_wins_comes_out_over_all_texts_and_people(tmp_path: Path, form: str) -> None:
    choices = make(tmp_path / form, form)
    won = []
    for order, table in choices.drawn(40, effect=0.7, text_sd=0.4, liking_sd=0.3, lean_sd=0.2):
        values = for_second(table, order[0], order[-1])
        assert set(values) <= ({-1, 0, 1} if form == "choice-with-tie" else {-1, 1})
        won.append(np.mean(values[values != 0] > 0))
    # Over 40 samples: the standard error is that of the samples' shares, which differ by texts and people.
    assert np.mean(won) == pytest.approx(0.7, abs=4 * np.std(won) / math.sqrt(40))
    if form == "choice-with-tie":
        assert np.mean(values == 0) > 0.02


def test_without_an_effect_nobody_is_preferred(sliders: Sampled, tmp_path: Path) -> None:
    order, table = next(iter(sliders.drawn(1, effect=0, noise_sd=8)))
    assert abs(for_second(table, order[0], order[-1]).mean()) < 4 * 9 / math.sqrt(600)
    choices = make(tmp_path / "choice", "choice")
    order, table = next(iter(choices.drawn(1, effect=0.5)))
    assert np.mean(for_second(table, order[0], order[-1]) > 0) == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(600))


def test_a_text_is_the_same_text_on_either_side(sliders: Sampled) -> None:
    """With texts as the only source of variation, three comparisons of one item add up: a to b, b to c, a to c."""
    _, table = next(iter(sliders.drawn(1, effect=0, text_sd=10)))
    systems = list(sliders.study.systems)
    clarity = table[table["criterion"] == "clarity"]
    by_pair = clarity.groupby(["item", "system_a", "system_b"])["value"].mean()
    complete = 0
    for item in dict.fromkeys(clarity["item"]):
        pairs = [(item, systems[0], systems[1]), (item, systems[1], systems[2]), (item, systems[0], systems[2])]
        if all(pair in by_pair.index for pair in pairs):
            first, second, both = (by_pair[pair] for pair in pairs)
            # what is nearer to the middle than 2 counts as no preference, and each is rounded by up to a half
            assert first + second == pytest.approx(both, abs=3 * 2.5)
            complete += 1
    assert complete > ITEMS / 2
    assert by_pair.std() == pytest.approx(10 * math.sqrt(2), rel=0.3)


def test_people_lean_to_the_left_on_the_whole(sliders: Sampled) -> None:
    _, table = next(iter(sliders.drawn(1, effect=0, noise_sd=10, lean_sd=3)))
    right = table["value"] * np.where(table["left"] == table["system_a"], 1, -1)
    assert right.mean() < 0


def test_too_large_a_share_is_refused(tmp_path: Path) -> None:
    choices = make(tmp_path / "choice", "choice")
    with pytest.raises(UsageError, match=r"effect is 1; it must be 0.5 to 0.999 \(probability\)"):
        choices.sample(effect=1)
