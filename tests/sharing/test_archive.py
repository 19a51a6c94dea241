"""Archives: the same files give the same bytes, checksums tell every change, and no archive can do harm."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from textassay.errors import DataError
from textassay.sharing import archive
from textassay.sharing.archive import (
    CHECKSUMS,
    FileChanges,
    file_changes,
    files_in,
    read_checksums,
    unpack,
    write_archive,
    write_checksums,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    (made / "tables").mkdir(parents=True)
    (made / "b.txt").write_text("second")
    (made / "a.txt").write_text("first")
    (made / "tables" / "ü.csv").write_text("x\n1\n", encoding="utf-8")
    write_checksums(made)
    return made


def test_there_and_back(folder: Path, tmp_path: Path) -> None:
    write_archive(folder, tmp_path / "one.zip", top="study")
    found = unpack(tmp_path / "one.zip", tmp_path / "unpacked")
    assert found.name == "study"
    assert files_in(found) == ["SHA256SUMS", "a.txt", "b.txt", "tables/ü.csv"]
    assert not file_changes(found, read_checksums(found))


def test_bytes_depend_on_the_content_only(folder: Path, tmp_path: Path) -> None:
    write_archive(folder, tmp_path / "one.zip", top="study")
    os.utime(folder / "a.txt", (1, 10**9))
    (folder / "b.txt").chmod(0o600)
    write_archive(folder, tmp_path / "two.zip", top="study")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_every_change_is_told(folder: Path) -> None:
    checksums = read_checksums(folder)
    (folder / "a.txt").write_text("First")
    (folder / "b.txt").unlink()
    (folder / "c.txt").write_text("third")
    (folder / ".DS_Store").write_text("made by a file manager")
    assert file_changes(folder, checksums) == FileChanges(("a.txt",), ("b.txt",), ("c.txt",))


@pytest.mark.parametrize(
    "line", ["abc  a.txt", f"{'0' * 64}  ../a.txt", f"{'0' * 64} a.txt", f"{'0' * 64}  /etc/passwd"]
)
def test_wrong_checksums(folder: Path, line: str) -> None:
    (folder / CHECKSUMS).write_text(line + "\n")
    with pytest.raises(DataError, match="SHA256SUMS:1: not a checksum and the path of a file"):
        read_checksums(folder)


def hostile(name: str, mode: int = stat.S_IFREG | 0o644) -> Callable[[zipfile.ZipFile], None]:
    def add(into: zipfile.ZipFile) -> None:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        into.writestr(entry, "harm")

    return add


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (hostile("../outside.txt"), "outside its own folder"),
        (hostile("study/../../outside.txt"), "outside its own folder"),
        (hostile("/absolute.txt"), "outside its own folder"),
        (hostile("C:/windows.txt"), "outside its own folder"),
        (hostile("study\\..\\..\\outside.txt"), "outside its own folder|not unpacked"),
        (hostile("study/link", stat.S_IFLNK | 0o777), "is a link or a device"),
    ],
)
def test_harmful_path_is_not_unpacked(tmp_path: Path, add: Callable[[zipfile.ZipFile], None], message: str) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as made:
        made.writestr("study/good.txt", "good")
        add(made)
    with pytest.raises(DataError, match=message):
        unpack(tmp_path / "bad.zip", tmp_path / "unpacked")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.zip"]


def test_same_file_twice_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as made:
        made.writestr("study/a.txt", "one")
        made.writestr("study/A.txt", "another")
    with pytest.raises(DataError, match=r"'study/A\.txt' is in it twice"):
        unpack(tmp_path / "bad.zip", tmp_path / "unpacked")


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("study/zeros", b"0" * 200_000)
    monkeypatch.setattr(archive, "MOST_BYTES", 100_000)
    with pytest.raises(DataError, match="no bundle has more than"):
        unpack(tmp_path / "bomb.zip", tmp_path / "unpacked")
    # an archive may lie about its size; what comes out is counted, too
    monkeypatch.setattr(archive, "_check", lambda entries: None)
    with pytest.raises(DataError, match="not unpacked further"):
        unpack(tmp_path / "bomb.zip", tmp_path / "unpacked")
    monkeypatch.undo()
    monkeypatch.setattr(archive, "MOST_FILES", 0)
    with pytest.raises(DataError, match="it holds 1 files, and no bundle has more than 0"):
        unpack(tmp_path / "bomb.zip", tmp_path / "unpacked")


@pytest.mark.parametrize("keep", [0, 10, 200, -10])
def test_truncated_archive(folder: Path, tmp_path: Path, keep: int) -> None:
    write_archive(folder, tmp_path / "one.zip", top="study")
    whole = (tmp_path / "one.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:keep])
    with pytest.raises(DataError, match=r"cut\.zip is no complete zip file .*; get it again"):
        unpack(tmp_path / "cut.zip", tmp_path / "unpacked")


def test_damaged_archive(folder: Path, tmp_path: Path) -> None:
    write_archive(folder, tmp_path / "one.zip", top="study")
    damaged = bytearray((tmp_path / "one.zip").read_bytes())
    place = damaged.index(b"study/SHA256SUMS") + 40  # within the first file
    damaged[place : place + 8] = b"\xff" * 8
    (tmp_path / "damaged.zip").write_bytes(damaged)
    with pytest.raises(DataError, match="is no complete zip file"):
        unpack(tmp_path / "damaged.zip", tmp_path / "unpacked")


def test_archive_that_cannot_be_written_leaves_the_old_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old.zip").write_bytes(b"old")
    monkeypatch.setattr(archive, "files_in", lambda _: ["a.txt", "gone.txt"])
    with pytest.raises(FileNotFoundError):
        write_archive(folder, tmp_path / "old.zip", top="study")
    assert (tmp_path / "old.zip").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old.zip"]
