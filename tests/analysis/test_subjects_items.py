"""One measure by subjects and by items: which answers can be used, how the factor lies, which error term."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from crossed_data import crossed_answers
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from textassay.analysis.subjects_items import SubjectsItems, subjects_items


def compared(frame: pd.DataFrame, **options: object) -> SubjectsItems:
    return subjects_items(frame, "value", of="value", **options)  # type: ignore[arg-type]


def by_name(found: SubjectsItems) -> dict[str, tuple[float, float]]:
    return {line.test: line.df for line in found.lines}


def test_nothing_is_left_out_where_nothing_is_missing() -> None:
    found = compared(crossed_answers())
    assert by_name(found)["F1"] == (2, 22)
    assert not any("leave out" in text for text in found.warnings)
    assert found.p == found.lines[-1].p


def test_incomplete_participants_and_then_incomplete_items_are_left_out() -> None:
    frame = crossed_answers()
    # p00 has no answer with a; then only p03, p06, p09 saw i0 with a, and without their answers i0 has none
    gone = (frame["participant"] == "p00") & (frame["system"] == "a")
    gone |= frame["participant"].isin(["p03", "p06", "p09"]) & (frame["item"] == "i0")
    found = compared(frame[~gone])
    assert by_name(found)["F1"] == (2, 20)
    assert by_name(found)["F2"] == (2, 8)
    assert found.warnings[:2] == (
        "analyses by subjects and by items leave out 1 of 12 subjects without every system: p00",
        "analyses by subjects and by items leave out 1 of 6 items without every system: i0",
    )


def test_missing_values_are_counted() -> None:
    frame = crossed_answers()
    frame.loc[3, "value"] = math.nan
    assert "1 of 72 answers have no value; they are omitted" in compared(frame).warnings


def test_system_between_participants() -> None:
    # by-subject means: a 1, 2; b 4, 5: SS between 9 on 1, within 1 on 2, F = 9 / .5
    rows = [("p1", "a", 1), ("p2", "a", 2), ("p3", "b", 4), ("p4", "b", 5)]
    frame = pd.DataFrame(
        [{"participant": p, "item": i, "system": s, "value": v} for p, s, v in rows for i in ("i", "j")]
    )
    found = compared(frame.assign(value=frame["value"] + (frame["item"] == "j") * frame["value"] * 0.1))
    f1 = found.lines[0]
    assert (f1.test, f1.df, f1.f) == ("F1", (1, 2), pytest.approx(18))
    assert by_name(found)["F2"] == (1, 1)  # within the two items


def test_versions_can_be_items_of_their_own() -> None:
    """Lapata (2006), experiment 1: the factor between items although every text comes in all versions."""
    assert by_name(compared(crossed_answers(), across_items="between"))["F2"] == (2, 15)  # 18 versions in 3 groups
    assert by_name(compared(crossed_answers(), across_items="within"))["F2"] == (2, 10)


def test_by_subjects_stands_alone_where_items_cannot() -> None:
    frame = crossed_answers()
    frame = frame.assign(item=frame["item"] + frame["system"].where(frame["system"] != "c", "b"))
    found = compared(frame)
    assert by_name(found) == {"F1": (2, 22)}
    assert found.p == found.lines[0].p
    assert found.warnings == (
        "F by items is undefined: fewer than 2 of them have every system",
        "min F′ is undefined: it needs two participants and two items with every system",
    )
    assert set(found.pairs) == {"subjects"}
    assert found.results[0].records()[0]["of"] == "value, by subjects"


def test_one_mean_each_by_items_alone() -> None:
    # everybody answers once: nobody has two systems, so by subjects the system lies between
    frame = crossed_answers().assign(participant=[f"p{n}" for n in range(72)])
    assert by_name(compared(frame))["F1"] == (2, 69)


def test_nothing_to_compare() -> None:
    found = compared(crossed_answers().assign(system="a"))
    assert (found.lines, found.warnings) == ((), ("there is one system only, so nothing is compared",))
    assert math.isnan(found.p)


def test_pairs_are_not_made_unless_asked_for() -> None:
    assert compared(crossed_answers(), alpha=None).pairs == {}


def test_pairs_are_measured_by_the_error_of_their_analysis() -> None:
    found = compared(crossed_answers())
    for over, column in (("subjects", "participant"), ("items", "item")):
        cells = crossed_answers().pivot_table(index=column, columns="system", values="value").to_numpy()
        left = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
        n, k = cells.shape
        df = (n - 1) * (k - 1)
        hsd = stats.studentized_range.ppf(0.95, k, df) * math.sqrt((left**2).sum() / df / n)
        assert found.pairs[over].hsd == pytest.approx(hsd, rel=1e-6)


@given(st.integers(0, 10_000), st.floats(0.1, 100), st.floats(-1000, 1000))
def test_neither_unit_nor_order_of_rows_nor_names_matter(seed: int, scale: float, shift: float) -> None:
    frame, random = crossed_answers(), np.random.default_rng(seed)
    other = frame.assign(value=scale * frame["value"] + shift).iloc[random.permutation(len(frame))]
    names = dict(zip("abc", random.permutation(["z", "y", "x"]), strict=True))
    other = other.assign(system=other["system"].map(names))
    for one, two in zip(compared(frame, alpha=None).lines, compared(other, alpha=None).lines, strict=True):
        assert two.f == pytest.approx(one.f, rel=1e-6)
        assert two.p == pytest.approx(one.p, rel=1e-6)


def test_leaving_out_goes_on_until_everybody_left_has_every_system_and_names_five() -> None:
    # i0 lacks b; without it p0 lacks a; without p0, i1 lacks b; without that p1 lacks a ... down to nobody of the chain
    chain = [(f"p{n}", f"i{n}", "a") for n in range(6)] + [(f"p{n}", f"i{n + 1}", "b") for n in range(6)]
    rest = [(f"q{p}", f"j{i}", "ab"[(p + i) % 2]) for p in range(4) for i in range(4)]
    rows = [(*row, float((n * n) % 7)) for n, row in enumerate(chain + rest)]
    found = compared(pd.DataFrame(rows, columns=["participant", "item", "system", "value"]))
    assert by_name(found) == {"F1": (1, 3), "F2": (1, 3), "min F′": by_name(found)["min F′"]}
    left_out = "analyses by subjects and by items leave out"
    assert found.warnings[:2] == (
        f"{left_out} 6 of 10 subjects without every system: p0, p1, p2, p3, p4 and 1 more",
        f"{left_out} 7 of 11 items without every system: i0, i1, i2, i3, i4 and 2 more",
    )
