"""A made-up rating study of any size, and what one command on it takes."""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

_WORDS = ("wind", "sea", "waves", "rain", "fog", "sun", "light", "strong", "knots", "north", "south", "calm", "rough")
_STUDY = """format: 1
title: A large study
tables: {{texts: texts.csv, references: references.csv}}
participants: {{wanted: {people}}}
blocks:
  - task: rating
    name: clarity
    design: {{items_per_participant: {each}}}
    criteria:
      - name: clarity
        question: How clear is the text?
        scale: {{from: 1, to: 7}}
screening: {{constant-answers: {{}}, too-fast: {{}}}}
metrics: [{{metric: rouge-l}}]
"""


@dataclass(frozen=True)
class Size:
    """How large a study is."""

    systems: int
    items: int
    people: int
    each: int
    """Texts that each participant rates."""

    def __str__(self) -> str:
        return f"{self.systems} × {self.items:,} × {self.people:,}"

    @property
    def ratings(self) -> int:
        """How many there are if everybody finishes."""
        return self.people * self.each


def write_study(folder: Path, size: Size) -> Path:
    """Write the study file and its tables into a new folder."""
    draw = random.Random(1)
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(_STUDY.format(people=size.people, each=size.each), encoding="utf-8")
    items = [f"item-{item:04}" for item in range(size.items)]
    systems = [f"system-{system:02}" for system in range(size.systems)]
    texts = [(item, system, " ".join(draw.choices(_WORDS, k=25))) for item in items for system in systems]
    references = [(item, " ".join(draw.choices(_WORDS, k=25))) for item in items]
    for name, head, rows in (
        ("texts", ("item", "system", "text"), texts),
        ("references", ("item", "text"), references),
    ):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *rows])
    return folder


@dataclass(frozen=True)
class Spent:
    """What a command took."""

    processor: float
    """Seconds of processor time: the same on a machine that does other things besides."""
    seconds: float
    """By the clock."""
    memory: float
    """GB, the most at any time; at least what the measuring program itself holds, which the system counts too."""
    done: bool
    """Whether it ended in time, and well."""


def spent(command: list[str], limit: float) -> Spent:
    """Run a command and measure it; it is ended after `limit` seconds by the clock."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        timer = threading.Timer(limit, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    return Spent(used.ru_utime + used.ru_stime, seconds, used.ru_maxrss / 1e6, process.returncode == 0)


def textassay(*arguments: str | Path) -> list[str]:
    """A command of this program."""
    return [sys.executable, "-m", "textassay", *map(str, arguments)]
