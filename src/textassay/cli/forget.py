"""`textassay forget`: erase what is stored about a participant."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.forgetting import Forgotten, Found, find_participant, forget
from textassay.cli.options import HERE, Database, Quiet, StudyDirectory
from textassay.errors import UsageError
from textassay.prose import listed, numbered


def forget_participant(
    study: StudyDirectory = HERE,
    participant: str | None = None,
    *,
    external_id: str | None = None,
    everything: Annotated[bool, Parameter(negative="")] = False,
    yes: Annotated[bool, Parameter(name=["--yes", "-y"], negative="")] = False,
    quiet: Quiet = False,
    db: Database = None,
) -> None:
    """Erase the personal data of a participant and keep the anonymous answers; with --everything, erase those too.

    The participant's link stops working. A server may go on running. Imported tables are rewritten as well. Files that
    were made from the answers, such as exports, are listed if they still hold something of the person; copies elsewhere
    and backups are yours to look after.

    Args:
        study: The study directory; the current directory by default.
        participant: The participant's code, as in the tables.
        external_id: In place of the code: the id that a recruiting platform passed, or the name in an invitation.
        everything: Erase the answers, too, as if the person had never come.
        yes: Do not ask.
        quiet: Print nothing.
        db: Address of the database with the answers, if it is not where the study says.
    """
    if participant is None and external_id is None and not study.exists():
        study, participant = HERE, str(study)  # the study in the current directory
    if (participant is None) == (external_id is None):
        raise UsageError("say whom to forget, by the code in the tables or by --external-id, and not by both")
    loaded = pipeline.load(study, db)
    found = find_participant(loaded, participant, external_id=external_id)
    if not quiet or not yes:
        print(_announced(loaded.directory, found, everything=everything))
    if not yes and not _agreed():
        print("Nothing was erased.")
        return
    forgotten = forget(loaded, found, everything=everything)
    if not quiet:
        print("\n".join(_told(forgotten, loaded.directory)))


def _announced(directory: Path, found: Found, *, everything: bool) -> str:
    who = []
    if found.codes:
        kinds = "participant" if len(found.codes) == 1 else "participants"
        who.append(f"{kinds} {listed(found.codes)} with {numbered(found.answers, 'stored answer')}")
    if found.invited:
        who.append(f"the invitation of {listed(map(repr, found.invited))}")
    if everything:
        return f"{directory}: {listed(who)} will be erased with everything that is stored."
    kept = "answers to trials, code, slot, status and times stay, without anything personal"
    return f"{directory}: the personal data of {listed(who)} will be erased{f'; {kept}' if found.codes else ''}."


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here; add --yes to erase them")
    return input("Erase this for good? [y/N] ").strip().casefold() in ("y", "yes")


def _told(forgotten: Forgotten, directory: Path) -> list[str]:
    lines = ["Erased."]
    if forgotten.excluded:
        codes = listed(forgotten.excluded)
        lines.append(f"Note: {codes} was excluded because of erased data; the status says 'excluded' from now on.")
    if forgotten.changed:
        codes = listed(forgotten.changed)
        lines.append(f"Note: {codes} gave the same e-mail address, which can no longer be noticed; the same person?")
    if not forgotten.is_clean:
        again = "they are gone when that command or the server has ended"
        lines.append(f"Note: another program is reading the database, so its files still hold the old texts; {again}.")
    if forgotten.files:
        files = "\n".join(f"  {directory / path}" for path in forgotten.files)
        lines.append(f"These files still hold something of the person; write them again or delete them:\n{files}")
    elsewhere = "copies elsewhere, backups, logs of a database server and the platform's own list"
    lines.append(f"{elsewhere.capitalize()} are yours to look after.")
    return lines
