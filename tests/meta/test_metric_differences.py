"""Two metrics compared: known answers by enumeration and from R, draws, and what has no p."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.coefficients import grouped
from textassay.meta.metric_differences import (
    Agreement,
    Level,
    compare_correlations,
    swap_systems,
    two_way_difference,
)
from textassay.stats.correlations.dependent_correlations import williams

X = np.array([[0.63, -0.31, 0.46], [-0.66, -0.36, -0.38], [-1.2, 0.49, -0.47]]).T
Y = np.array([[0.01, 0.48, 0.45], [0.67, -0.1, -0.42], [-0.08, -1.69, -1.45]]).T
Z = np.array([[-1.01, -1.15, 0.63], [-1.24, -0.56, 1.11], [-0.96, 0.98, -1.17]]).T
"""3 inputs × 3 systems; X and Y are metrics, Z is people (Deutsch et al. 2021)."""


def related(items: int = 12, systems: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.Generator(np.random.PCG64(2))
    people = random.normal(size=systems) + random.normal(size=(items, systems))
    good, bad = people + 0.3 * random.normal(size=people.shape), random.normal(size=people.shape)
    return people, good, bad


@pytest.mark.parametrize(
    ("level", "difference", "two_sided", "greater"),
    [("texts", 0.7752172715139902, 0.25, 0.125), ("systems", -0.7593592961613631, 0.25, 1.0)],
)
def test_known_answers_of_swapped_systems(level: Level, difference: float, two_sided: float, greater: float) -> None:
    # PERM-SYSTEMS by full enumeration (numpy, scipy pearsonr); scores standardised over the whole matrix
    agreement = Agreement("pearson", level)
    found = swap_systems(Z, X, Y, agreement)
    assert found.difference == pytest.approx(difference)
    assert (found.p, found.exact, found.resamples) == (pytest.approx(two_sided), True, 8)
    assert swap_systems(Z, X, Y, agreement, alternative="greater").p == pytest.approx(greater)


def test_many_systems_are_drawn_and_draws_come_near_to_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    people, good, bad = related()
    bad = bad + 0.5 * people
    exact = swap_systems(people, good, bad, Agreement("tau-a"))
    monkeypatch.setattr("textassay.meta.metric_differences.SWAPPED", 5)
    drawn = swap_systems(people, good, bad, Agreement("tau-a", draws=1999))
    assert (exact.exact, exact.resamples, exact.least_p) == (True, 128, 2 / 128)
    assert (drawn.exact, drawn.resamples, drawn.least_p) == (False, 1999, 1 / 2000)
    assert drawn.p == pytest.approx(exact.p, abs=0.03)
    assert drawn.difference == exact.difference


def test_all_swaps_of_many_systems_are_counted() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    people, first, second = random.normal(size=(3, 3, 11))
    found = swap_systems(people, first, second, Agreement("tau-a"))
    assert (found.exact, found.resamples) == (True, 2**11)


def test_scores_are_brought_to_one_scale() -> None:
    people, good, bad = related()
    found = swap_systems(people, good, bad, Agreement("pearson"))
    assert swap_systems(people, 1000 * good - 7, bad, Agreement("pearson")).p == pytest.approx(found.p)
    ranked = swap_systems(people, np.exp(good), bad, Agreement("tau-b"), scale="ranked")
    assert ranked.p == pytest.approx(swap_systems(people, good, bad, Agreement("tau-b"), scale="ranked").p)


@pytest.mark.parametrize("level", ["item", "system", "texts", "systems"])
def test_a_better_metric_is_found_by_the_bootstrap(level: Level) -> None:
    people, good, bad = related()
    found = two_way_difference(people, good, bad, Agreement("tau-b", level, draws=199))
    assert found.ci[0] < found.difference < found.ci[1]
    assert found.p < (0.1 if level != "systems" else 0.5)  # seven systems say little
    turned = two_way_difference(people, bad, good, Agreement("tau-b", level, draws=199))
    assert (turned.p, turned.difference) == (found.p, -found.difference)
    assert found.scope == "for systems and items like these"


def test_equal_metrics_do_not_differ() -> None:
    people, good, _ = related()
    assert two_way_difference(people, good, 2 * good, Agreement(draws=99)).p == 1.0
    assert swap_systems(people, good, 2 * good).p == 1.0


def test_only_texts_that_both_metrics_have_are_compared() -> None:
    people, good, bad = related()
    good[0, 0], bad[1, 2] = np.nan, np.nan
    bad[:, 6] = np.nan
    found = two_way_difference(people, good, bad, Agreement("pearson", draws=9))
    both = np.where(np.isnan(bad), np.nan, good)
    assert found.first == pytest.approx(grouped(people, both, "item", "pearson").mean)
    assert found.n == 6
    assert swap_systems(people, good, bad, Agreement("pearson")).first == pytest.approx(found.first)


def test_tests_of_correlations_that_share_people() -> None:
    random = np.random.Generator(np.random.PCG64(3))
    people, first, second = random.normal(size=(3, 10))
    r12, r13, r23 = (np.corrcoef(a, b)[0, 1] for a, b in ((people, first), (people, second), (first, second)))
    found = compare_correlations(people, first, second)
    assert found.p == pytest.approx(williams(r12, r13, r23, 10).p)
    assert found.difference == pytest.approx(r12 - r13)
    assert found.ci[0] < found.difference < found.ci[1]
    values = {
        compare_correlations(people, first, second, test).p for test in ("williams", "steiger", "meng", "hittner")
    }
    assert len(values) == 4
    people[4] = np.nan
    assert compare_correlations(people, first, second).n == 9


def test_what_has_no_p() -> None:
    people, good, _ = related()
    constant = np.ones_like(people)
    assert two_way_difference(people, good, constant, Agreement(draws=9)).reason == "an agreement is undefined"
    assert swap_systems(people, good, constant).reason == "an agreement is undefined"
    assert compare_correlations([1, 2, 3], [1, 2, 3], [1, 3, 2]).reason != ""
    few = two_way_difference(people[:1, :4], good[:1, :4], people[:1, :4], Agreement(draws=9))
    assert few.reason == "too few systems and no items to draw from"
    assert math.isnan(few.p)


def test_what_is_refused() -> None:
    people, good, bad = related()
    with pytest.raises(UsageError, match="within items, of all texts, or of systems' means"):
        swap_systems(people, good, bad, Agreement("tau-b", "system"))
    with pytest.raises(UsageError, match="pearson only"):
        swap_systems(people, good, bad, Agreement("tau-b", "texts"))
    with pytest.raises(UsageError, match="level must be one of"):
        Agreement("tau-b", "segment")  # type: ignore[arg-type]
