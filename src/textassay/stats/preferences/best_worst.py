"""Best–worst scaling: systems on one scale by which of several shown is the best and which the worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.labels import Column
from textassay.stats.preferences.abilities import CENTRED, Abilities
from textassay.stats.preferences.best_worst_trials import Trials, maxdiff_choices, read_trials, sequential_choices
from textassay.stats.preferences.choice_scale import Judged, fit_choices
from textassay.stats.preferences.pair_families import BRADLEY_TERRY, MAXDIFF
from textassay.stats.samples import check_share

BestWorstModel = Literal["sequential", "maxdiff"]
"""`sequential`: the best is chosen, then the worst of the rest; `maxdiff`: both at once, as the pair furthest apart."""


@dataclass(frozen=True, kw_only=True)
class BestWorst(Abilities):
    """Systems on one scale by best–worst trials, with the plain counts."""

    shown: tuple[int, ...]
    """How often each system was shown, in the order of `systems`."""
    best: tuple[int, ...]
    worst: tuple[int, ...]

    @property
    def scores(self) -> tuple[float, ...]:
        """(best - worst) / shown, from -1 to 1."""
        return tuple((b - w) / s for b, w, s in zip(self.best, self.worst, self.shown, strict=True))

    def records(self) -> list[Record]:
        """Those of the abilities, then the score of each system by counting."""
        rows = zip(self.systems, self.scores, self.best, self.worst, self.shown, strict=True)
        counts = [
            self.record("best–worst score", score, n=shown, system=system, best=best, worst=worst)
            for system, score, best, worst, shown in rows
        ]
        return [*super().records(), *counts]


def best_worst(
    shown: Sequence[Column],
    best: Column,
    worst: Column,
    *,
    model: BestWorstModel = "sequential",
    confidence: float = 0.95,
) -> BestWorst:
    """Abilities of systems from trials that show several and ask for the best and the worst.

    Counting: score = (times best - times worst) / times shown (Louviere & Woodworth 1990). Sequential logit: P(best i)
    = e^θᵢ / Σ e^θ over those shown, then P(worst j) = e^-θⱼ / Σ e^-θ over the rest. Maxdiff: P(best i, worst j) =
    e^(θᵢ - θⱼ) / Σ e^(θ - θ') over all ordered pairs shown (Marley & Louviere 2005). Estimates, tests and intervals as
    in `plackett_luce`; a pair's probability is that of the first being best in a trial of the two.

    R: `survival::clogit(chosen ~ ability1 + ability2 + strata(choice))`, on one row for each possible choice.

    Example:
        >>> result = best_worst([["a", "b", "c"]] * 4, ["a", "a", "b", "c"], ["c", "b", "c", "a"])
        >>> result.systems, result.scores  # a: best twice, worst once, shown four times
        (('a', 'b', 'c'), (0.25, 0.0, -0.25))

    Args:
        shown: For each trial the systems that it shows.
        best: For each trial the one chosen as best.
        worst: For each trial the one chosen as worst.
        model: How the two choices hang together.
        confidence: Of all intervals.

    Raises:
        DataError: unequal lengths, a missing label, a system shown twice, or a choice of what was not shown.
        UsageError: an unknown or impossible setting.
    """
    check_share("confidence", confidence)
    if model not in _MODELS:
        raise UsageError(f"model must be one of {', '.join(_MODELS)}; got {model!r}")
    unfold, family, name = _MODELS[model]
    data = read_trials(shown, best, worst)
    judged = _judged(data, confidence)
    scale, reason = fit_choices(unfold(data), judged, family, ())
    k = len(data.systems)
    return BestWorst(
        method=name,
        settings={"model": model, "abilities": CENTRED, "confidence": confidence, "systems": k, "n": judged.n},
        warnings=(reason,) if reason else (),
        shown=tuple(data.shown.sum(axis=0).tolist()),
        best=tuple(np.bincount(data.best, minlength=k).tolist()),
        worst=tuple(np.bincount(data.worst, minlength=k).tolist()),
        **scale.fields(),
    )


_MODELS = {
    "sequential": (sequential_choices, BRADLEY_TERRY, "sequential best–worst logit"),
    "maxdiff": (maxdiff_choices, MAXDIFF, "maxdiff best–worst logit"),
}


def _judged(data: Trials, confidence: float) -> Judged:
    above = data.above()
    sizes = data.shown.sum(axis=0).astype(float)
    return Judged(data.systems, above, np.zeros_like(above), sizes, len(data.best), confidence)
