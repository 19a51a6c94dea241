"""docs/operations.md: every snippet is checked as far as it runs here, and every promise names tests that exist."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest
from operations_page import TEXT, fences, snippets
from ruamel.yaml import YAML

from textassay import cli
from textassay.answers.trouble import DAMAGED
from textassay.study.model import Participants, StudyFile

ROOT = Path(__file__).resolve().parents[2]
NAMES = {name for commands in cli.COMMANDS.values() for name in commands}


def commands() -> list[list[str]]:
    """Every command line of the program in blocks and in the text, without the path of the program."""
    lines = [
        line.partition("=")[2] if language == "ini" else line
        for language, _, text in fences()
        for line in text.splitlines()
        if language in {"console", "ini"}
    ]
    inline = re.findall(r"`(textassay\s[^`]*)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))
    lines += [" ".join(each.split()) for each in inline]
    lines.append(shlex.join(json.loads(directive(container(), "CMD"))))
    found = [re.search(r"(?:^|/)textassay ([a-z]+ .*)", line.split(" /srv/textassay/venv/bin/")[-1]) for line in lines]
    return [shlex.split(match[1]) for match in found if match and match[1].split()[0] in NAMES]


def container() -> list[tuple[str, str]]:
    (text,) = snippets("Containerfile")
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in text.splitlines() if line]


def directive(lines: list[tuple[str, str]], name: str) -> str:
    (value,) = (value for each, value in lines if each == name)
    return value


# --- commands and settings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_command_line_parses(words: list[str]) -> None:
    parse(words)


def parse(words: list[str]) -> None:
    """Parse a command without running it; a word in capitals stands for one that the reader fills in."""
    cli.application().parse_args(words, exit_on_error=False, print_error=False)


def test_the_page_shows_the_commands_for_operations() -> None:
    assert {words[0] for words in commands()} >= {"serve", "backup", "move", "rescue", "forget", "doctor"}


def test_settings_of_the_study_file_are_there() -> None:
    named = [name for text in snippets("study.yaml") for name in YAML(typ="safe").load(text)]
    assert "store" in named
    assert "public_address" in named
    assert [name for name in named if name not in StudyFile.model_fields] == []
    mentioned = re.findall(r"`participants\.(\w+)`", TEXT)
    assert [name for name in mentioned if name not in Participants.model_fields] == []


# --- systemd ---------------------------------------------------------------------------------------------------------

UNITS = ("textassay.service", "textassay-backup.service", "textassay-backup.timer")


def unit(name: str) -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    (text,) = snippets(name)
    parser.read_string(text)
    return parser


def test_units_belong_together() -> None:
    server = unit("textassay.service")["Service"]
    assert server["ExecStart"].split()[:2] == ["/srv/textassay/venv/bin/textassay", "serve"]
    assert server["WorkingDirectory"] == server["ExecStart"].split()[2] == server["ReadWritePaths"]
    assert server["Restart"] == "always"
    # Otherwise five quick failures, as while PostgreSQL recovers, would end the service for good.
    assert unit("textassay.service")["Unit"]["StartLimitIntervalSec"] == "0"
    copy = unit("textassay-backup.service")["Service"]
    assert copy["User"] == server["User"]
    assert copy["ExecStart"].split()[2] == server["WorkingDirectory"]
    assert unit("textassay-backup.timer")["Timer"]["OnCalendar"] == "hourly"


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("no systemd-analyze here")
    for name in UNITS:
        (text,) = snippets(name)
        own = text.replace("/srv/textassay/venv/bin/textassay", sys.executable)  # it looks whether the program is there
        (tmp_path / name).write_text(own, encoding="utf-8")
    done = subprocess.run(
        [tool, "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    told = [line for line in done.stderr.splitlines() if "textassay" in line and "Cannot add dependency" not in line]
    assert told == []


def test_going_back_to_a_copy_takes_the_files_of_a_killed_server_away() -> None:
    assert "`answers.db` away together with `answers.db-wal` and `answers.db-shm`" in " ".join(TEXT.split())
    assert "-wal and -shm" in DAMAGED.remedy


# --- proxies ---------------------------------------------------------------------------------------------------------


def balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0


def test_caddy_passes_requests_to_the_server() -> None:
    (text,) = snippets("Caddyfile")
    assert balanced(text)
    assert all(line.startswith(("\t", "}")) or line.endswith("{") for line in text.splitlines())
    assert "reverse_proxy 127.0.0.1:8000" in text
    if tool := shutil.which("caddy"):
        done = subprocess.run(
            [tool, "validate", "--adapter", "caddyfile", "--config", "-"], input=text, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_nginx_passes_requests_to_the_server(tmp_path: Path) -> None:
    (text,) = snippets("nginx.conf")
    assert balanced(text)
    directives = [line.strip() for line in text.splitlines() if line.strip()]
    assert [line for line in directives if not line.endswith((";", "{", "}"))] == []
    assert {"server 127.0.0.1:8000;", "proxy_pass http://textassay;", "access_log off;"} <= set(directives)
    sent = {line.split()[1]: line.rstrip(";").split()[2] for line in directives if line.startswith("proxy_set_header")}
    assert sent["X-Forwarded-For"] == "$remote_addr"  # what the visitor says of it is dropped
    assert sent["Host"] == "$host"
    if tool := shutil.which("nginx"):
        plain = re.sub(r" ssl;|ssl_certificate.*", lambda match: ";" if match[0] == " ssl;" else "", text)
        plain = plain.replace("listen 80", "listen 127.0.0.1:8080").replace("listen 443", "listen 127.0.0.1:8443")
        whole = f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{plain}\n}}\n"
        (tmp_path / "nginx.conf").write_text(whole, encoding="utf-8")
        done = subprocess.run(
            [tool, "-t", "-p", str(tmp_path), "-e", "stderr", "-c", str(tmp_path / "nginx.conf")],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


# --- the container ---------------------------------------------------------------------------------------------------


def test_container_file_starts_the_server() -> None:
    lines = container()
    known = {"FROM", "RUN", "USER", "WORKDIR", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "CMD"}
    assert [name for name, _ in lines if name not in known] == []
    run = [shlex.split(value)[0] for name, value in lines if name == "RUN"]
    assert set(run) <= {"pip", "useradd"}
    start = json.loads(directive(lines, "CMD"))
    assert start[start.index("--port") + 1] == directive(lines, "EXPOSE")
    assert start[2] == directive(lines, "WORKDIR")
    probe = json.loads(directive(lines, "HEALTHCHECK").partition("CMD ")[2])
    assert probe[:2] == ["python", "-c"]
    ast.parse(probe[2])
    assert f":{directive(lines, 'EXPOSE')}/health" in probe[2]
    major, minor = map(int, re.match(r"python:(\d+)\.(\d+)", directive(lines, "FROM")).groups())  # type: ignore[union-attr]
    assert (major, minor) >= (3, 11)


# --- figures ---------------------------------------------------------------------------------------------------------


def make_capacity() -> ModuleType:
    spec = util.spec_from_file_location("make_capacity", ROOT / "docs" / "make_capacity.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules["make_capacity"] = module
    spec.loader.exec_module(module)
    return module


def test_figures_are_those_that_were_measured() -> None:
    module = make_capacity()
    stored = json.loads(module.RESULTS.read_text(encoding="utf-8")) if module.RESULTS.exists() else None
    shown = TEXT.partition(module.BEGIN)[2].partition(module.END)[0]
    assert shown == module.filled(stored), "run: python docs/make_capacity.py"


def test_capacity_is_half_the_rate_of_trials_times_their_seconds(tmp_path: Path) -> None:
    module = make_capacity()
    # A page takes 1/600 s and an answer 1/1200 s: together 1/400 s, so 400 trials a second; half of them, 30 s each.
    rates = {"pages": 600.0, "answers": 1200.0, "joins at 0": 110.0, "joins at 12000": 111.0}
    (one,) = module.capacities(rates)
    assert one.trials == pytest.approx(400)
    assert one.people(30) == pytest.approx(6000)
    told = module.filled({"rates": rates, "about": {"machine": "a machine", "python": "3.13"}})
    assert "| one process, SQLite | 600 | 1,200 | 400 | 2,000 | 6,000 | 12,000 |" in told
    assert "110 per second with 0 participants, 110 per second with 12,000" in told
    module.draw(rates, tmp_path / "capacity.svg")
    assert "<svg" in (tmp_path / "capacity.svg").read_text(encoding="utf-8")


# --- promises --------------------------------------------------------------------------------------------------------


def test_every_promise_names_tests_that_exist() -> None:
    _, _, table = TEXT.partition("## What you can rely on")
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) > 15
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, f"no test is named in: {row}"
        for path, name in named:
            file = ROOT / path
            there = file.is_file() and re.search(rf"^def {name}\(", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert there, f"{path} has no {name}"
