"""`textassay reset`: remove what a rehearsal left in a study."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.operations import Rehearsed
from textassay.answers.study_store import existing_store
from textassay.cli.options import HERE, Database, StudyDirectory
from textassay.errors import UsageError
from textassay.prose import numbered
from textassay.study.study import Study

_LEFT_BEHIND = ("report.html", "report", "export", "bundle.zip")
"""What may show results of a rehearsal: written again with the next report, export or bundle."""


def reset(
    study: StudyDirectory = HERE,
    *,
    yes: Annotated[bool, Parameter(name=["--yes", "-y"], negative="")] = False,
    db: Database = None,
) -> None:
    """Remove simulated participants and their answers; nobody else is touched.

    The plan, links, invitations and the study's own files stay as they are. A server may go on running. Where the
    answers of a participant do not say the same as the stored flag, nothing is removed.

    Args:
        study: The study directory; the current directory by default.
        yes: Do not ask.
        db: Address of the database with the answers, if it is not where the study says.
    """
    loaded = pipeline.load(study, db)
    with existing_store(loaded) as store:
        found = store.rehearsed() if store is not None else Rehearsed(0, 0, 0)
        if store is None or not found.participants:
            print(f"{loaded.directory} has no simulated participants; nothing was removed.")
            return
        people = numbered(found.participants, "simulated participant")
        others = (
            f"{numbered(found.others, 'other participant')} {'stays' if found.others == 1 else 'stay'}"
            if found.others
            else "there is nobody else"
        )
        print(f"{loaded.directory}: {people} with {numbered(found.answers, 'answer')} will be removed; {others}.")
        if not yes and not _agreed():
            print("Nothing was removed.")
            return
        store.remove_simulated()
    loaded.simulated_path.unlink(missing_ok=True)
    print(f"Removed {people}.{_stale(loaded)} Next: textassay serve {study}")


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here; add --yes to remove them")
    return input("Remove them for good? [y/N] ").strip().casefold() in ("y", "yes")


def _stale(study: Study) -> str:
    """Which files still show the rehearsal."""
    there = [name for name in _LEFT_BEHIND if (study.directory / name).exists()]
    return f" {', '.join(there)} still show the rehearsal until written again." if there else ""
