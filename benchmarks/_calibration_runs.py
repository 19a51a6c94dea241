"""Two runs of one evaluation that do not differ: systems that moved, systems that moved unequally, and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from _calibration import Check
from _calibration_claims import ANY_REJECTED, coverage, covers_all, rejects, rejects_any, size_within

from textassay.stats import run_differences

_MOST = 0.075
_WHY = "must not be liberal; Bradley's liberal criterion above, no bound below"
_SAFE = "simultaneous intervals (Bonferroni) may be wider, and less than Bradley's liberal criterion narrower"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    same = "both with the same 12 items, 3 systems"
    return (
        _check(f"two runs of 12 participants, {same}", partial(_draw, (12, 12), 12)),
        _check(f"24 participants, then 6 with thrice the spread, {same}", partial(_draw, (24, 6), 12, spread=3.0)),
        _check("10 participants, then 20 with 12 other items, 3 systems", partial(_draw, (10, 20), 12, other=True)),
    )


def _check(words: str, draw: object) -> Check:
    name = "run_differences"
    return Check(words, draw, (  # type: ignore[arg-type]
        size_within(name, "heterogeneity", high=_MOST, why=_WHY),
        size_within(name, "all systems together", high=_MOST, why=_WHY),
        size_within(name, "systems, Holm", high=_MOST, why=_WHY, what=ANY_REJECTED),
        coverage(name, "systems: all intervals", is_=0.9625, within=0.0375, why=_SAFE),
    ), cost=10)  # fmt: skip


def _draw(
    people: Sequence[int], items: int, random: np.random.Generator, *, spread: float = 1.0, other: bool = False
) -> list[float]:
    """Each participant judges each item, of one system; SD of item × system 0.7, of participant × system 0.5."""
    columns = []
    easy, stable = random.normal(size=items), 0.7 * random.normal(size=(items, 3))
    for run, count in enumerate(people):
        if run and other:
            easy, stable = random.normal(size=items), 0.7 * random.normal(size=(items, 3))
        person, item = (each.ravel() for each in np.indices((count, items)))
        system, scale = (person + item) % 3, spread if run else 1.0
        y = system + easy[item] + stable[item, system] + random.normal(size=count)[person]
        y += scale * (0.5 * random.normal(size=(count, 3))[person, system] + random.normal(size=person.size))
        columns.append((y, np.full(y.size, run), system, person, item + run * items * other))
    found = run_differences(*(np.concatenate(parts) for parts in zip(*columns, strict=True)))
    intervals = [(each.ci, 0.0) for each in found.systems]
    return [
        rejects(found.p),
        rejects(found.shift.p),
        rejects_any(each.p for each in found.systems),
        covers_all(intervals),
    ]
