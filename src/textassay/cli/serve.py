"""`textassay serve`: the study's web pages for participants."""

from __future__ import annotations

import webbrowser
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.answers.study_store import existing_store
from textassay.cli.options import HERE, Database, StudyDirectory, Whole
from textassay.errors import UsageError
from textassay.serve.server import Links
from textassay.study.origin import checked_origin, is_exposed


def serve(
    study: StudyDirectory = HERE,
    *,
    host: str = "127.0.0.1",
    port: Annotated[Whole, Parameter(name=["--port", "-p"])] = 8000,
    public: str | None = None,
    open: Annotated[bool, Parameter(negative="")] = False,  # noqa: A002 -- the flag's name
    db: Database = None,
) -> None:
    """Serve the study's web pages to participants until stopped with Ctrl-C.

    Args:
        study: The study directory; the current directory by default.
        host: Address to listen on; by default reachable from this computer only.
        port: Port to listen on; 0 for any free port.
        public: Address at which participants reach the server through a proxy, such as https://study.example.org; by
            default `public_address` of the study file.
        open: Open the board in this computer's browser.
        db: Address of the database with the answers, if it is not where the study says.
    """
    loaded = pipeline.load(study, db)
    try:
        declared = checked_origin(public) if public is not None else loaded.file.public_address
    except ValueError as error:
        raise UsageError(f"--public: {error}") from None
    with existing_store(loaded) as store:
        simulated = sum(each.simulated for each in store.participants()) if store is not None else 0
    if simulated:
        people = "1 simulated participant" if simulated == 1 else f"{simulated} simulated participants"
        print(f"Note: {study} holds {people} of a rehearsal; remove them with: textassay reset {study}")

    def on_ready(links: Links) -> None:
        _print_links(links)
        if declared is not None and is_exposed(declared):
            told = "is not encrypted, so links and answers can be read on the way; use https"
            print(f"Note: {declared} {told}.", flush=True)
        if open and not webbrowser.open(links.board):
            print("Note: no browser could be opened here; open the address of the board yourself.", flush=True)

    pipeline.serve(loaded, host=host, port=port, public=declared, on_ready=on_ready)


def _print_links(links: Links) -> None:
    for cohort, link in links.join.items():
        print(f"Participants{f' ({cohort})' if cohort else ''}: {link}")
    print(f"Board:        {links.board}")
    if links.listens:
        print(f"Listens on:   {links.listens}, to which the proxy has to pass requests")
    if links.paused:
        print("Note: recruiting is paused, so new participants cannot start; resume it on the board.")
    for change in links.changes:
        print(f"Note: {change}.")
    print("Stop with Ctrl-C; all submitted answers are saved.", flush=True)
