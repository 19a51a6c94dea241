"""`textassay serve`: the study's pages for participants."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import StudyDirectory, Whole
from textassay.serve.server import Links


def serve(
    study: StudyDirectory,
    *,
    host: str = "127.0.0.1",
    port: Annotated[Whole, Parameter(name=["--port", "-p"])] = 8000,
) -> None:
    """Serve the study's pages to participants, until Ctrl-C.

    Args:
        study: The study directory.
        host: Where to listen; only this computer by default.
        port: Where to listen; 0 for any free port.
    """
    loaded = pipeline.load(study)
    if loaded.simulated_path.exists():
        print(f"Note: simulated participants have taken {study}; begin the real study in a directory of its own.")
    pipeline.serve(loaded, host=host, port=port, on_ready=_say)


def _say(links: Links) -> None:
    for cohort, link in links.join.items():
        print(f"Participants{f' ({cohort})' if cohort else ''}: {link}")
    print(f"You:          {links.board}")
    if links.paused:
        print("Note: recruiting is paused, nobody new can begin; resume it on your board.")
    for change in links.changes:
        print(f"Note: {change}.")
    print("Stop with Ctrl-C; everything that was answered is stored.", flush=True)
