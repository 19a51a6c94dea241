"""Rows are taken from pages as SQLite itself gives them, and none from damaged ones."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from textassay.answers.sqlite_pages import Cell, PageFile

VALUES = (
    None,
    0,
    1,
    -1,
    127,
    -129,
    40_000,
    2**23,
    -(2**31),
    2**40,
    2**62,
    0.5,
    -1e300,
    "",
    "grün",
    b"\0\xff",
    "x" * 9000,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Rows of all kinds and lengths; a third of them were removed, so that there are unused pages."""
    made = tmp_path / "a.db"
    rng = random.Random(7)
    with contextlib.closing(sqlite3.connect(made)) as connection, connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
        rows = [(number, *(rng.choice(VALUES) for _ in range(3))) for number in range(1, 3000)]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [*rows, (2**60, "last", None, 2)])
        connection.execute("DELETE FROM t WHERE id BETWEEN 1000 AND 1999")
    return made


def by_sqlite(path: Path) -> list[Cell]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [(number, (None, *rest)) for number, *rest in connection.execute("SELECT * FROM t ORDER BY id")]


def by_pages(path: Path) -> list[Cell]:
    with PageFile(path) as pages:
        (schema,) = [row for leaf in pages.leaves(1)[0] for row in pages.rows(leaf) if row is not None]
        root = schema[1][3]
        assert isinstance(root, int)
        leaves, damaged = pages.leaves(root)
        assert damaged == set()
        assert pages.unused().isdisjoint(leaves)
        assert len(pages.unused()) > 100
        return [row for leaf in leaves for row in pages.rows(leaf) if row is not None]


def test_the_same_rows_as_sqlite_reads(path: Path) -> None:
    before = path.read_bytes()
    assert by_pages(path) == by_sqlite(path)
    assert path.read_bytes() == before


def test_what_is_still_in_the_log_comes_too_and_what_was_not_committed_does_not(path: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA cache_size=1")  # so that pages get into the log before the end of a transaction
    with connection:
        connection.execute("UPDATE t SET a = 'newer' WHERE id < 500")
    wanted = by_sqlite(path)
    connection.execute("BEGIN")
    connection.execute("UPDATE t SET a = 'never'")
    copy = tmp_path / "copy.db"
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    connection.rollback()
    connection.close()
    assert by_pages(copy) == wanted
    assert sum(values[1] == "newer" for _, values in wanted) == 499


@pytest.mark.parametrize("seed", range(8))
def test_bytes_at_random_never_raise(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(60):
        start = rng.randrange(100, len(data) - 600)
        data[start : start + 512] = rng.choice([bytes(512), b"\xff" * 512, rng.randbytes(512), b"\x0d" * 512])
    path.write_bytes(data)
    found = []
    with PageFile(path) as pages:
        pages.unused()
        for number in range(1, pages.count + 1):
            pages.leaves(number)
            if pages.is_leaf(number):
                found += pages.rows(number)
    assert found, "most pages are undamaged"
