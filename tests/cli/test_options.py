"""Options that several commands share, as they are typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("order", "counts", "2.5"), "'2.5' is not a whole number"),
        (("order", "counts", "4", "--bins", "1e1"), "--bins: '1e1' is not a whole number"),
        (("power", "study", "-n", "20.5"), '"20.5" into int'),
        (("serve", "study", "-p", "80.80"), "-p: '80.80' is not a whole number"),
        (("score", "t.csv", "--jobs", "two"), "--jobs: 'two' is not a whole number"),
    ],
)
def test_whole_numbers_are_not_rounded(textassay: Callable[..., Any], arguments: tuple[str, ...], named: str) -> None:
    ran = textassay(*arguments)
    assert ran.code == 2
    assert named in ran.err


def test_whole_numbers_are_taken(textassay: Callable[..., Any]) -> None:
    assert "24 orders in all" in textassay("order", "counts", "4").out
