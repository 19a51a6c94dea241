"""How long large studies take, and how much memory, from the study file to the report; ratios to lme4.

    python3 run.py bench large          # up to 52,000 ratings: about five minutes
    python3 run.py bench large all      # and a million: about five more

Each command runs in a process of its own and is ended where it takes far too long. It is judged by its processor time,
which other work on the machine hardly changes. The figures are kept with machine and versions in
`benchmarks/results/large.json`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from _crossed_ratings import crossed_ratings
from _house import RESULTS, machine
from _large_study import Size, Spent, spent, textassay, write_study
from _stats_mixed import BARS as MODELS
from _stats_mixed import against_lme4

SMALL, MIDDLE, LARGE = Size(10, 100, 200, 52), Size(20, 500, 1_000, 52), Size(50, 2_000, 5_000, 200)
FEW = Size(3, 30, 24, 30)
"""Of the study whose power is simulated."""
RUNS = 500
_PATIENCE = 5.0
"""A command is ended after so many times the seconds that it may take."""


@dataclass(frozen=True)
class Bar:
    """What a command may take."""

    seconds: float
    memory: float | None = None
    """GB; nothing where it does not matter."""

    def met(self, found: Spent) -> bool:
        """Whether the command kept to it."""
        enough = self.memory is None or found.memory <= self.memory
        return found.done and found.processor <= self.seconds and enough

    def __str__(self) -> str:
        memory = "" if self.memory is None else f", {self.memory:g} GB"
        return f"at most {self.seconds:g} s{memory}"


def measured(folder: Path, *, million: bool) -> Iterator[tuple[str, Bar, Spent]]:
    """One command after the other: what it does, what it may take, and what it takes."""
    for size, bars in (
        (SMALL, {"check": Bar(5), "simulate": Bar(30), "report": Bar(30, 3)}),
        (MIDDLE, {"check": Bar(5), "simulate": Bar(30), "report": Bar(120, 3)}),
    ):
        study = write_study(folder / f"study-{size.people}", size)
        for command, bar in bars.items():
            yield f"{command}, {size}", bar, _spent(textassay(command, study), bar)
    few = write_study(folder / "few", FEW)
    bar = Bar(60)
    yield f"power, {RUNS} runs, {FEW}", bar, _spent(textassay("power", few, "--runs", str(RUNS), "-q"), bar)
    if million:
        table, bar = folder / "million.csv", Bar(300, 6)
        data = crossed_ratings(LARGE.systems, LARGE.items, LARGE.people, LARGE.ratings)
        data.assign(value=data["value"].round().clip(1, 7).astype(int)).to_csv(table, index=False)
        del data
        yield f"analyse, {LARGE}, {LARGE.ratings:,} ratings", bar, _spent(textassay("analyse", table), bar)


def _spent(command: list[str], bar: Bar) -> Spent:
    return spent(command, _PATIENCE * bar.seconds)


def main(arguments: list[str]) -> int:
    about = machine("pandas")
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows, missed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for what, bar, found in measured(Path(folder), million=arguments == ["all"]):
            met = bar.met(found)
            missed += not met
            mark = "" if met else "  <-- above" if found.done else "  <-- ended, or failed"
            print(
                f"{what:<50}{found.processor:>8.1f} s of processor time{found.seconds:>8.1f} s{found.memory:>7.2f} GB"
                f"  ({bar}){mark}",
                flush=True,
            )
            rows.append({"what": what, **asdict(found), "bar": [bar.seconds, bar.memory], "met": met})
    for what, ratio, size in MODELS:
        row = against_lme4(what, ratio, size)
        met = row.ratio >= ratio
        missed += not met
        mark = "" if met else "  <-- below"
        print(f"{what:<50}{row.ours:>8.1f} s, lme4 {row.theirs:.1f} s: {row.ratio:.2f}× ({ratio:.2f}×){mark}")
        rows.append({"what": what, "seconds": row.ours, "lme4": row.theirs, "bar": ratio, "note": row.note, "met": met})
    text = json.dumps({"about": about, "rows": rows}, indent=1, ensure_ascii=False)
    (RESULTS / "large.json").write_text(text + "\n", encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
