from __future__ import annotations

from pathlib import Path
from typing import Any

from together_study import ALL, write_together_study

from textassay.design.plan import Trial
from textassay.screening.constant_answers import ConstantAnswers
from textassay.screening.contract import AnsweredTrial
from textassay.screening.too_fast import TooFast
from textassay.study.load import load_study


def test_too_many_fast_trials_are_left_out(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(rt_ms=400)] * 12 + [answered(rt_ms=8000)] * 18
    assert TooFast().judge(case(trials), study) == "12 of 30 trials under 1.0 s"


def test_share_itself_is_still_tolerated(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(rt_ms=999.9)] * 2 + [answered(rt_ms=1000)] * 6
    assert TooFast(share=0.25).judge(case(trials), study) is None
    assert TooFast(share=0.24).judge(case(trials), study) == "2 of 8 trials under 1.0 s"


def test_median_is_looked_at_where_asked(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(rt_ms=time) for time in (1100, 1500, 1900, 30000)]
    # the median of four times is the mean of the middle two: (1.5 + 1.9) / 2 = 1.7 s
    assert TooFast(median=2).judge(case(trials), study) == "median time 1.70 s, under 2.0 s"
    assert TooFast(median=1.7).judge(case(trials), study) is None
    assert TooFast().judge(case(trials), study) is None


def test_both_reasons_are_told(study: Any, case: Any, answered: Any) -> None:
    assert TooFast(median=2).judge(case([answered(rt_ms=500)] * 4), study) == (
        "4 of 4 trials under 1.0 s; median time 0.50 s, under 2.0 s"
    )


def test_unknown_times_and_other_trials_do_not_count(study: Any, case: Any, answered: Any) -> None:
    unknown = [answered(rt_ms=None)] * 5
    practice = [answered(rt_ms=10, kind=kind) for kind in ("practice", "check", "repeat")]
    assert TooFast().judge(case(unknown + practice), study) is None
    assert TooFast().judge(case([*unknown, answered(rt_ms=10)]), study) == "1 of 1 trials under 1.0 s"


def test_pages_with_several_texts_take_longer(case: Any, tmp_path: Path) -> None:
    study = load_study(write_together_study(tmp_path))
    block = study.blocks[0]
    trial = Trial("quality-1", "quality", "main", 1, "i1", ALL, {"order": [0, 1, 2]})
    rows = block.task.rows(trial, {"ratings": {"1.clarity": 3, "2.clarity": 3, "3.clarity": 5}})
    trials = [AnsweredTrial(block, "main", rows, rt_ms) for rt_ms in (2900.0, 3000.0)]
    assert TooFast().judge(case(trials), study) == "1 of 2 pages under 1.0 s for each text"
    assert "in less than 1 s for each text on a page" in TooFast().criterion(study)
    assert "(or all texts of a page the same)" in ConstantAnswers().criterion(study)
