"""Linear mixed models."""

from __future__ import annotations

from functools import partial

import numpy as np
from _calibration import Check
from _calibration_claims import (
    ANY_REJECTED,
    BRADLEY,
    centred,
    coverage,
    coverage_near,
    covers,
    covers_all,
    rejects,
    rejects_any,
    size,
    size_near,
    size_within,
)
from _calibration_theory import f_size, mean_above_zero
from scipy.stats import f as fisher

from textassay.stats import mixed_model

_S, _J, _R = 12, 8, 4
"""Participants; items of each of two conditions; answers of a participant in a condition."""
_PERSON, _ITEM, _SLOPE, _NOISE = 1.0, 0.6, 0.5, 1.0  # variances
_BALANCED = "as in a balanced analysis of variance, whose F is exact"
_UNBIASED = "REML is unbiased for balanced values where no variance is near 0"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_crossed(), *_everyone(), *_few_units(), *_of_slopes(), *_within(), *_at_the_edge(), *_unbalanced())


def _crossed() -> tuple[Check, ...]:
    common = _NOISE + _S * _ITEM
    ignored = f_size([(common, 1)], [(common, 2 * _J - 2), (_NOISE, (_S - 1) * (2 * _J - 1))])
    return (
        Check("12 participants × 8 items of each condition, both with effects of their own", _draw_crossed, (
            size("mixed_model", "participants and items, Satterthwaite", why=_BALANCED),
            coverage("mixed_model", "participants and items, effect of the condition", why=_BALANCED),
            size("mixed_model", "participants only", is_=ignored,
                 why="known to be liberal: the variance of items is not in its error term"),
            size_within("mixed_model", "likelihood ratio by ML", low=0.06, high=0.075,
                        why="liberal with few items: 15 to 16 times log(1 + t²/14) held against χ², .063 to .072"),
            centred("mixed_model", "effect of the condition, 0", 0.0, why="unbiased"),
            centred("mixed_model", "variance of participants, 1", _PERSON, why=_UNBIASED),
            centred("mixed_model", "variance of items, .6", _ITEM, why=_UNBIASED),
            centred("mixed_model", "variance of the noise, 1", _NOISE, why=_UNBIASED),
        ), cost=5),
    )  # fmt: skip


def _draw_crossed(random: np.random.Generator) -> list[float]:
    person, item = np.divmod(np.arange(_S * 2 * _J), 2 * _J)
    condition = np.where(item < _J, "a", "b")
    effects = np.sqrt(_PERSON) * random.normal(size=_S)[person] + np.sqrt(_ITEM) * random.normal(size=2 * _J)[item]
    values = effects + np.sqrt(_NOISE) * random.normal(size=person.size)
    fixed, random_parts = {"condition": condition}, {"person": person, "item": item}
    model = mixed_model(values, fixed, random_parts)
    effect = model.coefficients[1]
    alone = mixed_model(values, fixed, {"person": person}).coefficients[1]
    ratio = model.against(mixed_model(values, {}, random_parts))
    variances = (model.sd("person") ** 2, model.sd("item") ** 2, model.sigma**2)
    return [rejects(effect.p), covers(effect.ci, 0), rejects(alone.p), rejects(ratio.p), effect.estimate, *variances]


def _everyone() -> tuple[Check, ...]:
    drawn = "12 participants × 10 items, everyone judges all 3 systems; SD of participant and item × system .3, of "
    return (
        Check(f"{drawn}participant × item .5", _draw_everyone, (
            size_near("mixed_model", "F of systems, participant × item among the random effects"),
            centred("mixed_model", "variance of participant × item, .25", 0.25, why=_UNBIASED),
            centred("mixed_model", "variance of the noise, 1", _NOISE, within=0.01,
                    why=f"{_UNBIASED}; else within .01"),
        ), cost=10),
    )  # fmt: skip


def _draw_everyone(random: np.random.Generator) -> list[float]:
    person, item, system = (each.ravel() for each in np.indices((12, 10, 3)))
    values = random.normal(size=12)[person] + random.normal(size=10)[item] + random.normal(size=person.size)
    values += 0.3 * (random.normal(size=(12, 3))[person, system] + random.normal(size=(10, 3))[item, system])
    values += 0.5 * random.normal(size=(12, 10))[person, item]
    groups = {"person": person, "item": item, "by person": person * 3 + system, "by item": item * 3 + system}
    model = mixed_model(values, {"system": system}, groups | {"both": person * 10 + item}, factors=["system"])
    return [rejects(model.test("system").p), model.sd("both") ** 2, model.sigma**2]


def _few_units() -> tuple[Check, ...]:
    """Where Satterthwaite's degrees of freedom might be too many."""
    drawn = (
        "{} participants × {} items, 4 systems in a Latin square, a tenth missing; SD of participant × system {}, of "
    )
    given = [(4, 24, 0.3, 0.3), (5, 20, 0.5, 0.1), (24, 4, 0.1, 0.5)]
    return tuple(
        Check(f"{drawn.format(people, items, by_person)}item × system {by_item}",
              partial(_draw_few, people, items, by_person, by_item),
              (size_within("mixed_model", "F of systems, Satterthwaite", high=0.075, why=BRADLEY),), cost=10)
        for people, items, by_person, by_item in given
    )  # fmt: skip


def _draw_few(people: int, items: int, by_person: float, by_item: float, random: np.random.Generator) -> list[float]:
    person, item = np.divmod(np.flatnonzero(random.random(people * items) > 0.1), items)
    system = (person + item) % 4
    values = random.normal(size=people)[person] + 0.7 * random.normal(size=items)[item]
    values += (by_person * random.normal(size=(people, 4)))[person, system]
    values += (by_item * random.normal(size=(items, 4)))[item, system] + random.normal(size=person.size)
    groups = {"person": person, "item": item, "by person": person * 4 + system, "by item": item * 4 + system}
    told = {name: labels for name, labels in groups.items() if len(np.unique(labels)) < len(labels)}
    return [rejects(mixed_model(values, {"system": system}, told, factors=["system"]).test("system").p)]


def _of_slopes() -> tuple[Check, ...]:
    common = _NOISE + _R * _SLOPE / 2
    ignored = f_size([(common, 1)], [(common, _S - 1), (_NOISE, 2 * _S * (_R - 1))])
    return (
        Check("12 participants × 4 answers in 2 conditions, whose difference varies between them", _draw_slopes, (
            size_near("mixed_model", "random slopes"),
            size("mixed_model", "random intercepts only", is_=ignored,
                 why="known to be liberal: the variance of slopes is not in its error term (Barr et al. 2013)"),
        ), cost=8),
    )  # fmt: skip


def _draw_slopes(random: np.random.Generator) -> list[float]:
    person, condition = (each.ravel() for each in np.indices((_S, 2, _R))[:2])
    slopes = np.sqrt(_SLOPE) * random.normal(size=_S)[person] * (condition - 0.5)
    values = 2 * random.normal(size=_S)[person] + slopes + np.sqrt(_NOISE) * random.normal(size=person.size)
    fixed, random_parts = {"condition": condition.astype(str)}, {"person": person}
    full = mixed_model(values, fixed, random_parts, slopes={"person": ["condition"]})
    return [rejects(model.coefficients[1].p) for model in (full, mixed_model(values, fixed, random_parts))]


def _within() -> tuple[Check, ...]:
    return (
        Check("12 participants × 3 systems", _draw_within, (
            size("mixed_model", "F of systems", why=_BALANCED),
            size("mixed_model", "marginal means, Tukey", why=_BALANCED, what=ANY_REJECTED),
            coverage("mixed_model", "marginal means, all differences", why=_BALANCED),
        ), cost=5),
    )  # fmt: skip


def _draw_within(random: np.random.Generator) -> list[float]:
    person, system = np.divmod(np.arange(_S * 3), 3)
    values = 2 * random.normal(size=_S)[person] + random.normal(size=person.size)
    model = mixed_model(values, {"system": np.array(list("abc"))[system]}, {"person": person})
    pairs = model.marginal_means("system").pairs
    any_pair = rejects_any(pair.p for pair in pairs)
    return [rejects(model.test("system").p), any_pair, covers_all((pair.ci, 0.0) for pair in pairs)]


def _at_the_edge() -> tuple[Check, ...]:
    none = float(fisher.cdf(1, 9, 50))
    return (
        Check("10 participants × 6 answers who do not differ", _draw_edge, (
            size("mixed_model", "fit", is_=none, why="P(MS of participants < MS of noise)", what="said to be singular"),
            centred("mixed_model", "variance of participants, 0", mean_above_zero(9, 50) / 6,
                    why="biased upwards where it is 0: the mean of max(0, difference of mean squares) / 6"),
        ), cost=3),
    )  # fmt: skip


def _draw_edge(random: np.random.Generator) -> list[float]:
    model = mixed_model(random.normal(size=60), {}, {"person": np.repeat(np.arange(10), 6)})
    return [float(model.singular), model.sd("person") ** 2]


def _unbalanced() -> tuple[Check, ...]:
    return (
        Check("15 participants × 15 items, 3 systems in a Latin square, a third missing", _draw_unbalanced, (
            size_near("mixed_model", "F of systems", why=BRADLEY),
            coverage_near("mixed_model", "difference of two systems, .3"),
            centred("mixed_model", "difference of two systems, .3", 0.3, why="unbiased"),
        ), cost=5),
    )  # fmt: skip


def _draw_unbalanced(random: np.random.Generator) -> list[float]:
    person, item = np.divmod(np.flatnonzero(random.random(225) > 1 / 3), 15)
    system = (person + item) % 3
    noise = random.normal(size=15)[person] + 0.7 * random.normal(size=15)[item] + random.normal(size=person.size)
    names, groups = {"system": np.array(list("abc"))[system]}, {"person": person, "item": item}
    null = mixed_model(noise, names, groups)
    effect = mixed_model(noise + 0.3 * (system == 1), names, groups).coefficients[1]
    return [rejects(null.test("system").p), covers(effect.ci, 0.3), effect.estimate]
