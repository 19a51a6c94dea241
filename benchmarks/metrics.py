"""The text metrics against their peers from the package index, both sides in one run, from raw text, one thread.

    python3 run.py bench metrics

Prints tables of ratios, of growth with the number of segments, and of memory, and keeps them with machine and versions
in `benchmarks/results/metrics.json`. The texts are made up from fixed seeds.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module

from _house import RESULTS, Row, keep, machine, shown

PARTS = ("start", "one", "ngrams", "edits", "rouge", "together")
PEERS = ("sacrebleu", "rouge-score", "rouge-rust", "jiwer", "nltk", "rapidfuzz")


def main() -> int:
    about = machine(*PEERS)
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows: list[Row] = []
    for part in PARTS:
        for row in import_module(f"_metrics_{part}").rows():
            rows.append(row)
            print(shown(row), flush=True)
    keep("metrics", about, rows)
    growth = import_module("_metrics_growth").show()
    path = RESULTS / "metrics.json"
    stored = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**stored, "growth": growth}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
