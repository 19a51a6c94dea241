"""Times on the scales of logarithms and residuals, and their course."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from textassay.tasks.reading.measures import LOG, RESIDUAL, RESIDUAL_TIME, TIME, WORD_TIME, measured, speeds


def units(**more: list[float]) -> pd.DataFrame:
    """Two people read three units of two texts; 200 ms and 10 ms a character, the second person 50 ms more."""
    rows = [
        {"participant": who, "item": item, "system": "a", "length": length, "rt_ms": 200 + 10 * length + extra}
        for who, extra in (("p", 0), ("q", 50))
        for item in ("i", "j")
        for length in (5, 10, 20)
    ]
    return pd.DataFrame(rows).assign(**more)


def test_logarithms_and_trials() -> None:
    found = measured(units(), 0.95)
    first = found.trials.iloc[0]
    assert first["rt_ms"] == pytest.approx(200 + 10 * 35 / 3)
    assert first[LOG] == pytest.approx((math.log(250) + math.log(300) + math.log(400)) / 3)
    assert len(found.trials) == 4


def test_residuals_are_what_length_leaves() -> None:
    found = measured(units(), 0.95)
    assert found.units[RESIDUAL].tolist() == pytest.approx([0.0] * 12, abs=1e-9)
    assert found.residuals is not None
    assert found.residuals.slopes["length of the unit"] == pytest.approx((10, 10))
    assert found.residuals.intercepts == pytest.approx({"p": 200, "q": 250})


def test_the_time_of_a_single_word_is_a_time_per_word() -> None:
    assert list(measured(units(), 0.95).scales) == [TIME, RESIDUAL_TIME]
    assert list(measured(units(words=[1.0] * 12), 0.95).scales) == [WORD_TIME, RESIDUAL_TIME]
    assert list(measured(units(words=[1.0] * 11 + [2.0]), 0.95).scales) == [WORD_TIME, TIME, RESIDUAL_TIME]


def test_without_lengths_there_are_no_residuals() -> None:
    for lengths in ([7.0] * 12, [5.0] * 11 + [math.nan]):
        assert measured(units(length=lengths), 0.95).residuals is None
    found = measured(units().drop(columns="length"), 0.95)
    assert RESIDUAL not in found.trials
    assert found.analysis().tables == ()


def test_speed_of_rows_that_do_not_say_where_they_belong() -> None:
    frame = units(words=[2.0] * len(units())).assign(kind=None, repeat=np.nan)
    assert len(speeds(frame)) == len(speeds(frame.drop(columns=["kind", "repeat"]))) > 0


def test_speed_leaves_out_wrong_answers_and_replaces_outliers() -> None:
    # twelve units of 100 ms and one of 10 s: beyond 2.5 SD of the mean, so that it is replaced
    times = [100.0] * 12 + [10_000.0]
    frame = pd.DataFrame({"participant": "p", "item": "i", "system": "a", "rt_ms": times, "correct": True})
    limit = np.mean(times) + 2.5 * np.std(times, ddof=1)
    assert speeds(frame)["value"].tolist() == pytest.approx([1000 * 13 / (1200 + limit)])
    assert speeds(frame, 9.0)["value"].tolist() == pytest.approx([1000 * 13 / 11_200])
    assert speeds(frame.assign(correct=False)).empty


def test_course_over_the_session() -> None:
    # p gets faster by 10 ms, q by 20 ms a text: mean -15
    frame = units(position=[1, 1, 1, 2, 2, 2] * 2).drop(columns="length")
    faster = frame["participant"].map({"p": 10, "q": 20}) * frame["position"]
    found = measured(frame.assign(rt_ms=1000 - faster), 0.95)
    (row,) = found.analysis().tables[0].records()
    assert row["Times and …"] == "place of the text in the session"
    assert row["Slope"] == pytest.approx(-15)
    assert row["t"] == pytest.approx(-15 / (math.sqrt(50) / math.sqrt(2)))


def test_times_of_nothing_have_no_logarithm_and_are_said() -> None:
    found = measured(units(rt_ms=[0.0] + [100.0] * 11), 0.95)
    assert "logarithms: 1 of 12 times are 0 or less and have no logarithm" in found.warnings
    assert found.trials[LOG].iloc[0] == pytest.approx(math.log(100))
