"""ROUGE-L against rouge-score: pairs a second from raw text, one thread, tokenising timed on both sides.

    python3 run.py bench metrics

Prints a table of ratios and the largest difference between the two, and keeps it with machine and versions in
`benchmarks/results/metrics.json`. The texts are made up from a fixed seed: words of natural lengths and frequencies,
references that share about two thirds of the hypothesis's words.
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from textassay import kernels
from textassay.kernels.choice import VARIABLE
from textassay.metrics import score

RESULTS = Path(__file__).with_name("results") / "metrics.json"
ENDINGS = ("", "", "", "s", "ed", "ing", "ly", "er", "ation", "ness", "ment", "'s")


@dataclass(frozen=True)
class Case:
    """One row of the table to be measured."""

    name: str
    words: int
    """Mean number of words a text."""
    pairs: int
    peer_pairs: int
    """The peer is slow on long text and gets fewer."""
    stem: bool = False


@dataclass(frozen=True)
class Row:
    """One row of the table, measured."""

    case: str
    pairs: int
    rouge_score: float
    """Pairs a second."""
    compiled: float
    compiled_ratio: float
    twin: float
    twin_ratio: float
    largest_difference: float


CASES = (
    Case("short (23 words)", 23, 20_000, 20_000),
    Case("short, stemmed", 23, 20_000, 20_000, stem=True),
    Case("long (390 words)", 390, 2_000, 200),
    Case("long, stemmed", 390, 2_000, 200, stem=True),
)


def vocabulary(draw: random.Random, size: int = 5_000) -> list[str]:
    letters = "etaoinshrdlucmfwypvbgk"
    stems = ("".join(draw.choices(letters, range(22, 0, -1), k=draw.randint(2, 7))) for _ in range(size))
    return [stem + draw.choice(ENDINGS) for stem in stems]


def made_up(case: Case, seed: int) -> tuple[list[str], list[list[str]]]:
    draw = random.Random(seed)
    words = vocabulary(draw)
    often = [1 / (rank + 3) for rank in range(len(words))]  # Zipf

    def text(length: int) -> list[str]:
        return draw.choices(words, often, k=length)

    hypotheses, references = [], []
    for _ in range(case.pairs):
        source = text(draw.randint(int(case.words * 0.6), int(case.words * 1.4)))
        kept = [word if draw.random() < 0.65 else draw.choice(words) for word in source]
        hypotheses.append((" ".join(source) + ".").capitalize())
        references.append([", ".join(" ".join(part) for part in (kept[:9], kept[9:])).capitalize()])
    return hypotheses, references


def best_of(times: int, call: Callable[[], object]) -> float:
    """Seconds of the quickest run."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        spent.append(time.perf_counter() - start)
    return min(spent)


def measured(case: Case, seed: int) -> Row:
    hypotheses, references = made_up(case, seed)
    scorer = RougeScorer(["rougeL"], use_stemmer=case.stem)
    start = time.perf_counter()
    peer = [
        scorer.score(refs[0], hyp)["rougeL"]
        for hyp, refs in zip(hypotheses[: case.peer_pairs], references, strict=False)
    ]
    peer_speed = case.peer_pairs / (time.perf_counter() - start)

    def ours() -> np.ndarray:
        return score("rouge-l", hypotheses, references, tokeniser="rouge-score", stem=case.stem).segments

    difference = np.abs(ours()[: case.peer_pairs] - [one.fmeasure for one in peer]).max()
    speeds = {}
    for kernel in ("auto", "python"):
        os.environ[VARIABLE] = kernel
        speeds[kernel] = case.pairs / best_of(3, ours)
    os.environ.pop(VARIABLE)
    return Row(
        case.name, case.peer_pairs, peer_speed, speeds["auto"], speeds["auto"] / peer_speed,
        speeds["python"], speeds["python"] / peer_speed, float(difference),
    )  # fmt: skip


def machine() -> dict[str, str]:
    return {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        **{name: version(name) for name in ("textassay", "numpy", "rouge-score", "nltk")},
        "kernels": "compiled" if kernels.compiled() else "plain Python",
    }


def main() -> int:
    about = machine()
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    heads = ("rouge-score", 12), ("compiled", 12), ("ratio", 8), ("twin", 12), ("ratio", 8), ("difference", 12)
    print(f"{'ROUGE-L, pairs/s':<20}" + "".join(f"{head:>{width}}" for head, width in heads))
    rows = []
    for seed, case in enumerate(CASES):
        row = measured(case, seed)
        rows.append(row)
        print(
            f"{row.case:<20}{row.rouge_score:>12,.0f}{row.compiled:>12,.0f}{row.compiled_ratio:>7.1f}×"
            f"{row.twin:>12,.0f}{row.twin_ratio:>7.1f}×{row.largest_difference:>12.1e}",
            flush=True,
        )
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"about": about, "rows": [asdict(row) for row in rows]}, indent=1) + "\n", "utf-8")
    return 0 if all(row.largest_difference <= 1e-12 for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
