"""Context of the texts in a trial, written or as an image: columns of the items table that a block names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textassay.design.plan import Trial
from textassay.known_names import remedy
from textassay.study.markup import as_html, is_long
from textassay.study.model import BlockSettings, Labels, Model, Problems, Text
from textassay.tables.reader import Row
from textassay.tasks.attention import check_of

if TYPE_CHECKING:
    from textassay.study.study import Block, Study
    from textassay.tasks.contract import Task

_KEYS = ("context", "image", "image_description")
_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
_SHOWN = 5
"""The most images named in messages."""


class ContextCheck(Model):
    """An attention check in a block that may show context; it needs what the other trials show, or it stands out."""

    context: Text | None = None
    """What is shown as context, where the block shows some, so that the check looks like the other trials."""
    image: Text | None = None
    """Image file that is shown as context, where the block shows images."""
    image_description: Text | None = None
    """The image in words, for those who cannot see it."""


class ContextLabels(Labels):
    """Words on a page that shows context."""

    context: Text | None = None
    """Above the context; by default “Background”."""


class ContextSettings(BlockSettings):
    """A block whose trials show context of the texts that are judged."""

    context: str | None = None
    """Column of the items table whose text is shown beside the text."""
    image: str | None = None
    """Column of the items table that names an image file shown beside the text."""
    image_description: str | None = None
    """Column of the items table that describes the image in words, for those who cannot see it."""
    labels: ContextLabels = ContextLabels()
    """Words on the page in place of those of the interface, such as `{context: Article}`."""

    @property
    def context_checks(self) -> Sequence[ContextCheck]:
        """What the attention checks show as context; nothing where a task's own checks know no context."""
        checks = getattr(self, "attention_checks", ())
        return [check if isinstance(check, ContextCheck) else ContextCheck() for check in checks]

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
    """The row with the context and image of a trial; that of an attention check is made of what the check says."""
    if trial.kind == "practice":
        return task.block.practice[trial.item].values
    if trial.kind == "check":
        check = check_of(task.settings.context_checks, trial.item)
        return {getattr(task.settings, key): getattr(check, key) for key in _KEYS if getattr(task.settings, key)}
    item = task.study.items.get(trial.item)
    return item.values if item else {}


def context_images(task: Task[ContextT]) -> list[str]:
    """All images that the block shows as context."""
    column = task.settings.image
    if column is None:
        return []
    rows = [*task.study.items.values(), *task.block.practice.values()]
    of_checks = [check.image for check in task.settings.context_checks if check.image]
    return [*(str(row.get(column)) for row in rows if row.get(column)), *of_checks]


def has_long_context(task: Task[Any]) -> bool:
    """Whether the block's pages give the context a column of its own: one of its contexts is long, or an image.

    It holds for all pages of a block, so that none stands out.
    """
    settings = task.settings
    if not isinstance(settings, ContextSettings):
        return False
    rows = [*task.study.items.values(), *task.block.practice.values()]
    contexts = {*(settings.context_of(row.values) for row in rows), *(each.context for each in settings.context_checks)}
    # The lines as they are written: to format them all would take too long.
    return settings.image is not None or any(is_long(text.replace("\n", "<br>")) for text in contexts if text)


def context_problems(task: Task[ContextT]) -> Problems:
    """What is wrong between what the block names and the tables."""
    settings, block, study = task.settings, task.block, task.study
    yield from _columns(settings, study)
    yield from _practice_context(settings, block, study)
    yield from _checks(settings, study.directory)
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
            yield path, f"the items table has no column {column!r}; {remedy(column, columns)}; or add it"


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
    yield from column_problems({(key,): getattr(settings, key) for key in _KEYS}, study)
    if settings.image is not None and settings.image_description is None:
        remedy = "name the column that holds them in 'image_description'"
        yield ("image",), f"an image needs words for those who cannot see it; {remedy}"


def _practice_context(settings: ContextSettings, block: Block, study: Study) -> Problems:
    row = next(iter(block.practice.values()), None)
    shown = settings.context is not None and settings.context in _columns_of(study)
    if shown and row is not None and settings.context not in row.values:
        message = f"the practice table has no column {settings.context!r}, which 'context' shows; add it"
        yield ("practice",), message


def _checks(settings: ContextSettings, directory: Path) -> Problems:
    """Attention checks with something that the block does not show, or with an image that cannot be shown."""
    for index, check in enumerate(settings.context_checks):
        where = ("attention_checks", index)
        for key in ("context", "image"):
            if getattr(check, key) is not None and getattr(settings, key) is None:
                yield (
                    (*where, key),
                    f"the other trials show no {key}; remove it, or name its column in the block's {key!r}",
                )
        if check.image is None:
            continue
        if check.image_description is None:
            yield (*where, "image"), "an image needs words for those who cannot see it; add 'image_description'"
        why = image_problem(check.image, directory)
        if why is not None:
            yield (*where, "image"), f"image {check.image!r} {why}"


def context_warnings(task: Task[ContextT]) -> Iterator[str]:
    """Attention checks that lack what all other trials show."""
    settings, study = task.settings, task.study
    for key in ("context", "image"):
        column = getattr(settings, key)
        rows = [study.items.get(item) for item in study.items_in_order]
        if column is None or not all(row is not None and row.get(column) for row in rows):
            continue
        for number, check in enumerate(settings.context_checks, 1):
            if getattr(check, key) is None:
                yield told_apart(task, number, f"it shows no {key}, and all other trials do", f"add {key!r} to it")


def told_apart(task: Task[Any], number: int, why: str, remedy: str) -> str:
    """The warning that participants can tell an attention check from the other trials without reading it."""
    return f"block {task.block.name!r}: attention check {number} can be told apart: {why}; {remedy}"


def _images(column: str, rows: Mapping[str, Row], directory: Path) -> Iterator[tuple[str, str, str]]:
    """Item, name of its image, and what is wrong with that."""
    for item, row in rows.items():
        name = str(row.get(column) or "")
        why = image_problem(name, directory) if name else None
        if why is not None:
            yield item, name, why
