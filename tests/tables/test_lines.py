"""Lines of a file, read when they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import ProblemsError
from textassay.tables import lines as module
from textassay.tables.lines import LineColumns, LineFile

# Separators that end no line, letters of several bytes, carriage returns inside; one at the end would be a line end's.
LINES = st.lists(st.text("aé€𝄞 \r\x0b\x85\u2028", max_size=5).map(lambda line: line.rstrip("\r")), min_size=1)


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 9))
def test_lines_are_those_written(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, last: bool, block: int
) -> None:
    text = end.join(lines) + (end if last or not lines[-1] else "")
    path = write(tmp_path_factory.getbasetemp() / "lines", text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)  # letters and line ends are cut through
        found = LineFile(path)
    assert list(found) == lines
    assert [found[row] for row in range(-len(found), 0)] == lines
    assert found[1:3] == lines[1:3]
    assert found[::2] == lines[::2]
    with pytest.raises(IndexError):
        found[len(lines)]


def test_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    assert list(LineFile(write(tmp_path / "a", b"\xef\xbb\xbfa\nb"))) == ["a", "b"]


def test_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert len(LineFile(write(tmp_path / "a", b""))) == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\nb\xe4c\n", "a:2:2: byte 0xE4 is not UTF-8; save the file as UTF-8"),
        (b"a\n\xe2\x82", "a:2:1: byte 0xE2 is not UTF-8"),
        (b"\xff\xfea\x00", "a:1:1: the file is UTF-16, not UTF-8; save it as UTF-8"),
        (b"a\n\x00b", "a:2:1: a NUL byte; is this a text file"),
    ],
)
def test_wrong_bytes_are_named(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(ProblemsError) as raised:
        LineFile(write(tmp_path / "a", data), "a")
    assert message in str(raised.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="no such file"):
        LineFile(tmp_path / "none")


def test_file_that_shrinks_is_noticed(tmp_path: Path) -> None:
    found = LineFile(write(tmp_path / "a", b"one\ntwo\nthree\n"))
    write(tmp_path / "a", b"one\n")
    with pytest.raises(ProblemsError, match="has become shorter while it was read"):
        found[1:3]


def test_columns_of_a_file_are_lists_without_empty_ones(tmp_path: Path) -> None:
    found = LineColumns(LineFile(write(tmp_path / "x", b"a\tb\nc\t\n\t\n")), "x", 2)
    assert (len(found), found[0], found[1:]) == (3, ["a", "b"], [["c"], [""]])


def test_a_line_with_other_columns_is_named() -> None:
    with pytest.raises(ProblemsError, match="x:2: 1 tab-separated columns instead of 2; give every line 2"):
        LineColumns(["a\tb", "c"], "x", 2)
