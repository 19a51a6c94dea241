"""Analysis of variance of independent groups."""

from __future__ import annotations

import numpy as np
from _calibration import Check, Draw
from _calibration_claims import rejects, size, size_near
from _calibration_theory import between_groups, f_size

from textassay.stats import anova, brown_forsythe, welch_anova

_SIZES, _SDS = (8, 12, 20), (3.0, 2.0, 1.0)
_POWER = 0.4954057835756  # R 4.2.2: power.anova.test(groups = 4, n = 20, between.var = .1, within.var = 1)


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_groups(), *_further())


def _groups() -> tuple[Check, ...]:
    within = [(sd * sd, n - 1.0) for n, sd in zip(_SIZES, _SDS, strict=True)]
    liberal = f_size(between_groups([sd * sd for sd in _SDS], _SIZES), within)
    groups = "3 groups of 8, 12, 20 normal values"
    return (
        Check(f"{groups}, equal variances", _one_way((1.0, 1.0, 1.0)), (
            size("anova", "one-way"),
            size_near("welch_anova"),
            size_near("brown_forsythe"),
        )),
        Check(f"{groups}, SD 3, 2, 1", _one_way(_SDS), (
            size("anova", "one-way", is_=liberal, why="known to be liberal: ratio of sums of χ² (Box 1954)"),
            size_near("welch_anova"),
            size_near("brown_forsythe"),
        )),
    )  # fmt: skip


def _further() -> tuple[Check, ...]:
    factor = "first factor"
    variants = (
        f"type I, {factor} after the second",
        f"type II, {factor}",
        f"type III, {factor}",
        "type III, interaction",
    )
    return (
        Check("4 groups of 20, means with variance .1, SD 1", _shifted, (
            size("anova", "one-way, power", is_=_POWER, why="noncentral F; R's power.anova.test"),
        )),
        Check("2 × 3 unequal cells, an effect of the second factor only", _factorial, tuple(
            size("anova", variant) for variant in variants
        )),
    )  # fmt: skip


def _one_way(sds: tuple[float, ...]) -> Draw:
    groups = np.repeat(["a", "b", "c"], _SIZES)
    spread = np.repeat(sds, _SIZES)

    def draw(random: np.random.Generator) -> list[float]:
        values = spread * random.normal(size=spread.size)
        return [rejects(test(values, groups).p) for test in (anova, welch_anova, brown_forsythe)]

    return draw


def _shifted(random: np.random.Generator) -> list[float]:
    groups = np.repeat(["a", "b", "c", "d"], 20)
    means = np.repeat(np.sqrt(0.3 / 4) * np.array([1, 1, -1, -1]), 20)  # Σ(m - m̄)² / 3 = .1
    return [rejects(anova(means + random.normal(size=80), groups).p)]


def _factorial(random: np.random.Generator) -> list[float]:
    cells = np.repeat(np.arange(6), (3, 6, 5, 7, 4, 8))
    first, second = np.array(["a", "b"])[cells // 3], np.array(["x", "y", "z"])[cells % 3]
    values = 0.8 * (cells % 3) + random.normal(size=cells.size)
    factors = {"first": first, "second": second}
    sequential = anova(values, factors, terms=["second", "first", "first:second"], sums="I")
    second_type, third_type = (anova(values, factors, sums=sums) for sums in ("II", "III"))
    found = [each["first"] for each in (sequential, second_type, third_type)]
    return [rejects(effect.p) for effect in (*found, third_type["first:second"])]
