"""Commands find the server of a study, and are not misled by what a server left behind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay.errors import UsageError
from textassay.serve.running import FILE, announced, running_server, server_key
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


def test_another_server_of_the_study_keeps_its_file(served: tuple[Study, ServerThread]) -> None:
    study, _ = served
    path = study.directory / FILE
    with announced(study, "http://127.0.0.1:1", ("127.0.0.1", 1), "one"):
        told = json.loads(path.read_bytes())
        path.write_text(json.dumps({**told, "pid": told["pid"] + 1}), encoding="utf-8")
    assert path.exists()
    path.unlink()


def test_a_port_that_the_study_itself_has_is_told(served: tuple[Study, ServerThread]) -> None:
    study, server = served
    host, port = address(server)
    told = announced(study, server.links.base, (host, port), server_key(server.store.secret("join")))
    with told, pytest.raises(UsageError) as caught:
        run_server(study, stored_plan(study), port=port)
    assert str(caught.value).startswith(f"this study is already being served at {server.links.base} (process ")
    assert str(caught.value).endswith("; stop that server, or choose another port with --port")
