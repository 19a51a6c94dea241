"""What must not grow with a served study: memory, starting, the board, and exports; each with its bar.

    python3 run.py bench serve_scale              # up to a million answers: about ten minutes
    python3 run.py bench serve_scale 20000        # the same with fewer answers, to try it out

Prints a table and keeps it with machine and versions in `benchmarks/results/serve_scale.json`. Servers and commands
run in processes of their own, with stores that are filled directly; run it on an idle machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from socket import create_server
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

from _house import RESULTS, machine
from _large_study import spent, textassay
from _scale_study import Size, written_elsewhere
from _serve_load import cost_of, memory_of

from serve import Bar
from textassay import pipeline
from textassay.answers.store import Store

MOST = 1_000_000
"""Answers of the largest store; the others are smaller in proportion."""
_LONG, _SHORT = 249, 24
"""Trials per participant."""
_PATIENCE = 600.0


def main() -> int:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else MOST
    with tempfile.TemporaryDirectory() as folder:
        found = list(bars(Path(folder), most / MOST))
    for bar in found:
        print(bar)
    if most == MOST:
        RESULTS.mkdir(exist_ok=True)
        about, kept = machine("starlette", "sqlalchemy"), [{**asdict(bar), "met": bar.met} for bar in found]
        text = json.dumps({"about": about, "bars": kept}, indent=1, ensure_ascii=False)
        (RESULTS / "serve_scale.json").write_text(text + "\n", encoding="utf-8")
    return int(not all(bar.met for bar in found))


def bars(folder: Path, share: float) -> Iterator[Bar]:
    """Measure everything, each study in turn."""
    few = Size(300, _people(10_000 * share, _SHORT), _SHORT)
    study = written_elsewhere(folder / "few", few)
    with served(study) as server:
        server.board()
        yield Bar(f"memory with {few}, board seen", server.memory, 120, most=True, unit=" MB")

    many = Size(3_000, _people(500_000 * share, _LONG), _LONG)
    study = written_elsewhere(folder / "many", many)
    with served(study) as server:
        yield _quick(f"ready with {many}", Took(server.seconds, server.processor), 5)
        yield Bar("memory of it after the start", server.memory, 200, most=True, unit=" MB")
        yield _quick("its first board view", server.board(), 1)
        yield _quick("its next board view", server.board(), 1)
        server.took("/board/participants")
        server.took("/board/slots")
        yield Bar("memory of it after that", server.memory, 200, most=True, unit=" MB")
    with served(study) as server:  # the last one was killed
        yield _quick("ready again after a kill", Took(server.seconds, server.processor), 5)

    zipped = Size(3_000, _people(100_000 * share, _SHORT), _SHORT)
    study = written_elsewhere(folder / "zipped", zipped)
    with served(study) as server:
        yield _quick(f"export.zip with {zipped}", server.took("/board/export.zip"), 10)
        yield Bar("memory of the server after that", server.memory, 200, most=True, unit=" MB")

    for trials in (_SHORT, _LONG):
        large = Size(3_000, _people(MOST * share, trials), trials)
        study = written_elsewhere(folder / f"large-{trials}", large)
        used = spent(textassay("export", study), _PATIENCE)
        took = Took(used.seconds if used.done else float("inf"), used.processor)
        yield _quick(f"textassay export with {large}", took, 90)
        yield Bar("its memory", 1000 * used.memory, 300, most=True, unit=" MB")


def _people(answers: float, trials: int) -> int:
    return max(2, round(answers / (trials + 1)))


@dataclass(frozen=True)
class Took:
    """What something took."""

    seconds: float
    processor: float
    """Seconds of processor time, which tell how busy the machine was with other things."""


def _quick(what: str, took: Took, most: float) -> Bar:
    return Bar(f"{what} ({took.processor:.1f} s of processor time)", took.seconds, most, most=True, unit=" s")


class Served:
    """A server that is ready, and a researcher's browser."""

    def __init__(self, process: int, base: str, token: str, seconds: float) -> None:
        self.process, self.base, self.seconds = process, base, seconds
        self._browser = build_opener(HTTPCookieProcessor(CookieJar()))
        # as from a link on another site, so that the reply is not yet the board
        entrance = Request(f"{base}/board/{token}", headers={"Sec-Fetch-Site": "cross-site"})
        self._browser.open(entrance, timeout=_PATIENCE).close()

    @property
    def memory(self) -> float:
        """Resident memory in MB."""
        return memory_of(self.process)

    @property
    def processor(self) -> float:
        """Seconds of processor time so far."""
        return cost_of(self.process).seconds

    def took(self, path: str) -> Took:
        """Until the whole reply is there."""
        start, used = time.perf_counter(), self.processor
        with self._browser.open(self.base + path, timeout=_PATIENCE) as reply:
            while reply.read(1 << 20):
                pass
        return Took(time.perf_counter() - start, self.processor - used)

    def board(self) -> Took:
        """A view of the board."""
        return self.took("/board")


@contextmanager
def served(study: Path) -> Iterator[Served]:
    """A server in a process of its own, killed at the end."""
    with Store.open(pipeline.load(study).store_url) as store:
        token = store.secret("board")
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    start = time.perf_counter()
    running = subprocess.Popen(textassay("serve", study, "--port", str(port)), stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"{base}/health")
        yield Served(running.pid, base, token, time.perf_counter() - start)
    finally:
        running.kill()
        running.wait(20)


def _wait_for(address: str) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"{address} did not answer within {_PATIENCE:g} seconds")


if __name__ == "__main__":
    raise SystemExit(main())
