"""The verdict on each participant, from all rules of a study."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from textassay.screening.contract import Case, Rule, RuleFinding, in_english, untranslated
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
_BETWEEN = "; "
"""Between two reasons in a cell of the participants table."""


SIMULATED = "simulated"
"""What excludes simulated participants as soon as real people have completed the study."""


def judge_all(cases: Iterable[Case], study: Study) -> list[Verdict]:
    """The verdict on each participant, in the given order."""
    return [judge(case, study) for case in cases]


def judge(case: Case, study: Study) -> Verdict:
    """The verdict on one participant: every rule is applied, so that all reasons are known."""
    found = [(rule.name, tuple(_findings(rule, case, study))) for rule in study.rules]
    if case.status in EXCLUDING_STATUS:
        found.insert(0, (case.status, (EXCLUDING_STATUS[case.status],)))
    if case.simulated:
        found.insert(0, (SIMULATED, (RuleFinding("simulated"),)))
    reasons = tuple(RuleReason(name, in_english(said), said) for name, said in found if said)
    return Verdict(case.participant, not reasons, reasons)


def _findings(rule: Rule, case: Case, study: Study) -> Iterable[RuleFinding]:
    if rule.name in case.carried:
        earlier = case.carried[rule.name]
        return [untranslated(earlier)] if earlier else []
    return rule.findings(case, study)


def joined_reasons(verdict: Verdict) -> str:
    """All reasons of a verdict in one cell of the participants table; `split_reasons` reads it."""
    return _BETWEEN.join(f"{reason.rule}: {reason.text}" for reason in verdict.reasons)


def split_reasons(cell: str, names: Iterable[str]) -> dict[str, str]:
    """The reasons in a cell of the participants table by rule; a reason may hold the separator itself.

    >>> split_reasons("too-fast: 2 s; below 3 s; incomplete: 1 of 3", ["incomplete", "too-fast"])
    {'too-fast': '2 s; below 3 s', 'incomplete': '1 of 3'}
    """
    rules = "|".join(re.escape(name) for name in names)
    parts = re.split(rf"(?:^|{_BETWEEN})({rules}): ", cell)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
