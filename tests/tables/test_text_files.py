from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from textassay.errors import ProblemsError
from textassay.tables.text_files import read_text


def message(path: Path) -> str:
    with pytest.raises(ProblemsError) as caught:
        read_text(path, "t.csv")
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\xfc\n", "t.csv:2:2: byte 0xFC is not UTF-8; save the file as UTF-8"),
        # ä is one character and two bytes: columns count characters.
        ("ä".encode() + b"\xe9", "t.csv:1:2: byte 0xE9 is not UTF-8; save the file as UTF-8"),
        ("item".encode("utf-16"), "t.csv:1:1: the file is UTF-16, not UTF-8; save it as UTF-8"),
        (codecs.BOM_UTF16_BE + b"\0a", "t.csv:1:1: the file is UTF-16, not UTF-8; save it as UTF-8"),
        ("item".encode("utf-32"), "t.csv:1:1: the file is UTF-32, not UTF-8; save it as UTF-8"),
        (b"a\n\nbc\0", "t.csv:3:3: a NUL byte; is this a text file? Save it as plain UTF-8 text"),
        ("i,t\n".encode("utf-16-le"), "t.csv:1:2: a NUL byte; is this a text file? Save it as plain UTF-8 text"),
    ],
)
def test_what_is_not_utf_8_is_refused_with_its_place(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    assert message(path) == expected


def test_missing_file(tmp_path: Path) -> None:
    assert message(tmp_path / "t.csv") == "t.csv: no such file; create it or correct the path"


def test_folder(tmp_path: Path) -> None:
    assert message(tmp_path) == "t.csv: this is a folder, not a file; name a file in it"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a", encoding="utf-8")
    path.chmod(0)
    assert message(path) == "t.csv: cannot be read (Permission denied); check its permissions"


def test_byte_order_mark_is_skipped_and_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(codecs.BOM_UTF8 + "ä\r\nb\rc\n".encode())
    assert read_text(path, "t.csv") == "ä\r\nb\rc\n"
