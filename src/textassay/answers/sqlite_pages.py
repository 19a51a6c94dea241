"""Rows of an SQLite file that SQLite itself can no longer read, taken from its pages.

A table is a tree of pages; its rows are in the leaves. SQLite gives up at the first damaged page. Here each page is
read by itself, so a damaged one costs its own rows only, and leaves below a damaged branch are found by looking at all
pages. The file is opened for reading and nothing else. Format: https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

Value = None | int | float | str | bytes
Cell = tuple[int, tuple[Value, ...]]
"""The number of a row, and its values."""

_MAGIC = b"SQLite format 3\0"
_USUAL_PAGE = 4096
_BRANCH, _LEAF = 5, 13
_LOG_HEADER, _FRAME_HEADER = 32, 24
_LOG_MAGIC = 0x377F0682
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Serial type → bytes of a whole number."""
_LONGEST_VARINT = 9
_REAL, _ZERO, _ONE, _BLOB = 7, 8, 9, 12


class DamagedPageError(Exception):
    """What a page or a row says cannot be."""


class PageFile:
    """The pages of an SQLite file, those of its write-ahead log in place of older ones."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("rb")
        header = self._file.read(100)
        size = int.from_bytes(header[16:18])
        size = 65536 if size == 1 else size
        self.has_header = header.startswith(_MAGIC) and size >= 512 and size & (size - 1) == 0
        """Whether the file says at all what it is; without, the usual size of pages is assumed."""
        self.size = size if self.has_header else _USUAL_PAGE
        self._usable = self.size - (header[20] if self.has_header else 0)
        self._logged = _logged_pages(path.with_name(f"{path.name}-wal"), self.size)
        self.count = max([path.stat().st_size // self.size, *self._logged])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _traceback: TracebackType | None) -> None:
        self._file.close()

    def page(self, number: int) -> bytes:
        """A page by its number, from 1.

        Raises:
            DamagedPageError: there is none.
        """
        if not 1 <= number <= self.count:
            raise DamagedPageError(f"there is no page {number}")
        if number in self._logged:
            return self._logged[number]
        self._file.seek((number - 1) * self.size)
        found = self._file.read(self.size)
        if len(found) < self.size:
            raise DamagedPageError(f"page {number} is not complete")
        return found

    def is_leaf(self, number: int) -> bool:
        """Whether a page says that it holds rows."""
        try:
            return self.page(number)[_start(number)] == _LEAF
        except DamagedPageError:
            return False

    def leaves(self, root: int) -> tuple[list[int], set[int]]:
        """The leaves of a tree that can be reached, and the pages that cannot be what they should be."""
        found, damaged, seen, waiting = [], set(), set(), [root]
        while waiting:
            number = waiting.pop()
            if number in seen:
                damaged.add(number)
                continue
            seen.add(number)
            try:
                page, start = self.page(number), _start(number)
                if page[start] == _LEAF:
                    found.append(number)
                elif page[start] == _BRANCH:
                    children = [int.from_bytes(page[at : at + 4]) for at in self._pointers(page, start, 12)]
                    waiting += [int.from_bytes(page[start + 8 : start + 12]), *reversed(children)]
                else:
                    damaged.add(number)
            except DamagedPageError:
                damaged.add(number)
        return found, damaged

    def rows(self, number: int) -> Iterator[Cell | None]:
        """The rows of a leaf; nothing in place of one that cannot be read."""
        page, start = self.page(number), _start(number)
        try:
            places = self._pointers(page, start, 8)
        except DamagedPageError:
            yield None
            return
        for place in places:
            try:
                yield self._row(page, place)
            except (DamagedPageError, UnicodeDecodeError, struct.error, IndexError):
                yield None

    def unused(self) -> set[int]:
        """Pages that SQLite has put aside; rows in them were removed."""
        found: set[int] = set()
        trunk = int.from_bytes(self.page(1)[32:36]) if self.has_header else 0
        while trunk and trunk not in found:
            found.add(trunk)
            try:
                page = self.page(trunk)
            except DamagedPageError:
                break
            count = min(int.from_bytes(page[4:8]), self._usable // 4 - 2)
            found |= {int.from_bytes(page[8 + 4 * place : 12 + 4 * place]) for place in range(count)}
            trunk = int.from_bytes(page[:4])
        return found

    def _pointers(self, page: bytes, start: int, header: int) -> list[int]:
        count = int.from_bytes(page[start + 3 : start + 5])
        end = start + header + 2 * count
        if end > self._usable:
            raise DamagedPageError("more rows than fit")
        places = [int.from_bytes(page[at : at + 2]) for at in range(start + header, end, 2)]
        if any(not end <= place < self._usable for place in places):
            raise DamagedPageError("a row outside the page")
        return places

    def _row(self, page: bytes, place: int) -> Cell:
        length, place = _varint(page, place)
        number, place = _varint(page, place)
        most = self._usable - 35
        if length <= most:
            payload = page[place : place + length]
        else:
            least = (self._usable - 12) * 32 // 255 - 23
            own = least + (length - least) % (self._usable - 4)
            own = own if own <= most else least
            rest = int.from_bytes(page[place + own : place + own + 4])
            payload = page[place : place + own] + self._overflow(rest, length - own)
        if len(payload) != length:
            raise DamagedPageError("a row that ends too early")
        return number, _values(payload)

    def _overflow(self, number: int, length: int) -> bytes:
        if length > self.count * self.size:
            raise DamagedPageError("a row longer than the file")
        parts = []
        while length > 0:
            page = self.page(number)
            parts.append(page[4 : min(self._usable, 4 + length)])
            length -= len(parts[-1])
            number = int.from_bytes(page[:4])
        return b"".join(parts)


def _start(number: int) -> int:
    """Where the page's own header begins: the first page has that of the file before it."""
    return 100 if number == 1 else 0


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place after it."""
    value = 0
    for count in range(_LONGEST_VARINT):
        byte = data[place + count]
        last = count == _LONGEST_VARINT - 1  # it has eight bits of its own, the others seven
        value = value << 8 | byte if last else value << 7 | byte & 0x7F
        if last or byte < 0x80:
            break
    return (value - (1 << 64) if value >= 1 << 63 else value), place + count + 1


def _values(payload: bytes) -> tuple[Value, ...]:
    size, place = _varint(payload, 0)
    kinds = []
    while place < size:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    if place != size:
        raise DamagedPageError("a header of another length")
    values = []
    for kind in kinds:
        value, place = _value(payload, place, kind)
        values.append(value)
    if place != len(payload):
        raise DamagedPageError("a row of another length")
    return tuple(values)


def _value(payload: bytes, place: int, kind: int) -> tuple[Value, int]:
    if kind in (0, _ZERO, _ONE):
        return {0: None, _ZERO: 0, _ONE: 1}[kind], place
    if kind in _INTEGERS:
        end = place + _INTEGERS[kind]
        return int.from_bytes(payload[place:end], signed=True), end
    if kind == _REAL:
        return struct.unpack(">d", payload[place : place + 8])[0], place + 8
    if kind < _BLOB:
        raise DamagedPageError("a value of no kind")
    end = place + (kind - _BLOB) // 2
    if end > len(payload):
        raise DamagedPageError("a value that ends too late")
    return (payload[place:end] if kind % 2 == 0 else payload[place:end].decode("utf-8")), end


def _logged_pages(path: Path, size: int) -> dict[int, bytes]:
    """The pages of all complete transactions in a write-ahead log; none where there is no sound log."""
    try:
        log = path.read_bytes()
    except OSError:
        return {}
    if len(log) < _LOG_HEADER or int.from_bytes(log[:4]) & ~1 != _LOG_MAGIC or int.from_bytes(log[8:12]) != size:
        return {}
    order = ">" if int.from_bytes(log[:4]) & 1 else "<"
    total = _checksum(log[:24], order, (0, 0))
    if total != struct.unpack(">II", log[24:32]):
        return {}
    found: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(_LOG_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        head, page = log[at : at + _FRAME_HEADER], log[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        total = _checksum(head[:8] + page, order, total)
        if head[8:16] != log[16:24] or total != struct.unpack(">II", head[16:24]):
            break
        pending[int.from_bytes(head[:4])] = page
        if int.from_bytes(head[4:8]):  # the last page of a transaction
            found |= pending
            pending = {}
    return found


def _checksum(data: bytes, order: str, start: tuple[int, int]) -> tuple[int, int]:
    one, two = start
    for first, second in struct.iter_unpack(f"{order}II", data):
        one = one + first + two & 0xFFFFFFFF
        two = two + second + one & 0xFFFFFFFF
    return one, two
