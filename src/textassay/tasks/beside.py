"""Context and image that a trial shows beside its texts: columns of the items table that a block names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textassay.design.plan import Trial
from textassay.study.markup import as_html
from textassay.study.model import BlockSettings
from textassay.tables.reader import Row
from textassay.tasks.contract import Found

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
_SHOWN = 5
"""So many images are named; whoever has more to mend runs the check again."""


class BesideSettings(BlockSettings):
    """A block whose trials show something beside the texts that are judged."""

    context: str | None = None
    """Column of the items table whose text is shown beside the text."""
    image: str | None = None
    """Column of the items table that names an image file shown beside the text."""
    image_description: str | None = None
    """Column of the items table that describes the image in words, for those who cannot see it."""

    def context_of(self, row: Mapping[str, Any]) -> str:
        """The context as it was written; nothing where there is none."""
        return str(row.get(self.context) or "") if self.context else ""

    def beside(self, row: Mapping[str, Any]) -> dict[str, str]:
        """What the page needs: safe HTML of the context, and the image with its description."""
        context = self.context_of(row)
        return {
            "context": as_html(context, self.texts_are) if context else "",
            "image": str(row.get(self.image) or "") if self.image else "",
            "image_description": str(row.get(self.image_description) or "") if self.image_description else "",
        }

    def images(self, block: Block, study: Study) -> list[str]:
        """All images that the block shows."""
        rows = [*study.items.values(), *block.practice.values()] if self.image else []
        return [str(row.get(self.image)) for row in rows if self.image and row.get(self.image)]


def row_of(block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
    """The row that holds what a trial shows beside its texts; attention checks have none."""
    if trial.kind == "practice":
        return block.practice[trial.item].values
    item = study.items.get(trial.item)
    return item.values if item and trial.systems else {}


def beside_problems(settings: BesideSettings, block: Block, study: Study) -> Found:
    """What is wrong between what the block names and the tables."""
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


def column_problems(named: Mapping[tuple[str, ...], str | None], study: Study) -> Found:
    """Columns that the items table does not have; `named` maps a place in the block to the column that it names."""
    columns = _columns_of(study)
    for path, column in named.items():
        if column is None:
            continue
        if not study.items:
            yield path, f"column {column!r} is to be in the items table, but there is none; add tables.items"
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


def _columns(settings: BesideSettings, study: Study) -> Found:
    yield from column_problems(
        {(key,): getattr(settings, key) for key in ("context", "image", "image_description")}, study
    )
    if settings.image is not None and settings.image_description is None:
        remedy = "name the column that holds them in 'image_description'"
        yield ("image",), f"an image needs words for those who cannot see it; {remedy}"


def _practice_context(settings: BesideSettings, block: Block, study: Study) -> Found:
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
