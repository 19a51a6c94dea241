"""A real Dask scheduler with two worker processes, on loopback; all of them are ended with the test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from distributed import Client

SUPPORT = Path(__file__).parent


def wait_for(what: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    path = os.pathsep.join([str(SUPPORT), os.environ.get("PYTHONPATH", "")])
    started = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A real scheduler with two worker processes, on loopback; its address and the workers."""
    file = folder / "scheduler.json"
    loopback = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
    with ExitStack() as stack:
        stack.enter_context(process("distributed.cli.dask_scheduler", "--port", "0", *loopback))
        wait_for(lambda: file.exists() and file.read_text("utf-8").endswith("}"))
        worker = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        workers = [stack.enter_context(process(*worker, *loopback)) for _ in range(2)]
        address = json.loads(file.read_text("utf-8"))["address"]
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, workers
