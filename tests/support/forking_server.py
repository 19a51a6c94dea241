"""A server that can be killed twenty times in a few seconds: what it needs is imported once, then each start is a fork.

    python forking_server.py STUDY PORT

Reads the address of a database, starts a server on it as `textassay serve` does, prints its process and the
participants' link, waits until that process has ended, prints `ended`, and reads the next address.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from textassay import pipeline
from textassay.design.plan import Plan
from textassay.serve.server import Links, run_server
from textassay.study.study import Study


def told(links: Links) -> None:
    print(os.getpid(), links.join[""], flush=True)


@cache
def loaded(directory: str, address: str) -> tuple[Study, Plan]:
    study = pipeline.load(Path(directory), address)
    return study, pipeline.plan(study)


def main(directory: str, port: str) -> None:
    for line in sys.stdin:
        study, plan = loaded(directory, line.strip())
        process = os.fork()
        if not process:
            try:
                run_server(study, plan, port=int(port), on_ready=told)
            finally:
                os._exit(0)
        os.waitpid(process, 0)
        print("ended", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
