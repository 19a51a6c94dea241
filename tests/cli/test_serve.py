"""`textassay serve`: where it listens, and what it says when it does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.answers.store import Store
from textassay.serve.server import Links

Command = Callable[..., Any]
LINKS = Links("http://h:1", {"": "http://h:1/join/k"}, "http://h:1/board/b")


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """How the server was started; it stops at once."""
    calls: list[dict[str, Any]] = []

    def serve(study: Any, **options: Any) -> None:
        calls.append({"study": study.directory, **options})
        options["on_ready"](calls[0].get("links", LINKS))

    monkeypatch.setattr(pipeline, "serve", serve)
    return calls


@pytest.mark.parametrize(
    ("flags", "host", "port"),
    [([], "127.0.0.1", 8000), (["--host", "0.0.0.0", "--port", "81"], "0.0.0.0", 81), (["-p", "0"], "127.0.0.1", 0)],
)
def test_it_listens_where_it_is_told_to(
    textassay: Command, called: list[dict[str, Any]], tmp_path: Path, flags: list[str], host: str, port: int
) -> None:
    ran = textassay("serve", write_small_study(tmp_path), *flags)
    assert ran.code == 0, ran.err
    assert [(call["study"], call["host"], call["port"]) for call in called] == [(tmp_path, host, port)]
    assert ran.out == (
        "Participants: http://h:1/join/k\n"
        "Board:        http://h:1/board/b\n"
        "Stop with Ctrl-C; all submitted answers are saved.\n"
    )


@pytest.mark.usefixtures("called")
@pytest.mark.parametrize("there_is_a_browser", [True, False])
def test_the_board_is_opened_where_that_is_asked_for(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, there_is_a_browser: bool
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda link: opened.append(link) or there_is_a_browser)
    out = textassay("serve", write_small_study(tmp_path), "--open").out
    assert opened == ["http://h:1/board/b"]
    assert ("no browser could be opened here" in out) is not there_is_a_browser


def test_links_of_cohorts_a_pause_and_changes_are_told(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    links = Links("http://h:1", {"lay": "http://a", "expert": "http://b"}, "http://c", paused=True, changes=("text x",))
    monkeypatch.setattr(pipeline, "serve", lambda _study, **options: options["on_ready"](links))
    lines = textassay("serve", write_small_study(tmp_path)).out.splitlines()
    assert lines[:3] == ["Participants (lay): http://a", "Participants (expert): http://b", "Board:        http://c"]
    assert "recruiting is paused" in lines[3]
    assert lines[4] == "Note: text x."


@pytest.mark.usefixtures("called")
def test_simulated_answers_are_told_before_anybody_real_comes(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    assert "simulated" not in textassay("serve", directory).out
    study = pipeline.load(directory)
    study.simulated_path.write_text("", encoding="utf-8")  # left over: its database was deleted
    assert "simulated" not in textassay("serve", directory).out
    with Store.open(study.store_url) as store:
        slots = pipeline.plan(study).slots
        store.join(slots, cohort="", now=datetime.now(UTC), release_after=timedelta(hours=1), simulated=True)
        store.join(slots, cohort="", now=datetime.now(UTC), release_after=timedelta(hours=1))
    said = f"holds 1 simulated participant of a rehearsal; remove them with: textassay reset {directory}"
    assert said in textassay("serve", directory).out


def test_pipeline_passes_host_and_port_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from textassay.serve import server

    seen: list[Any] = []
    monkeypatch.setattr(server, "run_server", lambda study, plan, **options: seen.append((study, plan, options)))
    study = pipeline.load(write_small_study(tmp_path))
    pipeline.serve(study, host="::1", port=7, on_ready=print)
    ((given, plan, options),) = seen
    assert given is study
    assert plan == pipeline.plan(study)
    assert options == {"host": "::1", "port": 7, "public": None, "on_ready": print}


@pytest.mark.parametrize(
    ("flags", "in_file", "declared"),
    [
        ([], None, None),
        ([], "https://file.example", "https://file.example"),
        (["--public", "https://Flag.example/"], "https://file.example", "https://flag.example"),
    ],
)
def test_the_address_of_a_proxy_comes_from_the_flag_or_the_study_file(
    textassay: Command,
    called: list[dict[str, Any]],
    tmp_path: Path,
    flags: list[str],
    in_file: str | None,
    declared: str | None,
) -> None:
    directory = write_small_study(tmp_path, lambda data: data.update({"public_address": in_file} if in_file else {}))
    assert textassay("serve", directory, *flags).code == 0
    assert [call["public"] for call in called] == [declared]


def test_a_wrong_address_is_told_at_the_start(textassay: Command, called: list[dict[str, Any]], tmp_path: Path) -> None:
    directory = write_small_study(tmp_path)
    ran = textassay("serve", directory, "--public", "https://example.org/study")
    assert (ran.code, called) == (2, [])
    assert "--public: 'https://example.org/study' has more than scheme and host" in ran.err
    assert "write https://example.org" in ran.err
    out = textassay("serve", directory, "--public", "http://study.example.org").out
    assert "Note: http://study.example.org is not encrypted, so links and answers can be read on the way" in out
    write_small_study(tmp_path, lambda data: data.update(public_address="study.example.org"))
    ran = textassay("serve", directory)
    assert ran.code == 1
    assert "public_address: 'study.example.org' is not an address that begins with https://" in ran.err


def test_where_it_listens_behind_a_proxy_is_told(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    links = Links("https://p", {"": "https://p/join/k"}, "https://p/board/b", listens="http://127.0.0.1:8000")
    monkeypatch.setattr(pipeline, "serve", lambda _study, **options: options["on_ready"](links))
    lines = textassay("serve", write_small_study(tmp_path)).out.splitlines()
    assert lines[2] == "Listens on:   http://127.0.0.1:8000, to which the proxy has to pass requests"
