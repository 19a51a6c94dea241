"""Bradley–Terry on a million comparisons of 20 systems against evalica, from the same arrays to the abilities.

Whole-number codes are the quick way into both: evalica is given its index beforehand, so that it need not look for one,
and its winners as the list of `Winner` that it asks for. Lists of labels are timed too. A tie is half a win for each
in `evalica.bradley_terry` and Davidson's in `evalica.newman`. Ours gives standard errors, tests and intervals besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import evalica
import numpy as np
import pandas as pd
from _house import Row, best_of

from textassay.stats import bradley_terry

N, SYSTEMS = 1_000_000, 20


def rows() -> Iterator[Row]:
    first, second, outcome = made_up()
    winners = [(evalica.Winner.Draw, evalica.Winner.X, evalica.Winner.Y)[value] for value in outcome.tolist()]
    names = [f"system {index:02d}" for index in range(SYSTEMS)]
    one, other = ([names[code] for code in column.tolist()] for column in (first, second))
    index, codes = pd.Index(names), pd.RangeIndex(SYSTEMS)
    yield compared(
        "Bradley–Terry, 1M comparisons, codes",
        lambda: bradley_terry(first, second, outcome, ties="half"),
        lambda: evalica.bradley_terry(first, second, winners, index=codes),
        10,
    )
    yield compared(
        "Bradley–Terry with Davidson's ties, 1M, codes",
        lambda: bradley_terry(first, second, outcome),
        lambda: evalica.newman(first, second, winners, index=codes),
        10,
    )
    yield compared(
        "Bradley–Terry, 1M comparisons, lists of labels",
        lambda: bradley_terry(one, other, outcome, ties="half"),
        lambda: evalica.bradley_terry(one, other, winners, index=index),
        10,
    )


def made_up() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First system, second system, outcome; abilities from -1 to 1, 15 % ties."""
    draw = np.random.Generator(np.random.PCG64(1))
    first = draw.integers(0, SYSTEMS, N)
    second = (first + draw.integers(1, SYSTEMS, N)) % SYSTEMS
    ability = np.linspace(-1, 1, SYSTEMS)
    wins = draw.random(N) < 1 / (1 + np.exp(ability[second] - ability[first]))
    return first, second, np.where(draw.random(N) < 0.15, 0, np.where(wins, 1, -1))


def compared(what: str, ours: Callable[[], Any], peer: Callable[[], Any], bar: float) -> Row:
    scores = np.log(peer().scores.sort_index().to_numpy(dtype=float))
    difference = np.abs(np.array(ours().values) - (scores - scores.mean())).max()
    if not difference < 1e-6:  # evalica stops at 1e-6
        raise SystemExit(f"{what}: abilities differ from evalica's by {difference}")
    return Row(what, best_of(7, ours), "evalica", best_of(5, peer), bar)
