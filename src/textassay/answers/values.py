"""What values stand in the columns of a study's tables and what they mean, for the codebook."""

from __future__ import annotations

from collections.abc import Mapping

from textassay.answers import columns
from textassay.study.model import ChoiceField, NumberField
from textassay.study.study import Study
from textassay.tables.schema import PARTICIPANTS, TableSchema

_KINDS = {
    "main": "shown for the first time",
    "repeat": "shown a second time",
    "check": "attention check",
    "practice": "for practice",
}
_STATUS = {
    "active": "at work, or gone without a word",
    "completed": "passed the last page",
    "withdrawn": "asked not to be counted",
    "excluded": "by an answer in the questionnaire",
}
_VERDICTS = {"valid": "no rule had anything to say", "excluded": "see reasons"}

Values = dict[str, Mapping[str, str]]


def values_of(study: Study, schema: TableSchema) -> Values:
    """For each column that takes certain values only: the values, each with its meaning or an empty text."""
    found = _of_participants(study) if schema.name == PARTICIPANTS.name else _of_answers(study, schema)
    return {name: meanings for name, meanings in found.items() if meanings and schema.column(name) is not None}


def _of_participants(study: Study) -> Values:
    found: Values = {
        "cohort": {cohort.name: f"{cohort.wanted} wanted" for cohort in study.cohorts if cohort.name},
        "status": _STATUS,
        "verdict": _VERDICTS,
    }
    for field in study.file.questionnaire:
        if isinstance(field, ChoiceField):
            found[field.name] = {choice: "excludes" if choice in field.exclude else "" for choice in field.choices}
        elif isinstance(field, NumberField):
            bounds = (("at least", field.min), ("at most", field.max))
            limits = (("below excludes", field.exclude_below), ("above excludes", field.exclude_above))
            found[field.name] = {what: f"{number:g}" for what, number in (*bounds, *limits) if number is not None}
    return found


def _of_answers(study: Study, schema: TableSchema) -> Values:
    blocks = columns.blocks_of(study, schema.name)
    kinds = columns.UNSCORED_KINDS if schema.name.endswith(columns.UNSCORED) else columns.SCORED_KINDS
    return {
        "block": {block.name: block.task.title for block in blocks},
        "kind": {kind: _KINDS[kind] for kind in kinds},
        "criterion": {
            each.name: f"{each.question} ({each.answer})" for block in blocks for each in block.task.questions()
        },
    }
