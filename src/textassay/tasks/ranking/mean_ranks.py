"""Mean ranks of systems, and how often each got which rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from textassay.stats import MeanInterval, mean_interval

Counts = tuple[tuple[str, tuple[tuple[float, int], ...]], ...]
"""System → rank → how often."""


def mean_ranks(
    main: pd.DataFrame, criterion: str, systems: Sequence[str], confidence: float
) -> tuple[MeanInterval, ...]:
    """Means over participants of their own mean ranks: single ranks of one person are not independent."""
    own = main.groupby(["participant", "system"], sort=False)["value"].mean().reset_index()
    return tuple(_mean(own.loc[own["system"] == name, "value"], criterion, name, confidence) for name in systems)


def _mean(own: pd.Series[float], criterion: str, system: str, confidence: float) -> MeanInterval:
    found = mean_interval(own.to_numpy(dtype=float), confidence=confidence)
    settings = {"of": "each participant's mean rank", **found.settings}
    return replace(found, method="mean rank with t interval", settings=settings, of=criterion, by=system)


def counts_of(main: pd.DataFrame, systems: Sequence[str]) -> Counts:
    """For each system how often it got which rank."""
    return tuple((system, _counted(main.loc[main["system"] == system, "value"])) for system in systems)


def _counted(ranks: pd.Series[float]) -> tuple[tuple[float, int], ...]:
    return tuple(sorted((float(rank), int(n)) for rank, n in Counter(ranks).items()))
