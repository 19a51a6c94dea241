"""Every method against what theory says of it, on many data sets drawn from a known truth.

    python3 run.py bench calibration [DRAWS] [--only NAME] [--jobs N]

Prints what was seen and writes the tables to `docs/calibration.md`. Takes about an hour of one core with the default of
10,000 draws. With `--only`, the checks whose method or situation has NAME in it are run and nothing is written.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the problems are small: threads cost more than they bring

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from _calibration import LEVEL, Check, Outcome, bounds, run, table
from _calibration_checks import families
from _house import machine

PAGE = Path(__file__).parents[1] / "docs" / "calibration.md"
MARKER = "<!-- table -->"
DRAWS = 10_000


def chosen(only: str) -> list[tuple[str, Check]]:
    """The checks to run, with their headings."""
    every = [(heading, check) for heading, checks in families().items() for check in checks]
    return [(heading, check) for heading, check in every if only in _searched(check)]


def _searched(check: Check) -> str:
    return " ".join([check.name, *(claim.statistic for claim in check.claims)])


def outcomes(checks: Sequence[tuple[str, Check]], only: str, draws: int, jobs: int) -> Iterator[list[Outcome]]:
    """The outcomes of each check, in order, as they come."""
    if jobs <= 1:
        yield from (run(check, draws) for _, check in checks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(_numbered, only, draws), range(len(checks)))


def _numbered(only: str, draws: int, number: int) -> list[Outcome]:
    """A process builds the checks for itself: the functions in them cannot be sent to it."""
    return run(chosen(only)[number][1], draws)


def show(found: Sequence[Outcome], claims: int, place: str) -> None:
    """One line a claim."""
    for seen in found:
        verdict = "" if seen.holds(claims) else "  <-- NOT as theory says"
        claim = seen.claim
        print(
            f"{place} {claim.shown(seen)} [{bounds(claim)}] {claim.statistic}, {claim.what}: {seen.situation}{verdict}"
        )
    sys.stdout.flush()


def write(by_heading: dict[str, list[Outcome]], draws: int) -> None:
    """Put the tables below the marker of the page."""
    about = machine()
    claims = sum(map(len, by_heading.values()))
    note = (
        f"{claims} claims, {draws:,} draws a check and fewer where a draw takes long; textassay {about['textassay']}, "
        f"numpy {about['numpy']}, scipy {about['scipy']}. The chance that any claim fails although all methods are as "
        f"they should be is {LEVEL:g}."
    )
    head = PAGE.read_text(encoding="utf-8").split(MARKER)[0]
    PAGE.write_text(f"{head}{MARKER}\n\n{note}\n\n{table(by_heading)}", encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Run the checks; 1 where one is not as theory says."""
    parser = argparse.ArgumentParser(prog="run.py bench calibration", description="Methods against theory.")
    parser.add_argument("draws", type=int, nargs="?", default=DRAWS, help="data sets of a cheap check")
    parser.add_argument("--only", default="", help="run the checks with this in their method or situation")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    checks = chosen(options.only)
    claims = sum(len(check.claims) for _, check in checks)
    by_heading: dict[str, list[Outcome]] = {}
    start = time.perf_counter()
    every = outcomes(checks, options.only, options.draws, options.jobs)
    for number, ((heading, _), found) in enumerate(zip(checks, every, strict=True), start=1):
        by_heading.setdefault(heading, []).extend(found)
        show(found, claims, f"{number}/{len(checks)} {time.perf_counter() - start:.0f} s")
    if not options.only:
        write(by_heading, options.draws)
    return 0 if all(seen.holds(claims) for rows in by_heading.values() for seen in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
