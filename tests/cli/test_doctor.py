"""`textassay doctor` finds what is wrong, says what to do, and tells programs by its exit code."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.answers.store import Store
from textassay.cli import doctor
from textassay.errors import BrowserError

Command = Callable[..., Any]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.local_browser.finding.find_browser", lambda: "/usr/bin/chromium")


def looked_at(ran: Any) -> dict[str, dict[str, str]]:
    return {row["what"]: row for row in json.loads(ran.out)}


def test_everything_is_looked_at_and_nothing_is_left_behind(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = textassay("doctor", "--port", "0", "-f", "json")
    assert ran.code == 0, ran.out
    found = looked_at(ran)
    wanted = {"textassay", "Python", "database", "browser", "write access", "clock", "port 0"}
    assert wanted | {"compiled kernels", "extra: postgres", "disk"} <= set(found)
    assert {found[each]["state"] for each in wanted} == {"ok"}
    assert list(tmp_path.iterdir()) == []
    assert "The current directory is no study" in textassay("doctor", "--port", "0").out


def test_a_study_is_looked_at_before_and_after_it_has_answers(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    before = looked_at(textassay("doctor", directory, "-p", "0", "-f", "json"))
    assert before["study"]["state"] == "ok"
    assert [before[each]["found"].split(";")[0] for each in ("plan", "answers")] == ["none yet", "none yet"]
    study = pipeline.load(directory)
    slots = len(pipeline.plan(study).slots)
    Store.open(study.store_url).close()
    after = looked_at(textassay("doctor", directory, "-p", "0", "-f", "json"))
    assert after["plan"]["found"] == f"{slots} slots in plan.json"
    assert after["answers"]["found"] == "the database opens, is undamaged and up to date"
    with sqlite3.connect(directory / "answers.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'from the future'")
    wrong = textassay("doctor", directory, "-p", "0", "-f", "json")
    assert wrong.code == 1
    assert "made by a newer release" in looked_at(wrong)["answers"]["found"]
    (directory / "answers.db").write_bytes(b"no database at all" * 100)
    assert looked_at(textassay("doctor", directory, "-p", "0", "-f", "json"))["answers"]["state"] == "wrong"


def test_public_address_without_a_proxy_is_noted(textassay: Command, tmp_path: Path) -> None:
    for name, proxy in (("with", ["127.0.0.1"]), ("without", [])):
        declared = {"public_address": "https://study.example.org", "proxy": proxy}
        directory = write_small_study(tmp_path / name, lambda data, more=declared: data.update(more))
        found = looked_at(textassay("doctor", directory, "-p", "0", "-f", "json"))
        assert ("proxy" in found) == (name == "without")
    assert (found["proxy"]["state"], found["proxy"]["what to do"][:40]) == (
        "note",
        "add to the study file: proxy: [127.0.0.1",
    )


def test_what_is_wrong_with_a_study_is_told(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "my-study", lambda data: data.update(titel="x", seeed=1))
    ran = textassay("doctor", directory, "-p", "0", "-f", "json")
    assert ran.code == 1
    row = looked_at(ran)["study"]
    assert "study.yaml:" in row["found"]
    assert row["found"].endswith("(and 1 other problem)")
    assert row["what to do"] == f"textassay check {directory} lists all"
    missing = textassay("doctor", tmp_path / "my-studdy", "-p", "0", "-f", "json")
    assert missing.code == 1
    assert looked_at(missing)["study"]["found"].endswith("no such directory; did you mean 'my-study'?")


def test_a_port_that_is_taken_is_told(textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        row = looked_at(textassay("doctor", "--port", port, "-f", "json"))[f"port {port}"]
    assert row["state"] == "note"
    assert "--port 0" in row["what to do"]


Usage = namedtuple("Usage", "free")


@pytest.mark.parametrize(
    ("target", "replacement", "what", "state"),
    [
        ("textassay.local_browser.finding.find_browser", BrowserError("no browser"), "browser", "note"),
        ("textassay.__version__", "0.0.1", "textassay", "wrong"),
        ("textassay.kernels.compiled", lambda: False, "compiled kernels", "note"),
        ("shutil.disk_usage", lambda _: Usage(2**20), "disk", "wrong"),
        ("shutil.disk_usage", lambda _: Usage(2**29), "disk", "note"),
        ("tempfile.NamedTemporaryFile", PermissionError(13, "Permission denied"), "write access", "wrong"),
        ("textassay.cli.doctor._behind", lambda _: 90.0, "clock", "wrong"),
        ("textassay.cli.doctor.find_spec", lambda _: None, "extra: parquet", "note"),
    ],
)
def test_what_is_missing_is_told_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, replacement: Any, what: str, state: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise replacement

    monkeypatch.setattr(target, fail if isinstance(replacement, Exception) else replacement)
    parts = [*doctor._install(), *doctor._browser(), *doctor._disk(tmp_path), *doctor._clock(tmp_path)]
    (row,) = (each for each in parts if each.what == what)
    assert row.state == state
    assert row.remedy


def test_a_clock_that_is_years_behind_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = tmp_path / "__init__.py"
    later.touch()
    os.utime(later, (time.time() + 1e6, time.time() + 1e6))
    monkeypatch.setattr(doctor.textassay, "__file__", str(later))
    (row,) = doctor._clock(tmp_path)
    assert (row.state, row.remedy) == ("wrong", "set the clock")
