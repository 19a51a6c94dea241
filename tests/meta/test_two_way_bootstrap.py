"""Intervals from resampled systems and items: draws by hand, scopes, seeds, and what has none."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.coefficients import By, Coefficient, grouped, vector_coefficient
from textassay.meta.two_way_bootstrap import (
    Resamples,
    bootstrap_samples,
    bootstrap_system_level,
    system_level_samples,
    two_way_bootstrap,
)
from textassay.stats.samples import FloatArray

RANDOM = np.random.Generator(np.random.PCG64(6))
PEOPLE = RANDOM.normal(size=7) + RANDOM.normal(size=(9, 7))
SCORES = PEOPLE + RANDOM.normal(size=(9, 7))


def written_out(grid: FloatArray, resamples: Resamples, draw: int) -> FloatArray:
    """The grid of one draw, copies and all."""
    rows, columns = (
        np.repeat(np.arange(counts.shape[1]), counts[draw].astype(int))
        for counts in (resamples.items, resamples.systems)
    )
    return grid[rows][:, columns]


@pytest.mark.parametrize("by", ["item", "system", None])
def test_a_draw_is_the_figure_of_its_systems_and_items(by: By | None) -> None:
    people = PEOPLE.copy()
    people[2, 3] = np.nan
    resamples = Resamples.drawn(9, 7, 5, seed=1)
    found = bootstrap_samples(people, np.where(np.isnan(people), np.nan, SCORES), "pearson", by, resamples)
    for draw in range(5):
        drawn = [written_out(grid, resamples, draw) for grid in (people, SCORES)]
        assert found[draw] == pytest.approx(grouped(drawn[0], drawn[1], by, "pearson").mean)


def test_a_draw_at_system_level_has_means_of_the_drawn_items() -> None:
    people = PEOPLE.copy()
    people[2, 3] = np.nan
    resamples = Resamples.drawn(9, 7, 5, seed=1)
    found = system_level_samples(people, SCORES, "pearson", resamples)
    for draw in range(5):
        means = [np.nanmean(written_out(grid, resamples, draw), axis=0) for grid in (people, SCORES)]
        assert found[draw] == pytest.approx(vector_coefficient(means[0], means[1], "pearson"))


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@pytest.mark.parametrize("by", ["item", "system", None])
def test_every_coefficient_has_an_interval_around_it(coefficient: Coefficient, by: By | None) -> None:
    found = two_way_bootstrap(PEOPLE, SCORES, coefficient, by, draws=99)
    assert found.value == pytest.approx(grouped(PEOPLE, SCORES, by, coefficient).mean)
    assert found.ci[0] < found.value < found.ci[1]
    assert (found.scope, found.systems, found.items) == ("for systems and items like these", 7, 9)
    assert np.nanmean(found.samples) == pytest.approx(found.value, abs=0.1)


def test_copies_are_no_ties() -> None:
    # a metric that orders all texts as people do agrees with them in every draw
    for coefficient in ("tau-a", "tau-b", "acc-eq", "accuracy"):
        samples = two_way_bootstrap(PEOPLE, 2 * PEOPLE, coefficient, draws=99).samples
        assert samples == pytest.approx(np.ones(99))


def test_few_systems_are_not_drawn() -> None:
    few = two_way_bootstrap(PEOPLE[:, :5], SCORES[:, :5], "tau-b", draws=99)
    assert (few.resampled, few.scope) == ("items", "for these systems")
    assert few.se < two_way_bootstrap(PEOPLE[:, :6], SCORES[:, :6], "tau-b", draws=99).se
    one_item = bootstrap_system_level(PEOPLE[:1], SCORES[:1], "pearson", draws=99)
    assert (one_item.resampled, one_item.scope) == ("systems", "for these items")
    nothing = bootstrap_system_level(PEOPLE[:1, :4], SCORES[:1, :4], "pearson", draws=99)
    assert math.isnan(nothing.ci[0])
    assert (nothing.scope, nothing.reason) == ("", "fewer than 6 systems and no items to draw from")


def test_a_system_that_the_metric_lacks_is_not_drawn() -> None:
    lacking = SCORES.copy()
    lacking[:, 0] = np.nan
    assert two_way_bootstrap(PEOPLE, lacking, "tau-b", draws=9).systems == 6
    assert bootstrap_system_level(PEOPLE, lacking, "tau-b", draws=9).systems == 6


def test_the_same_seed_draws_the_same_for_every_metric() -> None:
    first, again, other = (two_way_bootstrap(PEOPLE, SCORES, "tau-b", draws=9, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.samples, again.samples)
    assert not np.array_equal(first.samples, other.samples)


def test_what_has_no_interval() -> None:
    constant = two_way_bootstrap(PEOPLE, np.ones_like(PEOPLE), "pearson", draws=9)
    assert (constant.reason, constant.undefined) == ("the figure is undefined", 9)
    rarely = np.ones_like(PEOPLE)
    rarely[0, 0] = 2.0  # the metric varies in one item only, which more than a third of the draws lack
    assert "more than half of the draws" in two_way_bootstrap(PEOPLE, rarely, "pearson", draws=99).reason


def test_many_texts_have_an_interval_too() -> None:
    random = np.random.Generator(np.random.PCG64(8))
    people = np.round(random.normal(size=7) + random.normal(size=(200, 7)), 1)
    scores = people + random.normal(size=people.shape)
    resamples = Resamples.drawn(200, 7, 20, seed=0)
    for coefficient, by in (("tau-b", None), ("acc-eq", None), ("tau-c", "system"), ("spearman", "system")):
        found = two_way_bootstrap(people, scores, coefficient, by, draws=20)
        assert (found.reason, found.undefined) == ("", 0)
        assert found.ci[0] < found.value < found.ci[1]
    # tau-a has no ties to treat: a draw written out differs only by the pairs of a text with its own copy
    drawn = [written_out(grid, resamples, 0).reshape(-1) for grid in (people, scores)]
    copies = ((resamples.items[0][:, None] * resamples.systems[0]) ** 2).sum() / 2 - drawn[0].size / 2
    every = math.comb(drawn[0].size, 2)
    expected = vector_coefficient(drawn[0], drawn[1], "tau-a") * every / (every - copies)
    assert two_way_bootstrap(people, scores, "tau-a", None, draws=20).samples[0] == pytest.approx(expected)


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="confidence"):
        two_way_bootstrap(PEOPLE, SCORES, "tau-b", confidence=95)
    with pytest.raises(UsageError, match="draws"):
        bootstrap_system_level(PEOPLE, SCORES, "tau-b", draws=0)


def test_limits_moved_by_the_bias_stay_within_what_a_coefficient_can_be() -> None:
    """Nearly all draws have 1 and a few less: moved up, even the lower limit would be beyond 1."""
    random = np.random.Generator(np.random.PCG64(2))
    people, scores = (random.normal(size=(8, 3)) + 0.9 * np.arange(3) for _ in range(2))
    found = bootstrap_system_level(people, scores, "spearman", draws=199)
    assert found.samples.min() < found.samples.mean() < found.value == pytest.approx(1)
    assert found.ci == (1, 1)
