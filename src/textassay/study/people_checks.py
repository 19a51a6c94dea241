"""What must hold for participants and questionnaire beyond the form of the study file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textassay.study.model import ChoiceField, Cohort, Finish, NumberField, Participants, QuestionnaireField
from textassay.study.yaml_reader import Path_
from textassay.tables.schema import PARTICIPANTS

Found = Iterator[tuple[Path_, str]]
"""Path and message of what is wrong."""


def participants_problems(people: Participants) -> Found:
    """What is wrong with who is wanted."""
    if not people.cohorts and people.wanted is None:
        yield ("participants", "wanted"), "'wanted' is missing; say how many participants are to complete the study"
    if people.cohorts and people.wanted is not None:
        message = f"got {people.wanted}, but each cohort says its own number; remove 'wanted' or the cohorts"
        yield ("participants", "wanted"), message
    if people.platform is not None and people.id_parameter is not None:
        message = f"got {people.id_parameter!r}, but {people.platform} has parameters of its own; remove one of the two"
        yield ("participants", "id_parameter"), message
    yield from _twice(people.cohorts)


def finish_problems(finish: Finish, people: Participants) -> Found:
    """What is wrong with the codes at the end."""
    path: Path_ = ("finish", "codes", "completed")
    completed = finish.code("completed")
    if finish.completion_code is not None and finish.codes.completed is not None:
        yield path, "'completion_code' is the code of those who complete; remove one of the two"
    if people.platform == "prolific" and completed is None:
        message = "prolific needs a code; copy it from the study's page there, or remove participants.platform"
        yield path, f"'completed' is missing: {message}"
    for outcome in ("screened_out", "no_consent", "withdrawn"):
        if completed is not None and finish.code(outcome) == completed:
            message = f"got {completed!r}, which is the code of those who complete; use another one"
            yield ("finish", "codes", outcome), message


def _twice(cohorts: Sequence[Cohort]) -> Found:
    names = [cohort.name for cohort in cohorts]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("participants", "cohorts", index, "name"), f"duplicate cohort {name!r}; rename one"


def questionnaire_problems(fields: Sequence[QuestionnaireField]) -> Found:
    """What is wrong with the questions about the person."""
    taken = {column.name for column in PARTICIPANTS.columns}
    names = [asked.name for asked in fields]
    for index, asked in enumerate(fields):
        path: Path_ = ("questionnaire", index)
        if asked.name in taken:
            yield (*path, "name"), f"{asked.name!r} is already a column of the participants table; choose another name"
        elif asked.name in names[:index]:
            yield (*path, "name"), f"duplicate field {asked.name!r}; rename one"
        if isinstance(asked, ChoiceField):
            yield from (((*path, *below), message) for below, message in _choices(asked))
        if isinstance(asked, NumberField):
            yield from (((*path, *below), message) for below, message in _limits(asked))


def _choices(asked: ChoiceField) -> Found:
    for place, choice in enumerate(asked.choices):
        if choice in asked.choices[:place]:
            yield ("choices", place), f"duplicate choice {choice!r}; remove one"
    for place, answer in enumerate(asked.exclude):
        if answer not in asked.choices:
            yield ("exclude", place), f"{answer!r} is not one of the choices; use one of: {', '.join(asked.choices)}"
    if set(asked.choices) <= set(asked.exclude):
        yield ("exclude",), "every choice excludes; leave at least one that does not"


def _limits(asked: NumberField) -> Found:
    if asked.min is not None and asked.max is not None and asked.min > asked.max:
        yield ("max",), f"max {asked.max:g} is below min {asked.min:g}; swap them"
        return
    if asked.exclude_below is not None and asked.max is not None and asked.exclude_below > asked.max:
        yield ("exclude_below",), f"every number up to max {asked.max:g} is below {asked.exclude_below:g}; lower it"
    if asked.exclude_above is not None and asked.min is not None and asked.exclude_above < asked.min:
        yield ("exclude_above",), f"every number from min {asked.min:g} is above {asked.exclude_above:g}; raise it"
