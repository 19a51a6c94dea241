"""Every ready study, taken by simulated participants, bundled, and verified in an empty directory.

    python3 run.py bench sharing            # all: about ten minutes
    python3 run.py bench sharing demo ...   # some

Prints what `textassay verify` says of each, with seconds of processor time. Exits with 1 where a number differs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from textassay import ready_studies


def run(where: Path, *arguments: str | Path) -> tuple[str, float]:
    """The first line that a command prints, and its seconds of processor time."""
    before = os.times()
    command = [sys.executable, "-m", "textassay", *map(str, arguments)]
    said = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return (said.stdout or said.stderr or "nothing").splitlines()[0], spent


def main(names: list[str]) -> int:
    differ = 0
    for name in names or ready_studies.names():
        with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as empty:
            here = Path(made)
            run(here, "new", "study", "--template", name)
            run(here, "simulate", "study")
            _, bundled = run(here, "bundle", "study", "-q", "-o", "study.zip")
            said, verified = run(Path(empty), "verify", here / "study.zip")
        differ += not said.startswith("All ")
        print(f"{name:<26}bundle {bundled:5.1f} s, verify {verified:5.1f} s: {said}", flush=True)
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
