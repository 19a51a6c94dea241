from __future__ import annotations

import pytest

from textassay.durations import duration


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (8.25, "8.2 seconds"),
        (24.6, "25 seconds"),
        (119.4, "119 seconds"),
        (119.5, "2.0 minutes"),  # not 120 seconds
        (597, "9.9 minutes"),
        (597.6, "10 minutes"),  # not 10.0
        (3900, "65 minutes"),
    ],
)
def test_few_digits_and_the_unit_that_suits(seconds: float, said: str) -> None:
    assert str(duration(seconds)) == said
