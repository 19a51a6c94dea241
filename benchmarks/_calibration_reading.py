"""Reading times: regressions of repeated measures."""

from __future__ import annotations

import numpy as np
from _calibration import Check, Draw
from _calibration_claims import coverage, covers, rejects, size
from _calibration_theory import t_size

from textassay.stats import lorch_myers, position_effects, residual_times

_S, _J = 10, 16
"""Participants; units that all of them read."""
_LENGTHS = np.linspace(-1.5, 1.5, _J)
_SQUARES = float(((_LENGTHS - _LENGTHS.mean()) ** 2).sum())
_SLOPE, _UNIT, _NOISE = 0.1, 0.2, 1.0
"""Variances: of the slopes of participants, of units, of noise."""


def checks() -> tuple[Check, ...]:
    """All of this family."""
    missed = "known to be liberal: t times a constant, as the variance of {} is not in its error term"
    participants = t_size(1 + _SLOPE * _SQUARES / _NOISE, _J - 2)
    units = t_size(1 + _S * _UNIT / (_NOISE + _SLOPE * _SQUARES), _S - 1)
    return (
        Check("10 participants × 16 units, whose slopes on length vary between participants", _regressed(0.0), (
            size("lorch_myers", "form 1", is_=participants, why=missed.format("participants")),
            size("lorch_myers", "form 2"),
            size("lorch_myers", "form 3"),
            coverage("lorch_myers", "form 3, mean slope"),
        ), cost=2),
        Check("10 participants × 16 units, slopes vary between them, units have effects too", _regressed(_UNIT), (
            size("lorch_myers", "form 3", is_=units, why=missed.format("units")),
        )),
        Check("10 participants × 16 times, slopes on length and position vary between participants", _times, (
            size("position_effects"),
            coverage("position_effects"),
            size("residual_times", "slope on length"),
        ), cost=2),
    )  # fmt: skip


def _regressed(units: float) -> Draw:
    person, unit = np.divmod(np.arange(_S * _J), _J)
    lengths = {"length": _LENGTHS[unit]}

    def draw(random: np.random.Generator) -> list[float]:
        slopes = np.sqrt(_SLOPE) * random.normal(size=_S)
        noise = np.sqrt(units) * random.normal(size=_J)[unit] + np.sqrt(_NOISE) * random.normal(size=person.size)
        values = random.normal(size=_S)[person] + slopes[person] * _LENGTHS[unit] + noise
        third = lorch_myers(values, person, lengths)["length"]
        if units:
            return [rejects(third.p)]
        first = lorch_myers(values, person, lengths, form=1, items=unit)["length"]
        second = lorch_myers(values, person, lengths, form=2)["length"]
        return [rejects(first.p), rejects(second.p), rejects(third.p), covers(third.ci, 0.0)]

    return draw


def _times(random: np.random.Generator) -> list[float]:
    person = np.repeat(np.arange(_S), _J)
    position = np.tile(np.arange(1.0, _J + 1), _S)
    length = np.concatenate([random.permutation(_LENGTHS) for _ in range(_S)])
    slopes = random.normal(size=(2, _S))[:, person]
    times = 400 + 10 * slopes[0] * length + slopes[1] * position + 20 * random.normal(size=person.size)
    trend = position_effects(times, person, position)
    slope = residual_times(times, person, {"length": length}).tests[0]
    return [rejects(trend.p), covers(trend.slope.ci, 0.0), rejects(slope.p)]
