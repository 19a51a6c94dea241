"""Which trials count, and what is replaced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from textassay.tasks.reading.preparation import prepare

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "outlier_replacement.json").read_text(encoding="utf-8"))


def table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([{"item": "i", "system": "a", **row} for row in rows])


def test_outliers_are_replaced_as_r_does() -> None:
    # R 4.2.2: pmin(pmax(rt, m - 2.5 s), m + 2.5 s) for each subject, s = sd(rt), one pass
    subjects, times = (GOLDEN["input"][name] for name in ("subject", "rt"))
    rows = [{"participant": str(who), "rt_ms": time} for who, time in zip(subjects, times, strict=True)]
    found = prepare(table(rows), 2.5)
    assert found.units["rt_ms"].tolist() == pytest.approx(GOLDEN["expect"]["replaced"], rel=1e-14)
    assert found.counts.outliers.n_replaced == GOLDEN["expect"]["n_replaced"]


def test_one_wrong_answer_of_several_drops_the_trial() -> None:
    rows = [
        {"participant": "p", "rt_ms": 100},
        {"participant": "p", "rt_ms": 900, "question": "A?", "correct": "true"},
        {"participant": "p", "rt_ms": 900, "question": "B?", "correct": "no"},
        {"participant": "q", "rt_ms": 300, "correct": 1},
    ]
    found = prepare(table(rows), 2.5)
    assert found.units["participant"].tolist() == ["q"]
    assert (found.counts.answers.wrong, found.counts.answers.asked, found.counts.trials) == (1, 2, 2)
    assert found.answers.set_index("participant")["correct"].to_dict() == {"p": False, "q": True}


def test_trials_without_an_answer_are_kept_and_said_where_others_have_one() -> None:
    rows = [{"participant": "p", "rt_ms": 100, "correct": True}, {"participant": "q", "rt_ms": 300, "correct": None}]
    found = prepare(table(rows), 2.5)
    assert len(found.units) == 2
    assert "1 of 2 trials have no answer; they are kept" in found.warnings
    nothing_asked = prepare(table(rows).drop(columns="correct"), 2.5)
    assert not any("no answer" in text for text in nothing_asked.warnings)
    assert nothing_asked.answers.empty


def test_rows_without_time_or_name_are_counted() -> None:
    rows = [
        {"participant": "p", "rt_ms": 100},
        {"participant": "p", "rt_ms": None},
        {"participant": "p", "rt_ms": -5},
        {"participant": "p", "rt_ms": 0},
        {"participant": "", "rt_ms": 100},
    ]
    found = prepare(table(rows), 2.5)
    assert found.units["rt_ms"].tolist() == [100, 0]
    assert "2 unit(s) have no time; they are omitted" in found.warnings
    assert "1 row(s) name no participant, item or system; they are omitted" in found.warnings


def test_records_have_counts_and_shares() -> None:
    rows = [{"participant": "p", "rt_ms": 100, "restarts": 1}, {"participant": "q", "rt_ms": 100, "correct": True}]
    records = {record["statistic"]: record for record in prepare(table(rows), 2.5).counts.records()}
    assert records["trials left out as begun again"]["share"] == 0.5
    assert (records["unit times replaced"]["value"], records["unit times replaced"]["n"]) == (0, 1)


def test_a_trial_begun_again_and_answered_wrongly_is_counted_once() -> None:
    rows = [
        {"participant": "p", "rt_ms": 100, "restarts": 1, "correct": False},
        {"participant": "q", "rt_ms": 100, "restarts": 1, "correct": True},
        {"participant": "r", "rt_ms": 100, "correct": True},
    ]
    records = {record["statistic"]: record for record in prepare(table(rows), 2.5).counts.records()}
    assert records["trials left out as begun again"]["value"] == 1
