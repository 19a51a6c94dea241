"""Units of texts: those that the table has, or those that a text is split into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from textassay.study.study import Block, Study, Unit
from textassay.tables.reader import Row

UnitsAre = Literal["table", "sentences", "lines", "words"]
"""How a text is divided into units: by the table's rows, or by splitting it."""


def units_of(study: Study, item: str, system: str, how: UnitsAre) -> tuple[Unit, ...]:
    """The units of a text in the system's order; none where the table has none."""
    if how == "table":
        return study.units.get((item, system), ())
    return split_units(study.texts[item, system], how, study.file.language)


def shared_units(study: Study, item: str, system: str, how: UnitsAre) -> tuple[Unit, ...]:
    """The units of a text with the ids that they have in the item's first text, so that orders can be compared.

    A text that does not consist of the same units has its own ids.
    """
    units = units_of(study, item, system, how)
    if how == "table":
        return units  # the ids are in the table
    first = units_of(study, item, next(name for name in study.systems if (item, name) in study.texts), how)
    ids: dict[str, list[str]] = defaultdict(list)
    for unit in reversed(first):
        ids[unit.text].append(unit.id)
    shared = [Unit(ids[unit.text].pop(), unit.text) for unit in units if ids[unit.text]]
    return tuple(shared) if len(shared) == len(units) == len(first) else units


def practice_units(block: Block, item: str, how: UnitsAre, language: str = "en") -> tuple[Unit, ...]:
    """The units of a practice text; none where the table has none."""
    if how == "table":
        return block.practice_units.get(item, ())
    return split_units(str(block.practice[item]["text"]), how, language)


def units_of_text(
    study: Study, block: Block, item: str, systems: Sequence[str], how: UnitsAre
) -> tuple[Unit, ...] | None:
    """The units of a system's text or, without a system, of practice; nothing where the item is neither."""
    if systems:
        return units_of(study, item, systems[0], how)
    return practice_units(block, item, how, study.file.language) if item in block.practice else None


def ids_of_units(study: Study, block: Block, how: UnitsAre) -> list[list[str]]:
    """The ids of the units of every text, which are in the plan; the words of a text may be corrected."""
    texts = [*(units_of(study, *text, how) for text in study.texts)]
    practice = [practice_units(block, item, how, study.file.language) for item in block.practice]
    return [[unit.id for unit in units] for units in (*texts, *practice)]


def split_units(text: str, how: UnitsAre, language: str = "en") -> tuple[Unit, ...]:
    """A text split into units, numbered from 1; only the space around them is dropped.

    >>> split_units("Dr. Ada came. She stayed.", "sentences")
    (Unit(id='1', text='Dr. Ada came.'), Unit(id='2', text='She stayed.'))
    >>> [unit.text for unit in split_units("one two", "words")]
    ['one', 'two']
    """
    match how:
        case "sentences":
            from sentencex import segment  # noqa: PLC0415 -- its models take time to load, and only sentences need them

            parts: Iterable[str] = segment(language.partition("-")[0].lower(), text)
        case "lines":
            parts = text.splitlines()
        case "words":
            parts = text.split()
        case "table":
            raise ValueError("a table's units are its rows; there is nothing to split")
    kept = [part.strip() for part in parts if part.strip()]
    return tuple(Unit(str(number), part) for number, part in enumerate(kept, 1))


def join_unit_rows(rows: Sequence[Row]) -> Row:
    """The rows of one text's units as one row with the whole text; the other columns are those of the first."""
    text = " ".join(str(row["text"]) for row in rows)
    return replace(rows[0], values={**rows[0].values, "text": text}) if len(rows) > 1 else rows[0]


def rows_of_references(rows: Iterable[Row]) -> dict[str, list[list[Row]]]:
    """By item the rows of each of its references: those of its units, or one."""
    found: dict[str, dict[object, list[Row]]] = {}
    for number, row in enumerate(rows):
        whole = row.get("reference") or "" if row.get("unit") else number
        found.setdefault(row["item"], {}).setdefault(whole, []).append(row)
    return {item: list(references.values()) for item, references in found.items()}


def row_units(rows: Sequence[Row]) -> tuple[Unit, ...]:
    """The units in rows of a table that have ids."""
    return tuple(Unit(str(row["unit"]), str(row["text"])) for row in rows if row.get("unit"))
