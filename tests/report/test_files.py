from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.report.files import Names, slug, write


@given(st.text(max_size=200))
def test_a_slug_is_safe_on_every_file_system(name: str) -> None:
    found = slug(name)
    assert re.fullmatch(r"[a-z0-9_-]{1,81}", found)
    assert found not in {"con", "nul", "aux", "prn", "com1", "lpt9"}
    assert found == slug(name)


@pytest.mark.parametrize("name", ["COM1", "aux", "Con"])
def test_names_of_devices_are_changed(name: str) -> None:
    assert slug(name) == f"{name.lower()}-"


def test_names_without_a_latin_letter_stay_apart() -> None:
    assert slug("明瞭さ") != slug("流暢さ")
    assert slug("明瞭さ").startswith("x-")


def test_each_file_gets_a_name_of_its_own() -> None:
    names = Names()
    claimed = [names.claim(name) for name in ("means", "Means", "means", "means-2", "other")]
    assert claimed == ["means", "means-2", "means-3", "means-2-2", "other"]


@given(st.lists(st.sampled_from(["a", "A", "a-2", "a 2", "á", "b"]), max_size=12))
def test_claimed_names_are_unique(wanted: list[str]) -> None:
    names = Names()
    claimed = [names.claim(name) for name in wanted]
    assert len(set(claimed)) == len(claimed)


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.csv"
    write(path, "first\n")
    write(path, "größer\n")
    assert path.read_bytes() == "größer\n".encode()
    assert [entry.name for entry in path.parent.iterdir()] == ["a.csv"]
    write(path, b"\x00\x01")
    assert path.read_bytes() == b"\x00\x01"
