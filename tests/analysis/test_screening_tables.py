from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay.analysis.screening_tables import counts_by_rule, excluded_participants
from textassay.screening.incomplete import Incomplete
from textassay.screening.too_fast import TooFast
from textassay.screening.verdicts import RuleReason, Verdict
from textassay.study.load import load_study
from textassay.study.study import Study

VERDICTS = [
    Verdict("p-1", True),
    Verdict("p-2", False, (RuleReason("too-fast", "fast"), RuleReason("incomplete", "short"))),
    Verdict("p-3", False, (RuleReason("incomplete", "short"),)),
]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return load_study(write_small_study(tmp_path))


def test_who_was_excluded_and_why() -> None:
    table = excluded_participants(VERDICTS)
    assert table.columns == ("participant", "rule", "reason")
    assert table.rows == (("p-2", "too-fast", "fast"), ("p-2", "incomplete", "short"), ("p-3", "incomplete", "short"))
    assert table.note == "2 of 3 participants excluded; their answers are kept."


def test_counts_by_rule_tell_who_would_stay_without_it(study: Study) -> None:
    table = counts_by_rule(VERDICTS, replace(study, rules=(TooFast(), Incomplete(share=0.5))))
    assert table.rows == (
        ("too-fast", "seconds: 1.0, share: 0.25", 1, 0),
        ("incomplete", "share: 0.5", 2, 1),
    )
    assert table.columns == ("rule", "settings", "participants", "by this rule alone")
    assert table.note == "2 of 3 participants excluded; one participant may break several rules."


def test_rules_that_excluded_nobody_are_shown_too(study: Study) -> None:
    table = counts_by_rule([Verdict("p-1", True)], study)
    assert [row[0] for row in table.rows] == [rule.name for rule in study.rules]
    assert {row[2:] for row in table.rows} == {(0, 0)}
