"""Agreement of metrics with people: metrics that have nothing to do with them, and intervals of metrics that do.

In the three null cases systems differ on both sides, in people's eyes and by the metric, and the one says nothing of
the other. Tests that take texts as independent see few systems as many texts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from _calibration import Check, Share
from _calibration_claims import covers, rejects, size, size_within
from _calibration_theory import ALPHA

from textassay.meta import (
    Agreement,
    Exchanges,
    permute_system_scores,
    permute_systems,
    permute_systems_and_items,
    permute_texts,
    swap_systems,
    two_way_bootstrap,
    two_way_difference,
)
from textassay.stats import pearson
from textassay.stats.samples import FloatArray

_DRAWS = 199
_EXACT = "exact: under the null hypothesis systems are exchangeable as wholes"
_BRADLEY = "must not be liberal; Bradley's liberal criterion above, no bound below"
_LIBERAL = "known to be liberal: takes texts as independent, although those of one system are alike"


@dataclass(frozen=True)
class _Study:
    systems: int
    items: int
    sd: float
    """Of the systems; that of a text is 1."""

    def __str__(self) -> str:
        return f"{self.systems} systems × {self.items} items, SD of systems {self.sd:g}, of texts 1"

    def drawn(self, random: np.random.Generator, between: float = 0.0, within: float = 0.0) -> list[FloatArray]:
        """People and a metric: correlated so between the systems' effects, and so between what is left of texts."""
        sides = []
        for shape, r in ((self.systems, between), ((self.items, self.systems), within)):
            people, noise = random.normal(size=(2, *np.atleast_1d(shape)))
            sides.append((people, r * people + math.sqrt(1 - r * r) * noise))
        (effect, metric_effect), (text, metric_text) = sides
        return [self.sd * effect + text, self.sd * metric_effect + metric_text]

    def tau(self, between: float, within: float) -> float:
        """Kendall's tau of two texts of an item: that of the normal distribution of their differences."""
        r = (self.sd**2 * between + within) / (self.sd**2 + 1)
        return 2 / math.pi * math.asin(r)

    def pooled_tau(self, between: float, within: float) -> float:
        """That of any two texts: those of one system differ by their own effects alone."""
        texts = self.systems * self.items
        alike = (self.items - 1) / (texts - 1)
        return alike * 2 / math.pi * math.asin(within) + (1 - alike) * self.tau(between, within)


NULL = (_Study(4, 8, 1.5), _Study(8, 50, 1.0), _Study(16, 100, 0.7))


def checks() -> tuple[Check, ...]:
    """All of this family."""
    intervals = map(_interval, (_Study(8, 50, 1.0), _Study(15, 40, 0.5)))
    return (*map(_null, NULL), _gaps(), _nested(), *intervals, _compared(0.7, 0.7), _compared(1.2, 0.4), _tied())


def _null(study: _Study) -> Check:
    few = study.systems == 4
    counted = {"is_": 1 / 24, "why": f"{_EXACT}; 1 of 24 orders"} if few else {"why": _EXACT}
    at_most = size_within("permute_systems", "tau-b within items", high=ALPHA, why=_EXACT)
    return Check(f"{study}; the metric has nothing to do with people", _null_draw(study), (
        size("permute_systems", "Pearson within items", **counted),
        at_most,
        size("permute_system_scores", "Pearson of systems' means", **counted),
        size_within("permute_systems_and_items", "Pearson of all texts", high=ALPHA, why=_EXACT),
        size_within("pearson", "all texts", low=ALPHA, high=1, why=_LIBERAL),
    ), cost=4)  # fmt: skip


def _exchanges(random: np.random.Generator) -> Exchanges:
    return Exchanges(draws=_DRAWS, seed=int(random.integers(2**32)))


def _null_draw(study: _Study) -> Callable[[np.random.Generator], list[float]]:
    def draw(random: np.random.Generator) -> list[float]:
        people, scores = study.drawn(random)
        exchanges = _exchanges(random)
        means = people.mean(axis=0), scores.mean(axis=0)
        return [
            rejects(permute_systems(people, scores, "pearson", exchanges).p),
            rejects(permute_systems(people, scores, "tau-b", exchanges).p),
            rejects(permute_system_scores(*means, "pearson", exchanges).p),
            rejects(permute_systems_and_items(people, scores, "pearson", exchanges).p),
            rejects(pearson(people.reshape(-1), scores.reshape(-1)).p),
        ]

    return draw


def _gaps() -> Check:
    study = _Study(9, 50, 1.0)

    def draw(random: np.random.Generator) -> list[float]:
        people, scores = study.drawn(random)
        people[random.random(people.shape) < 0.2] = np.nan
        exchanges = _exchanges(random)
        judged = permute_systems(people, scores, "tau-b", exchanges).p
        lacking = permute_systems(people, np.where(np.isnan(people), np.nan, scores), "tau-a", exchanges).p
        return [rejects(judged), rejects(lacking)]

    return Check(f"{study}; a fifth of the texts missing; the metric has nothing to do with people", draw, (
        size_within("permute_systems", "tau-b within items, all texts scored", high=ALPHA, why=_EXACT),
        size_within("permute_systems", "tau-a within items, judged texts scored", high=1.5 * ALPHA, why=_BRADLEY),
    ), cost=8)  # fmt: skip


def _nested() -> Check:
    sizes = (5, 8, 12, 15, 20, 20, 30, 40)

    def draw(random: np.random.Generator) -> list[float]:
        people, scores = np.full((2, sum(sizes), len(sizes)), np.nan)
        system = np.repeat(np.arange(len(sizes)), sizes)
        for grid in (people, scores):
            grid[np.arange(system.size), system] = random.normal(size=len(sizes))[system] + random.normal(
                size=system.size
            )
        exchanges = _exchanges(random)
        return [
            rejects(permute_texts(people, scores, "pearson", None, exchanges).p),
            rejects(permute_texts(people, scores, "pearson", "system", exchanges).p),
        ]

    return Check("8 systems, 5 to 40 items each, one text per item; the metric has nothing to do with people", draw, (
        size_within("permute_texts", "Pearson of all texts", high=1.5 * ALPHA, why=_BRADLEY),
        size("permute_texts", "Pearson within systems", why="exact: texts of a system are exchangeable"),
    ), cost=10)  # fmt: skip


def _interval(study: _Study) -> Check:
    between, within = 0.8, 0.4

    def draw(random: np.random.Generator) -> list[float]:
        people, scores = study.drawn(random, between, within)
        seed = int(random.integers(2**32))
        by_item, pooled = (
            two_way_bootstrap(people, scores, "tau-b", by, draws=499, seed=seed) for by in ("item", None)
        )
        return [
            covers(by_item.ci, study.tau(between, within)),
            covers(pooled.ci, study.pooled_tau(between, within)),
        ]

    return Check(f"{study}; metric and people r = {between:g} between systems, {within:g} within", draw, (
        *(Share("two_way_bootstrap", f"tau-b {where}: 95 % interval holds the truth", 0.925, 1.0,
                "errs on the safe side (Owen 2007); Bradley's liberal criterion below")
          for where in ("within items", "of all texts")),
    ), cost=10)  # fmt: skip


def _compared(first: float, second: float) -> Check:
    """Two metrics whose errors have the same variance within items: SD of systems' errors, the rest of texts'."""
    total = first**2 + (1.6 - first**2 if first != second else 1.0)

    def draw(random: np.random.Generator) -> list[float]:
        people = random.normal(size=8) + random.normal(size=(50, 8))
        metrics = [
            people + sd * random.normal(size=8) + math.sqrt(total - sd * sd) * random.normal(size=(50, 8))
            for sd in (first, second)
        ]
        agreement = Agreement("tau-b", draws=499, seed=int(random.integers(2**32)))
        return [
            rejects(two_way_difference(people, metrics[0], metrics[1], agreement).p),
            rejects(swap_systems(people, *metrics, agreement).p),
        ]

    alike = first == second
    swapped = (
        size_within("swap_systems", "tau-b within items", high=1.5 * ALPHA, why=_BRADLEY)
        if alike
        else size_within("swap_systems", "tau-b within items", low=ALPHA, high=1,
                         why="known to be liberal: metrics that agree equally need not be exchangeable")
    )  # fmt: skip
    errors = f"SD of systems' errors {first:g} and {second:g}"
    return Check(f"8 systems × 50 items; two metrics that agree equally with people, {errors}", draw, (
        size_within("two_way_difference", "tau-b within items", high=1.5 * ALPHA, why=_BRADLEY),
        swapped,
    ), cost=10)  # fmt: skip


def _tied() -> Check:
    """Two metrics with errors of the same variance, a part of which is rounding in one of them (Sheppard)."""
    step = 1.5

    def draw(random: np.random.Generator) -> list[float]:
        people = random.normal(size=8) + random.normal(size=(50, 8))
        fine, rest = (people + sd * random.normal(size=(50, 8)) for sd in (1.0, math.sqrt(1 - step * step / 12)))
        shift = step * random.random()
        coarse = step * np.round((rest + shift) / step)
        agreement = Agreement("pearson", draws=499, seed=int(random.integers(2**32)))
        return [
            rejects(two_way_difference(people, fine, coarse, agreement).p),
            rejects(swap_systems(people, fine, coarse, agreement).p),
        ]

    return Check("8 systems × 50 items; two metrics that agree equally with people, one with a quarter of ties", draw, (
        size_within("two_way_difference", "Pearson within items", high=1.5 * ALPHA, why=_BRADLEY),
        size_within("swap_systems", "Pearson within items", high=1.5 * ALPHA, why=_BRADLEY),
    ), cost=10)  # fmt: skip
