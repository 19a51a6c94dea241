"""The recipe by subjects and by items, against published figures of self-paced reading and against R."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from crossed_data import crossed_answers

from textassay.analysis.subjects_items import (
    RATIOS,
    ratios_table,
    subjects_items,
    subjects_items_analysis,
    tukey_pairs_table,
)
from textassay.results import Analysis, Record


def ratios_of(found: Analysis) -> dict[str, Record]:
    table = next(table for table in found.tables if table.name == "f-ratios")
    return {row["Test"]: row for row in table.records()}


def test_published_reading_times_come_out(data_dir: Path) -> None:
    """Vasishth et al. on Grodner & Gibson (2005), experiment 1: t(41) = 3.11, t(15) = 3.75, 102.29 ms."""
    frame = pd.read_csv(data_dir / "spr-grodner-gibson" / "df_gg05e1.csv")
    frame = frame.rename(columns={"subject": "participant", "condition": "system"})
    found = subjects_items_analysis(frame, {"time": "rawRT"})
    tests = ratios_of(found)
    assert tests["F1"]["F"] ** 0.5 == pytest.approx(3.11, abs=0.005)
    assert (tests["F1"]["df 2"], tests["F2"]["df 2"]) == (41, 15)
    assert tests["F1"]["p"] == pytest.approx(0.003, abs=0.0005)
    assert tests["F2"]["F"] ** 0.5 == pytest.approx(3.75, abs=0.005)
    assert tests["F2"]["p"] == pytest.approx(0.002, abs=0.0005)
    by_subjects = next(row for row in found.tables[1].records() if row["By"] == "subjects")
    # of two systems, Tukey's interval is that of the paired t-test: 102.29 [35.85, 168.72]
    assert by_subjects["Difference"] == pytest.approx(102.29, abs=0.005)
    assert (by_subjects["Low"], by_subjects["High"]) == pytest.approx((35.85, 168.72), abs=0.005)


def test_equals_r() -> None:
    # R 4.2.2: b <- aggregate(y ~ p + s, d, mean); summary(aov(y ~ s + Error(p/s), b)), the same with i, min F′ by
    # Clark's formula; HSD: qtukey(.95, 3, 22) * sqrt(7.11679292929 / 12)
    found = subjects_items_analysis(crossed_answers(), {"value": "value"})
    tests = ratios_of(found)
    assert tests["F1"]["F"] == pytest.approx(5.31118601969, rel=1e-9)
    assert tests["F1"]["p"] == pytest.approx(0.0131213521081, rel=1e-9)
    assert (tests["F1"]["df 1"], tests["F1"]["df 2"], tests["F1"]["n"]) == (2, 22, 12)
    assert tests["F2"]["F"] == pytest.approx(4.43024580824, rel=1e-9)
    assert (tests["F2"]["df 2"], tests["F2"]["n"]) == (10, 6)
    assert tests["min F′"]["F"] == pytest.approx(2.415441591764, rel=1e-9)
    assert tests["min F′"]["df 2"] == pytest.approx(25.557567661904, rel=1e-9)
    assert tests["min F′"]["p"] == pytest.approx(0.109439849896, rel=1e-9)
    pairs = {(row["First"], row["Second"]): row for row in found.tables[1].records() if row["By"] == "subjects"}
    assert pairs["a", "b"]["p"] == pytest.approx(0.0718571158356, rel=1e-8)  # ptukey
    assert pairs["b", "c"]["p"] == pytest.approx(0.7048683555453, rel=1e-8)
    hsd = pairs["b", "c"]["High"] - pairs["b", "c"]["Difference"]
    assert hsd == pytest.approx(2.73588030871, rel=1e-6)  # as accurate as qtukey


def test_several_measures_stand_in_one_table_and_share_their_warnings() -> None:
    frame = crossed_answers().assign(double=lambda rows: 2 * rows["value"])
    frame = frame[(frame["participant"] != "p03") | (frame["system"] != "b")]
    found = subjects_items_analysis(frame, {"one": "value", "two": "double"}, alpha=0.01)
    assert found.tables[0].columns == RATIOS
    assert [row[:2] for row in found.tables[0].rows] == [
        (of, test) for of in ("one", "two") for test in ("F1", "F2", "min F′")
    ]
    assert found.tables[0].rows[0][2] == pytest.approx(found.tables[0].rows[3][2])  # F has no unit
    assert found.tables[1].columns[:5] == ("Of", "By", "First", "Second", "Difference")
    assert len(found.tables[1].rows) == 2 * 2 * 3
    left_out = "one, two: analyses by subjects and by items leave out 1 of 12 subjects without every system: p03"
    assert left_out in found.warnings
    assert {record["alpha"] for record in found.records() if record["statistic"] == "significant pairs"} == {0.01}


def test_rows_of_other_tests_follow_those_of_their_measure() -> None:
    part = subjects_items(crossed_answers(), "value", of="one")
    more = [(name, "mixed model", f, *[None] * 6) for name, f in (("two", 1.0), ("one", 2.0))]
    table = ratios_table([part], more, "A last word.")
    assert [row[:2] for row in table.rows] == [
        *(("one", test) for test in ("F1", "F2", "min F′", "mixed model")),
        ("two", "mixed model"),
    ]
    assert table.note.endswith("A last word.")
    assert tukey_pairs_table([part], 0.05).note.count("95 %") == 1
