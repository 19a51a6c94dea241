"""Fill in how many people a server holds at once: `python docs/make_capacity.py`.

Takes the rates that `python3 run.py bench serve` has stored in benchmarks/results/serve.json, writes the table between
the two marks in docs/operations.md, and draws docs/images/capacity.svg. Run it after the benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE / "operations.md"
FIGURE = HERE / "images" / "capacity.svg"
RESULTS = HERE.parent / "benchmarks" / "results" / "serve.json"
BEGIN, END = "<!-- capacity: begin -->\n", "<!-- capacity: end -->\n"
NOT_YET = "The rates have not been measured on an idle machine yet: `python3 run.py bench serve`.\n"
SECONDS = (10, 30, 60)
"""Of a trial, in the table."""
HEADROOM = 0.5
"""Share of the measured rate that the figures count on."""
PLACES = {
    "one process, SQLite": ("pages", "answers"),
    "one process, PostgreSQL": ("pages on PostgreSQL", "answers on PostgreSQL"),
    "two processes, PostgreSQL": ("pages on PostgreSQL, 2 processes", "answers on PostgreSQL, 2 processes"),
}
"""What is served how → the names of its rates."""


@dataclass(frozen=True)
class Capacity:
    """How many trials one way of serving manages."""

    what: str
    pages: float
    answers: float

    @property
    def trials(self) -> float:
        """Per second: each needs one page and one answer."""
        return 1 / (1 / self.pages + 1 / self.answers)

    def people(self, seconds: float) -> float:
        """At once, if a trial takes so long."""
        return HEADROOM * self.trials * seconds


def capacities(rates: Mapping[str, float]) -> list[Capacity]:
    """Those of all ways of serving that were measured."""
    return [
        Capacity(what, rates[pages], rates[answers])
        for what, (pages, answers) in PLACES.items()
        if pages in rates and answers in rates
    ]


def filled(stored: Mapping[str, Any] | None) -> str:
    """What belongs between the two marks."""
    if stored is None:
        return NOT_YET
    lines = [
        f"| | pages per second | answers per second | trials per second | {_columns()} |",
        f"|---|{'---|' * (3 + len(SECONDS))}",
    ]
    for each in capacities(stored["rates"]):
        people = " | ".join(f"{_rounded(each.people(seconds)):,}" for seconds in SECONDS)
        speeds = " | ".join(f"{_rounded(rate):,}" for rate in (each.pages, each.answers, each.trials))
        lines.append(f"| {each.what} | {speeds} | {people} |")
    about, joins = stored["about"], _joins(stored["rates"])
    lines += ["", f"![People at once against seconds per trial, and joins per second](images/{FIGURE.name})", ""]
    lines.append(
        f"Measured on {about['machine']}, which the clients and the database used too, with Python {about['python']} "
        f"(`python3 run.py bench serve`). Joining: {joins}."
    )
    return "\n".join(lines) + "\n"


def _columns() -> str:
    return " | ".join(f"people at once, {seconds} s per trial" for seconds in SECONDS)


def _joins(rates: Mapping[str, float]) -> str:
    return ", ".join(f"{_rounded(rate):,} per second with {people:,} participants" for people, rate in _joining(rates))


def _joining(rates: Mapping[str, float]) -> list[tuple[int, float]]:
    return sorted((int(name.rpartition(" ")[2]), rate) for name, rate in rates.items() if name.startswith("joins at"))


def _rounded(number: float) -> int:
    """Two digits: more would not come out again."""
    return int(float(f"{number:.1e}"))


def draw(rates: Mapping[str, float], path: Path) -> None:
    """People at once against the seconds of a trial, and the rate of joining against participants who are there."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 -- slow to import

    from textassay.report.figures.style import RC  # noqa: PLC0415

    with plt.rc_context(dict(RC)):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
        seconds: Sequence[float] = (5, 10, 20, 40, 80, 160)
        for each in capacities(rates):
            left.plot(seconds, [each.people(second) for second in seconds], marker="o", label=each.what)
        left.set(xscale="log", yscale="log", xlabel="seconds per trial", ylabel="people at once")
        left.set_xticks(seconds, [f"{second:g}" for second in seconds])
        left.legend(frameon=False)
        people, speeds = zip(*_joining(rates), strict=True)
        right.plot(people, speeds, marker="o")
        right.set(xlabel="participants who have started", ylabel="joins per second", ylim=(0, None))
        figure.savefig(path, format="svg", metadata={"Date": None})
        plt.close(figure)


def main() -> None:
    """Fill in the page and draw the figure."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else None
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(before + BEGIN + filled(stored) + END + after, encoding="utf-8")
    if stored is not None:
        draw(stored["rates"], FIGURE)


if __name__ == "__main__":
    main()
