"""`textassay simulate`: run the study with simulated participants."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory, Whole, named_number


def simulate(
    study: StudyDirectory = HERE,
    *,
    participants: Annotated[Whole | None, Parameter(name=["--participants", "-n"])] = None,
    effect: Annotated[list[str] | None, Parameter(negative="")] = None,
    http: Annotated[bool, Parameter(negative="")] = False,
    among_others: Annotated[bool, Parameter(negative="")] = False,
    db: Database = None,
    quiet: Quiet = False,
) -> None:
    """Run the study with simulated participants.

    Args:
        study: The study directory; the current directory by default.
        participants: Number of participants; by default as many as needed to fill the plan.
        effect: What they react to, as name=value, such as relevance=0.8, length=-0.3 or systems.human=1; it replaces
            what the study file says under simulate. Can be given several times.
        among_others: Allow it in a study that has participants already; simulated ones are flagged, and left out
            of results once a real one has completed the study.
        http: Take the study page by page through the web server instead of writing to the store.
        db: Address of the database with the answers, if it is not where the study says.
        quiet: Print nothing.
    """
    loaded = pipeline.load(study, db)
    effects = dict(named_number(text, "--effect", "relevance=0.8") for text in effect or ())
    people = pipeline.simulate(
        loaded, participants=participants, effects=effects, over_http=http, among_others=among_others
    ).people
    if not quiet:
        print(f"Simulated {len(people)} participants. Next: textassay report {study}")
