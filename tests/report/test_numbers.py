from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.report.numbers import NumberFormat, format_value, heading, is_number, is_undefined, number_format

NAN = math.nan


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("p", NumberFormat.P),
        ("All: p", NumberFormat.P),
        ("p_raw", NumberFormat.P),
        ("pairs", NumberFormat.WHOLE),
        ("df 2", NumberFormat.WHOLE),
        ("Median time (ms)", NumberFormat.WHOLE),
        ("ms", NumberFormat.MEASURE),  # a mean square
        ("eta squared", NumberFormat.BOUNDED),
        ("W between", NumberFormat.BOUNDED),
        ("modal_share", NumberFormat.BOUNDED),
        ("Mean", NumberFormat.MEASURE),
        ("F", NumberFormat.MEASURE),
        ("", NumberFormat.MEASURE),
    ],
)
def test_a_column_tells_what_its_numbers_are(column: str, kind: NumberFormat) -> None:
    assert number_format(column) is kind


@pytest.mark.parametrize(
    ("column", "record", "kind"),
    [
        ("value", {"statistic": "pearson"}, NumberFormat.BOUNDED),
        ("value", {"coefficient": "spearman"}, NumberFormat.BOUNDED),
        ("Kept", {"Statistic": "W"}, NumberFormat.BOUNDED),
        ("Kept", {"Statistic": "mean"}, NumberFormat.MEASURE),
        ("value (all)", {"statistic": "significant pairs"}, NumberFormat.WHOLE),
        ("All: p", {"Statistic": "W"}, NumberFormat.P),
        ("n", {"statistic": "W"}, NumberFormat.WHOLE),
    ],
)
def test_a_general_column_takes_its_kind_from_the_row(column: str, record: dict[str, Any], kind: NumberFormat) -> None:
    assert number_format(column, record) is kind


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.0, NumberFormat.P, "<.001"),
        (0.00099, NumberFormat.P, "<.001"),
        (0.001, NumberFormat.P, ".001"),
        (0.05, NumberFormat.P, ".050"),
        (0.9994, NumberFormat.P, ".999"),
        (0.9996, NumberFormat.P, ">.999"),
        (NAN, NumberFormat.P, "undefined"),
        (-0.5, NumberFormat.BOUNDED, "−.500"),
        (1.0, NumberFormat.BOUNDED, "1.000"),
        (-1.0, NumberFormat.BOUNDED, "−1.000"),
        (12.0, NumberFormat.WHOLE, "12"),
        (12.34, NumberFormat.WHOLE, "12.34"),  # a fractional degree of freedom
        (99.6, NumberFormat.WHOLE, "99.60"),
        (100.4, NumberFormat.WHOLE, "100"),
        (2345.6, NumberFormat.WHOLE, "2346"),
        (0.0, NumberFormat.MEASURE, "0.00"),
        (0.1 + 0.2 - 0.3, NumberFormat.MEASURE, "0.00"),  # 5.6e-17
        (0.3 - 0.2 - 0.1, NumberFormat.BOUNDED, ".000"),  # -2.8e-17
        (0.0004, NumberFormat.MEASURE, "0.0004"),
        (-0.0049, NumberFormat.MEASURE, "−0.0049"),
        (-0.006, NumberFormat.MEASURE, "−0.01"),
        (9999999.0, NumberFormat.MEASURE, "9999999.00"),
        (123456789.0, NumberFormat.MEASURE, "1.23e+08"),
        (math.inf, NumberFormat.MEASURE, "∞"),
        (-math.inf, NumberFormat.MEASURE, "−∞"),
        (-3, NumberFormat.WHOLE, "−3"),
        (False, NumberFormat.MEASURE, "no"),
        ("F(1, 4) = 13.50", NumberFormat.MEASURE, "F(1, 4) = 13.50"),
        ((NAN, NAN), NumberFormat.MEASURE, "undefined"),
        ((1.0, NAN), NumberFormat.MEASURE, "1.00 to undefined"),
        ((-1.0, 0.5), NumberFormat.BOUNDED, "−1.000 to .500"),
        (np.float64(4.5678), NumberFormat.MEASURE, "4.57"),
        (np.int64(4), NumberFormat.WHOLE, "4"),
    ],
)
def test_values_are_rounded_by_kind(value: Any, kind: NumberFormat, text: str) -> None:
    assert format_value(value, kind) == text


@given(st.floats(min_value=0, max_value=1), st.sampled_from([NumberFormat.P, NumberFormat.BOUNDED]))
def test_what_is_shown_is_within_rounding_of_what_is_meant(value: float, kind: NumberFormat) -> None:
    text = format_value(value, kind)
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
