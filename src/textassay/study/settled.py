"""What a study has settled, as plain values that can be compared by meaning: its settings, and its material in parts.

Settings are read from the parsed study, so comments, the order of keys and defaults written out make no difference.
Material is named so that the name says where to find it. Neither holds what only the researcher may know (codes at the
end) nor what concerns rehearsals.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel

from textassay.study.load import STUDY_FILE
from textassay.study.model import MetricChoice
from textassay.study.study import Block, Study
from textassay.study.study_tables import TextSource

Settings = dict[str, Any]
"""Nested mappings as in the study file; entries of a list that have a name are under it."""

_NAMES = ("name", "label", "metric")
"""What tells an entry of a list from the others."""
_ELSEWHERE = {
    "format", "contact", "welcome", "consent", "finish", "messages", "simulate", "store", "tables", "blocks",
    "screening", "metrics",
}  # fmt: skip
"""Sections of the study file that concern nobody, are material, or are read from the study below."""
_OF_TABLES = ("reference_system", "annotator")
"""Keys of `tables` that are no files."""
_FILES_OF_A_BLOCK = ("instructions", "practice")


def settings(study: Study, *, only_chosen: bool = False) -> Settings:
    """All settings that decide what is asked, of whom, who is excluded and what is computed.

    Args:
        study: The study.
        only_chosen: Leave out what has its default, whether written out or not.
    """

    def dump(model: BaseModel, *without: str) -> Settings:
        return model.model_dump(mode="json", by_alias=True, exclude=set(without), exclude_defaults=only_chosen)

    tables = dump(study.file.tables)
    found = {
        **dump(study.file, *_ELSEWHERE),
        "tables": {key: tables[key] for key in _OF_TABLES if tables.get(key) is not None},
        "systems": list(study.systems),
        "items": len(study.items_in_order),
        "blocks": {
            block.name: dump(block.settings, "name", *_FILES_OF_A_BLOCK, *type(block.task).block_tables)
            for block in study.blocks
        },
        "screening": {rule.name: dump(rule) for rule in study.rules},
        "metrics": {each.label or each.metric: _metric(each, only_chosen) for each in study.file.metrics},
    }
    if not (only_chosen or study.file.participants.cohorts):
        found["participants"]["wanted"] = study.cohorts[0].wanted  # also where it follows from the design
    named: Settings = _by_name(found)
    return named


def _metric(choice: MetricChoice, only_chosen: bool) -> Settings:  # noqa: FBT001 -- as in `settings`
    from textassay.metrics import metric  # noqa: PLC0415 -- the server compares material only

    if only_chosen:
        return {"metric": choice.metric, **choice.settings}
    plain: Settings = json.loads(json.dumps(asdict(metric(choice.metric, **choice.settings).settings), default=str))
    # What is left to the metric is nan there, which JSON does not know and which equals nothing, not even itself.
    own = {key: None if isinstance(part, float) and math.isnan(part) else part for key, part in plain.items()}
    return {"metric": choice.metric, **own}


def _by_name(value: Any) -> Any:
    """The value with lists of mappings turned into mappings, so that an added entry moves no other."""
    if isinstance(value, Mapping):
        return {str(key): _by_name(part) for key, part in value.items()}
    if isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
        return {
            str(next((entry[key] for key in _NAMES if entry.get(key)), place)): _by_name(entry)
            for place, entry in enumerate(value, 1)
        }
    return value


def named_files(study: Study) -> list[str]:
    """All files that a person made for the study, as paths relative to its directory; the study file comes first."""
    file = study.file
    tables = [path for key, path in file.tables if key not in _OF_TABLES]
    tables = [path.file if isinstance(path, TextSource) else path for path in tables]
    pages = [file.welcome, file.consent, file.finish.message, file.messages]
    of_blocks = [
        getattr(block.settings, key)
        for block in study.blocks
        for key in (*_FILES_OF_A_BLOCK, *type(block.task).block_tables)
    ]
    of_blocks += [block.settings.design.plan for block in study.blocks]
    shown = sorted({name for block in study.blocks for name in block.task.media()})
    return [STUDY_FILE, *dict.fromkeys(path for path in (*tables, *pages, *of_blocks, *shown) if path is not None)]


def material(study: Study) -> dict[str, str]:
    """The SHA-256 of each part of what participants see and of what metrics compare with."""
    return {name: digest(content) for name, content in _parts(study)}


def digest(content: Any) -> str:
    """The SHA-256 of a plain value."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def _parts(study: Study) -> Iterator[tuple[str, Any]]:
    yield from shown_texts(study)
    for item, texts in study.references.items():
        yield f"references of item {item!r}", list(texts)
    for page, text in study.pages.items():
        yield f"page {page!r}", text
    if study.messages:
        yield "words of the interface", dict(study.messages)
    for block in study.blocks:
        yield from contents(block)
        if block.plan_rows is not None:
            yield f"who sees what in block {block.name!r}", [dict(row.values) for row in block.plan_rows]
        for key, table in block.tables.items():
            if key in block.settings.unseen:
                yield f"table {key!r} of block {block.name!r}", [dict(row.values) for row in table]
    yield from shown_files(study)
    for key in ("ontology", "annotations", "parses", "relevance"):
        path = getattr(study.file.tables, key)
        if path is not None:
            yield f"file of {key}", hashlib.sha256((study.directory / path).read_bytes()).hexdigest()


def shown_texts(study: Study) -> Iterator[tuple[str, Any]]:
    """The texts, what the items table says beside them, and marked events."""
    for (item, system), text in study.texts.items():
        units = [(unit.id, unit.text) for unit in study.units.get((item, system), ())]
        yield f"text of item {item!r} by system {system!r}", units or text
    for item in study.items_in_order:
        # Each column separately: one that is added for the analysis does not change what was shown.
        for column, value in study.items[item].values.items() if item in study.items else ():
            yield f"{column!r} of item {item!r} in the items table", value
    if any(block.settings.marks_events for block in study.blocks):
        for (item, system), marked in study.content.annotations.items():
            yield f"marked events of item {item!r} by system {system!r}", [str(event) for event in marked.events]


def contents(block: Block) -> Iterator[tuple[str, Any]]:
    """What a block shows beside the texts: its tables, instructions and practice trials."""
    of = f"of block {block.name!r}"
    for key, table in block.tables.items():
        if key not in block.settings.unseen:
            yield f"table {key!r} {of}", [dict(row.values) for row in table]
    yield f"instructions {of}", block.instructions
    for item, row in block.practice.items():
        units = [(unit.id, unit.text) for unit in block.practice_units.get(item, ())]
        yield f"practice item {item!r} {of}", [dict(row.values), units]


def shown_files(study: Study) -> Iterator[tuple[str, str]]:
    """Images and other files that pages show."""
    for name in sorted({name for block in study.blocks for name in block.task.media()}):
        yield f"file {name!r}", hashlib.sha256((study.directory / name).read_bytes()).hexdigest()
