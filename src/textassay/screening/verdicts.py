"""The verdict on each participant, from all rules of a study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from textassay.screening.contract import Case, RuleFinding, in_english
from textassay.study.study import Study


@dataclass(frozen=True)
class RuleReason:
    """Why one rule excludes a participant."""

    rule: str
    """Name of the rule in the study file."""
    text: str
    """The reason with its figures, in English for the report."""
    findings: tuple[RuleFinding, ...] = field(default=(), compare=False)
    """The findings behind the text, for other languages."""


@dataclass(frozen=True)
class Verdict:
    """The result of screening one participant; answers are kept in any case."""

    participant: str
    valid: bool
    """Whether the participant passed all rules."""
    reasons: tuple[RuleReason, ...] = ()
    """In the order of the rules in the study file."""


EXCLUDING_STATUS = {"withdrawn": RuleFinding("withdrawn"), "excluded": RuleFinding("excluded")}
"""The statuses that exclude a participant whatever rules the study has, each with its reason."""


def judge_all(cases: Iterable[Case], study: Study) -> list[Verdict]:
    """The verdict on each participant, in the given order."""
    return [judge(case, study) for case in cases]


def judge(case: Case, study: Study) -> Verdict:
    """The verdict on one participant: every rule is applied, so that all reasons are known."""
    found = [(rule.name, tuple(rule.findings(case, study))) for rule in study.rules]
    if case.status in EXCLUDING_STATUS:
        found.insert(0, (case.status, (EXCLUDING_STATUS[case.status],)))
    reasons = tuple(RuleReason(name, in_english(said), said) for name, said in found if said)
    return Verdict(case.participant, not reasons, reasons)
