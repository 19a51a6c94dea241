"""All rules of a study over all participants: a verdict each, with its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from textassay.screening.contract import Case
from textassay.screening.finding import Finding, in_english
from textassay.study.study import Study


@dataclass(frozen=True)
class Reason:
    """Why one rule leaves a participant out."""

    rule: str
    """Name of the rule in the study file."""
    text: str
    """The reason with its figures, in words for the report."""
    findings: tuple[Finding, ...] = field(default=(), compare=False)
    """What the words were made of, so that they can be said in other languages too."""


@dataclass(frozen=True)
class Verdict:
    """What the rules say of one participant; the answers stay where they are, whatever it is."""

    participant: str
    valid: bool
    """Whether no rule has anything to say."""
    reasons: tuple[Reason, ...] = ()
    """In the order of the rules in the study file."""


GONE = {"withdrawn": Finding("withdrawn"), "excluded": Finding("excluded")}
"""Why a status alone leaves somebody out, whatever rules the study has."""


def screen(cases: Iterable[Case], study: Study) -> list[Verdict]:
    """The verdict on each participant, in the order given."""
    return [judged(case, study) for case in cases]


def judged(case: Case, study: Study) -> Verdict:
    """The verdict on one participant: every rule is asked, so that all reasons are known."""
    gone = [(case.status, (GONE[case.status],))] if case.status in GONE else []
    found = ((rule.name, tuple(rule.findings(case, study))) for rule in study.rules)
    reasons = tuple(Reason(name, in_english(said), said) for name, said in (*gone, *found) if said)
    return Verdict(case.participant, not reasons, reasons)
