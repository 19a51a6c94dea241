from __future__ import annotations

from typing import Any

import pytest

from textassay.screening.incomplete import Incomplete


@pytest.mark.parametrize(
    ("share", "answered_trials", "status", "planned", "expected"),
    [
        (1.0, 10, "completed", 10, None),
        (1.0, 10, "active", 10, None),  # all is answered, but for the last page
        (1.0, 9, "active", 10, "9 of 10 trials answered"),
        (0.9, 9, "active", 10, None),  # nine of ten is the share asked for
        (0.9, 8, "active", 10, "8 of 10 trials answered"),
        (1.0, 0, "excluded", 10, None),  # by their status already
        (1.0, 3, "withdrawn", 10, None),
        (1.0, 3, "withdrawn", None, None),
        (1.0, 3, "active", None, "did not finish; 3 trials answered"),  # from a table collected elsewhere
        (0.9, 3, "active", None, None),  # and it may be enough
        (1.0, 3, "completed", None, None),
        (1.0, 3, "", None, None),  # nothing is known about what was planned elsewhere
    ],
)
def test_too_few_trials(
    *,
    study: Any,
    case: Any,
    answered: Any,
    share: float,
    answered_trials: int,
    status: str,
    planned: Any,
    expected: Any,
) -> None:
    person = case([answered()] * answered_trials, status=status, planned=planned)
    assert Incomplete(share=share).judge(person, study) == expected
