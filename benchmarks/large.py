"""How long large studies of ratings take, and how much memory.

    python3 run.py bench large          # up to 52,000 ratings
    python3 run.py bench large all      # and a million

Each part runs in a process of its own, whose largest memory is reported. The figures are kept with machine and versions
in `benchmarks/results/large.json`.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from _crossed_ratings import crossed_ratings, groupings
from _house import RESULTS, machine

from textassay.analysis.options import RecipeOptions
from textassay.analysis.ratings import ratings
from textassay.stats import mixed_model

SIZES = {
    "10 × 100 × 200": (10, 100, 200, 10_483),
    "20 × 500 × 1,000": (20, 500, 1_000, 52_250),
    "50 × 2,000 × 5,000": (50, 2_000, 5_000, 1_000_000),
}
"""Systems, items, people, and about how many ratings."""
BARS = {
    ("10 × 100 × 200", "analysis"): (30.0, 3.0),
    ("20 × 500 × 1,000", "analysis"): (120.0, 3.0),
    ("50 × 2,000 × 5,000", "analysis"): (300.0, 6.0),
}
"""Seconds and GB."""
PARTS = ("mixed model", "analysis")


def measured(size: str, part: str) -> dict[str, object]:
    """One part of one size, in this process."""
    data = crossed_ratings(*SIZES[size])
    if part == "mixed model":
        fixed, random = {"system": data["system"].to_numpy()}, groupings(data)
        start = time.perf_counter()
        note = str(mixed_model(data["value"], fixed, random).settings.get("solver", "exact"))
    else:
        answers = data.assign(value=data["value"].round().clip(1, 7))
        start = time.perf_counter()
        note = f"{len(ratings(answers, RecipeOptions()))} sections"
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {"what": f"{part}, {size}", "ratings": len(data), "seconds": seconds, "GB": memory, "note": note}


def main(arguments: list[str]) -> int:
    if len(arguments) == 2:
        print(json.dumps(measured(*arguments)))
        return 0
    about = machine("pandas")
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows = []
    for size in list(SIZES) if arguments == ["all"] else list(SIZES)[:2]:
        for part in PARTS:
            run = [sys.executable, str(Path(__file__)), size, part]
            found = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True)
            row = json.loads(found.stdout.splitlines()[-1])
            bar = BARS.get((size, part))
            met = "" if not bar or (row["seconds"] <= bar[0] and row["GB"] <= bar[1]) else "  <-- above"
            wanted = f" (at most {bar[0]:g} s, {bar[1]:g} GB)" if bar else ""
            line = f"{row['seconds']:>8.1f} s {row['GB']:>6.2f} GB{wanted}  {row['note']}{met}"
            print(f"{row['what']:<40}{row['ratings']:>10,} ratings{line}", flush=True)
            rows.append(row | ({"bar": bar} if bar else {}))
    text = json.dumps({"about": about, "rows": rows}, indent=1, ensure_ascii=False)
    (RESULTS / "large.json").write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
