"""Displacement and windows."""

from __future__ import annotations

import pytest

from textassay.errors import UsageError
from textassay.ordering import within_window, within_window_batch


def test_windows() -> None:
    # c a b d against a b c d: c is two off, a and b one, d none
    assert [within_window("cabd", "abcd", window=window) for window in (0, 1, 2)] == [0.25, 0.75, 1]
    assert within_window_batch([[2, 0, 1, 3]], window=0).tolist() == [0.25]


@pytest.mark.parametrize("window", [-1, 0.5, True, "1"])
def test_what_is_no_window(window: object) -> None:
    with pytest.raises(UsageError, match="window must be a whole number"):
        within_window("ab", "ab", window=window)  # type: ignore[arg-type]
