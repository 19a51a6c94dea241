"""The text metrics against their peers from the package index, both sides in one run, from raw text, one thread.

    python3 run.py bench metrics

Prints tables of ratios, of growth with the number of segments, and of memory, and keeps them with machine and versions
in `benchmarks/results/metrics.json`. The texts are made up from fixed seeds; real German comes from the folder that
TEXTASSAY_DATA names, where it is. `bench metrics bulk` runs one part alone and keeps it in `metrics-bulk.json`.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module

from _house import RESULTS, Row, keep, machine, shown

PARTS = ("start", "one", "bulk", "ngrams", "edits", "rouge", "together")
PEERS = (
    "sacrebleu",
    "bleuscore",
    "rouge-score",
    "rouge-rust",
    "jiwer",
    "nltk",
    "rapidfuzz",
    "Levenshtein",
    "polyleven",
    "editdistance",
    "universal-edit-distance",
    "fastwer",
    "kaldialign",
)


def main() -> int:
    about = machine(*PEERS)
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows: list[Row] = []
    chosen = sys.argv[1:]
    for part in chosen or PARTS:
        for row in import_module(f"_metrics_{part}").rows():
            rows.append(row)
            print(shown(row), flush=True)
    if chosen:
        keep(f"metrics-{'-'.join(chosen)}", about, rows)
        return 0
    keep("metrics", about, rows)
    growth = import_module("_metrics_growth").show()
    path = RESULTS / "metrics.json"
    stored = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**stored, "growth": growth}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
