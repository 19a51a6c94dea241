"""A store of every earlier revision opens, is upgraded, and exports the same tables: a study outlives a release."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from old_stores import content, dump_of, load_dump

from textassay.answers.database import schema_state
from textassay.answers.export import export_study
from textassay.answers.schema import REVISION
from textassay.answers.store import Store
from textassay.answers.upgrading import scripts
from textassay.study.study import Study

NEVER_HELD = {
    "0001": {"opened_at", "platform_study", "platform_session"},
    "0002": {"platform_study", "platform_session"},
}
"""Columns that the tables of a revision had no place for; they stay empty."""


def revisions() -> list[str]:
    return sorted(script.revision for script in scripts().walk_revisions())


REVISIONS = revisions()


def exported(study: Study, url: str, directory: Path) -> dict[str, list[dict[str, Any]]]:
    """The tables of an export with everything in it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in export_study(replace(study, store=url), directory, personal=True):
        if path.suffix == ".csv" and path.stem != "codebook":
            with path.open(encoding="utf-8", newline="") as file:
                found[path.name] = list(csv.DictReader(file))
        elif path.suffix == ".jsonl":
            found[path.name] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


def without(tables: dict[str, list[dict[str, Any]]], columns: set[str]) -> dict[str, list[dict[str, Any]]]:
    return {
        name: [{column: None if column in columns else cell for column, cell in row.items()} for row in rows]
        for name, rows in tables.items()
    }


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("empty_postgres_database"))
    return f"sqlite:///{(tmp_path / 'old.db').as_posix()}"


@pytest.fixture
def newest(study: Study, tmp_path: Path) -> dict[str, list[dict[str, Any]]]:
    """What the newest revision exports."""
    url = f"sqlite:///{(tmp_path / 'newest.db').as_posix()}"
    load_dump(REVISIONS[-1], url)
    return exported(study, url, tmp_path / "newest")


def test_tables_of_this_release_are_those_of_the_last_step() -> None:
    assert REVISIONS[-1] == REVISION


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_exports_the_same_tables(
    study: Study, tmp_path: Path, newest: dict[str, list[dict[str, Any]]], database: str, revision: str
) -> None:
    assert dump_of(revision).is_file(), f"write it once: python tests/support/old_stores.py {revision}"
    load_dump(revision, database)
    assert schema_state(database) == ("current" if revision == REVISIONS[-1] else "older")
    tables = exported(study, database, tmp_path / "old")
    lost = NEVER_HELD.get(revision, set())
    assert without(tables, lost) == without(newest, lost)
    assert {cell for rows in tables.values() for row in rows for name, cell in row.items() if name in lost} <= {
        "",
        None,
    }
    assert schema_state(database) == "current"
    with Store.open(database) as store:
        assert store.secret("join") == "secret-of-join", "links go on working"
        held = revision >= "0003"
        assert store.recruiting.paused() is held
        status = [("Ada Lovelace", "active"), ("Grace Hopper", None)] if held else []
        assert [(each.name, each.status) for each in store.recruiting.invitations()] == status


def test_the_content_has_what_stores_can_have(newest: dict[str, list[dict[str, Any]]]) -> None:
    """Read off `content` by hand, so that all revisions agree on the right tables, not only with each other."""
    people = newest["participants.csv"]
    seen = [(row["participant"], row["status"], row["counted"], row["simulated"]) for row in people]
    assert seen == [
        ("p-first2", "completed", "true", "false"),
        ("p-again3", "completed", "false", "false"),
        ("p-unfit4", "completed", "false", "false"),
        ("p-under5", "active", "false", "false"),
        ("p-leave6", "withdrawn", "false", "false"),
        ("p-bared7", "excluded", "false", "false"),
        ("p-robot8", "completed", "true", "true"),
        ("p-empty9", "active", "false", "false"),
    ]
    assert {row["age"] for row in people} == {"34", ""}, "the changed questionnaire counts"
    rows = newest["answers-revisions.jsonl"]
    assert len(rows) == len(content()["answers"])
    assert {row["revision"] for row in rows} == {-1, 0, 1}
    assert any(row["opened_at"] for row in rows)
