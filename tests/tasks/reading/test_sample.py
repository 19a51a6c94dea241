"""What power assumes about reading times comes out of those that are drawn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from reading_study import write_reading_study
from sampled import Sampled, sampled

from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.tasks.reading.simulate import DISTRACTED, RIGHT

PEOPLE, ITEMS = 30, 24


@pytest.fixture(scope="module")
def times(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    return sampled(load_study(write_reading_study(tmp_path_factory.mktemp("reading"))), PEOPLE, ITEMS)


def units(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["unit"].fillna("") != ""]


def test_slowest_system_takes_so_much_longer(times: Sampled) -> None:
    for order, table in times.drawn(2, effect=25):
        # The median is that of undistracted readers; texts of all systems have the same units.
        medians = units(table).groupby("system")["rt_ms"].median()
        assert medians[order[-1]] / medians[order[0]] == pytest.approx(1.25, rel=1e-6)
        # evenly spread around their mean: 1 ± 0.25 / 2.25
        assert medians[order[1]] / medians[order[0]] == pytest.approx(1.125, rel=1e-6)


def test_noise_is_that_of_the_logarithm(times: Sampled) -> None:
    _, table = next(iter(times.drawn(1, effect=0, noise_sd=0.3)))
    own = units(table)
    logs = np.log(own["rt_ms"] / (250 + 40 * own["length"].astype(float)))
    middle = logs.quantile([0.25, 0.75])  # untouched by the few who look up
    # the quartiles of a normal distribution lie 1.349 standard deviations apart
    assert (middle[0.75] - middle[0.25]) / 1.349 == pytest.approx(0.3, rel=0.06)
    assert logs.median() == pytest.approx(0, abs=0.03)


def test_some_look_up_from_the_text(times: Sampled) -> None:
    _, table = next(iter(times.drawn(1, effect=0)))
    own = units(table)
    factor = own["rt_ms"] / (250 + 40 * own["length"].astype(float))
    looked_up = (factor > 2.9).mean()
    assert looked_up == pytest.approx(DISTRACTED, abs=4 * math.sqrt(DISTRACTED / len(own)))
    assert factor[factor > 2.9].between(3, 7).all()


def test_answers_fit_their_texts(times: Sampled) -> None:
    _, table = next(iter(times.drawn(1, effect=0)))
    asked = table[table["unit"].fillna("") == ""]
    right = {row["item"]: row["correct"] for row in times.study.blocks[0].tables["questions"]}
    assert ((asked["answer"] == asked["item"].map(right)) == asked["correct"].astype(bool)).all()
    assert asked["correct"].mean() == pytest.approx(RIGHT, abs=4 * math.sqrt(RIGHT * (1 - RIGHT) / len(asked)))
    of_units = units(table).groupby(["participant", "trial"])["correct"].first()
    of_questions = asked.set_index(["participant", "trial"])["correct"]
    assert (of_units == of_questions.reindex(of_units.index)).all()
    assert {"yes", "no"} <= set(asked["answer"])


def test_without_questions_there_are_only_times(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["blocks"][0]["questions"]

    plain = sampled(load_study(write_reading_study(tmp_path, change)), 6, 6)
    assert set(plain.sample().draw(Stream(1, "test"))) == {"rt_ms"}


def test_pilot_tells_what_was_assumed(times: Sampled) -> None:
    put_in = {"participant_sd": 0.25, "item_sd": 0.1, "text_sd": 0.08, "liking_sd": 0.08, "noise_sd": 0.3}
    _, table = next(iter(times.drawn(1, effect=10, **put_in)))
    block = times.study.blocks[0]
    found = block.task.sample_class().pilot_assumptions(block.task, table)
    assert set(found) == set(put_in)
    # between 30, 24, 72 and 90 levels, about 2,600 times; outliers are replaced before, which takes a little away
    for name, rel in {
        "participant_sd": 0.45,
        "item_sd": 0.6,
        "text_sd": 0.5,
        "liking_sd": 0.5,
        "noise_sd": 0.1,
    }.items():
        assert found[name] == pytest.approx(put_in[name], rel=rel)
