"""Options that several commands share, as they are typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("order", "counts", "2.5"), "'2.5' is not a whole number"),
        (("order", "counts", "4", "--bins", "1e1"), "--bins: '1e1' is not a whole number"),
        (("power", "study", "-n", "20.5"), '"20.5" into int'),
        (("serve", "study", "-p", "80.80"), "-p: '80.80' is not a whole number"),
        (("score", "t.csv", "--jobs", "two"), "--jobs: 'two' is not a whole number"),
    ],
)
def test_whole_numbers_are_not_rounded(textassay: Callable[..., Any], arguments: tuple[str, ...], named: str) -> None:
    ran = textassay(*arguments)
    assert ran.code == 2
    assert named in ran.err


def test_whole_numbers_are_taken(textassay: Callable[..., Any]) -> None:
    assert "24 orders in all" in textassay("order", "counts", "4").out


# --- where the answers are ------------------------------------------------------------------------------------------


def test_flag_beats_variable_beats_file(
    textassay: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = write_small_study(tmp_path / "study", lambda data: data.update(store="sqlite:///of-the-file.db"))
    names = ("of-the-file.db", "of-the-variable.db", "of-the-flag.db")
    monkeypatch.chdir(tmp_path)
    places = [directory / names[0], tmp_path / names[1], tmp_path / names[2]]

    def there() -> list[bool]:
        return [path.exists() for path in places]

    textassay("links", directory, "--base", "http://h")
    assert there() == [True, False, False]
    monkeypatch.setenv("TEXTASSAY_DB", f"sqlite:///{names[1]}")
    textassay("links", directory, "--base", "http://h")
    assert there() == [True, True, False]
    textassay("links", directory, "--base", "http://h", "--db", f"sqlite:///{names[2]}")
    assert there() == [True, True, True]
    assert not (directory / "answers.db").exists()


def test_no_password_is_typed_or_written_down_or_told(
    textassay: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    directory = write_small_study(tmp_path / "study")
    for address in ("postgresql://me:geheim@127.0.0.1:1/db", "postgresql://127.0.0.1:1/db?password=geheim"):
        ran = textassay("links", directory, "--db", address)
        assert ran.code == 2
        assert "--db: the address holds a password; take it out, and set PGPASSWORD" in ran.err
        monkeypatch.setenv("TEXTASSAY_DB", address)
        said = textassay("export", directory)
        monkeypatch.delenv("TEXTASSAY_DB")
        assert said.code == 1
        assert "127.0.0.1:1/db: cannot be opened" in said.err
        write_small_study(directory, lambda data, address=address: data.update(store=address))  # type: ignore[misc]
        written = textassay("export", directory)
        assert written.code == 1
        assert "store: the address holds a password" in written.err
        write_small_study(directory)
        assert "geheim" not in ran.out + ran.err + said.out + said.err + written.out + written.err


def test_one_address_is_for_one_study(textassay: Callable[..., Any], tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_small_study(tmp_path / name)
    for command in ("analyse", "correlate"):
        ran = textassay(command, tmp_path / "one", tmp_path / "two", "--db", "sqlite:///a.db")
        assert ran.code == 2
        assert "each names its database itself, under 'store' in its file" in ran.err


@pytest.mark.postgres
def test_commands_find_the_answers_in_postgresql(
    textassay: Callable[..., Any], tmp_path: Path, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = write_small_study(tmp_path / "study")
    monkeypatch.setenv("TEXTASSAY_DB", postgres_database)
    assert textassay("screen", directory).code == 1  # no answers yet
    assert textassay("simulate", directory, "-n", "2").code == 0
    assert (directory / "SIMULATED.txt").read_text(encoding="utf-8").startswith("Participants in the study's database")
    assert textassay("export", directory, "--to", tmp_path / "export").code == 0
    assert len((tmp_path / "export" / "participants.csv").read_text(encoding="utf-8").splitlines()) == 3
    assert "opens and up to date" in " ".join(textassay("doctor", directory, "-p", "0", "-f", "csv").out.split())
    assert "will be removed" in textassay("reset", directory, "--yes").out
    assert not (directory / "answers.db").exists()
    assert pipeline.load(directory).store == ""
