from __future__ import annotations

from typing import Any

from textassay.screening.outside_scale import OutsideScale


def test_value_outside_the_scale_is_left_out(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(clarity=9), answered(clarity=4), answered(clarity=2.5, kind="repeat")]
    # three trials of two criteria: six values, of which 9 is above 7 and 2.5 is between two steps
    assert OutsideScale().judge(case(trials), study) == (
        "2 of 6 values are not possible answers; the first: clarity 9 is outside 1 to 7"
    )


def test_so_many_as_allowed_are_tolerated(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(clarity=9), answered(clarity=8)]
    assert OutsideScale(allowed=2).judge(case(trials), study) is None
    assert OutsideScale(allowed=1).judge(case(trials), study) is not None


def test_ends_of_the_scale_and_practice_do_not_matter(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(clarity=1, fluency=0), answered(clarity=7, fluency=100), answered(clarity=99, kind="practice")]
    assert OutsideScale().judge(case(trials), study) is None
