"""How comparing metrics grows with systems, items and metrics, up to the size of an annual metrics task.

One of the three grows at a time, and in the end all are large. Every size runs in a process of its own, which is given
it on its command line: what is measured is the processor time of each step, without the start of the program, and the
most memory that the whole process held.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from _house import RESULTS, machine

DRAWS = 1000
FIGURE = Path(__file__).parents[1] / "docs" / "images" / "growth-meta.svg"
_KEPT = RESULTS / "meta-growth.json"


@dataclass(frozen=True)
class MetaSize:
    """How much there is to compare."""

    systems: int = 15
    items: int = 1500
    metrics: int = 10

    def __str__(self) -> str:
        return f"{self.systems} systems × {self.items:,} items × {self.metrics} metrics"


SERIES = {"systems": (8, 15, 30), "items": (1500, 3000, 6000, 10_000), "metrics": (5, 10, 20, 40)}
WMT = MetaSize(30, 10_000, 40)
STEPS = {
    "compare": "all pairs compared, bootstrap",
    "swap": "all pairs compared, systems swapped",
    "permute": "each metric tested",
    "ties": "ties of each metric calibrated",
}


def grids(systems: int, items: int, metrics: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """People's judgements on a scale of five, and metrics that know a part of them."""
    draw = np.random.Generator(np.random.PCG64(14))
    latent = 0.5 * draw.normal(size=systems) + draw.normal(size=(items, systems))
    people = np.clip(np.round(3 + latent), 1, 5)
    return people, {
        f"metric {number}": latent + (1 + 0.02 * number) * draw.normal(size=latent.shape) for number in range(metrics)
    }


def measure() -> None:
    """All sizes, each once, into the file of results."""
    sizes = {size for what, values in SERIES.items() for size in (replace(MetaSize(), **{what: v}) for v in values)}
    rows = []
    for size in [*sorted(sizes, key=lambda each: each.systems**2 * each.items * each.metrics), WMT]:
        command = [sys.executable, __file__, *map(str, astuple(size))]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        rows.append({**asdict(size), **found})
        print(f"{size}: " + ", ".join(f"{name} {value:g}" for name, value in found.items()), flush=True)
    text = json.dumps({"about": machine(), "draws": DRAWS, "rows": rows}, indent=1, ensure_ascii=False)
    _KEPT.write_text(text + "\n", encoding="utf-8")


def steps(size: MetaSize) -> dict[str, float]:
    """Seconds of each step in this process, and its memory in GB."""
    from textassay.meta import (  # noqa: PLC0415 -- the program that starts this one does not need it
        Agreement,
        Exchanges,
        calibrated_accuracy,
        compare_metrics,
        permute_systems,
    )

    people, scores = grids(*astuple(size))
    agreement = Agreement("tau-b", draws=DRAWS)
    exchanges = Exchanges(draws=DRAWS)
    work = {
        "compare": lambda: compare_metrics(people, scores, agreement),
        "swap": lambda: compare_metrics(people, scores, agreement, test="swap systems"),
        "permute": lambda: [permute_systems(people, grid, "tau-b", exchanges) for grid in scores.values()],
        "ties": lambda: [calibrated_accuracy(people, grid, chance_draws=0) for grid in scores.values()],
    }
    found = {}
    for name, step in work.items():
        start = time.process_time()
        step()
        found[name] = round(time.process_time() - start, 3)
    return {**found, "memory": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)}


def draw() -> None:
    """Seconds and memory against size, as logarithms: what doubles with the size has the slope of the dots."""
    import matplotlib as mpl  # noqa: PLC0415 -- sizes are measured without it
    from matplotlib.figure import Figure  # noqa: PLC0415

    rows: list[dict[str, Any]] = json.loads(_KEPT.read_text(encoding="utf-8"))["rows"]
    mpl.rcParams |= {"svg.hashsalt": "textassay", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = figure.subplots(1, len(SERIES), sharey=True)
    colours = dict(zip((*STEPS, "memory"), ("#0072b2", "#d55e00", "#117733", "#aa4499", "#6b7280"), strict=True))
    markers = dict(zip((*STEPS, "memory"), "osD^x", strict=True))
    labels = {**STEPS, "memory": "memory (GB)"}
    for axes, (what, values) in zip(panels, SERIES.items(), strict=True):
        others = {name: value for name, value in asdict(MetaSize()).items() if name != what}
        own = sorted((row for row in rows if others.items() <= row.items()), key=lambda row: int(row[what]))
        for step, label in labels.items():
            axes.plot(
                [row[what] for row in own], [row[step] for row in own],
                marker=markers[step], ms=4, lw=1.4, ls="--" if step == "memory" else "-", color=colours[step],
                label=label,
            )  # fmt: skip
        least = own[0]["ties"]
        axes.plot(
            values, [least * value / values[0] for value in values], ls=":", lw=1, color="#9aa3ad", label="doubles"
        )
        axes.set(xscale="log", yscale="log", xlabel=what, xticks=values, xticklabels=[f"{each:,}" for each in values])
        axes.minorticks_off()
        axes.grid(color="#e3e7ec", lw=0.6)
    panels[0].set(ylabel="seconds of processor time; GB")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    print(json.dumps(steps(MetaSize(*map(int, sys.argv[1:])))))
