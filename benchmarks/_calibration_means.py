"""T tests, all pairs of means, equivalence, and corrections for the number of comparisons."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from _calibration import Average, Check, Draw
from _calibration_claims import (
    ANY_REJECTED,
    COVERED,
    STRINGENT,
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
from _calibration_theory import ALPHA, exceeds
from scipy.stats import t as student

from textassay.stats import (
    adjust_p,
    cv_star,
    equivalence,
    games_howell,
    mean_interval,
    one_sample_t,
    paired_t,
    tukey,
    two_sample_t,
)

_POWER = 0.753962724995167  # R 4.2.2: power.t.test(n = 30, delta = .5, sd = 1, type = "paired", strict = TRUE)
_M, _N, _SD = 6, 18, 3.0
"""Two groups; the smaller one has this standard deviation, the larger one 1."""
_Correction = Literal["bonferroni", "holm", "hochberg", "hommel", "benjamini-hochberg", "benjamini-yekutieli"]


def checks() -> tuple[Check, ...]:
    """All of this family."""
    pooled = exceeds(
        [(_SD**2 / _M + 1 / _N, 1.0)],
        [(_SD**2, _M - 1.0), (1.0, _N - 1.0)],
        float(student.isf(ALPHA / 2, _M + _N - 2)) ** 2 * (1 / _M + 1 / _N) / (_M + _N - 2),
    )
    return (
        Check("12 normal values, mean .5, SD 1", _one_sample, (
            size("one_sample_t", "of the true mean"),
            coverage("one_sample_t"),
            coverage("one_sample_t", "Cohen's d"),
            coverage("mean_interval"),
        )),
        Check("6 normal values, mean 5, SD 1", _variation, (coverage("cv_star", "of 20 %"),)),
        Check("30 pairs, difference .5, SD 1", _paired, (
            size("paired_t", "power", is_=_POWER, why="noncentral t; R's power.t.test"),
            coverage("paired_t"),
        )),
        Check("6 and 18 normal values, equal variances, d = .8", _two_samples, (
            coverage("two_sample_t", "equal variances"),
            coverage("two_sample_t", "equal variances, Cohen's d"),
            coverage_near("two_sample_t", "Welch"),
        )),
        Check("6 and 18 normal values, SD 3 and 1", _unequal, (
            size("two_sample_t", "equal variances", is_=pooled, why="known to be liberal: ratio of sums of χ²"),
            size_near("two_sample_t", "Welch"),
        )),
        Check("20 pairs, difference at the bound", _at_the_bound(paired=True), (size("equivalence", "paired"),)),
        Check("20 and 30 values, difference at the bound", _at_the_bound(paired=False), (
            size_near("equivalence", "unpaired", why=STRINGENT),
        )),
        *_pairs_of_means(),
        *_corrections(),
    )  # fmt: skip


def _one_sample(random: np.random.Generator) -> list[float]:
    values = 0.5 + random.normal(size=12)
    found = one_sample_t(values, mean=0.5)
    effect = one_sample_t(values)
    return [rejects(found.p), covers(effect.ci, 0.5), covers(effect.d_ci, 0.5), covers(mean_interval(values).ci, 0.5)]


def _variation(random: np.random.Generator) -> list[float]:
    return [covers(cv_star(5 + random.normal(size=6)).ci, 20.0)]


def _paired(random: np.random.Generator) -> list[float]:
    before = random.normal(size=30)
    found = paired_t(before + 0.5 + random.normal(size=30), before)
    return [rejects(found.p), covers(found.ci, 0.5)]


def _two_samples(random: np.random.Generator) -> list[float]:
    x, y = 0.8 + random.normal(size=_M), random.normal(size=_N)
    student_t = two_sample_t(x, y, variances="equal")
    return [covers(student_t.ci, 0.8), covers(student_t.d_ci, 0.8), covers(two_sample_t(x, y).ci, 0.8)]


def _unequal(random: np.random.Generator) -> list[float]:
    x, y = _SD * random.normal(size=_M), random.normal(size=_N)
    return [rejects(two_sample_t(x, y, variances="equal").p), rejects(two_sample_t(x, y).p)]


def _at_the_bound(*, paired: bool) -> Draw:
    def draw(random: np.random.Generator) -> list[float]:
        x, y = random.normal(size=20), random.normal(size=20 if paired else 30)
        return [rejects(equivalence(x + 2, y, (-2, 2), paired=paired).p)]

    return draw


def _pairs_of_means() -> tuple[Check, ...]:
    kramer = "at most .05 for unequal sizes (Hayter 1984)"
    all_covered = f"all pairs: {COVERED}"
    return (
        Check("4 groups of 6", _tukey((6, 6, 6, 6), (1, 1, 1, 1)), (
            size("tukey", what=ANY_REJECTED),
            coverage("tukey", what=all_covered),
        ), cost=5),
        Check("4 groups of 3, 5, 9, 15", _tukey((3, 5, 9, 15), (1, 1, 1, 1)), (
            size_within("tukey", "Tukey–Kramer", high=ALPHA, why=kramer, what=ANY_REJECTED),
            coverage("tukey", "Tukey–Kramer", is_=0.975, within=0.025, why=kramer, what=all_covered),
        ), cost=5),
        Check("3 groups of 8, 12, 20, SD 3, 2, 1", _games_howell, (
            size_near("games_howell", what=ANY_REJECTED),
            coverage_near("games_howell", what=all_covered),
            size_within("tukey", "Tukey–Kramer", low=1.5 * ALPHA, high=1.0, what=ANY_REJECTED,
                        why="known to be liberal where small groups vary most (Dunnett 1980)"),
        ), cost=8),
    )  # fmt: skip


def _tukey(sizes: tuple[int, ...], sds: tuple[float, ...]) -> Draw:
    groups = np.repeat(["a", "b", "c", "d"], sizes)
    spread = np.repeat(sds, sizes)
    means = dict(zip("abcd", (0.0, 1.0, 1.0, 3.0), strict=True))
    shift = np.array([means[group] for group in groups])

    def draw(random: np.random.Generator) -> list[float]:
        noise = spread * random.normal(size=groups.size)
        shifted = tukey(shift + noise, groups).pairs
        truths = ((pair.ci, means[pair.first] - means[pair.second]) for pair in shifted)
        return [rejects_any(pair.p for pair in tukey(noise, groups).pairs), covers_all(truths)]

    return draw


def _games_howell(random: np.random.Generator) -> list[float]:
    groups = np.repeat(["a", "b", "c"], (8, 12, 20))
    values = np.repeat([3.0, 2.0, 1.0], (8, 12, 20)) * random.normal(size=40)
    pairs = games_howell(values, groups).pairs
    known = rejects_any(pair.p for pair in tukey(values, groups).pairs)
    return [rejects_any(pair.p for pair in pairs), covers_all((pair.ci, 0.0) for pair in pairs), known]


def _corrections() -> tuple[Check, ...]:
    first_step = 1 - (1 - ALPHA / 10) ** 10
    harmonic = sum(1 / rank for rank in range(1, 11))
    return (
        Check("10 independent true hypotheses", _ten_true, (
            size("adjust_p", "Bonferroni", is_=first_step, why="1 - (1 - .05/10)¹⁰", what="any rejected"),
            size("adjust_p", "Holm", is_=first_step, why="as Bonferroni where all are true", what="any rejected"),
            size_within("adjust_p", "Hochberg", low=first_step, high=ALPHA, what="any rejected",
                        why="between Holm and Simes (Hochberg 1988)"),
            size_within("adjust_p", "Hommel", low=first_step, high=ALPHA, what="any rejected",
                        why="between Hochberg and Simes (Hommel 1988)"),
            size("adjust_p", "Benjamini–Hochberg", why="Simes (1986)", what="any rejected"),
            size("adjust_p", "Benjamini–Yekutieli", is_=ALPHA / harmonic, why="Simes at .05 / (1 + 1/2 + … + 1/10)",
                 what="any rejected"),
        )),
        Check("6 true and 4 false hypotheses, independent", _some_true, (
            size_within("adjust_p", "Holm", high=ALPHA, why="any dependence, any number true (Holm 1979)",
                        what="any true one rejected"),
            size_within("adjust_p", "Hochberg", high=ALPHA, why="Hochberg (1988)", what="any true one rejected"),
            size_within("adjust_p", "Hommel", high=ALPHA, why="Hommel (1988)", what="any true one rejected"),
            Average("adjust_p", "Benjamini–Hochberg: false discovery rate", 0.6 * ALPHA, 0.6 * ALPHA,
                    "share of true hypotheses × .05 (Benjamini & Hochberg 1995)"),
            Average("adjust_p", "Benjamini–Yekutieli: false discovery rate", 0.6 * ALPHA / harmonic,
                    0.6 * ALPHA / harmonic, "the same / (1 + 1/2 + … + 1/10) (Benjamini & Yekutieli 2001)"),
        )),
        Check("10 true hypotheses, test statistics correlated .8", _dependent, (
            size_within("adjust_p", "Holm", high=ALPHA, why="any dependence (Holm 1979)", what="any rejected"),
            size_within("adjust_p", "Benjamini–Hochberg", high=ALPHA, what="any rejected",
                        why="positive dependence (Benjamini & Yekutieli 2001)"),
        )),
    )  # fmt: skip


def _ten_true(random: np.random.Generator) -> list[float]:
    p = random.random(10)
    return [rejects_any(adjust_p(p, method=method).adjusted) for method in get_args(_Correction)]


def _some_true(random: np.random.Generator) -> list[float]:
    z = random.normal(size=10) + np.repeat([0.0, 3.0], [6, 4])
    p = 2 * student.sf(np.abs(z), np.inf)
    rejected = [np.array(adjust_p(p, method=each).adjusted) <= ALPHA for each in get_args(_Correction)[1:]]
    wrong = [float(each[:6].any()) for each in rejected[:3]]
    return [*wrong, *(float(each[:6].sum() / max(1, each.sum())) for each in rejected[3:])]


def _dependent(random: np.random.Generator) -> list[float]:
    z = np.sqrt(0.8) * random.normal() + np.sqrt(0.2) * random.normal(size=10)
    p = 2 * student.sf(np.abs(z), np.inf)
    return [rejects_any(adjust_p(p, method=method).adjusted) for method in ("holm", "benjamini-hochberg")]
