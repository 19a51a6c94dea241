from __future__ import annotations

from dataclasses import replace
from typing import Any

from textassay.screening.incomplete import Incomplete
from textassay.screening.screen import Reason, Verdict
from textassay.screening.summary import counts_by_rule, left_out
from textassay.screening.too_fast import TooFast

VERDICTS = [
    Verdict("p-1", True),
    Verdict("p-2", False, (Reason("too-fast", "fast"), Reason("incomplete", "short"))),
    Verdict("p-3", False, (Reason("incomplete", "short"),)),
]


def test_who_was_left_out_and_why() -> None:
    table = left_out(VERDICTS)
    assert table.columns == ("participant", "rule", "reason")
    assert table.rows == (("p-2", "too-fast", "fast"), ("p-2", "incomplete", "short"), ("p-3", "incomplete", "short"))
    assert table.note == "2 of 3 participants left out; their answers are kept."


def test_counts_by_rule_tell_who_would_stay_without_it(study: Any) -> None:
    table = counts_by_rule(VERDICTS, replace(study, rules=(TooFast(), Incomplete(share=0.5))))
    assert table.rows == (
        ("too-fast", "seconds: 1.0, share: 0.25", 1, 0),
        ("incomplete", "share: 0.5", 2, 1),
    )


def test_rules_that_left_nobody_out_are_shown_too(study: Any) -> None:
    table = counts_by_rule([Verdict("p-1", True)], study)
    assert [row[0] for row in table.rows] == [rule.name for rule in study.rules]
    assert {row[2:] for row in table.rows} == {(0, 0)}
