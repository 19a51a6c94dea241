"""What all comparisons share: timing, the table that is printed, and the file that keeps it."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from textassay import kernels

RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True)
class Row:
    """One comparison with a peer, both sides measured in the same run."""

    what: str
    ours: float
    """Seconds."""
    peer: str
    theirs: float
    """Seconds; nan where the peer cannot do it."""
    bar: float
    """The ratio that is wanted; nan where there is none."""
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def best_of(times: int, call: Callable[[], object]) -> float:
    """Seconds of the quickest run."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        spent.append(time.perf_counter() - start)
    return min(spent)


def interleaved(times: int, *calls: Callable[[], object]) -> list[float]:
    """Seconds of the processor for each call, the quickest run of each, in turn: what else runs disturbs all alike."""
    best = [float("inf")] * len(calls)
    for _ in range(times):
        for place, call in enumerate(calls):
            start = time.process_time()
            call()
            best[place] = min(best[place], time.process_time() - start)
    return best


def machine(*packages: str) -> dict[str, str]:
    """What the figures were measured on and with."""
    return {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "kernels": "compiled" if kernels.compiled() else "plain Python",
        **{name: _version(name) for name in ("textassay", "numpy", "scipy", *packages)},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def shown(row: Row) -> str:
    """One line of the table."""
    met = "" if not row.bar > 0 or row.ratio >= row.bar else "  <-- below"
    ratio = f"{row.ratio:,.1f}" if row.ratio >= 1 else f"{row.ratio:.2f}"
    bar = f"{row.bar:.2f}" if row.bar < 1 else f"{row.bar:,.0f}"
    return (
        f"{row.what:<52}{row.ours:>11.4f} s{row.theirs:>11.4f} s{ratio:>11}×{bar:>8}×  "
        f"{row.peer}{' · ' + row.note if row.note else ''}{met}"
    )


def keep(name: str, about: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Write the figures to `benchmarks/results/`."""
    RESULTS.mkdir(exist_ok=True)
    stored = [{**asdict(row), "ratio": row.ratio} for row in rows]
    text = json.dumps({"about": dict(about), "rows": stored}, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
