"""`textassay serve` as a program of its own, with people who take part in the study through its pages."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from textassay.answers.store import Store
from textassay.rehearsal.over_http import participation
from textassay.rehearsal.people import ALL_ORDINARY, person
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

READY = "Ctrl-C"
"""In the last line that the command prints before it waits for people."""


@contextmanager
def serving_program(command: list[str], folder: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """Run the command until the block ends, then stop it as a person would; what it printed when it was ready."""
    with subprocess.Popen(
        [*command, "--port", "0"], cwd=folder, env={**environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                lines.append(line)
                if READY in line:
                    break
            assert lines, "it printed nothing"
            assert READY in lines[-1], "".join(lines)
            yield "".join(lines)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def take_part(directory: Path, printed: str, people: int) -> None:
    """Let people answer all pages of the study behind the link that was printed; they count as real ones."""
    study = load_study(directory)
    found = re.search(r"Participants: +(\S+)", printed)
    assert found is not None, printed
    with Store.open(study.store_url) as store:
        for number in range(1, people + 1):
            visitor = person(study, number, ALL_ORDINARY)
            deque(participation(study, stored_plan(study), store, found[1], visitor, as_real=True), maxlen=0)
