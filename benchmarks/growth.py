"""How each step of a study grows with people, items and systems, as a figure of the documentation.

    python3 run.py bench growth          # measures, about five minutes, and draws
    python3 run.py bench growth draw     # draws what was measured last

One of the three grows at a time, from a study of 8 systems × 100 items × 200 people who rate 20 texts each. Values are
seconds of processor time of whole commands, start of the program included. They are kept in
`benchmarks/results/growth.json`; the figure is `docs/images/growth.svg`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
from _house import RESULTS, machine
from _large_study import Size, spent, textassay, write_study
from matplotlib.figure import Figure

BASE = Size(systems=8, items=100, people=200, each=20)
SERIES = {"people": (100, 200, 400, 800), "items": (50, 100, 200, 400), "systems": (4, 8, 16, 32)}
STEPS = ("check", "simulate", "report")
FIGURE = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
_LIMIT = 600.0
_KEPT = RESULTS / "growth.json"


def measure() -> list[dict[str, Any]]:
    """All series; a size that several share is measured once."""
    rows: list[dict[str, Any]] = []
    known: dict[Size, dict[str, float]] = {}
    for what, values in SERIES.items():
        for value in values:
            size = replace(BASE, **{what: value})
            if size not in known:
                known[size] = _steps(size)
            print(f"{what:<8}{value:>6,}  {known[size]}", flush=True)
            rows.append({"grows": what, "size": value, "ratings": size.ratings, **known[size]})
    return rows


def _steps(size: Size) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        study = write_study(Path(folder) / "study", size)
        return {step: round(spent(textassay(step, study), _LIMIT).processor, 2) for step in STEPS}


def draw(rows: list[dict[str, Any]]) -> None:
    """Seconds against size, both as logarithms: a line that doubles with the size has the slope of the dashes."""
    mpl.rcParams |= {"svg.hashsalt": "textassay", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    panels = figure.subplots(1, len(SERIES), sharey=True)
    colours = dict(zip(STEPS, ("#0072b2", "#d55e00", "#117733"), strict=True))
    markers = dict(zip(STEPS, "osD", strict=True))
    for axes, (what, sizes) in zip(panels, SERIES.items(), strict=True):
        own = [row for row in rows if row["grows"] == what]
        for step in STEPS:
            axes.plot(
                [row["size"] for row in own], [row[step] for row in own],
                marker=markers[step], ms=4, lw=1.4, color=colours[step], label=step,
            )  # fmt: skip
        least = min(row["check"] for row in own)
        axes.plot(sizes, [least * size / sizes[0] for size in sizes], ls=":", lw=1, color="#9aa3ad", label="doubles")
        axes.set(xscale="log", yscale="log", xlabel=what, xticks=sizes, xticklabels=[f"{size:,}" for size in sizes])
        axes.minorticks_off()
        axes.grid(color="#e3e7ec", lw=0.6)
    seconds = [0.5, 1, 2, 5, 10, 20, 50]
    panels[0].set(ylabel="seconds of processor time", yticks=seconds, yticklabels=[f"{each:g}" for each in seconds])
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    figure.savefig(FIGURE, metadata={"Date": None})


def main(arguments: list[str]) -> int:
    if arguments != ["draw"]:
        text = json.dumps({"about": machine("pandas"), "rows": measure()}, indent=1, ensure_ascii=False)
        _KEPT.write_text(text + "\n", encoding="utf-8")
    draw(json.loads(_KEPT.read_text(encoding="utf-8"))["rows"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
