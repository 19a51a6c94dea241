"""The statistics against their peers from the package index, both sides in one run.

    python3 run.py bench stats          # all parts
    python3 run.py bench stats models   # one of them

Prints a table of ratios and keeps it with machine and versions in `benchmarks/results/stats.json`; one part alone goes
to a file of its own, such as `stats-models.json`, so that each file holds one run.
"""

from __future__ import annotations

import sys
from importlib import import_module

from _house import Row, keep, machine, shown

PARTS = ("variance", "agreement", "rank", "preferences", "mixed", "models", "resampling")
PEERS = ("statsmodels", "krippendorff", "evalica", "pingouin")


def main(arguments: list[str]) -> int:
    parts = arguments or list(PARTS)
    if set(parts) - set(PARTS):
        print(f"unknown part; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    about = machine(*PEERS)
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows: list[Row] = []
    for part in parts:
        for row in import_module(f"_stats_{part}").rows():
            rows.append(row)
            print(shown(row), flush=True)
    keep("-".join(["stats", *arguments]), about, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
