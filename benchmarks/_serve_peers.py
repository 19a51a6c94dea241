"""Other programs that collect judgements, under the same load: Potato and Pearmut.

Each is installed from the package index into an environment of its own under `.venv-peers/`, which stays for the next
run, and is asked for what its own pages ask for. Where one cannot be installed or started, the reason is printed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from _serve_baseline import ENDS, QUESTION, TEXT, TRIALS
from _serve_load import Load, get, post, put_under_load

ENVIRONMENTS = Path(__file__).resolve().parents[1] / ".venv-peers"
NEEDS = {"pearmut": ("fastapi", "uvicorn", "wonderwords", "typst", "scipy")}
"""What a peer needs that asks for a newer Python than it needs, so that it is installed without asking."""
Starter = Callable[..., AbstractContextManager[tuple[int, int]]]
"""Starts a command with a port at its end: process and port; see `serve.server`."""


class NoPeerError(Exception):
    """The peer cannot be measured here; the message says why."""


@dataclass(frozen=True)
class PeerRates:
    """What a peer reached."""

    name: str
    version: str
    answers: Load
    pages: Load

    def __str__(self) -> str:
        return (
            f"{self.name} {self.version}: {self.answers.rate:,.0f} answers/s (p95 {self.answers.p95_ms:.0f} ms), "
            f"{self.pages.rate:,.0f} item pages/s (p95 {self.pages.p95_ms:.0f} ms)"
        )


def peer_rates(folder: Path, clients: int, start: Starter) -> Iterator[PeerRates]:
    """Measure every peer that runs here.

    Args:
        folder: An empty folder for their data.
        clients: How many connections answer at once.
        start: Starts a server on a free port.
    """
    for name, measure in (("potato-annotation", _potato), ("pearmut", _pearmut)):
        place = folder / name
        place.mkdir(parents=True)
        try:
            yield measure(_installed(name), place, clients, start)
        except (NoPeerError, OSError, RuntimeError, subprocess.SubprocessError) as problem:
            print(f"{name} was not measured: {problem}")


def _installed(name: str) -> Path:
    """The folder with the peer's programs."""
    programs = ENVIRONMENTS / name / "bin"
    done = programs.parent / "installed"
    if done.exists():
        return programs
    venv.create(programs.parent, with_pip=True, clear=True)
    problem = _pip_problem(programs, name)
    if problem and name in NEEDS:
        problem = _pip_problem(programs, *NEEDS[name])
        problem = problem or _pip_problem(programs, "--no-deps", "--ignore-requires-python", name)
    if problem:
        shutil.rmtree(programs.parent)
        raise NoPeerError(f"it cannot be installed: {problem}")
    done.touch()
    return programs


def _pip_problem(programs: Path, *arguments: str) -> str:
    """Install something; why it failed, if it did."""
    command = [programs / "python", "-m", "pip", "install", "--quiet", *arguments]
    installed = subprocess.run(command, capture_output=True, text=True, check=False)
    return (installed.stderr.strip().splitlines() or ["no reason given"])[-1] if installed.returncode else ""


def _version(programs: Path, name: str) -> str:
    code = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.check_output([programs / "python", "-c", code], text=True).strip()


# --- Potato --------------------------------------------------------------------------------------------------------

_POTATO = f"""annotation_task_name: A study to be served
task_dir: .
output_annotation_dir: answers
output_annotation_format: json
data_files: [items.jsonl]
item_properties: {{id_key: id, text_key: text}}
user_config: {{allow_all_users: true, users: []}}
require_password: false
annotation_schemes:
  - annotation_type: likert
    name: clarity
    description: {QUESTION}
    min_label: {ENDS[0]}
    max_label: {ENDS[1]}
    size: 7
max_annotations_per_user: {TRIALS}
assignment_strategy: fixed_order
"""


def _potato(programs: Path, folder: Path, clients: int, start: Starter) -> PeerRates:
    (folder / "config.yaml").write_text(_POTATO, encoding="utf-8")
    items = "".join(json.dumps({"id": f"i{number}", "text": TEXT}) + "\n" for number in range(TRIALS))
    (folder / "items.jsonl").write_text(items, encoding="utf-8")
    with start([str(programs / "potato"), "start", "config.yaml", "-p"], folder=folder) as (process, port):
        cookies = [_potato_cookie(port, f"person{number}") for number in range(clients)]
        pages = put_under_load(process, port, [[get("/annotate", cookie)] * 10 for cookie in cookies])
        answers = put_under_load(
            process, port, [[_potato_answer(f"i{number}", cookie) for number in range(TRIALS)] for cookie in cookies]
        )
    return PeerRates("Potato", _version(programs, "potato-annotation"), answers, pages)


def _potato_cookie(port: int, name: str) -> str:
    """Somebody who has logged in and opened the first item."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/auth", f"email={name}&pass=x", form)
    reply = connection.getresponse()
    reply.read()
    cookie = (reply.headers["set-cookie"] or "").partition(";")[0]
    if reply.status != 302 or not cookie:
        raise NoPeerError(f"nobody can log in ({reply.status})")
    connection.request("GET", "/annotate", headers={"Cookie": cookie})
    connection.getresponse().read()
    connection.close()
    return cookie


def _potato_answer(item: str, cookie: str) -> bytes:
    body = {"instance_id": item, "annotations": {"clarity:4": "4"}, "span_annotations": []}
    return post("/updateinstance", json.dumps(body).encode(), cookie=cookie)


# --- Pearmut -------------------------------------------------------------------------------------------------------


def _pearmut(programs: Path, folder: Path, clients: int, start: Starter) -> PeerRates:
    names = [f"person{number}" for number in range(clients)]
    task = [[{"src": TEXT, "tgt": {"system": TEXT}, "item_id": f"i{number}"}] for number in range(TRIALS)]
    info = {"assignment": "task-based", "protocol": "DA", "users": names}
    campaign = {"info": info, "campaign_id": "served", "data": [task] * clients}
    (folder / "campaign.json").write_text(json.dumps(campaign), encoding="utf-8")
    os.environ["PEARMUT_ROOT"] = str(folder)
    subprocess.run([programs / "pearmut", "add", "campaign.json"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with start([str(programs / "pearmut"), "run", "--port"], folder=folder) as (process, port):
        pages = put_under_load(process, port, [[_pearmut_page(name)] * 30 for name in names])
        answers = put_under_load(
            process, port, [[_pearmut_answer(name, number) for number in range(TRIALS)] for name in names]
        )
    return PeerRates("Pearmut", _version(programs, "pearmut"), answers, pages)


def _pearmut_page(name: str) -> bytes:
    return post("/get-next-item", json.dumps({"campaign_id": "served", "user_id": name}).encode())


def _pearmut_answer(name: str, item: int) -> bytes:
    payload = {
        "annotation": [{"system": {"score": 50, "error_spans": []}}],
        "actions": [{"time": 1.0, "action": "load"}, {"time": 9.0, "action": "submit"}],
    }
    body = {"campaign_id": "served", "user_id": name, "item_i": item, "payload": payload}
    return post("/log-response", json.dumps(body).encode())


if __name__ == "__main__":
    sys.exit("it is part of: python3 run.py bench serve")
