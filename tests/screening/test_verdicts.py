from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from textassay.screening.fake_email import FakeEmail
from textassay.screening.incomplete import Incomplete
from textassay.screening.too_fast import TooFast
from textassay.screening.verdicts import RuleReason, Verdict, judge_all


def test_each_participant_gets_a_verdict_with_all_reasons(study: Any, case: Any, answered: Any) -> None:
    screened = replace(study, rules=(TooFast(), FakeEmail(), Incomplete()))
    plausible = {"email": {"hash": "a", "plausible": True}}
    good = case([answered()] * 3, participant="p-1", planned=3, questionnaire=plausible)
    bad = case(
        [answered(rt_ms=10)] * 2,
        participant="p-2",
        planned=3,
        questionnaire={"email": {"hash": "b", "plausible": False}},
    )
    assert judge_all([bad, good], screened) == [
        Verdict(
            "p-2",
            False,
            (
                RuleReason("too-fast", "2 of 2 trials under 1.0 s"),
                RuleReason("fake-email", "email: not a plausible e-mail address"),
                RuleReason("incomplete", "2 of 3 trials answered"),
            ),
        ),
        Verdict("p-1", True),
    ]


def test_without_rules_whoever_is_still_there_is_valid(study: Any, case: Any) -> None:
    cases = [case(status=status, planned=9) for status in ("active", "completed")]
    assert judge_all(cases, replace(study, rules=())) == [Verdict("p-1", True, ())] * 2


def test_simulated_participants_among_real_ones_are_left_out_whatever_the_rules(study: Any, case: Any) -> None:
    said = "simulated; left out, since real people have completed the study"
    found = judge_all([case(simulated=True), case()], replace(study, rules=()))
    assert found == [Verdict("p-1", False, (RuleReason("simulated", said),)), Verdict("p-1", True)]


@pytest.mark.parametrize("status", ["withdrawn", "excluded"])
def test_whoever_has_gone_is_left_out_whatever_the_rules(study: Any, case: Any, answered: Any, status: str) -> None:
    verdict = judge_all([case(status=status, planned=9)], replace(study, rules=()))[0]
    assert not verdict.valid
    assert [reason.rule for reason in verdict.reasons] == [status]
    hasty = case([answered(rt_ms=10)] * 2, status=status, planned=9)
    reasons = judge_all([hasty], replace(study, rules=(TooFast(),)))[0].reasons
    assert [reason.rule for reason in reasons] == [status, "too-fast"]  # the decisive one first
