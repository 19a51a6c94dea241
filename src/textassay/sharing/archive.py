"""A folder as one archive with checksums, and back.

The same files give the same bytes. No archive, however it was made, can write outside the folder that it is unpacked
into, or fill the disk.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from textassay.errors import DataError

CHECKSUMS = "SHA256SUMS"
"""Name of the file with a checksum for each other file, in the form of `sha256sum`."""
MOST_FILES = 20_000
MOST_BYTES = 2 * 1024**3
"""Limits of what is unpacked."""
_CHUNK = 1 << 20
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive; the format knows none before."""
_READABLE = (stat.S_IFREG | 0o644) << 16
_MADE_BY_SYSTEMS = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
"""What file managers add on their own."""


@dataclass(frozen=True)
class FileChanges:
    """How files differ from what their checksums say."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.added)


def files_in(folder: Path) -> list[str]:
    """All files below a folder by their paths, sorted; those that file managers add do not count."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found if not set(path.parts) & set(_MADE_BY_SYSTEMS))


def write_checksums(folder: Path) -> None:
    """Write the checksum of every file below a folder."""
    names = [name for name in files_in(folder) if name != CHECKSUMS]
    lines = (f"{checksum(folder / name)}  {name}\n" for name in names)
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8", newline="")


def read_checksums(folder: Path) -> dict[str, str]:
    """The checksums of a folder by file.

    Raises:
        DataError: there are none, they cannot be read, or they name files elsewhere.
    """
    found: dict[str, str] = {}
    try:
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise DataError(
            f"there is no readable {CHECKSUMS} in it, so it cannot be checked; get the bundle again"
        ) from None
    for number, line in enumerate(lines, 1):
        digest, gap, name = line.partition("  ")
        if not gap or len(digest) != 64 or _outside(name):
            raise DataError(f"{CHECKSUMS}:{number}: not a checksum and the path of a file; get the bundle again")
        found[name] = digest
    return found


def file_changes(folder: Path, checksums: Mapping[str, str]) -> FileChanges:
    """Which files are not what their checksums say."""
    there = set(files_in(folder)) - {CHECKSUMS}
    common = sorted(there & checksums.keys())
    return FileChanges(
        tuple(name for name in common if checksum(folder / name) != checksums[name]),
        tuple(sorted(checksums.keys() - there)),
        tuple(sorted(there - checksums.keys())),
    )


def checksum(path: Path) -> str:
    """The SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_archive(folder: Path, target: Path, *, top: str) -> None:
    """Write all files below a folder as a zip file, completely or not at all.

    Args:
        folder: The files.
        target: The zip file; an earlier one is replaced.
        top: Name of the folder in the zip file.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in files_in(folder):
                entry = zipfile.ZipInfo(f"{top}/{name}", _EARLIEST)
                entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, _READABLE
                with archive.open(entry, "w", force_zip64=False) as into, (folder / name).open("rb") as file:
                    while part := file.read(_CHUNK):
                        into.write(part)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def unpack(source: Path, folder: Path) -> Path:
    """Unpack a zip file; returns the folder in it that holds the files.

    Raises:
        DataError: it is no zip file or a damaged one, too large, or wants to write elsewhere.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(entries)
            _extract(archive, entries, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError) as error:
        reason = str(error) or type(error).__name__
        raise DataError(f"{source} is no complete zip file ({reason}); get it again") from None
    return _top(folder)


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES:
        raise DataError(f"it holds {len(entries):,} files, and no bundle has more than {MOST_FILES:,}; not unpacked")
    size = sum(entry.file_size for entry in entries)
    if size > MOST_BYTES:
        raise DataError(f"it would take {size / 1024**3:.1f} GB, and no bundle has more than 2 GB; not unpacked")
    names: set[str] = set()
    for entry in entries:
        mode = entry.external_attr >> 16
        if _outside(entry.filename):
            raise DataError(f"it wants to write {entry.filename!r}, outside its own folder; not unpacked")
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise DataError(f"{entry.filename!r} is a link or a device, not a file; not unpacked")
        if entry.filename.casefold() in names:
            raise DataError(f"{entry.filename!r} is in it twice; not unpacked")
        names.add(entry.filename.casefold())


def _outside(name: str) -> bool:
    """Whether a path could lead outside its folder on any system."""
    parts = (*PurePosixPath(name).parts, *PureWindowsPath(name).parts)
    rooted = PurePosixPath(name).is_absolute() or bool(PureWindowsPath(name).drive or PureWindowsPath(name).root)
    return not name or rooted or ".." in parts or "\0" in name or "\\" in name


def _extract(archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo], folder: Path) -> None:
    """Write the entries; what an archive says of its size is not believed."""
    left = MOST_BYTES
    for entry in entries:
        target = folder / entry.filename
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as file, target.open("wb") as into:
                for part in _parts(file):
                    left -= len(part)
                    if left < 0:
                        raise DataError("it would take more than 2 GB, and no bundle does; not unpacked further")
                    into.write(part)
        except (OSError, ValueError) as error:
            if isinstance(error, (zipfile.BadZipFile, EOFError)):
                raise
            raise DataError(f"{entry.filename!r} cannot be written ({error}); unpack it elsewhere") from None


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    while part := file.read(_CHUNK):
        yield part


def _top(folder: Path) -> Path:
    """The folder with the checksums: the one that was unpacked into, or the only one in it."""
    if (folder / CHECKSUMS).is_file():
        return folder
    inside = [path for path in sorted(folder.iterdir()) if path.name not in _MADE_BY_SYSTEMS]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder
