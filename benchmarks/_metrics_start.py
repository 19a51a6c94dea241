"""The command line on two plain lines, where starting is all there is to do: `textassay score` against `sacrebleu`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from _house import Row

TIMES = 15
COMMANDS = {
    "textassay": ("textassay", "score", "-r", "references.txt", "-i", "texts.txt", "-m", "bleu"),
    "sacrebleu": ("sacrebleu", "references.txt", "-i", "texts.txt", "-m", "bleu"),
}


def rows() -> Iterator[Row]:
    """The quickest of several runs, the two commands in turn."""
    best = dict.fromkeys(COMMANDS, float("inf"))
    # Modules are compiled once and kept, as in an installation.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "references.txt").write_text("the cat sat on the mat\nit rained all day\n", encoding="utf-8")
        Path(folder, "texts.txt").write_text("the cat sat on a mat\nit rains all day\n", encoding="utf-8")
        for _ in range(TIMES):
            for name, command in COMMANDS.items():
                best[name] = min(best[name], _seconds(command, folder, environment))
    yield Row("start: two plain lines, bleu", best["textassay"], "sacrebleu", best["sacrebleu"], 1 / 3)


def _seconds(command: Sequence[str], folder: str, environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", *command], cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start
