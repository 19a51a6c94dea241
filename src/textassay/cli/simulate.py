"""`textassay simulate`: simulated participants take the study."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import Quiet, StudyDirectory, Whole


def simulate(
    study: StudyDirectory,
    *,
    participants: Annotated[Whole | None, Parameter(name=["--participants", "-n"])] = None,
    http: Annotated[bool, Parameter(negative="")] = False,
    among_others: Annotated[bool, Parameter(negative="")] = False,
    quiet: Quiet = False,
) -> None:
    """Let simulated participants take the study.

    Args:
        study: The study directory.
        participants: How many come; by default as many as it takes to fill the plan.
        among_others: Also where somebody has taken part already; nothing tells the two apart afterwards.
        http: Go through the web server, page by page, instead of writing to the store.
        quiet: Print nothing.
    """
    loaded = pipeline.load(study)
    came = pipeline.simulate(loaded, participants=participants, over_http=http, among_others=among_others).people
    if not quiet:
        print(f"{len(came)} simulated participants came. What they did: textassay report {study}")
