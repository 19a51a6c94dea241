from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.report.numbers import Kind, heading, is_number, is_undefined, kind_of, shown

NAN = math.nan


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("p", Kind.P),
        ("All: p", Kind.P),
        ("p_adjusted", Kind.P),
        ("pairs", Kind.WHOLE),
        ("df 2", Kind.WHOLE),
        ("Median time (ms)", Kind.WHOLE),
        ("ms", Kind.MEASURE),  # a mean square
        ("eta squared", Kind.BOUNDED),
        ("W between", Kind.BOUNDED),
        ("modal_share", Kind.BOUNDED),
        ("Mean", Kind.MEASURE),
        ("F", Kind.MEASURE),
        ("", Kind.MEASURE),
    ],
)
def test_a_column_tells_what_its_numbers_are(column: str, kind: Kind) -> None:
    assert kind_of(column) is kind


@pytest.mark.parametrize(
    ("column", "record", "kind"),
    [
        ("value", {"statistic": "pearson"}, Kind.BOUNDED),
        ("value", {"coefficient": "spearman"}, Kind.BOUNDED),
        ("Kept", {"Statistic": "W"}, Kind.BOUNDED),
        ("Kept", {"Statistic": "mean"}, Kind.MEASURE),
        ("value (all)", {"statistic": "significant pairs"}, Kind.WHOLE),
        ("All: p", {"Statistic": "W"}, Kind.P),
        ("n", {"statistic": "W"}, Kind.WHOLE),
    ],
)
def test_a_general_column_takes_its_kind_from_the_row(column: str, record: dict[str, Any], kind: Kind) -> None:
    assert kind_of(column, record) is kind


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.0, Kind.P, "<.001"),
        (0.00099, Kind.P, "<.001"),
        (0.001, Kind.P, ".001"),
        (0.05, Kind.P, ".050"),
        (0.9996, Kind.P, ">.999"),
        (NAN, Kind.P, "undefined"),
        (-0.5, Kind.BOUNDED, "−.500"),
        (1.0, Kind.BOUNDED, "1.000"),
        (-1.0, Kind.BOUNDED, "−1.000"),
        (12.0, Kind.WHOLE, "12"),
        (12.34, Kind.WHOLE, "12.34"),  # a fractional degree of freedom
        (2345.6, Kind.WHOLE, "2346"),
        (0.0, Kind.MEASURE, "0.00"),
        (0.0004, Kind.MEASURE, "0.0004"),
        (123456789.0, Kind.MEASURE, "1.23e+08"),
        (math.inf, Kind.MEASURE, "∞"),
        (-math.inf, Kind.MEASURE, "−∞"),
        (-3, Kind.WHOLE, "−3"),
        (False, Kind.MEASURE, "no"),
        ("F(1, 4) = 13.50", Kind.MEASURE, "F(1, 4) = 13.50"),
        ((NAN, NAN), Kind.MEASURE, "undefined"),
        ((1.0, NAN), Kind.MEASURE, "1.00 to undefined"),
        ((-1.0, 0.5), Kind.BOUNDED, "−1.000 to .500"),
        (np.float64(4.5678), Kind.MEASURE, "4.57"),
        (np.int64(4), Kind.WHOLE, "4"),
    ],
)
def test_values_are_rounded_by_kind(value: Any, kind: Kind, text: str) -> None:
    assert shown(value, kind) == text


@given(st.floats(min_value=0, max_value=1), st.sampled_from([Kind.P, Kind.BOUNDED]))
def test_what_is_shown_is_within_rounding_of_what_is_meant(value: float, kind: Kind) -> None:
    text = shown(value, kind)
    if text[0] in "<>":
        assert value < 0.001 if text == "<.001" else value > 0.999
    else:
        assert float(text) == pytest.approx(value, abs=0.0005 + 1e-12)


def test_numbers_and_undefined_are_told_from_text() -> None:
    assert [is_number(value) for value in (1, 0.5, NAN, (1, 2.0), np.float64(1))] == [True] * 5
    assert [is_number(value) for value in (None, True, "1", (), ("a", 1))] == [False] * 5
    assert [is_undefined(value) for value in (NAN, (1.0, NAN), np.float64("nan"))] == [True] * 3
    assert [is_undefined(value) for value in (None, "", 0.0, (1.0, 2.0))] == [False] * 4


def test_headings() -> None:
    assert heading("omega2") == "ω²"
    assert heading("All: n") == "All: n"
    assert heading("median_rt_ms") == "median response time (ms)"
