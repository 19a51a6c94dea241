"""What a report is made from, as plain values: the study, its participants, its settings and its findings."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from textassay.analysis.letters import with_letters
from textassay.analysis.methods_section import methods_section
from textassay.analysis.report_appendix import (
    asked_of_participants,
    checksums,
    commands_to_redo,
    shown_pages,
    without_codes,
)
from textassay.analysis.screening_tables import excluded_participants
from textassay.report.summary import (
    BalanceRow,
    BlockSummary,
    DesignSummary,
    ParticipantsSummary,
    QuestionSummary,
    Section,
    SettingsSummary,
    StudySummary,
)
from textassay.results import Analysis, Table
from textassay.screening.verdicts import SIMULATED
from textassay.study.model import ChoiceField, NumberField
from textassay.study.overview import plan_warnings
from textassay.study.planning import proofs

if TYPE_CHECKING:
    from textassay.answers.dataset import Dataset
    from textassay.design.plan import Plan
    from textassay.screening.contract import Case
    from textassay.screening.verdicts import Verdict
    from textassay.study.study import Block, Study

_PACKAGES = ("textassay", "numpy", "scipy", "pandas", "matplotlib", "sqlalchemy", "starlette")
_AGE_BANDS = 6


def study_summary(
    study: Study,
    plan: Plan,
    data: Dataset,
    verdicts: Sequence[Verdict],
    sections: Sequence[Section],
    scores: Sequence[Mapping[str, Any]] = (),
) -> StudySummary:
    """All that a report says besides the findings themselves; `scores` are rows of the scores table."""
    people = _participants(study, data, verdicts)
    return StudySummary(
        title=study.file.title,
        language=study.file.language,
        participants=people,
        settings=_settings(study, sections, rehearsal=all(row.get("simulated") for row in data.participants)),
        made_at=datetime.now(UTC),
        blocks=tuple(_blocks(study)),
        designs=tuple(_designs(study, plan)),
        exclusions=excluded_participants(verdicts),
        systems=tuple(study.systems),
        alerts=tuple(_alerts(study, data, verdicts)),
        warnings=(*plan_warnings(study, plan), *_beyond_plan(data, verdicts)),
        methods=methods_section(study, plan, data, verdicts, people, sections, scores),
        pages=tuple(shown_pages(study)),
        questionnaire=tuple(asked_of_participants(study)),
    )


def report_sections(findings: Mapping[str, Sequence[Analysis]], agreement: Mapping[str, Analysis]) -> list[Section]:
    """The report's sections: each analysis of each block, then the metrics; many systems are shown by letters."""
    several = len(findings) > 1
    found = [(block, analysis) for block, analyses in findings.items() for analysis in analyses]
    return [
        Section(analysis.title, with_letters(analysis), block if several else "")
        for block, analysis in [*found, *agreement.items()]
    ]


def _alerts(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> Iterable[str]:
    """Simulated participants, recruiting that goes on, files that were edited after people began."""
    yield from _simulated(data, verdicts)
    valid, wanted = sum(verdict.valid for verdict in verdicts), sum(cohort.wanted for cohort in study.cohorts)
    if valid < wanted:
        yield f"Recruiting is unfinished: the results are based on {valid} of {wanted} wanted participants."
    yield from (f"{text}." for text in data.warnings)


def _simulated(data: Dataset, verdicts: Sequence[Verdict]) -> Iterable[str]:
    """How many participants are simulated, and whether the results rest on them."""
    simulated = {row["participant"] for row in data.participants if row.get("simulated")}
    everyone = len(data.participants)
    if not simulated:
        return
    if len(simulated) == everyone:
        yield f"All {everyone} participants are simulated: these figures say nothing about the texts."
    elif not any(reason.rule == SIMULATED for verdict in verdicts for reason in verdict.reasons):
        yield (
            f"{len(simulated)} of {everyone} participants are simulated, and no real participant has completed the "
            "study yet: these figures say nothing about the texts."
        )
    else:
        yield (
            f"{len(simulated)} of {everyone} participants are simulated. They are left out of all results, which "
            "rest on real participants alone."
        )


def _beyond_plan(data: Dataset, verdicts: Sequence[Verdict]) -> Iterable[str]:
    """Where more people are in the results than the plan counts, its balance is not that of the results."""
    valid = {verdict.participant for verdict in verdicts if verdict.valid}
    counted = {row["participant"] for row in data.participants if row.get("counted")}
    if counted and valid != counted:
        yield (
            f"the balance shown is that of the plan, which holds over the {len(counted)} participants that it counts; "
            f"the results rest on all {len(valid)} valid ones"
        )


def _participants(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> ParticipantsSummary:
    valid = {verdict.participant for verdict in verdicts if verdict.valid}
    people = [row for row in data.participants if row["participant"] in valid]
    minutes = sorted(_minutes(case) for case in data.cases if case.participant in valid)
    return ParticipantsSummary(
        by_status=dict(Counter(str(row.get("status") or "unknown") for row in data.participants)),
        included=len(valid),
        excluded=len(verdicts) - len(valid),
        reasons=dict(Counter(reason.rule for verdict in verdicts for reason in verdict.reasons)),
        wanted=sum(cohort.wanted for cohort in study.cohorts),
        minutes=median(minutes) if minutes else None,
        minutes_range=(minutes[0], minutes[-1]) if minutes else None,
        demographics=tuple(_demographics(study, people)),
    )


def _minutes(case: Case) -> float:
    """Time spent on trials: what a person did between two pages is not part of the study."""
    return sum(trial.rt_ms or 0.0 for trial in case.trials) / 60_000


def _demographics(study: Study, people: Sequence[dict[str, Any]]) -> Iterable[Table]:
    """Counts of the answers to each question that does not identify a participant."""
    for asked in study.file.questionnaire:
        note = ""
        answers = [row[asked.name] for row in people if row.get(asked.name) not in (None, "")]
        if isinstance(asked, ChoiceField):
            counts = Counter(answers)
            rows = tuple((choice, counts[choice]) for choice in asked.choices)
        elif isinstance(asked, NumberField) and answers:
            numbers = [float(answer) for answer in answers]
            rows, note = (
                tuple(_banded(numbers)),
                f"Mean {mean(numbers):.1f}, range {min(numbers):g} to {max(numbers):g}.",
            )
        else:
            continue
        missing = len(people) - len(answers)
        rows += (("no answer", missing),) if missing else ()
        yield Table(f"participants-{asked.name}", asked.question, (asked.name, "participants"), rows, note)


def _banded(values: Sequence[float]) -> Iterable[tuple[str, int]]:
    """Numbers in bands of ten (or of 1, 2, 5, 20 …), few enough to read."""
    low, high = min(values), max(values)
    width = next(
        step
        for power in count()
        for step in (10**power, 2 * 10**power, 5 * 10**power)
        if (high - low) / step <= _AGE_BANDS
    )
    counts = Counter(int(value // width) for value in values)
    for band in range(min(counts), max(counts) + 1):
        first, last = band * width, (band + 1) * width - 1
        yield (f"{first}" if width == 1 else f"{first} to {last}"), counts[band]


def _settings(study: Study, sections: Sequence[Section], *, rehearsal: bool) -> SettingsSummary:
    signatures = dict.fromkeys(result.signature for section in sections for result in section.analysis.results)
    return SettingsSummary(
        study_file=_study_file(study),
        seed=study.file.seed,
        versions={"Python": platform.python_version(), **{name: version(name) for name in _PACKAGES}},
        signatures=tuple(signatures),
        commands=tuple(commands_to_redo(study, rehearsal=rehearsal)),
        checksums=checksums(study),
    )


def _study_file(study: Study) -> str:
    """The study file's text, with the codes at the end hidden."""
    return without_codes(study, (study.directory / "study.yaml").read_text(encoding="utf-8"))


def _blocks(study: Study) -> Iterable[BlockSummary]:
    for block in study.blocks:
        questions = tuple(QuestionSummary(each.name, each.question, each.answer) for each in block.task.questions())
        yield BlockSummary(block.name, block.task.title, questions, tuple(_notes(block)))


def _notes(block: Block) -> Iterable[str]:
    design = block.settings.design
    if block.practice:
        yield f"Practice trials first: {len(block.practice)}."
    if block.task.attention_items():
        yield f"Attention checks: {len(block.task.attention_items())}."
    if design.repeats:
        yield f"Trials shown a second time: {design.repeats}."
    yield {
        "random": "Order of trials random for each participant.",
        "williams": "Order of trials by Williams squares.",
        "given": "Trials in the order that the table of who sees what gives.",
    }.get("given" if block.task.scheme().ordered else design.order, "Trials in the order of the items table.")


def _designs(study: Study, plan: Plan) -> Iterable[DesignSummary]:
    for proof in proofs(study, plan):
        rows = tuple(BalanceRow(line.what, line.least, line.most) for line in proof.balance.lines)
        remedies = tuple(map(str, proof.balance.remedies))
        name = f"{proof.block}, {proof.cohort}" if proof.cohort else proof.block
        yield DesignSummary(name, proof.balance.squares, proof.balance.trials, rows, remedies)
