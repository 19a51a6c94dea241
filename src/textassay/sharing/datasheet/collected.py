"""What the answers of a study say for its datasheet: who answered what, and how far people agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textassay.report.summary import ParticipantsSummary
from textassay.results import Analysis, Record, shown

if TYPE_CHECKING:
    import pandas as pd

    from textassay.answers.dataset import Dataset
    from textassay.design.plan import Plan
    from textassay.screening.verdicts import Verdict
    from textassay.study.study import Study
    from textassay.tasks.contract import TrialQuestion

_THEMSELVES = ("share of equal repeats", "mean absolute difference of repeats")


@dataclass(frozen=True)
class Collected:
    """What came in; of people, not of simulated participants."""

    participants: ParticipantsSummary
    outputs: Mapping[str, int]
    """By system the number of texts that at least one valid participant judged."""
    analyses: Mapping[str, Sequence[Analysis]]
    """By block."""
    imported: bool
    """Whether answers came from tables that were collected elsewhere."""


def collected(
    study: Study,
    plan: Plan,
    data: Dataset,
    verdicts: Sequence[Verdict],
    judged: Sequence[pd.DataFrame],
    analyses: Mapping[str, Sequence[Analysis]],
) -> Collected:
    """What the answers say: who gave them, to how many texts, and what was found."""
    from textassay.analysis.report_summary import study_summary  # noqa: PLC0415 -- only where there are answers

    texts = {pair for table in judged for pair in zip(table["item"], table["system"], strict=True)}
    outputs = {system: sum(one == system for _, one in texts) for system in study.systems}
    imported = any(row["participant"] not in data.through_pages for row in data.participants)
    return Collected(study_summary(study, plan, data, verdicts, ()).participants, outputs, analyses, imported)


def agreement_of(analyses: Sequence[Analysis], question: TrialQuestion) -> tuple[str, str]:
    """How agreement between participants on a question was measured, and its size; empty where it was not."""
    wanted = question.elicitation.agreement if question.elicitation is not None else ()
    found = [
        record
        for record in _defined(analyses)
        if record["statistic"] in wanted and (record["of"] == question.name or record["by"] == "text")
    ]
    return _said(found)


def consistency_of(analyses: Sequence[Analysis], question: TrialQuestion, *, alone: bool) -> tuple[str, str]:
    """How agreement of participants with themselves was measured, and its size; empty where it was not.

    Args:
        analyses: Of the block.
        question: The question.
        alone: Whether it is the block's only one, so that all that was repeated is about it.
    """
    found = [
        record
        for record in _defined(analyses)
        if record["statistic"] in _THEMSELVES and (alone or record["of"] == question.name)
    ]
    return _said(found)


def tests_of(analyses: Sequence[Analysis], question: TrialQuestion, *, alone: bool) -> str:
    """The methods whose p or intervals are among the block's main results."""
    main = [record for each in analyses if each.place == "results" for record in each.records()]
    own = [record for record in main if record["of"] == question.name]
    tested = [record for record in (main if alone or not own else own) if record["p"] is not None or record["ci"]]
    return "; ".join(dict.fromkeys(record["method"] for record in tested))


def _defined(analyses: Sequence[Analysis]) -> list[Record]:
    records = [record for each in analyses for record in each.records()]
    return [record for record in records if record["value"] is not None and record["value"] == record["value"]]


def _said(records: Sequence[Record]) -> tuple[str, str]:
    """The methods in words, and the figures; many of one kind, such as one for each text, by their mean and range."""
    kinds: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        name = f"{record['level']} {record['statistic']}" if record.get("level") else record["statistic"]
        kinds.setdefault((record["method"], name), []).append(record)
    figures = []
    for (_, name), own in kinds.items():
        values = [float(record["value"]) for record in own]
        if len(own) == 1:
            interval = f" ({shown(own[0]['ci'])})" if own[0]["ci"] else ""
            figures.append(f"{name} {shown(values[0])}{interval}")
        else:
            mean = sum(values) / len(values)
            figures.append(f"{name} {shown(mean)} on average, {shown(min(values))} to {shown(max(values))}")
    return "; ".join(dict.fromkeys(method for method, _ in kinds)), "; ".join(figures)
