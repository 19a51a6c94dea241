"""What power assumes about ratings comes out of those that are drawn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sampled import Sampled, sampled
from small_study import write_small_study
from together_study import write_together_study

from textassay.errors import DataError
from textassay.study.load import load_study
from textassay.tasks.rating.simulate import LEAST_NOISE

PEOPLE, ITEMS = 60, 30


@pytest.fixture(scope="module")
def ratings(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    return sampled(load_study(write_small_study(tmp_path_factory.mktemp("small"))), PEOPLE, ITEMS)


def by_system(table: pd.DataFrame, criterion: str) -> pd.Series[float]:
    return table[table["criterion"] == criterion].groupby("system")["value"].mean()


def test_effect_comes_out_on_both_scales(ratings: Sampled) -> None:
    for order, table in ratings.drawn(3, effect=1.2, noise_sd=0.6):
        clarity, fluency = by_system(table, "clarity"), by_system(table, "fluency")
        # 600 ratings a system: the difference of two means has a standard error of sqrt(2 (0.6² + 1/12) / 600) = 0.038
        assert clarity[order[-1]] - clarity[order[0]] == pytest.approx(1.2, abs=4 * 0.038)
        assert clarity[order[1]] == pytest.approx(4, abs=4 * 0.038)
        # 1.2 of 6 points is 20 of 100, and 0.6 is 10: sqrt(2 · 10² / 600) = 0.58
        assert fluency[order[-1]] - fluency[order[0]] == pytest.approx(20, abs=4 * 0.58)


def test_without_an_effect_only_noise_differs(ratings: Sampled) -> None:
    for _, table in ratings.drawn(3, effect=0, noise_sd=0.6):
        assert by_system(table, "fluency").to_numpy() == pytest.approx([50, 50, 50], abs=4 * 10 / math.sqrt(600))
    for _, table in ratings.drawn(1, effect=0):
        assert set(table.loc[table["criterion"] == "clarity", "value"]) == {4.0}


@pytest.mark.parametrize(
    ("name", "columns", "levels"),
    [
        ("participant_sd", ["participant"], PEOPLE),
        ("item_sd", ["item"], ITEMS),
        ("text_sd", ["item", "system"], 3 * ITEMS),
        ("liking_sd", ["participant", "system"], 3 * PEOPLE),
    ],
)
def test_each_source_varies_between_its_levels_and_nowhere_else(
    ratings: Sampled, name: str, columns: list[str], levels: int
) -> None:
    ((_, table),) = ratings.drawn(1, effect=0, **{name: 0.6})
    fluency = table[table["criterion"] == "fluency"]
    within = fluency.groupby(columns)["value"]
    assert within.nunique().max() == 1
    assert len(within) == levels
    # 0.6 points of 6 are 10 of 100; the relative standard error of a standard deviation is 1 / sqrt(2 n)
    assert within.first().std() == pytest.approx(10, rel=4 / math.sqrt(2 * levels))


def test_answers_are_steps_of_the_scale_and_stay_within(ratings: Sampled) -> None:
    ((_, table),) = ratings.drawn(1, effect=6, noise_sd=4)
    values = table.loc[table["criterion"] == "clarity", "value"].to_numpy()
    assert set(values) == {1, 2, 3, 4, 5, 6, 7}
    assert np.mean(values == 7) > 0.1  # so much noise leaves the scale


def test_noise_of_a_short_scale_is_not_rounded_away(tmp_path: Path) -> None:
    def two_steps(data: dict[str, Any]) -> None:
        data["blocks"][0]["criteria"][0]["scale"] = {"from": 0, "to": 1, "labels": {0: "no", 1: "yes"}}
        data["blocks"][0]["attention_checks"][0]["expected"] = {"clarity": 1}

    study = load_study(write_small_study(tmp_path / "two", two_steps))
    block = study.blocks[0]
    noise = next(each for each in block.task.sample_class().assumptions(block.task) if each.name == "noise_sd")
    assert noise.value == LEAST_NOISE


def test_pilot_tells_what_was_assumed(ratings: Sampled) -> None:
    put_in = {"participant_sd": 0.6, "item_sd": 0.5, "text_sd": 0.5, "liking_sd": 0.4, "noise_sd": 0.8}
    few = sampled(ratings.study, 30, 15)
    ((_, table),) = few.drawn(1, effect=0.5, **put_in)
    block = few.study.blocks[0]
    found = block.task.sample_class().pilot_assumptions(block.task, table)
    assert set(found) == set(put_in)
    # between 30, 15, 45 and 90 levels and 450 ratings: 3 / sqrt(2 n), wider for what texts and likings take from items
    # and people; rounding (1/12) goes to the noise
    for name, rel in {"participant_sd": 0.5, "item_sd": 0.7, "text_sd": 0.4, "liking_sd": 0.5}.items():
        assert found[name] == pytest.approx(put_in[name], rel=rel)
    assert found["noise_sd"] == pytest.approx(math.sqrt(0.8**2 + 1 / 12), rel=0.12)


def test_pilot_in_which_each_text_was_rated_once_is_refused(ratings: Sampled) -> None:
    block = ratings.study.blocks[0]
    once = ratings.table.drop_duplicates(["item", "system", "criterion"])
    with pytest.raises(DataError, match="several participants must have judged each text"):
        block.task.sample_class().pilot_assumptions(block.task, once)


def test_ratings_on_one_page_have_something_in_common(tmp_path: Path) -> None:
    people, items = 12, 6
    study = sampled(load_study(write_together_study(tmp_path)), people, items)
    ((_, table),) = study.drawn(1, effect=0, page_sd=0.6)
    pages = table[table["criterion"] == "fluency"].groupby(["participant", "item"])["value"].agg(["mean", "min", "max"])
    assert len(pages) == people * items
    assert (pages["min"] == pages["max"]).all()  # three texts, all alike
    # 0.6 of 6 points is 10 of 100; the standard error of a standard deviation is about sd / sqrt(2n)
    assert pages["mean"].std() == pytest.approx(10, abs=4 * 10 / math.sqrt(2 * people * items))
    # what is put in comes out of a pilot
    ((_, pilot),) = study.drawn(1, effect=0, participant_sd=0.6, page_sd=1.2, noise_sd=0.6)
    found = study.sample().pilot_assumptions(study.study.blocks[0].task, pilot)
    assert found["page_sd"] == pytest.approx(1.2, abs=0.35)
    assert found["noise_sd"] == pytest.approx(math.hypot(0.6, math.sqrt(1 / 12)), abs=0.15)  # and rounding
