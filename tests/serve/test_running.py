"""Commands find the server of a study, and are not misled by what a server left behind."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay.answers.study_store import open_store
from textassay.errors import UsageError
from textassay.serve.running import FILE, announced, not_served, only_server, running_server, server_key
from textassay.serve.server import ServerThread, run_server
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Study, ServerThread]]:
    study = load_study(write_small_study(tmp_path_factory.mktemp("running")))
    with ServerThread(study, stored_plan(study)) as server:
        yield study, server


def address(server: ServerThread) -> tuple[str, int]:
    return "127.0.0.1", int(server.links.base.rpartition(":")[2])


def test_a_running_server_is_found_as_long_as_it_is_announced(served: tuple[Study, ServerThread]) -> None:
    study, server = served
    assert running_server(study) is None
    with announced(study, server.links.base, address(server), server_key(server.store.secret("join"))):
        found = running_server(study)
        assert found is not None
        assert found.base == server.links.base
    assert not (study.directory / FILE).exists()


def test_a_server_that_listens_everywhere_is_asked_on_this_machine(served: tuple[Study, ServerThread]) -> None:
    study, server = served
    key = server_key(server.store.secret("join"))
    with announced(study, "http://elsewhere.example:1", ("0.0.0.0", address(server)[1]), key):
        found = running_server(study)
        assert found is not None
        assert found.base == "http://elsewhere.example:1"


def test_what_a_killed_server_left_behind_counts_for_nothing(
    served: tuple[Study, ServerThread], tmp_path: Path
) -> None:
    study, server = served
    with announced(study, server.links.base, address(server), "the key of another study"):
        assert running_server(study) is None  # another server has the port by now
    with announced(study, "http://127.0.0.1:9", ("127.0.0.1", 9), server_key("x")):
        assert running_server(study) is None  # nobody answers
    with announced(study, server.links.base, address(server), server_key(server.store.secret("join"))):
        copy = load_study(shutil.copytree(study.directory, tmp_path / "copy"))
        assert running_server(copy) is None
    (study.directory / FILE).write_text("[]", encoding="utf-8")
    assert running_server(study) is None
    (study.directory / FILE).unlink()


def test_file_that_cannot_be_removed_does_not_keep_the_server_from_stopping(
    served: tuple[Study, ServerThread], monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = served

    def refused(path: Path, **_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    with monkeypatch.context() as patch, announced(study, "http://127.0.0.1:1", ("127.0.0.1", 1), "one"):
        patch.setattr(Path, "unlink", refused)
    assert running_server(study) is None
    (study.directory / FILE).unlink()


def test_another_server_of_the_study_keeps_its_file(served: tuple[Study, ServerThread]) -> None:
    study, _ = served
    path = study.directory / FILE
    with announced(study, "http://127.0.0.1:1", ("127.0.0.1", 1), "one"):
        told = json.loads(path.read_bytes())
        path.write_text(json.dumps({**told, "pid": told["pid"] + 1}), encoding="utf-8")
    assert path.exists()
    path.unlink()


def test_a_port_that_the_study_itself_has_is_told(served: tuple[Study, ServerThread], tmp_path: Path) -> None:
    study, server = served
    host, port = address(server)
    told = announced(study, server.links.base, (host, port), server_key(server.store.secret("join")))
    elsewhere = replace(study, store=f"sqlite:///{(tmp_path / 'a.db').as_posix()}")
    with told, pytest.raises(UsageError) as caught:
        run_server(elsewhere, stored_plan(study), port=port)
    assert str(caught.value).startswith(f"this study is already being served at {server.links.base} (process ")
    assert str(caught.value).endswith("; stop it, or choose another port with --port")


def test_a_second_server_on_one_file_is_refused_and_commands_are_not(served: tuple[Study, ServerThread]) -> None:
    study, server = served
    told = announced(study, server.links.base, address(server), server_key(server.store.secret("join")))
    with told, pytest.raises(UsageError) as caught:
        run_server(study, stored_plan(study), port=0)
    where = f"at {server.links.base} (process {os.getpid()})"
    assert str(caught.value).startswith(
        f"this study is already being served {where}, and its answers are in one SQLite"
    )
    assert "; stop that server, or move the answers to PostgreSQL" in str(caught.value)
    with pytest.raises(UsageError, match="already being served, and"), ServerThread(study, stored_plan(study)):
        pass
    with pytest.raises(UsageError, match="a server is using these answers; stop it first"), not_served(study):
        pass
    with open_store(study) as store:
        store.join(stored_plan(study).slots, cohort="", now=datetime.now(UTC), release_after=timedelta(hours=1))


def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    program = (
        "import sys, time\n"
        "from textassay.serve.running import only_server\n"
        "from textassay.study.load import load_study\n"
        "with only_server(load_study(sys.argv[1])):\n    print('locked', flush=True)\n    time.sleep(60)\n"
    )
    other = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    with pytest.raises(UsageError, match="already being served"), only_server(study):
        pass
    other.kill()
    other.communicate()
    with only_server(study):
        pass


@pytest.mark.postgres
def test_several_servers_share_postgresql_and_are_seen(tmp_path: Path, postgres_database: str) -> None:
    study = load_study(write_small_study(tmp_path), postgres_database)
    plan = stored_plan(study)
    with not_served(study):
        pass
    with ServerThread(study, plan), ServerThread(study, plan):
        with pytest.raises(UsageError, match="a server is using these answers") as caught, not_served(study):
            pass
        assert "@" not in str(caught.value) or ":" not in str(caught.value).rpartition("@")[0].partition("//")[2]
    with not_served(study):
        pass
