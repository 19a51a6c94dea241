"""The server starts, says where it is, and stops with everything stored."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import httpx
import pytest
from served_study import TIMES
from small_study import write_small_study

from textassay.answers.store import Store
from textassay.errors import UsageError
from textassay.serve import server
from textassay.serve.running import RunningServer, running_server, server_key
from textassay.serve.server import Links, ServerThread, run_server
from textassay.serve.site import Site
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


def test_server_thread_starts_and_stops(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    with ServerThread(study, stored_plan(study)) as server:
        base = server.links.base
        assert base.startswith("http://127.0.0.1:")
        assert httpx.get(f"{base}/health").json() == {"status": "ok", "key": server_key(server.store.secret("join"))}
        assert httpx.post(server.links.join[""]).status_code == 303
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{base}/health")
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("textassay-")]
    # it can be started again on the same port, and knows who came
    with ServerThread(study, stored_plan(study), port=int(base.rpartition(":")[2])) as server:
        assert server.links.base == base
        assert len(server.store.participants()) == 1


def test_server_thread_leaves_a_store_that_it_was_given_open(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    with Store.open(study.store_url) as store:
        with ServerThread(study, stored_plan(study), store=store) as server:
            httpx.post(server.links.join[""])
        assert len(store.participants()) == 1


def test_run_server_tells_the_links_when_it_listens(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    seen: list[Links] = []
    statuses: list[int] = []
    found: list[RunningServer | None] = []

    def visit(links: Links) -> None:
        seen.append(links)
        statuses.extend(httpx.get(link).status_code for link in (links.join[""], links.board))
        found.append(running_server(study))
        signal.raise_signal(signal.SIGINT)

    def on_ready(links: Links) -> None:
        # the server waits for this to return, so the visit happens beside it
        threading.Thread(target=visit, args=[links]).start()

    run_server(study, stored_plan(study), on_ready=on_ready)
    assert statuses == [200, 303]
    assert [each.base for each in found if each] == [seen[0].base]
    assert running_server(study) is None
    assert set(seen[0].join) == {""}


def test_links_of_a_server_that_listens_everywhere_name_the_machine(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    seen: list[Links] = []

    def on_ready(links: Links) -> None:
        seen.append(links)
        signal.raise_signal(signal.SIGINT)

    run_server(study, stored_plan(study), host="0.0.0.0", on_ready=on_ready)
    assert seen[0].base.startswith(f"http://{socket.gethostname()}:")


def test_port_that_is_taken_is_told(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=rf"cannot listen on 127\.0\.0\.1:{port} .*choose another"):
            run_server(study, stored_plan(study), port=port)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("::1", "[::1]"), ("127.0.0.1", "127.0.0.1"), ("::", socket.gethostname()), ("", socket.gethostname())],
)
def test_address_can_be_opened_in_a_browser(host: str, shown: str) -> None:
    class Listener:
        def getsockname(self) -> tuple[str, int]:
            return host, 8123

    assert server._base(Listener(), host) == f"http://{shown}:8123"  # type: ignore[arg-type]


def test_run_server_takes_the_store_that_the_study_names(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path), f"sqlite:///{(tmp_path / 'other.db').as_posix()}")
    run_server(study, stored_plan(study), on_ready=lambda _links: signal.raise_signal(signal.SIGINT))
    assert (tmp_path / "other.db").is_file()
    assert not (tmp_path / "answers.db").exists()


def test_links_tell_whether_recruiting_is_paused(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    with Store.open(study.store_url) as store:
        site = Site(study, stored_plan(study), store)
        assert not server._links(site, "http://h").paused
        store.recruiting.pause()
        assert server._links(site, "http://h").paused


def answer_until_it_ends(join: str, stored: list[str]) -> None:
    """Join and agree again and again; note what the server says it has stored."""
    with httpx.Client(base_url=join.partition("/join")[0]) as client:
        while True:
            try:
                place = client.post(join).headers["location"]
                body = {"answer_id": str(uuid.uuid4()), "page": "consent", "payload": {"agreed": True}, **TIMES}
                reply = client.post(f"{place}/answers", json=body)
            except (httpx.HTTPError, KeyError):
                return
            if reply.status_code == 200:
                stored.append(str(body["answer_id"]))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot ask a process to stop")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_under_load_leaves_one_complete_file(tmp_path: Path, how: signal.Signals) -> None:
    directory = write_small_study(tmp_path, lambda data: data["participants"].update(wanted=300))
    command = [sys.executable, "-m", "textassay", "serve", str(directory), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        stored: list[str] = []
        clients = [threading.Thread(target=answer_until_it_ends, args=[found[0], stored]) for _ in range(4)]
        for client in clients:
            client.start()
        while len(stored) < 20:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(how)
        if how is signal.SIGTERM:
            process.send_signal(how)  # a second one does not cut it off
        _, err = process.communicate(timeout=30)
    for client in clients:
        client.join()
    assert (process.returncode, err) == (0, "")
    assert not list(tmp_path.glob("answers.db-*"))
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "answers.db", tmp_path / "copy" / "answers.db")
    with Store.open(f"sqlite:///{(tmp_path / 'copy' / 'answers.db').as_posix()}") as store:
        kept = {answer.answer_id for _, answer in store.all_answers()}
    assert set(stored) <= kept
