"""The statistics against their peers from the package index, both sides in one run.

    python3 run.py bench stats

Prints a table of ratios and keeps it with machine and versions in `benchmarks/results/stats.json`.
"""

from __future__ import annotations

import sys
from importlib import import_module

from _house import Row, keep, machine, shown

PARTS = ("variance", "agreement", "rank", "preferences", "mixed", "models", "resampling")
PEERS = ("statsmodels", "krippendorff", "evalica", "pingouin")


def main() -> int:
    about = machine(*PEERS)
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows: list[Row] = []
    for part in PARTS:
        for row in import_module(f"_stats_{part}").rows():
            rows.append(row)
            print(shown(row), flush=True)
    keep("stats", about, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
