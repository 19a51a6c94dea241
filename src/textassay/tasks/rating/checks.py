"""What must hold between a rating block and the files of its study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textassay.tables.reader import Row
from textassay.tasks.rating.settings import RatingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

Found = Iterator[tuple[tuple[str | int, ...], str]]
"""Path below the block, and message with remedy."""

_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
_SHOWN = 5
"""So many images are named; whoever has more to mend runs the check again."""


def block_problems(settings: RatingSettings, block: Block, study: Study) -> Found:
    """Everything that is wrong with the block."""
    yield from _columns(settings, study)
    yield from _practice_context(settings, block, study)
    if settings.image is not None:
        for table, rows in (("items", study.items), ("practice", block.practice)):
            wrong = list(_images(settings.image, rows, study.directory))
            yield from (
                (("image",), f"image {name!r} of item {item!r} in the {table} table {why}")
                for item, name, why in wrong[:_SHOWN]
            )


def _shown_columns(settings: RatingSettings) -> dict[str, str]:
    """The columns that are shown beside a text, by the key that names them."""
    named = {key: getattr(settings, key) for key in ("context", "image", "image_description")}
    return {key: column for key, column in named.items() if column is not None}


def _columns_of(study: Study) -> list[str]:
    return list(next(iter(study.items.values())).values) if study.items else []


def _columns(settings: RatingSettings, study: Study) -> Found:
    columns = _columns_of(study)
    for key, column in _shown_columns(settings).items():
        if not study.items:
            yield (key,), f"column {column!r} is to be in the items table, but there is none; add tables.items"
        elif column not in columns:
            yield (key,), f"the items table has no column {column!r}; use one of: {', '.join(columns)}; or add it"
    if settings.image is not None and settings.image_description is None:
        remedy = "name the column that holds them in 'image_description'"
        yield ("image",), f"an image needs words for those who cannot see it; {remedy}"


def _practice_context(settings: RatingSettings, block: Block, study: Study) -> Found:
    row = next(iter(block.practice.values()), None)
    shown = settings.context is not None and settings.context in _columns_of(study)
    if shown and row is not None and settings.context not in row.values:
        message = f"the practice table has no column {settings.context!r}, which 'context' shows; add it"
        yield ("practice",), message


def _images(column: str, rows: Mapping[str, Row], directory: Path) -> Iterator[tuple[str, str, str]]:
    """Item, name of its image, and what is wrong with that."""
    for item, row in rows.items():
        name = str(row.get(column) or "")
        path = (directory / name).resolve()
        if name and not path.is_relative_to(directory.resolve()):
            yield item, name, "is outside the study directory; copy it into the directory"
        elif name and not path.is_file():
            yield item, name, "is not there; create it or correct the table"
        elif name and path.suffix.lower() not in _IMAGES:
            yield item, name, f"is not an image; use one of: {', '.join(_IMAGES)}"
