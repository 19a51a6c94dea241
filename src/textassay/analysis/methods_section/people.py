"""Who took part, who was excluded and why, and what is missing, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textassay.durations import duration
from textassay.prose import counted, listed, number, quoted
from textassay.screening.verdicts import SIMULATED
from textassay.study.model import EmailField

if TYPE_CHECKING:
    from textassay.answers.dataset import Dataset
    from textassay.report.summary import ParticipantsSummary
    from textassay.results import Table
    from textassay.screening.contract import Case
    from textassay.screening.verdicts import Verdict
    from textassay.study.study import Study

REHEARSED = (
    "The answers of this report come from simulated participants, a rehearsal of the study: its results say nothing "
    "about the texts."
)
_PLATFORMS = {"prolific": "Prolific", "mturk": "Amazon Mechanical Turk"}
_OUTCOMES = {
    "withdrawn": "withdrew their answers",
    "excluded": "gave an excluding answer in the questionnaire",
    SIMULATED: "had been simulated in a rehearsal",
}
"""What people did whom their status excludes."""


def participant_sentences(study: Study, people: ParticipantsSummary, simulated: int = 0) -> Iterator[str]:
    """How many took part, from where, what they said about themselves, how long it took.

    Args:
        study: The study.
        people: Who answered.
        simulated: How many of them are simulated.
    """
    began = sum(people.by_status.values())
    if simulated and simulated == began:
        yield REHEARSED
    elif simulated:
        yield f"Of the {began:,} participants, {number(simulated)} {'was' if simulated == 1 else 'were'} simulated."
    cohorts = study.file.participants.cohorts
    groups = f" ({listed(f'{each.name} {each.wanted}' for each in cohorts)})" if cohorts else ""
    planned = "" if people.wanted is None else f"; {number(people.wanted)} were planned{groups}"
    yield f"In total, {counted(began, 'participant')} began the study{planned}."
    source = _source(study)
    if source:
        yield source
    if study.file.questionnaire:
        asked = listed(quoted(field.question) for field in study.file.questionnaire)
        yield f"The questionnaire asked: {asked}."
    if any(isinstance(field, EmailField) for field in study.file.questionnaire):
        yield "E-mail addresses were kept only as keyed hashes, to recognise people who took part before."
    told = [_answers(table) for table in people.demographics]
    if told and people.included:
        yield f"Answers of the {counted(people.included, 'participant')} in the analysis: {'; '.join(told)}."
    if people.minutes is not None:
        yield f"Their trials took a median of {duration(60 * people.minutes)}{_range(people.minutes_range)}."


def _range(ends: tuple[float, float] | None) -> str:
    if ends is None:
        return ""
    low, high = (duration(60 * end) for end in ends)
    return f" (range {low.number if low.unit == high.unit else low} to {high})"


def _source(study: Study) -> str:
    wanted = study.file.participants
    if wanted.platform is not None:
        return f"They were recruited through {_PLATFORMS[wanted.platform]}."
    return "They came through a platform that passed an identifier in the link." if wanted.id_parameter else ""


def _answers(table: Table) -> str:
    """One question: mean and range of numbers, counts of choices; choices that nobody made are left out."""
    name = table.columns[0].replace("_", " ")
    if table.note:
        missing = [f"{row[1]} without an answer" for row in table.rows if row[0] == "no answer"]
        return f"{name}: {', '.join([table.note.removesuffix('.').lower(), *missing])}"
    return f"{name}: {', '.join(f'{answer} {count}' for answer, count in table.rows if count)}"


def screening_sentences(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The rules, each with its limits; how many they excluded; what is missing of those who are left."""
    criteria = [rule.criterion(study) for rule in study.rules]
    if criteria:
        yield f"Participants were excluded from the analysis if they {'; if they '.join(criteria)}."
    else:
        yield "No screening rule was applied."
    yield _excluded(study, verdicts)
    yield f"The analysis rests on {counted(sum(each.valid for each in verdicts), 'participant')}."
    missing = _missing(data, verdicts)
    if missing:
        yield missing


def _excluded(study: Study, verdicts: Sequence[Verdict]) -> str:
    outcomes = {rule.name: rule.outcome or f"broke the rule {rule.name}" for rule in study.rules} | _OUTCOMES
    reasons: Counter[str] = Counter()
    for each in verdicts:
        reasons.update({outcomes.get(reason.rule, f"broke the rule {reason.rule}") for reason in each.reasons})
    out = sum(not each.valid for each in verdicts)
    if not out:
        return "No participant was excluded."
    said = listed(f"{number(count)} {outcome}" for outcome, count in reasons.most_common())
    several = "; some for more than one reason" if reasons.total() > out else ""
    kept = "Their answers are kept, and results with them are reported beside the others."
    if reasons[_OUTCOMES["withdrawn"]]:
        kept = f"{kept} Answers that were withdrawn are in no result."
    if reasons[_OUTCOMES[SIMULATED]]:
        kept = f"{kept} Answers of simulated participants are in no result."
    return f"Of all participants, {number(out)} {'was' if out == 1 else 'were'} excluded: {said}{several}. {kept}"


def _missing(data: Dataset, verdicts: Sequence[Verdict]) -> str:
    """Planned trials of included participants that have no answer; nothing where no plan is known."""
    valid = {each.participant for each in verdicts if each.valid}
    cases: list[Case] = [each for each in data.cases if each.participant in valid and each.planned is not None]
    planned = sum(case.planned or 0 for case in cases)
    gaps = planned - sum(len(case.trials) for case in cases)
    if not planned:
        return ""
    if gaps <= 0:
        return "They answered all their trials."
    share = f"{100 * gaps / planned:.1f} %"
    return f"Of their {planned:,} planned trials, {number(gaps)} ({share}) were not answered; nothing was imputed."
