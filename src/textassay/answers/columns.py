"""The tables of a study: those of its tasks, and the participants with the columns of its questionnaire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField, TextField
from textassay.study.study import Block, Study
from textassay.tables.schema import PARTICIPANTS, Column, TableSchema

UNSCORED = "-unscored"
"""Suffix of the tables for practice trials and attention checks."""
IMPORTED_FOLDER = "imported"
"""Folder in the study directory for tables that were collected elsewhere."""
UNSCORED_KINDS = ("practice", "check")
SCORED_KINDS = ("main", "repeat")
_AFTER_SCREENING = ("verdict", "reasons")
_BETWEEN_STUDIES = "; "


def schemas(study: Study) -> dict[str, TableSchema]:
    """The tables of the study's answers by name: participants, then each task's table and its unscored one."""
    found = {PARTICIPANTS.name: participants_schema(study)}
    for block in study.blocks:
        schema = block.task.schema
        found[schema.name] = schema
        found[schema.name + UNSCORED] = unscored_schema(schema)
    return found


def unscored_schema(schema: TableSchema) -> TableSchema:
    """The table for practice trials and attention checks, whose texts come from no system."""
    columns = tuple(replace(column, required=column.name == "participant") for column in schema.columns)
    description = f"practice trials and attention checks, in the columns of {schema.name}"
    return replace(schema, name=schema.name + UNSCORED, description=description, columns=columns)


def blocks_of(study: Study, table: str) -> list[Block]:
    """The blocks whose answers are in that table or its unscored one."""
    return [block for block in study.blocks if block.task.schema.name == table.removesuffix(UNSCORED)]


def trial_time(schema: TableSchema) -> str:
    """The column for the duration of the whole trial: `rt_ms`, unless the table has a time for each part of it."""
    return "trial_rt_ms" if schema.column("trial_rt_ms") is not None else "rt_ms"


def participant_columns(schema: TableSchema) -> list[str]:
    """The columns that say who answered; tables whose rows may also come from systems have `by`."""
    return [name for name in ("participant", "by") if schema.column(name) is not None]


def participants_schema(study: Study) -> TableSchema:
    """The participants table with the columns of the study's questionnaire; those of screening are last."""
    questionnaire = tuple(column for field in study.file.questionnaire for column in _columns(field))
    before = tuple(column for column in PARTICIPANTS.columns if column.name not in _AFTER_SCREENING)
    after = tuple(column for column in PARTICIPANTS.columns if column.name in _AFTER_SCREENING)
    return replace(PARTICIPANTS, columns=(*before, *questionnaire, *after))


def _columns(field: QuestionnaireField) -> Iterator[Column]:
    match field:
        case ChoiceField():
            yield Column(field.name, "text", field.question)
        case NumberField():
            yield Column(field.name, "number", field.question)
        case TextField():
            yield Column(field.name, "text", field.question, personal=True)
        case EmailField():
            yield Column(field.name, "text", f"{field.question} (keyed hash of the address)", personal=True)
            yield Column(f"{field.name}_plausible", "boolean", "whether the address is plausible")
            yield Column(f"{field.name}_elsewhere", "text", "other studies in which the address took part")
            yield Column(
                f"{field.name}_domain", "text", "domain of the address, stored only if it excludes", personal=True
            )


def questionnaire_cells(study: Study, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The questionnaire's answers as cells of the participants table."""
    cells: dict[str, Any] = {}
    for field in study.file.questionnaire:
        answer = answers.get(field.name)
        if isinstance(field, EmailField):
            form = answer if isinstance(answer, Mapping) else {}
            cells[field.name] = form.get("hash")
            cells[f"{field.name}_plausible"] = form.get("plausible")
            cells[f"{field.name}_elsewhere"] = _BETWEEN_STUDIES.join(form.get("elsewhere") or ())
            cells[f"{field.name}_domain"] = form.get("domain")
        else:
            cells[field.name] = answer
    return cells


def questionnaire_answers(study: Study, cells: Mapping[str, Any]) -> dict[str, Any]:
    """The questionnaire's answers from cells of a participants table; empty cells were not answered."""
    answers: dict[str, Any] = {}
    for field in study.file.questionnaire:
        cell = cells.get(field.name)
        answer = _email_answer(field, cells) if isinstance(field, EmailField) else cell
        if answer not in (None, ""):
            answers[field.name] = answer
    return answers


def _email_answer(field: EmailField, cells: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is known of an address, even if its hash was not exported because it is personal."""
    hashed, plausible = cells.get(field.name) or None, cells.get(f"{field.name}_plausible")
    elsewhere = cells.get(f"{field.name}_elsewhere") or ""
    if hashed is None and plausible is None and not elsewhere:
        return None
    others = [other for other in elsewhere.split(_BETWEEN_STUDIES) if other]
    form = {"hash": hashed, "plausible": plausible, "elsewhere": others}
    domain = cells.get(f"{field.name}_domain")
    return {**form, "domain": domain} if domain else form


def email_hashes(study: Study, answers: Mapping[str, Any]) -> set[str]:
    """The hashes of all addresses among the questionnaire's answers."""
    forms = [answers.get(field.name) for field in study.file.questionnaire if isinstance(field, EmailField)]
    return {str(form["hash"]) for form in forms if isinstance(form, Mapping) and form.get("hash")}
