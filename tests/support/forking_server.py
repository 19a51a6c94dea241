"""A server that can be killed twenty times in a few seconds: what it needs is imported once, then each start is a fork.

    python forking_server.py STUDY PORT [ADDRESS]

Reads a line, starts a server as `textassay serve` does, prints its process and the participants' link, waits until that
process has ended, prints `ended`, and reads the next line.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from textassay import pipeline
from textassay.serve.server import Links, run_server


def told(links: Links) -> None:
    print(os.getpid(), links.join[""], flush=True)


def main(directory: str, port: str, address: str | None = None) -> None:
    study = pipeline.load(Path(directory), address)
    plan = pipeline.plan(study)
    for _ in sys.stdin:
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
