"""What must hold beyond the form of the study file, between its parts."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from textassay import catalogue
from textassay.errors import UsageError
from textassay.study.languages import interface_languages
from textassay.study.model import MetricChoice, StudyFile
from textassay.study.people_checks import Found, finish_problems, participants_problems, questionnaire_problems
from textassay.study.study import Block, Study
from textassay.study.yaml_reader import Path_


@dataclass(frozen=True)
class Sound:
    """Which parts of a study can be checked against each other."""

    unsound: frozenset[str]
    """Sections of the study file in which something is wrong."""
    texts: bool
    """Whether the texts table was read."""
    items: bool
    """Whether the items table was read, or there is none."""
    blocks: Mapping[int, Block | None]
    """The blocks by their place in the file; nothing for those in which something is wrong."""

    def all(self, *sections: str) -> bool:
        """Whether nothing is wrong in these sections."""
        return not self.unsound.intersection(sections)


def study_problems(study: Study, sound: Sound) -> Found:
    """Everything wrong in the study file beyond its form: path and message."""
    file = study.file
    blocks_are_sound = None not in sound.blocks.values()
    checks = [
        (sound.all("participants"), participants_problems(file.participants)),
        (sound.all("questionnaire"), questionnaire_problems(file.questionnaire)),
        (sound.all("finish", "participants"), finish_problems(file.finish, file.participants)),
        (sound.all("interface"), _interface(file)),
        (sound.all("tables") and sound.texts, _reference_system(study)),
        (sound.all("metrics"), _metrics(file.metrics)),
        (sound.all("metrics", "tables"), _metrics_need_references(file)),
        (sound.all("metrics", "tables") and sound.texts, _orders_need_units(study)),
        (sound.all("questionnaire", "participants") and blocks_are_sound, _rules(study)),
        (True, _block_names(sound.blocks)),
        (sound.texts, _blocks(study, sound)),
    ]
    for can_be_checked, found in checks:
        if can_be_checked:
            yield from found


def unknown(what: str, name: object, known: Sequence[str]) -> str:
    """The message for a name that is not known.

    >>> unknown("metric", "rouge", ["rouge-l"])
    "there is no metric 'rouge'; did you mean 'rouge-l'?"
    """
    close = difflib.get_close_matches(str(name), known, n=1)
    remedy = f"did you mean {close[0]!r}?" if close else f"use one of: {', '.join(known)}"
    return f"there is no {what} {name!r}; {remedy}"


def _interface(file: StudyFile) -> Found:
    known = interface_languages()
    if file.interface is not None and file.interface.partition("-")[0].lower() not in known:
        message = f"there are no words for buttons and hints in {file.interface!r}; use one of: {', '.join(known)}"
        yield ("interface",), message


def _reference_system(study: Study) -> Found:
    reference = study.file.tables.reference_system
    if reference is not None and reference not in study.systems:
        yield ("tables", "reference_system"), unknown("system", reference, study.systems)


def _metrics(choices: Sequence[MetricChoice]) -> Found:
    known = catalogue.names("metric")
    labels: list[str] = []
    for index, choice in enumerate(choices):
        path: Path_ = ("metrics", index)
        if choice.metric not in known:
            yield (*path, "metric"), unknown("metric", choice.metric, known)
            continue
        label = choice.label or choice.metric
        if label in labels:
            yield path, f"duplicate metric {label!r}; give one of the two another 'label'"
        labels.append(label)
        metric = catalogue.find("metric", choice.metric)
        for key, value in choice.settings.items():
            try:
                metric(**{key: value})
            except UsageError as error:
                yield (*path, key), str(error)


def _metrics_need_references(file: StudyFile) -> Found:
    if file.metrics and file.tables.references is None and file.tables.reference_system is None:
        name = file.metrics[0].metric
        yield ("metrics",), f"{name} needs references; add tables.references or tables.reference_system"


def _orders_need_units(study: Study) -> Found:
    known = catalogue.names("metric")
    for index, choice in enumerate(study.file.metrics):
        if choice.metric not in known or catalogue.find("metric", choice.metric).takes.kind != "order":
            continue
        if study.file.tables.reference_system is None:
            remedy = "name the system that has the right one in tables.reference_system"
            yield ("metrics", index), f"{choice.metric} compares orders with that of a reference; {remedy}"
        without = [key for key in study.texts if key not in study.units]
        if without:
            place = "item {}, system {}".format(*without[0])
            remedy = "give the texts table a row for each unit, with its id in the column unit"
            yield ("metrics", index), f"{choice.metric} compares orders of units, but {place} has none; {remedy}"


def _rules(study: Study) -> Found:
    for rule in study.rules:
        message = rule.check(study)
        if message is not None:
            yield ("screening", rule.name), message


def _block_names(blocks: Mapping[int, Block | None]) -> Found:
    names: list[str] = []
    for index, block in blocks.items():
        if block is not None and block.name in names:
            yield ("blocks", index, "name"), f"duplicate block {block.name!r}; give each block its own name"
        names += [block.name] if block else []


def _blocks(study: Study, sound: Sound) -> Found:
    for index, block in sound.blocks.items():
        if block is not None:
            found = [
                *_design(study, block, items_are_sound=sound.items),
                *(block.task.validate() if sound.items else ()),
            ]
            yield from ((("blocks", index, *path), message) for path, message in found)


def _design(study: Study, block: Block, *, items_are_sound: bool) -> Found:
    design = block.settings.design
    items, per_slot = len(study.items_in_order), block.task.trials_per_participant()
    if design.items_per_participant and design.items_per_participant > items:
        yield ("design", "items_per_participant"), f"got {per_slot}, but there are only {items} items; lower it"
    elif design.repeats > per_slot // 2:
        message = f"got {design.repeats}, but at most half of the {per_slot} trials can be repeated; lower it"
        yield ("design", "repeats"), message
    if design.group_by is not None and items_are_sound:
        yield from ((("design", "group_by"), message) for message in _grouping(study, block, design.group_by))


def _grouping(study: Study, block: Block, column: str) -> Iterator[str]:
    if not study.items:
        yield f"column {column!r} is to be in the items table, but there is none; add tables.items"
        return
    columns = list(next(iter(study.items.values())).values)
    if column not in columns:
        yield f"the items table has no column {column!r}; use one of: {', '.join(columns)}; or add it"
        return
    empty = [item for item in study.items_in_order if item in study.items and not study.items[item].get(column)]
    if empty:
        yield f"item {empty[0]!r} has nothing in column {column!r} of the items table; say which group it belongs to"
    if block.settings.design.items_per_participant is not None:
        yield "whole groups are shown, so no number of items can be asked for; remove items_per_participant"
