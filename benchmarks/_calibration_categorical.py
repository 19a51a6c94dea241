"""Logistic and ordinal models."""

from __future__ import annotations

import numpy as np
from _calibration import Check, Draw
from _calibration_choices import TwoShares, choice_design_effect
from _calibration_claims import (
    ANY_REJECTED,
    centred,
    coverage,
    coverage_near,
    covers,
    rejects,
    rejects_any,
    size,
    size_near,
    size_within,
)
from _calibration_theory import ALPHA, FloatArray, IntArray, z_size
from scipy.special import expit

from textassay.stats import logistic_model, mantel_haenszel, ordinal_model, proportional_odds

_COUNTED = "all outcomes of two binomial counts"
_N, _PERSONS, _ANSWERS = 60, 40, 10
_THRESHOLDS = np.array([-1.5, -0.5, 0.5, 1.5])
"""Of the latent variable: a scale from 1 to 5."""


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_logistic(), *_ordinal(), *_stratified())


def _logistic() -> tuple[Check, ...]:
    null, apart, power = TwoShares(_N, 0.4, 0.4), TwoShares(_N, 0.3, 0.6), TwoShares(200, 0.5, 0.62)
    ignored = z_size(choice_design_effect(1.0, _ANSWERS))
    return (
        Check("two groups of 60, 40 % in both", _shares(null), (
            size("logistic_model", "Wald", is_=null.wald_size(), why=_COUNTED),
            size("logistic_model", "likelihood ratio", is_=null.ratio_size(), why=_COUNTED),
        ), cost=2),
        Check("two groups of 60, 30 % and 60 %", _effect(apart), (
            coverage("logistic_model", "difference of log odds", is_=apart.wald_coverage(), why=_COUNTED),
            centred("logistic_model", "difference of log odds, 1.253", apart.mean(),
                    why=f"{_COUNTED}: biased away from 0"),
        )),
        Check("two groups of 200, 50 % and 62 %", _shares(power), (
            size("logistic_model", "Wald, power", is_=power.wald_size(),
                 why=f"{_COUNTED}; R's power.prop.test has .678 by the normal approximation"),
        )),
        Check("40 participants × 10 choices, SD of their log odds 1, condition between them", _persons, (
            size_near("logistic_model", "random participants, Wald"),
            size_within("logistic_model", "participants ignored, Wald", low=ignored - 0.02, high=ignored + 0.02,
                        why=f"known to be liberal: {ignored:.3f} by the design effect (Kish 1965), ± .02"),
        ), cost=5),
        Check("12 participants × 12 items, both with effects of their own, 2 systems within both", _crossed, (
            size_near("logistic_model", "participants and items, Wald"),
        ), cost=5),
    )  # fmt: skip


def _shares(truth: TwoShares) -> Draw:
    groups = {"group": np.repeat(["a", "b"], truth.n)}
    shares = np.repeat([truth.first, truth.second], truth.n)

    def draw(random: np.random.Generator) -> list[float]:
        answers = (random.random(2 * truth.n) < shares).astype(int)
        wald = rejects(logistic_model(answers, groups).coefficient("group[b]").p)
        if truth.first != truth.second:
            return [wald]
        return [wald, rejects(logistic_model(answers, groups, tests="lr").test("group").p)]

    return draw


def _effect(truth: TwoShares) -> Draw:
    def draw(random: np.random.Generator) -> list[float]:
        yes = random.binomial(truth.n, [truth.first, truth.second])
        found = logistic_model(yes, {"group": ["a", "b"]}, trials=[truth.n] * 2).coefficient("group[b]")
        effect = np.log(truth.second / (1 - truth.second)) - np.log(truth.first / (1 - truth.first))
        return [covers(found.ci, effect), found.estimate]

    return draw


def _persons(random: np.random.Generator) -> list[float]:
    person = np.repeat(np.arange(_PERSONS), _ANSWERS)
    condition = {"condition": np.where(person % 2, "a", "b")}
    answers = (random.random(person.size) < expit(random.normal(size=_PERSONS)[person])).astype(int)
    models = (logistic_model(answers, condition, random={"person": person}), logistic_model(answers, condition))
    return [rejects(model.coefficients[1].p) for model in models]


def _squares(random: np.random.Generator) -> tuple[FloatArray, dict[str, FloatArray], dict[str, FloatArray]]:
    """Log odds of 12 participants × 12 items in which two systems alternate, and the labels."""
    person, item = np.divmod(np.arange(144), 12)
    eta = random.normal(size=12)[person] + 0.7 * random.normal(size=12)[item]
    return eta, {"system": np.where((person + item) % 2, "a", "b")}, {"person": person, "item": item}


def _crossed(random: np.random.Generator) -> list[float]:
    eta, system, groups = _squares(random)
    answers = (random.random(eta.size) < expit(eta)).astype(int)
    return [rejects(logistic_model(answers, system, random=groups).coefficients[1].p)]


def _ordinal() -> tuple[Check, ...]:
    holm = "Holm is conservative; Wald tests as far off as Bradley's liberal criterion allows"
    return (
        Check("3 groups of 40 ratings 1 to 5", _three_groups, (
            size_near("ordinal_model", "likelihood ratio"),
            size_within("ordinal_model", "pairs, Holm", high=1.5 * ALPHA, why=holm, what=ANY_REJECTED),
            size_near("proportional_odds"),
        ), cost=3),
        Check("2 groups of 60 ratings 1 to 5, log odds .8 apart", _two_groups, (
            coverage_near("ordinal_model", "effect"),
            centred("ordinal_model", "effect, .8", 0.8, within=0.04, why="bias of order 1/n: at most 5 %"),
        )),
        Check("ratings 1 to 5 of 12 participants × 12 items, 2 systems within both", _rated, (
            size_near("ordinal_model", "participants and items, Wald"),
        ), cost=10),
        Check("ratings 1 to 5 of 4 systems × 110 items, 3 of 20 participants rate each text; SD of item × system .5",
              _rated_texts, (
            size_within("ordinal_model", "participants, items, both × systems, Wald", high=1.5 * ALPHA,
                        why="must not be liberal; Bradley's liberal criterion above"),
        ), cost=10),
    )  # fmt: skip


def _ratings(random: np.random.Generator, eta: FloatArray) -> IntArray:
    """Ratings 1 to 5 by the cumulative logit model."""
    return np.asarray(1 + np.searchsorted(_THRESHOLDS, eta + random.logistic(size=eta.size)), dtype=int)


def _rated_texts(random: np.random.Generator) -> list[float]:
    """More than 500 random effects, of which those of items within systems must not be left out."""
    system, item, _ = (each.ravel() for each in np.indices((4, 110, 3)))
    person = np.array([random.choice(20, 3, replace=False) for _ in range(440)]).ravel()
    effects = [(20, person, 0.7), (110, item, 0.5), (440, item * 4 + system, 0.5), (80, person * 4 + system, 0.2)]
    eta = sum((sd * random.normal(size=n)[rows] for n, rows, sd in effects), start=np.zeros(system.size))
    groups = {
        "person": person,
        "item": item,
        "item × system": item * 4 + system,
        "person × system": person * 4 + system,
    }
    model = ordinal_model(_ratings(random, eta), {"system": np.array(list("abcd"))[system]}, random=groups)
    return [rejects(model.tests[0].p)]


def _three_groups(random: np.random.Generator) -> list[float]:
    groups = {"group": np.repeat(["a", "b", "c"], 40)}
    ratings = _ratings(random, np.zeros(120))
    model = ordinal_model(ratings, groups, tests="lr")
    pairs = rejects_any(pair.p for pair in model.pairs("group").pairs)
    return [rejects(model.test("group").p), pairs, rejects(proportional_odds(ratings, groups).tests[0].p)]


def _two_groups(random: np.random.Generator) -> list[float]:
    group = np.repeat([0, 1], 60)
    found = ordinal_model(_ratings(random, 0.8 * group), {"group": group.astype(str)}).coefficients[0]
    return [covers(found.ci, 0.8), found.estimate]


def _rated(random: np.random.Generator) -> list[float]:
    eta, system, groups = _squares(random)
    return [rejects(ordinal_model(_ratings(random, eta), system, random=groups).coefficients[0].p)]


def _stratified() -> tuple[Check, ...]:
    return (
        Check("12 participants × 12 trials of 3 systems, 4 stop before the end", _dropouts, (
            size_within("mantel_haenszel", high=ALPHA, why="by draws: at or below .05"),
        )),
    )  # fmt: skip


def _dropouts(random: np.random.Generator) -> list[float]:
    """Whoever stops has no answer to any trial after that; the order of systems is random."""
    systems = np.concatenate([random.permutation(np.repeat(["a", "b", "c"], 4)) for _ in range(12)])
    last = np.where(np.arange(12) < 4, random.integers(1, 12, size=12), 12)
    missing = (np.arange(12) >= last[:, None]).astype(int).ravel()
    seed = int(random.integers(1 << 31))
    return [rejects(mantel_haenszel(missing, systems, np.repeat(np.arange(12), 12), draws=199, seed=seed).p)]
