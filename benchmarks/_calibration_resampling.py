"""Bootstrap intervals and randomisation tests."""

from __future__ import annotations

import math

import numpy as np
from _calibration import Check, Share
from _calibration_claims import coverage, covers, rejects, size
from _calibration_theory import Z, exceeds
from scipy.stats import t as student

from textassay.stats import bootstrap, paired_permutation, two_sample_permutation

_N, _CLUSTERS, _EACH = 30, 25, 6
_BETWEEN, _NOISE = 0.5, 1.0  # variances
_DRAWS = 999
_SEEDS = 2**32


def _normal_quantile(units: int) -> float:
    """Coverage where the interval is mean ± 1.96 times the standard error with divisor n: the bootstrap's own."""
    return 1 - 2 * float(student.sf(Z * math.sqrt((units - 1) / units), units - 1))


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_intervals(), *_tests())


def _intervals() -> tuple[Check, ...]:
    total = _CLUSTERS * _EACH
    common = _NOISE + _EACH * _BETWEEN
    spread = [(common, _CLUSTERS - 1.0), (_NOISE, _CLUSTERS * (_EACH - 1.0))]
    ignored = 1 - exceeds([(common, 1.0)], spread, Z * Z / total)
    few = "the normal quantile in place of Student's, ± .015 for the draws"
    safe = _normal_quantile(_CLUSTERS) - 0.015
    return (
        Check("30 normal values, their mean", _of_values, (
            coverage("bootstrap", "percentile", is_=_normal_quantile(_N), within=0.015, why=few),
            coverage("bootstrap", "BCa", is_=_normal_quantile(_N), within=0.015, why=few),
        )),
        Check("60 exponential values, their mean", _skewed, (
            coverage("bootstrap", "BCa", is_=_normal_quantile(60), within=0.02,
                     why="second-order correct (Efron 1987): the normal quantile, ± .02 for the skewness that is left"),
        )),
        Check("25 participants × 6 answers, the mean", _of_clusters, (
            coverage("bootstrap", "clusters, percentile", is_=_normal_quantile(_CLUSTERS), within=0.015, why=few),
            coverage("bootstrap", "clusters ignored", is_=ignored, within=0.015,
                     why="known to miss too often: the variance between participants is not in it, ± .015"),
        )),
        Check("25 participants × 25 items, both with effects of their own, the mean", _crossed, (
            Share("bootstrap", "participants and items: 95 % interval holds the truth", safe, 1.0,
                  "errs on the safe side (Owen 2007), but for the normal quantile"),
        ), cost=5),
    )  # fmt: skip


def _seed(random: np.random.Generator) -> int:
    return int(random.integers(_SEEDS))


def _of_values(random: np.random.Generator) -> list[float]:
    found = bootstrap(random.normal(size=_N), None, draws=_DRAWS, seed=_seed(random))
    return [covers(found.percentile, 0.0), covers(found.bca, 0.0)]


def _skewed(random: np.random.Generator) -> list[float]:
    return [covers(bootstrap(random.exponential(size=60), None, draws=_DRAWS, seed=_seed(random)).bca, 1.0)]


def _of_clusters(random: np.random.Generator) -> list[float]:
    person = np.repeat(np.arange(_CLUSTERS), _EACH)
    values = np.sqrt(_BETWEEN) * random.normal(size=_CLUSTERS)[person] + random.normal(size=person.size)
    seed = _seed(random)
    whole = bootstrap(values, None, clusters=person, draws=_DRAWS, seed=seed).percentile
    return [covers(whole, 0.0), covers(bootstrap(values, None, draws=_DRAWS, seed=seed).percentile, 0.0)]


def _crossed(random: np.random.Generator) -> list[float]:
    person, item = np.divmod(np.arange(_CLUSTERS**2), _CLUSTERS)
    effects = random.normal(size=(2, _CLUSTERS))
    values = effects[0, person] + effects[1, item] + random.normal(size=person.size)
    found = bootstrap(values, None, clusters={"person": person, "item": item}, draws=499, seed=_seed(random))
    return [covers(found.percentile, 0.0)]


def _tests() -> tuple[Check, ...]:
    counted = "exact: {} of {} outcomes on each side"
    drawn = "exact: p = (b+1)/(draws+1), each tail 5 of 200"
    return (
        Check("8 pairs, skewed but symmetrical about 0 in their difference", _pairs, (
            size("paired_permutation", "counted", is_=12 / 256, why=counted.format(6, 256)),
        )),
        Check("5 and 5 exponential values", _samples, (
            size("two_sample_permutation", "counted", is_=12 / 252, why=counted.format(6, 252)),
        )),
        Check("25 pairs; 12 and 15 exponential values", _drawn, (
            size("paired_permutation", "199 draws", why=drawn),
            size("two_sample_permutation", "199 draws", why=drawn),
        )),
        Check("8 participants × 4 pairs, whose differences vary between participants", _clustered, (
            size("paired_permutation", "clusters, counted", is_=12 / 256, why=counted.format(6, 256)),
        )),
    )  # fmt: skip


def _pairs(random: np.random.Generator) -> list[float]:
    x, y = random.exponential(size=(2, 8))
    return [rejects(paired_permutation(x, y).p)]


def _samples(random: np.random.Generator) -> list[float]:
    return [rejects(two_sample_permutation(*random.exponential(size=(2, 5))).p)]


def _drawn(random: np.random.Generator) -> list[float]:
    x, y = random.exponential(size=(2, 25))
    seed = _seed(random)
    paired = paired_permutation(x, y, p="monte carlo", draws=199, seed=seed)
    apart = two_sample_permutation(x[:12], y[:15], p="monte carlo", draws=199, seed=seed)
    return [rejects(paired.p), rejects(apart.p)]


def _clustered(random: np.random.Generator) -> list[float]:
    person = np.repeat(np.arange(8), 4)
    differences = random.normal(size=8)[person] + random.normal(size=32)
    return [rejects(paired_permutation(differences, np.zeros(32), clusters=person).p)]
