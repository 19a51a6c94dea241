"""How time and memory grow from a thousand to a million segments, read from files as the command does it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from _metrics_texts import pairs

SIZES = (1_000, 10_000, 100_000, 1_000_000)
GROUPS = {
    "bleu": ["bleu"],
    "chrf": ["chrf"],
    "rouge-1/2/l": ["rouge-1", "rouge-2", "rouge-l"],
    "wer": ["wer"],
    "all of these": ["bleu", "chrf", "rouge-1", "rouge-2", "rouge-l", "wer"],
}
LIMIT = 500
"""Megabytes that the last group may take for a million segments."""
PART = 20_000
PROGRAM = """
import json, re, sys, time
from pathlib import Path
from textassay.metrics import ScoringOptions, score_aligned
from textassay.tables.lines import LineFile, LineSets
folder, names = Path(sys.argv[1]), json.loads(sys.argv[2])
start = time.perf_counter()
systems = {"A": LineFile(folder / "hypotheses")}
score_aligned(names, systems, LineSets([LineFile(folder / "references")]), options=ScoringOptions(keep=False))
spent = time.perf_counter() - start
# Not what getrusage says: that begins with the memory of the process that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps([spent, peak]))
"""


def written(folder: Path, n: int) -> None:
    """Files of n lines; every part has words of its own, more than natural text has."""
    with (
        (folder / "hypotheses").open("w", encoding="utf-8") as hyps,
        (folder / "references").open("w", encoding="utf-8") as refs,
    ):
        for part in range(0, n, PART):
            hypotheses, references = pairs(23, min(PART, n - part), seed=part)
            hyps.writelines(f"{text}\n" for text in hypotheses)
            refs.writelines(f"{text}\n" for (text,) in references)


def show() -> list[dict[str, object]]:
    """Measure and print; each run in a process of its own, so that its memory is its own."""
    print(f"\n{'segments':>10}{'metrics':>16}{'seconds':>10}{'µs each':>10}{'MB':>8}")
    found: list[dict[str, object]] = []
    for n in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            written(Path(folder), n)
            for group, names in GROUPS.items():
                command = [sys.executable, "-c", PROGRAM, folder, json.dumps(names)]
                seconds, peak = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
                found.append({"segments": n, "metrics": group, "seconds": seconds, "megabytes": peak})
                over = f"  <-- over {LIMIT} MB" if peak > LIMIT else ""
                print(f"{n:>10,}{group:>16}{seconds:>10.2f}{seconds / n * 1e6:>10.1f}{peak:>8.0f}{over}", flush=True)
    return found
