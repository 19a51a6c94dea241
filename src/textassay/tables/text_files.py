"""Text files in UTF-8, read with the place of the first byte that is not."""

from __future__ import annotations

import codecs
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
