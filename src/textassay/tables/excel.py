"""Excel workbooks (.xlsx): the first sheet as a table. A workbook is a zip archive of XML files."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from xml.etree import ElementTree as ET

from textassay.errors import Problem, ProblemsError
from textassay.formula_cells import unmarked
from textassay.tables.raw_table import Cells, RawRow, RawTable, merged_header, trimmed
from textassay.tables.text_files import read_bytes

_OLD = b"\xd0\xcf\x11\xe0"
"""How an .xls file of Excel 97, or a workbook with a password, begins."""
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LARGEST = 1 << 30
"""Bytes to which one part of a workbook may unpack."""


def read_excel(path: Path, name: str) -> RawTable:
    """Read the first sheet of a workbook that has anything in it; lines are its rows.

    Numbers are read as they are stored, so a date is the number of its day. Formulas have the value last computed.
    Marks of cells that came from a CSV file of textassay are removed; see `formula_cells.py`.

    Raises:
        ProblemsError: it is missing, not a workbook, or empty.
    """
    if not path.is_file() or zipfile.is_zipfile(path) is False:
        data = read_bytes(path, name)  # says why, where there is no such file
        what = "an old .xls workbook, or one with a password" if data.startswith(_OLD) else "not an Excel workbook"
        raise ProblemsError([Problem(name, 0, 0, "", f"{what}; save it as .xlsx or as CSV UTF-8")])
    try:
        with zipfile.ZipFile(path) as archive:
            rows = _first_filled(archive)
    except (zipfile.BadZipFile, KeyError, ET.ParseError, ValueError, IndexError) as error:
        message = f"not a workbook that can be read ({error}); save it again as .xlsx or as CSV UTF-8"
        raise ProblemsError([Problem(name, 0, 0, "", message)]) from None
    if not rows:
        return RawTable([], [])
    (line, first), *further = rows
    width = max(len(row) for _, row in rows)
    header = [("" if cell is None else str(cell)) for cell in first] + [""] * (width - len(first))
    header, kept = trimmed(header, [(number, row + [None] * (width - len(row))) for number, row in further])
    raw = [RawRow(dict(zip(header, row, strict=False)), number, _beyond(header, row)) for number, row in kept]
    return RawTable(header, raw, line, one_header=merged_header(header, kept[0][1]) if kept else ())


def sheet_names(path: Path) -> list[str]:
    """The names of a workbook's sheets in their order."""
    with zipfile.ZipFile(path) as archive:
        return [name for name, _ in _sheets(archive)]


def _beyond(header: list[str], row: list[Any]) -> tuple[tuple[str, str], ...]:
    values = len(row)
    return (("", f"{values} values, but the header has {len(header)} columns"),) if values > len(header) else ()


def _first_filled(archive: zipfile.ZipFile) -> list[Cells]:
    strings = _shared_strings(archive)
    for _, part in _sheets(archive):
        rows = [row for row in _rows(archive, part, strings) if any(cell not in (None, "") for cell in row[1])]
        if rows:
            return rows
    return []


def _sheets(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """Name of each sheet, and of its part of the archive."""
    links = {
        link.get("Id"): str(link.get("Target"))
        for link in _parse(archive, "xl/_rels/workbook.xml.rels").iter()
        if _local(link) == "Relationship"
    }
    found = []
    for sheet in _parse(archive, "xl/workbook.xml").iter():
        if _local(sheet) == "sheet":
            key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), None)
            target = links.get(key, "")
            found.append((str(sheet.get("name")), target.lstrip("/") if target[:1] == "/" else f"xl/{target}"))
    return [(name, part) for name, part in found if "worksheets" in part]


def _rows(archive: zipfile.ZipFile, part: str, strings: list[str]) -> Iterator[Cells]:
    number = 0
    with _open(archive, part) as file:
        for _, element in ET.iterparse(file):  # noqa: S314 -- expat refuses entities that grow beyond measure
            if _local(element) != "row":
                continue
            number = int(element.get("r") or number + 1)
            cells: list[Any] = []
            for cell in element:
                place = _column(cell.get("r")) or len(cells) + 1
                cells += [None] * (place - 1 - len(cells))
                cells.append(unmarked(_value(cell, strings)))
            yield number, cells
            element.clear()


def _value(cell: ET.Element, strings: list[str]) -> Any:
    kind = cell.get("t", "n")
    stored = next((part.text for part in cell if _local(part) == "v"), None)
    value: Any = None  # nothing, or an error such as #N/A
    if kind == "inlineStr":
        value = _string(cell)
    elif stored is not None and kind == "s":
        value = strings[int(stored)]
    elif stored is not None and kind == "n":
        number = float(stored)
        value = int(number) if number.is_integer() else number
    elif stored is not None and kind == "b":
        value = stored.strip() == "1"
    elif stored is not None and kind != "e":
        value = _unescaped(stored)
    return value


def _shared_strings(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_string(entry) for entry in _parse(archive, "xl/sharedStrings.xml") if _local(entry) == "si"]


def _string(entry: ET.Element) -> str:
    """The text of a cell: that of its runs of one format each, without the reading aids of Japanese."""
    parts = []
    for part in entry:
        match _local(part):
            case "t":
                parts.append(part.text or "")
            case "r" | "is":
                parts.append(_string(part))
    return "".join(parts) if _local(entry) == "r" else _unescaped("".join(parts))


def _unescaped(text: str) -> str:
    """Excel writes characters that XML cannot hold as _x000D_; its line breaks are plain line feeds in tables."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text).replace("\r\n", "\n")


def _column(reference: str | None) -> int:
    """The number of a cell's column, from 1.

    >>> _column("A1"), _column("AB12"), _column(None)
    (1, 28, 0)
    """
    number = 0
    for letter in (reference or "").rstrip("0123456789"):
        number = number * 26 + ord(letter.upper()) - ord("A") + 1
    return number


def _local(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _parse(archive: zipfile.ZipFile, part: str) -> ET.Element:
    with _open(archive, part) as file:
        return ET.parse(file).getroot()  # noqa: S314 -- as above


def _open(archive: zipfile.ZipFile, part: str) -> IO[bytes]:
    if archive.getinfo(part).file_size > _LARGEST:
        raise ValueError(f"{part} is larger than {_LARGEST >> 20} MB")
    return archive.open(part)
