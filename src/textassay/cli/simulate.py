"""`textassay simulate`: run the study with simulated participants."""

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
    """Run the study with simulated participants.

    Args:
        study: The study directory.
        participants: Number of participants; by default as many as needed to fill the plan.
        among_others: Allow it in a study that has participants already; they cannot be told apart afterwards.
        http: Take the study page by page through the web server instead of writing to the store.
        quiet: Print nothing.
    """
    loaded = pipeline.load(study)
    people = pipeline.simulate(loaded, participants=participants, over_http=http, among_others=among_others).people
    if not quiet:
        print(f"Simulated {len(people)} participants. Next: textassay report {study}")
