from __future__ import annotations

from typing import Any

from textassay.screening.constant_answers import ConstantAnswers


def test_same_answer_throughout_is_left_out(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(clarity=4, fluency=50) for _ in range(6)]
    assert ConstantAnswers().judge(case(trials), study) == "the same answer in 6 of 6 trials of block quality"


def test_one_different_answer_is_enough(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(clarity=4, fluency=50) for _ in range(6)]
    assert ConstantAnswers().judge(case([*trials, answered(clarity=4, fluency=51)]), study) is None


def test_a_smaller_share_can_be_asked_for(study: Any, case: Any, answered: Any) -> None:
    trials = [answered(clarity=4) for _ in range(9)] + [answered(clarity=5)]
    assert ConstantAnswers(share=0.9).judge(case(trials), study) == (
        "the same answer in 9 of 10 trials of block quality"
    )
    assert ConstantAnswers(share=0.95).judge(case(trials), study) is None


def test_few_trials_say_nothing(study: Any, case: Any, answered: Any) -> None:
    assert ConstantAnswers(trials=5).judge(case([answered()] * 4), study) is None
    assert ConstantAnswers(trials=4).judge(case([answered()] * 4), study) is not None
    assert ConstantAnswers().judge(case(), study) is None


def test_only_main_trials_count(study: Any, case: Any, answered: Any) -> None:
    others = [answered(clarity=2, kind="check"), answered(clarity=6, kind="practice")]
    assert ConstantAnswers().judge(case([answered()] * 5 + others), study) is not None
    assert ConstantAnswers().judge(case([answered(kind="repeat")] * 9), study) is None
