"""Context of the texts in a trial, written or as an image: columns of the items table that a block names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textassay.design.plan import Trial
from textassay.study.markup import as_html
from textassay.study.model import BlockSettings, Problems
from textassay.tables.reader import Row

if TYPE_CHECKING:
    from textassay.study.study import Block, Study
    from textassay.tasks.contract import Task

_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
_SHOWN = 5
"""The most images named in messages."""


class ContextSettings(BlockSettings):
    """A block whose trials show context of the texts that are judged."""

    context: str | None = None
    """Column of the items table whose text is shown beside the text."""
    image: str | None = None
    """Column of the items table that names an image file shown beside the text."""
    image_description: str | None = None
    """Column of the items table that describes the image in words, for those who cannot see it."""

    def context_of(self, row: Mapping[str, Any]) -> str:
        """The context as it was written; nothing where there is none."""
        return str(row.get(self.context) or "") if self.context else ""

    def context_view(self, row: Mapping[str, Any]) -> dict[str, str]:
        """What the page needs: safe HTML of the context, and the image with its description."""
        context = self.context_of(row)
        return {
            "context": as_html(context, self.texts_are) if context else "",
            "image": str(row.get(self.image) or "") if self.image else "",
            "image_description": str(row.get(self.image_description) or "") if self.image_description else "",
        }


ContextT = TypeVar("ContextT", bound=ContextSettings)


def context_row(task: Task[Any], trial: Trial) -> Mapping[str, Any]:
    """The row with the context and image of a trial; attention checks have none."""
    if trial.kind == "practice":
        return task.block.practice[trial.item].values
    item = task.study.items.get(trial.item)
    return item.values if item and trial.systems else {}


def context_images(task: Task[ContextT]) -> list[str]:
    """All images that the block shows as context."""
    column = task.settings.image
    if column is None:
        return []
    rows = [*task.study.items.values(), *task.block.practice.values()]
    return [str(row.get(column)) for row in rows if row.get(column)]


def context_problems(task: Task[ContextT]) -> Problems:
    """What is wrong between what the block names and the tables."""
    settings, block, study = task.settings, task.block, task.study
    yield from _columns(settings, study)
    yield from _practice_context(settings, block, study)
    if settings.image is not None:
        for table, rows in (("items", study.items), ("practice", block.practice)):
            wrong = list(_images(settings.image, rows, study.directory))
            yield from (
                (("image",), f"image {name!r} of item {item!r} in the {table} table {why}")
                for item, name, why in wrong[:_SHOWN]
            )


def _columns_of(study: Study) -> list[str]:
    return list(next(iter(study.items.values())).values) if study.items else []


def column_problems(named: Mapping[tuple[str, ...], str | None], study: Study) -> Problems:
    """Columns that the items table does not have; `named` maps a place in the block to the column that it names."""
    columns = _columns_of(study)
    for path, column in named.items():
        if column is None:
            continue
        if not study.items:
            yield path, f"column {column!r} is expected in the items table, but the study has none; add tables.items"
        elif column not in columns:
            yield path, f"the items table has no column {column!r}; use one of: {', '.join(columns)}; or add it"


def image_problem(name: str, directory: Path) -> str | None:
    """Why the study cannot show an image of that name, or nothing."""
    path = (directory / name).resolve()
    if not path.is_relative_to(directory.resolve()):
        return "is outside the study directory; copy it into the directory"
    if not path.is_file():
        return "is not there; create it or correct the table"
    if path.suffix.lower() not in _IMAGES:
        return f"is not an image; use one of: {', '.join(_IMAGES)}"
    return None


def _columns(settings: ContextSettings, study: Study) -> Problems:
    yield from column_problems(
        {(key,): getattr(settings, key) for key in ("context", "image", "image_description")}, study
    )
    if settings.image is not None and settings.image_description is None:
        remedy = "name the column that holds them in 'image_description'"
        yield ("image",), f"an image needs words for those who cannot see it; {remedy}"


def _practice_context(settings: ContextSettings, block: Block, study: Study) -> Problems:
    row = next(iter(block.practice.values()), None)
    shown = settings.context is not None and settings.context in _columns_of(study)
    if shown and row is not None and settings.context not in row.values:
        message = f"the practice table has no column {settings.context!r}, which 'context' shows; add it"
        yield ("practice",), message


def _images(column: str, rows: Mapping[str, Row], directory: Path) -> Iterator[tuple[str, str, str]]:
    """Item, name of its image, and what is wrong with that."""
    for item, row in rows.items():
        name = str(row.get(column) or "")
        why = image_problem(name, directory) if name else None
        if why is not None:
            yield item, name, why
