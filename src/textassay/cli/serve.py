"""`textassay serve`: the study's pages for participants."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import StudyDirectory


def serve(
    study: StudyDirectory,
    *,
    host: str = "127.0.0.1",
    port: Annotated[int, Parameter(name=["--port", "-p"])] = 8000,
    public_url: str | None = None,
) -> None:
    """Serve the study's pages to participants, until Ctrl-C.

    Args:
        study: The study directory.
        host: Where to listen; only this computer by default.
        port: Where to listen; 0 for any free port.
        public_url: Address under which participants reach the server, for the links that are printed.
    """
    pipeline.serve(pipeline.load(study), host=host, port=port, public_url=public_url)
