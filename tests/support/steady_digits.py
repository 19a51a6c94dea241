"""Examples that do not rest on the last digit: 4.875 shows as 4.88 on one processor and as 4.87 on another."""

from __future__ import annotations

import math
from typing import Any

import pytest

NEAR = 1e-7
"""How near a tie may be, in units of the last digit shown; sums in another order differ by far less."""


def no_tie(value: Any, digits: int) -> None:
    """Fail if the value lies halfway between two numbers with so many decimals."""
    if isinstance(value, float) and math.isfinite(value):
        scaled = abs(value) * 10.0**digits
        tie = abs(scaled - math.floor(scaled) - 0.5) < NEAR
        assert not tie, f"{value!r} shown with {digits} decimals rests on its last digit; choose another number"


def steady_round(value: Any, digits: int | None = None) -> Any:
    """`round` for examples."""
    if digits is not None:
        no_tie(value, digits)
    return round(value, digits)


def refuse_ties(patch: pytest.MonkeyPatch) -> None:
    """Also refuse ties in the tables of the command line and in rounded data frames."""
    import pandas as pd

    from textassay import results

    number, rounded = results._number, pd.DataFrame.round

    def steady_number(value: float) -> str:
        if value and math.isfinite(value):
            no_tie(value, 1 if abs(value) >= 1000 else 3 - math.floor(math.log10(abs(value))))
        return number(value)

    def steady_frame(frame: pd.DataFrame, decimals: int = 0) -> pd.DataFrame:
        for value in frame.select_dtypes("number").to_numpy(float).ravel().tolist():
            no_tie(value, decimals)
        return rounded(frame, decimals)

    patch.setattr(results, "_number", steady_number)
    patch.setattr(pd.DataFrame, "round", steady_frame)
