"""Text files in UTF-8, read with the place of the first byte that is not; tables also as spreadsheets write them."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from textassay.errors import Problem, ProblemsError

_WRONG_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # before UTF-16, with whose mark it begins
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def read_text(path: Path, name: str) -> str:
    """The file's text; a UTF-8 byte order mark is skipped, line ends stay as they are.

    Args:
        path: The file.
        name: What to call it in a message.

    Raises:
        ProblemsError: it is missing, cannot be read, is not UTF-8, or holds a NUL byte.
    """
    return decode_text(read_bytes(path, name), name)


def decode_text(data: bytes, name: str) -> str:
    """The text of bytes that came from the file `name`; see `read_text`."""
    for mark, encoding in _WRONG_MARKS.items():
        if data.startswith(mark):
            raise ProblemsError([Problem(name, 1, 1, "", f"the file is {encoding}, not UTF-8; save it as UTF-8")])
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = _place(data, error.start)
        message = f"byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8"
        raise ProblemsError([Problem(name, *place, "", message)]) from None
    if "\0" in text:
        message = "a NUL byte; is this a text file? Save it as plain UTF-8 text"
        raise ProblemsError([Problem(name, *_place(data, data.index(b"\0")), "", message)])
    return text


def decode_table(data: bytes, name: str) -> str:
    """The text of a table; what a spreadsheet saves as "Unicode" (UTF-16 with its mark) is read as well.

    Raises:
        ProblemsError: it is in neither, or holds a NUL byte.
    """
    encoding = next((encoding for mark, encoding in _WRONG_MARKS.items() if data.startswith(mark)), None)
    if encoding is not None:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            message = f"the file begins like {encoding} but is cut or damaged; save it again as UTF-8"
            raise ProblemsError([Problem(name, 0, 0, "", message)]) from None
        return decode_text(text.encode("utf-8"), name)
    try:
        return decode_text(data, name)
    except ProblemsError as error:
        word = windows_word(data)
        if word is None:
            raise
        (problem,) = error.problems
        remedy = "if that is right, save it as UTF-8 (in Excel: Save as, CSV UTF-8)"
        message = f"not UTF-8; as Windows-1252, which Excel writes for 'CSV', it would read {word!r} here; {remedy}"
        raise ProblemsError([Problem(name, problem.line, problem.column, "", message)]) from None


def windows_word(data: bytes) -> str | None:
    """The first word that is not UTF-8, read as Windows-1252; nothing where the data can be neither or are UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = error.start
    else:
        return None
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    spoken = next(word for word in re.finditer(r"\w+|\S|\s", text) if word.end() > place)  # a byte is a character
    return spoken.group()


def read_bytes(path: Path, name: str) -> bytes:
    """The file's bytes; see `read_text`."""
    if path.is_dir():
        raise ProblemsError([Problem(name, 0, 0, "", "this is a folder, not a file; name a file in it")])
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ProblemsError([Problem(name, 0, 0, "", "no such file; create it or correct the path")]) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ProblemsError([Problem(name, 0, 0, "", f"cannot be read ({reason}); check its permissions")]) from None


def _place(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of a byte; columns count characters before it."""
    start = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[start:offset].decode("utf-8", "replace")) + 1
