"""`textassay screen`: how many each rule excludes, and who that is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textassay import pipeline

Command = Callable[..., Any]


def test_everybody_who_is_excluded_is_listed_and_counted(textassay: Command, answered: Path) -> None:
    study = pipeline.load(answered)
    verdicts = pipeline.screen(study, pipeline.collect(study))
    records = json.loads(textassay("screen", answered, "-f", "json").out)
    listed = [(row["participant"], row["rule"], row["reason"]) for row in records if row["table"] == "excluded"]
    assert listed == [(each.participant, why.rule, why.text) for each in verdicts for why in each.reasons]
    assert listed
    counted = {row["rule"]: row["participants"] for row in records if row["table"] == "screening"}
    assert counted == {rule.name: sum(name == rule.name for _, name, _ in listed) for rule in study.rules}
    gone = sum(not verdict.valid for verdict in verdicts)
    assert f"{gone} of {len(verdicts)} participants excluded" in textassay("screen", answered).out
