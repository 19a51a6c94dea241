from __future__ import annotations

from typing import Any

from textassay.screening.attention_checks import AttentionChecks


def check_trial(answered: Any, clarity: int) -> Any:
    return answered(clarity=clarity, kind="check", item="check-1")


def test_failed_check_is_left_out(study: Any, case: Any, answered: Any) -> None:
    # the small study's check says: choose 2 for clarity; fluency may be anything
    assert AttentionChecks().judge(case([check_trial(answered, 5)]), study) == "1 of 1 attention checks failed"
    assert AttentionChecks().judge(case([check_trial(answered, 2)]), study) is None


def test_so_many_as_allowed_are_tolerated(study: Any, case: Any, answered: Any) -> None:
    trials = [check_trial(answered, clarity) for clarity in (1, 2, 3)]
    assert AttentionChecks(allowed=2).judge(case(trials), study) is None
    assert AttentionChecks(allowed=1).judge(case(trials), study) == "2 of 3 attention checks failed"


def test_nobody_fails_what_was_not_shown(study: Any, case: Any, answered: Any) -> None:
    assert AttentionChecks().judge(case([answered()]), study) is None


def test_needs_a_check_in_some_block(study: Any, load: Any) -> None:
    def without(data: dict[str, Any]) -> None:
        del data["screening"]["attention-checks"], data["blocks"][0]["attention_checks"]

    assert AttentionChecks().check(study) is None
    assert AttentionChecks().check(load(without)) == (
        "no block has attention checks; add 'attention_checks' to a block or remove this rule"
    )


def test_a_rule_that_tolerates_everything_is_told(study: Any) -> None:
    assert AttentionChecks(allowed=1).check(study) == (
        "allows 1 failures, but the study has only 1 attention checks; lower 'allowed'"
    )
