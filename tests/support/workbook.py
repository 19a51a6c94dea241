"""Excel workbooks as small as they can be."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def write_workbook(path: Path, rows: Sequence[Sequence[Any]], *, before: Sequence[str] = ()) -> Path:
    """A workbook with these rows in one sheet, after empty sheets of the names `before`."""
    names = [*before, "Sheet1"]
    sheets = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(names, 1))
    links = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(names) + 1)
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{kind}.worksheet+xml"/>'
        for n in range(1, len(names) + 1)
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>{types}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" Type="{_OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'
        )
        for n in range(1, len(names)):
            archive.writestr(f"xl/worksheets/sheet{n}.xml", f'<worksheet xmlns="{_MAIN}"><sheetData/></worksheet>')
        data = "".join(f'<row r="{n}">{_cells(row, n)}</row>' for n, row in enumerate(rows, 1))
        archive.writestr(
            f"xl/worksheets/sheet{len(names)}.xml",
            f'<worksheet xmlns="{_MAIN}"><sheetData>{data}</sheetData></worksheet>',
        )
    return path


def _cells(row: Sequence[Any], number: int) -> str:
    written = []
    for column, value in zip("ABCDEFGHIJ", row, strict=False):
        place = f'r="{column}{number}"'
        if isinstance(value, str):
            text = escape(value)
            written.append(f'<c {place} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>')
        elif value is not None:
            written.append(f"<c {place}><v>{value}</v></c>")
    return "".join(written)
