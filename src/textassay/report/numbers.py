"""How numbers and columns are shown: the one place where results are rounded.

Tables hold full numbers; only what people read (page, LaTeX, figures) is rounded here. The format follows from the name
of the column, or from the row's `statistic` where the column is the general `value`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

from textassay.results import RESIDUE

UNDEFINED = "undefined"
MINUS = "−"


class NumberFormat(Enum):
    """How a number is rounded."""

    P = "p"
    """A probability: three decimals without the leading zero, `<.001` below."""
    BOUNDED = "bounded"
    """From -1 to 1, such as correlations and shares: three decimals without the leading zero."""
    WHOLE = "whole"
    """Counts, degrees of freedom, milliseconds: no decimals for whole numbers."""
    MEASURE = "measure"
    """Everything else: two decimals."""


_P = frozenset({"p"})
_BOUNDED = frozenset(
    {"agreement", "alpha", "coefficient", "icc", "kappa", "pearson", "rho", "share", "spearman", "tau", "r", "r2", "w"}
    | {"ceiling", "reliability"}
    | {"eta", "eta2", "omega", "omega2", "α", "η²", "κ", "ρ", "τ", "ω²"}
)
_WHOLE = frozenset({"count", "df", "items", "ms", "n", "pairs", "participants", "place", "raters", "seed", "trials"})
_GENERAL = frozenset({"value", "ci", "low", "high", "interval", "all", "kept"})
"""Columns whose format depends on the statistic of the row."""
_HEADINGS = {
    "ci": "interval",
    "chi2": "χ²",
    "eta2": "η²",
    "f": "F",
    "ms": "MS",
    "omega2": "ω²",
    "q_critical": "critical q",
    "r2": "r²",
    "rt_ms": "response time (ms)",
    "median_rt_ms": "median response time (ms)",
    "sd": "SD",
    "se": "SE",
    "ss": "SS",
    "w": "W",
}


def heading(column: str) -> str:
    """The column's heading for readers.

    >>> [heading(column) for column in ("eta2", "modal_share", "sd", "F")]
    ['η²', 'modal share', 'SD', 'F']
    """
    return _HEADINGS.get(column.casefold(), column.replace("_", " "))


def number_format(column: str, record: Mapping[str, Any] | None = None) -> NumberFormat:
    """The format of a column's numbers.

    >>> number_format("p_raw"), number_format("value", {"statistic": "W"})
    (<NumberFormat.P: 'p'>, <NumberFormat.BOUNDED: 'bounded'>)
    """
    words = _words(column)
    if words & _P:
        return NumberFormat.P
    if words & _GENERAL and record:
        named = {key.casefold(): str(value) for key, value in record.items()}
        words |= _words(named.get("statistic", "")) | _words(named.get("coefficient", ""))
    if column.casefold() != "ms" and (words & _WHOLE or _is_rank(words)):  # MS on its own is a mean square
        return NumberFormat.WHOLE
    return NumberFormat.BOUNDED if words & _BOUNDED else NumberFormat.MEASURE


def _is_rank(words: frozenset[str]) -> bool:
    """Ranks of single systems are whole, but for ties; means of ranks are not."""
    return "rank" in words and "mean" not in words


def format_value(value: Any, kind: NumberFormat = NumberFormat.MEASURE) -> str:
    """A value for readers.

    >>> [format_value(value) for value in (None, True, 3, 4.5678, -0.001234, float("nan"), (5.4, 5.817))]
    ['', 'yes', '3', '4.57', '−0.0012', 'undefined', '5.40 to 5.82']
    >>> [format_value(p, NumberFormat.P) for p in (0.0004, 0.0123, 0.9999, 1.0)]
    ['<.001', '.012', '>.999', '1']
    >>> format_value(-0.3456, NumberFormat.BOUNDED)
    '−.346'
    >>> format_value((7, 888), NumberFormat.WHOLE), format_value(1234.56, NumberFormat.WHOLE)
    ('7, 888', '1235')
    """
    if hasattr(value, "tolist"):  # a NumPy scalar
        value = value.tolist()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return _several(value, kind)
    if isinstance(value, int):
        return str(value).replace("-", MINUS)
    if isinstance(value, float):
        return _number(value, kind)
    return str(value)


def p_in_words(p: float) -> str:
    """A p-value in a sentence.

    >>> [p_in_words(p) for p in (0.0004, 0.0123, float("nan"))]
    ['p < .001', 'p = .012', 'no p']
    """
    if math.isnan(p):
        return "no p"
    shown = format_value(float(p), NumberFormat.P)
    return f"p {shown[0]} {shown[1:]}" if shown[0] in "<>" else f"p = {shown}"


def is_number(value: Any) -> bool:
    """Whether a cell holds a number, or an interval of numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return bool(value) and all(is_number(part) for part in value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_undefined(value: Any) -> bool:
    """Whether a cell holds an undefined number, alone or in an interval."""
    if isinstance(value, (tuple, list)):
        return any(is_undefined(part) for part in value)
    return isinstance(value, float) and math.isnan(value)


def _words(column: str) -> frozenset[str]:
    return frozenset(re.split(r"[\W_]+", column.casefold()))


def _several(values: tuple[Any, ...] | list[Any], kind: NumberFormat) -> str:
    if values and all(is_undefined(value) for value in values):
        return UNDEFINED
    return (", " if kind is NumberFormat.WHOLE else " to ").join(format_value(value, kind) for value in values)


def _number(value: float, kind: NumberFormat) -> str:
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if kind is NumberFormat.P:
        return _probability(value)
    if abs(value) < RESIDUE:
        value = 0.0
    if kind is NumberFormat.WHOLE:
        # a fractional degree of freedom keeps its decimals, a response time does not need any
        text = f"{value:.0f}" if value.is_integer() or abs(value) >= 100 else f"{value:.2f}"
    elif kind is NumberFormat.BOUNDED:
        text = re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}")
    elif 0 < abs(value) < 0.005:
        text = f"{value:.2g}"
    else:
        text = f"{value:.2f}" if abs(value) < 1e7 else f"{value:.3g}"
    return text.replace("-", MINUS)


def _probability(value: float) -> str:
    if value < 0.001:
        return "<.001"
    if value > 0.9995:
        return "1" if value == 1 else ">.999"
    return f"{value:.3f}".removeprefix("0")
