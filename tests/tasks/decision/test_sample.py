"""What power assumes about decisions comes out of those that are drawn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from decision_study import write_decision_study
from sampled import Sampled, sampled

from textassay.errors import UsageError
from textassay.study.load import load_study
from textassay.tasks.decision.scores import with_scores
from textassay.tasks.decision.simulate import TIMED_OUT

PEOPLE, ITEMS = 30, 24


def make(directory: Path, *without: str) -> Sampled:
    def change(data: dict[str, Any]) -> None:
        for key in without:
            del data["blocks"][0][key]

    return sampled(load_study(write_decision_study(directory, change)), PEOPLE, ITEMS)


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    """No limit, and nothing special about doing nothing: what comes out is what was put in."""
    return make(tmp_path_factory.mktemp("free"), "limit_seconds", "no_action", "no_action_alone")


def by_system(table: pd.DataFrame, score: str = "P") -> pd.Series[float]:
    return with_scores(table).groupby("system")[score].mean()


@pytest.mark.parametrize(
    "spread", [{}, {"participant_sd": 0.5, "item_sd": 0.5, "text_sd": 0.3, "liking_sd": 0.2}], ids=["fixed", "varying"]
)
def test_difference_in_p_comes_out_whatever_varies(free: Sampled, spread: dict[str, float]) -> None:
    found = []
    for order, table in free.drawn(20, effect=0.3, **spread):
        mean = by_system(table)
        found.append(mean[order[-1]] - mean[order[0]])
    assert np.mean(found) == pytest.approx(0.3, abs=4 * np.std(found) / math.sqrt(20))


def test_shares_of_typical_people_come_out(free: Sampled) -> None:
    found = pd.DataFrame(
        [
            with_scores(table)[["P_AP", "P_INAP"]].mean()
            for _, table in free.drawn(5, effect=0, appropriate=0.7, inappropriate=0.1)
        ]
    )
    # 3,600 answers with one to three actions of a kind; P_INAP is 0 for the one of six items that has none such
    assert found["P_AP"].mean() == pytest.approx(0.7, abs=4 * math.sqrt(0.21 / 3600))
    assert found["P_INAP"].mean() == pytest.approx(0.1 * 5 / 6, abs=4 * math.sqrt(0.09 / 3600))


def test_doing_nothing_stands_alone_and_time_runs_out(tmp_path: Path) -> None:
    limited = make(tmp_path / "limited")
    _, table = next(iter(limited.drawn(1, effect=0.2, participant_sd=0.4)))
    chosen = [cell.split() for cell in table["chosen"]]
    assert ["nothing"] in chosen
    assert [each for each in chosen if "nothing" in each and len(each) > 1] == []
    over = table["timed_out"].astype(bool)
    # people share their pace, so the standard error is above sqrt(0.08 · 0.92 / 720) = 0.010
    assert over.mean() == pytest.approx(TIMED_OUT, abs=0.05)
    assert (table.loc[over, "rt_ms"] == 60_000).all()
    assert (table.loc[~over, "rt_ms"] < 60_000).all()
    counts = table["chosen"].str.split().map(len)
    assert counts[over].mean() < counts[~over].mean()
    assert (counts[~over] > 0).all()


def test_whoever_finds_nothing_does_what_does_no_harm(free: Sampled) -> None:
    rare = {"appropriate": 0.001, "inappropriate": 0.001}
    _, table = next(iter(free.drawn(1, effect=0, **rare)))
    assert (table["chosen"] != "").all()
    scores = with_scores(table)
    assert scores["P_AP"].mean() < 0.02
    assert scores["P_INAP"].mean() < 0.02


def test_effect_beyond_what_p_allows_is_refused(free: Sampled) -> None:
    with pytest.raises(UsageError, match=r"effect is 1\.9, but here P can differ by 1\.\d+ at most; give less"):
        free.sample(effect=1.9)
