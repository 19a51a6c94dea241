"""What must hold beyond the form of the study file: between its parts, and between it and its tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from textassay import catalogue
from textassay.errors import Problem, UsageError
from textassay.study.model import ChoiceField, NumberField, StudyFile
from textassay.study.study import Study
from textassay.study.yaml_reader import Path_
from textassay.tables.reader import Rows

Found = Iterator[tuple[Path_, str]]
_SHOWN = 5


def study_problems(study: Study) -> Found:
    """Everything wrong in the study file beyond its form: path and message."""
    yield from _participants(study.file)
    yield from _questionnaire(study.file)
    yield from _names(study)
    yield from _metrics(study)
    yield from _rules(study)
    for index, block in enumerate(study.blocks):
        yield from ((("blocks", index, *path), message) for path, message in _design(study, index))
        yield from ((("blocks", index, *path), message) for path, message in block.task.check(block, study))


def table_problems(study: Study, texts: Rows, items: Rows | None, references: Rows | None) -> Iterator[Problem]:
    """What does not fit between the tables."""
    first = {row["item"]: row for row in texts}
    missing = [
        (item, system)
        for item, system in product(study.items_in_order, study.systems)
        if (item, system) not in study.texts
    ]
    for item, system in missing[:_SHOWN]:
        yield texts.problem(first[item], "system", f"item {item!r} has no text from system {system!r}; add that row")
    if len(missing) > _SHOWN:
        yield Problem(
            texts.file,
            0,
            0,
            "",
            f"{len(missing) - _SHOWN} more texts are missing; every system needs a text for every item",
        )
    if len(study.systems) == 1:
        yield Problem(
            texts.file, 0, 0, "system", f"only one system ({study.systems[0]!r}); at least two are needed to compare"
        )
    for table, what in ((items, "properties"), (references, "reference")):
        if table is None:
            continue
        known = {row["item"] for row in table}
        for item in [item for item in study.items_in_order if item not in known][:_SHOWN]:
            yield Problem(table.file, 0, 0, "item", f"no {what} for item {item!r} of {texts.file}; add a row for it")
        for row in [row for row in table if row["item"] not in first][:_SHOWN]:
            yield table.problem(
                row, "item", f"item {row['item']!r} has no texts in {texts.file}; correct it or remove the row"
            )


def _participants(file: StudyFile) -> Found:
    people = file.participants
    if not people.cohorts and people.wanted is None:
        yield ("participants", "wanted"), "'wanted' is missing; say how many participants are to complete the study"
    if people.cohorts and people.wanted is not None:
        yield (
            ("participants", "wanted"),
            f"got {people.wanted}, but each cohort says its own number; remove one of the two",
        )
    names = [cohort.name for cohort in people.cohorts]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("participants", "cohorts", index, "name"), f"cohort {name!r} stands there twice; rename one"


def _questionnaire(file: StudyFile) -> Found:
    taken = {
        "participant",
        "cohort",
        "slot",
        "status",
        "counted",
        "verdict",
        "reasons",
        "started_at",
        "completed_at",
        "external_id",
    }
    for index, asked in enumerate(file.questionnaire):
        path: Path_ = ("questionnaire", index)
        if asked.name in taken:
            yield (*path, "name"), f"{asked.name!r} is already a column of the participants table; choose another name"
        taken.add(asked.name)
        if isinstance(asked, ChoiceField):
            for place, choice in enumerate(asked.choices):
                if choice in asked.choices[:place]:
                    yield (*path, "choices", place), f"choice {choice!r} stands there twice; remove one"
            for place, answer in enumerate(asked.exclude):
                if answer not in asked.choices:
                    yield (
                        (*path, "exclude", place),
                        f"{answer!r} is not one of the choices ({', '.join(asked.choices)})",
                    )
            if set(asked.choices) <= set(asked.exclude):
                yield (*path, "exclude"), "every choice excludes; leave at least one that does not"
        if isinstance(asked, NumberField) and asked.min is not None and asked.max is not None and asked.min > asked.max:
            yield (*path, "max"), f"max {asked.max:g} is below min {asked.min:g}; swap them"


def _names(study: Study) -> Found:
    names = [block.name for block in study.blocks]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("blocks", index, "name"), f"block {name!r} stands there twice; give each block its own name"
    reference = study.file.tables.reference_system
    if reference is not None and reference not in study.systems:
        known = ", ".join(study.systems)
        yield ("tables", "reference_system"), f"{reference!r} is not a system of the texts table; known: {known}"


def _metrics(study: Study) -> Found:
    has_references = bool(study.references) or study.file.tables.reference_system is not None
    for index, choice in enumerate(study.file.metrics):
        try:
            catalogue.find("metric", choice.metric)
        except UsageError as error:
            yield ("metrics", index, "metric"), str(error)
            continue
        if not has_references:
            yield (
                ("metrics", index),
                f"{choice.metric} needs references; add tables.references or tables.reference_system",
            )


def _rules(study: Study) -> Found:
    for rule in study.rules:
        message = rule.check(study)
        if message is not None:
            yield ("screening", rule.name), message


def _design(study: Study, index: int) -> Found:
    design = study.blocks[index].settings.design
    items = len(study.items_in_order)
    per_slot = design.items_per_participant or items
    if per_slot > items:
        yield ("design", "items_per_participant"), f"got {per_slot}, but there are only {items} items; lower it"
    if design.repeats > per_slot // 2:
        yield (
            ("design", "repeats"),
            f"got {design.repeats}; at most half of the {per_slot} trials can be repeated, so {per_slot // 2}",
        )
