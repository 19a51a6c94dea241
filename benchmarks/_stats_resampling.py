"""The cluster bootstrap of an F ratio against a plain loop.

100 participants rate 8 systems on 10 items; a thousand times participants are drawn with all their ratings and F of
the systems is computed again. The loop gathers the rows of each draw and computes F from them with array operations, as
one would write it; both sides use the same draws and must give the same thousand ratios. scipy's own F in the same loop
is timed on a tenth of the draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from _house import Row, best_of
from scipy.stats import f_oneway

from textassay.seeds import Stream
from textassay.stats import bootstrap
from textassay.stats.resampling.resamples import resample_counts

PARTICIPANTS, SYSTEMS, ITEMS, DRAWS = 100, 8, 10, 1000


def rows() -> Iterator[Row]:
    draw = np.random.Generator(np.random.PCG64(3))
    participants = np.repeat(np.arange(PARTICIPANTS), SYSTEMS * ITEMS)
    systems = np.tile(np.repeat(np.arange(SYSTEMS), ITEMS), PARTICIPANTS)
    values = draw.normal(size=PARTICIPANTS)[participants] + 0.1 * systems + draw.normal(size=systems.size)

    def loop(f: Callable[[np.ndarray, np.ndarray], float], draws: int) -> list[float]:
        counts = resample_counts(Stream(0, "bootstrap", 0), PARTICIPANTS, draws).astype(int)
        found = []
        for row in counts:
            chosen = np.repeat(np.arange(PARTICIPANTS), row)
            taken = np.concatenate([np.flatnonzero(participants == one) for one in chosen])
            found.append(f(values[taken], systems[taken]))
        return found

    def ours() -> tuple[float, ...]:
        return bootstrap(values, systems, statistic="f", clusters=participants, draws=DRAWS).samples

    difference = np.abs(np.array(ours()) - np.sort(loop(f_ratio, DRAWS))).max()
    if not difference < 1e-9:
        raise SystemExit(f"the bootstrap's F ratios differ from the loop's by {difference}")
    spent = best_of(7, ours)
    what = "cluster bootstrap of F, 1,000 draws"
    yield Row(what, spent, "loop", best_of(1, lambda: loop(f_ratio, DRAWS)), 50)
    tenth = best_of(1, lambda: loop(by_scipy, DRAWS // 10))
    yield Row(what, spent, "loop of scipy.stats.f_oneway", 10 * tenth, math.nan, note="peer on 100 draws, times 10")


def f_ratio(values: np.ndarray, groups: np.ndarray) -> float:
    sizes = np.bincount(groups)
    means = np.bincount(groups, weights=values) / sizes
    within = ((values - means[groups]) ** 2).sum()
    between = (sizes * (means - values.mean()) ** 2).sum()
    return float(between / (sizes.size - 1) / (within / (values.size - sizes.size)))


def by_scipy(values: np.ndarray, groups: np.ndarray) -> float:
    return float(f_oneway(*(values[groups == group] for group in range(SYSTEMS))).statistic)
