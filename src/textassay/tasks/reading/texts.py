"""The text of a reading trial in its units, and what of a unit is seen."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

from textassay.study.markup import as_html
from textassay.study.units import split_units
from textassay.tasks.attention import check_of
from textassay.tasks.contract import Systems
from textassay.tasks.reading.settings import ReadingSettings
from textassay.tasks.text_units import units_of_text

if TYPE_CHECKING:
    from textassay.study.study import Block, Study, Unit

_TAG = re.compile("<[^>]*>")


def units_shown(block: Block, item: str, systems: Systems, study: Study) -> Sequence[Unit]:
    """The units of the text that a trial shows."""
    settings = cast("ReadingSettings", block.settings)
    units = units_of_text(block, study, item, systems, settings.units)
    if units is not None:
        return units
    check = check_of(settings.attention_checks, item)
    return split_units(check.text, "sentences" if settings.units == "table" else settings.units, study.file.language)


def inline(text: str) -> str:
    """A unit without the paragraph around it, so that units can stand in one line."""
    inner = text.strip().removeprefix("<p>").removesuffix("</p>")
    return inner if "<p>" not in inner and text.strip().startswith("<p>") else text


def seen(text: str, written_as: Literal["text", "markdown", "html"]) -> str:
    """The characters that a reader sees of a unit, without its markup."""
    return text if written_as == "text" else html.unescape(_TAG.sub("", as_html(text, written_as))).strip()
