"""Serve a study with its answers in a given database: `python _serve_at.py STUDY ADDRESS PORT`."""

from __future__ import annotations

import sys
from pathlib import Path

from textassay import pipeline
from textassay.serve.server import Links, run_server


def told(links: Links) -> None:
    print(f"Participants: {links.join['']}", flush=True)


if __name__ == "__main__":
    study = pipeline.load(Path(sys.argv[1]))
    run_server(study, pipeline.plan(study), port=int(sys.argv[3]), store_url=sys.argv[2], on_ready=told)
