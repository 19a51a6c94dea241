"""Who was excluded, and why, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from textassay.results import Table
from textassay.screening.verdicts import Verdict
from textassay.study.study import Study


def excluded_participants(verdicts: Sequence[Verdict]) -> Table:
    """Everybody who was excluded: one row per reason."""
    rows = tuple((verdict.participant, reason.rule, reason.text) for verdict in verdicts for reason in verdict.reasons)
    gone = sum(not verdict.valid for verdict in verdicts)
    note = f"{gone} of {len(verdicts)} participants excluded; their answers are kept."
    return Table("excluded", "Who was excluded, and why", ("participant", "rule", "reason"), rows, note)


def counts_by_rule(verdicts: Sequence[Verdict], study: Study) -> Table:
    """How many participants each rule of the study excluded, and how many it alone did."""
    rows = []
    for rule in study.rules:
        hit = [{reason.rule for reason in verdict.reasons} for verdict in verdicts]
        found = sum(rule.name in names for names in hit)
        alone = sum(names == {rule.name} for names in hit)
        settings = ", ".join(f"{key}: {value}" for key, value in rule.model_dump(exclude_none=True).items())
        rows.append((rule.name, settings, found, alone))
    gone = sum(not verdict.valid for verdict in verdicts)
    note = f"{gone} of {len(verdicts)} participants excluded; one participant may break several rules."
    columns = ("rule", "settings", "participants", "by this rule alone")
    return Table("screening", "How many participants each rule excluded", columns, tuple(rows), note)
