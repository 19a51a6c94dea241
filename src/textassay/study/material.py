"""The material: everything that participants get to see, in parts that can be named, to notice when one has changed.

A plan fits as long as items, systems and design do (`planning.py`); texts may be corrected. But answers before and
after such a correction are about different texts, and that must not pass unnoticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from textassay.study.study import Block, Study

_LENGTH = 16
"""Characters of a digest: no two versions of a text will ever agree in them by chance."""
_PAGES = ("consent",)
"""Pages that may bear on the answers; how people are welcomed and thanked does not."""


def material(study: Study) -> dict[str, str]:
    """Digest of each part, by a name that says where to find it."""
    return {name: _digest(content) for name, content in _parts(study)}


def _parts(study: Study) -> Iterator[tuple[str, Any]]:
    for (item, system), text in study.texts.items():
        units = [(unit.id, unit.text) for unit in study.units.get((item, system), ())]
        yield f"text of item {item!r} by system {system!r}", units or text
    for item in study.items_in_order:
        # Each column by itself: one that is added for the analysis changes nothing that was shown.
        for column, value in study.items[item].values.items() if item in study.items else ():
            yield f"{column!r} of item {item!r} in the items table", value
    for field in study.file.questionnaire:
        yield f"question {field.name!r} of the questionnaire", _settings(field)
    for page in _PAGES:
        yield f"page {page!r}", study.pages.get(page)
    for block in study.blocks:
        yield from _of_block(block)
    for name in sorted({name for block in study.blocks for name in block.task.media()}):
        yield f"file {name!r}", hashlib.sha256((study.directory / name).read_bytes()).hexdigest()


def _of_block(block: Block) -> Iterator[tuple[str, Any]]:
    of = f"of block {block.name!r}"
    unseen = block.settings.unseen
    chosen = _settings(block.settings)
    for key in sorted(type(block.settings).model_fields.keys() - unseen - block.tables.keys()):
        yield f"{key!r} {of}", chosen.get(key)
    for key, table in block.tables.items():
        if key not in unseen:
            yield f"table {key!r} {of}", [dict(row.values) for row in table]
    yield f"instructions {of}", block.instructions
    for item, row in block.practice.items():
        units = [(unit.id, unit.text) for unit in block.practice_units.get(item, ())]
        yield f"practice item {item!r} {of}", [dict(row.values), units]


def _settings(model: BaseModel) -> dict[str, Any]:
    """What was chosen otherwise than by default: a setting that a later release adds is no change."""
    return model.model_dump(mode="json", exclude_defaults=True)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]
