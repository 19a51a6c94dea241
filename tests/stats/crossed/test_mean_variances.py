"""Variances and degrees of freedom against the analysis of variance, Welch's test, and one another."""

import numpy as np
import pytest

from textassay.stats.crossed.crossed_design import ITEM, PARTICIPANT, CrossedDesign
from textassay.stats.crossed.mean_variances import MeanVariances

BOTH = (PARTICIPANT, ITEM)


def variances(person, item, system, random=BOTH):
    rows = np.eye(int(system.max()) + 1)[system]
    return MeanVariances(CrossedDesign(rows, person, item, np.zeros((len(rows), 0))), random)


def mean_squares(gaps):
    """Of participants (rows), items (columns) and what is left, of the differences of two systems."""
    people, items, mean = gaps.mean(axis=1), gaps.mean(axis=0), gaps.mean()
    p, i = gaps.shape
    left = gaps - people[:, None] - items + mean
    return (
        i * ((people - mean) ** 2).sum() / (p - 1),
        p * ((items - mean) ** 2).sum() / (i - 1),
        (left**2).sum() / ((p - 1) * (i - 1)),
    )


@pytest.fixture
def complete():
    return tuple(each.ravel() for each in np.indices((7, 9, 2)))


def differing(seed, of_people, of_items):
    random = np.random.default_rng(seed)
    return of_people * random.normal(size=(7, 1)) + of_items * random.normal(size=9) + random.normal(size=(7, 9))


def test_of_two_systems_in_a_complete_design_the_variance_is_that_of_the_mean_squares(complete):
    person, item, system = complete
    gaps = differing(1, 1.0, 1.0)
    people, items, left = mean_squares(gaps)
    assert min(people, items) > left
    found = variances(*complete).of(gaps[person, item] * system)
    expected = (people + items - left) / 63
    assert found.pairs == pytest.approx([expected])
    assert found.trace == pytest.approx(expected / 2)
    df = (people + items - left) ** 2 / (people**2 / 6 + items**2 / 8)
    assert found.df_pairs == pytest.approx([df])
    assert found.df == pytest.approx((1, df))


def test_no_variance_is_below_that_of_participants_or_items_alone(complete):
    person, item, system = complete
    gaps = differing(2, 1.0, 0.0)
    gaps -= gaps.mean(axis=0) - 0.01 * np.arange(9)  # items differ less than chance has it
    people, items, left = mean_squares(gaps)
    assert items < left
    found = variances(*complete).of(gaps[person, item] * system)
    assert found.pairs == pytest.approx([people / 63])
    assert found.df_pairs[0] >= 6 - 1e-9


def test_one_kind_of_random_unit_is_the_paired_t_test_of_its_means(complete):
    person, item, system = complete
    gaps = differing(3, 0.0, 1.0)
    found = variances(*complete, random=(ITEM,)).of(gaps[person, item] * system)
    assert found.pairs == pytest.approx([gaps.mean(axis=0).var(ddof=1) / 9])
    assert found.df_pairs == pytest.approx([8])


def test_independent_answers_are_welchs_test():
    random = np.random.default_rng(4)
    system = np.repeat([0, 1], 12)
    y = random.normal(size=24) * (1 + 3 * system)
    found = variances(np.arange(24), np.arange(24), system).of(y - y.mean())
    one, other = (y[system == each].var(ddof=1) / 12 for each in (0, 1))
    assert found.pairs == pytest.approx([one + other])
    assert found.df_pairs == pytest.approx([(one + other) ** 2 / (one**2 / 11 + other**2 / 11)])


def test_pairs_have_a_variance_of_their_own():
    random = np.random.default_rng(5)
    person, item, system = (each.ravel() for each in np.indices((12, 40, 3)))
    unstable = random.normal(size=40)[item] * (system == 2)
    found = variances(person, item, system)
    pairs = found.of(unstable + 0.1 * random.normal(size=person.size)).pairs
    assert list(zip(found.first, found.second, strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert pairs[1] / pairs[0] > 20
    assert pairs[2] / pairs[0] > 20


def test_with_equal_variances_the_means_vary_in_all_directions_and_with_one_unstable_system_in_one():
    random = np.random.default_rng(6)
    person, item, system = (each.ravel() for each in np.indices((20, 50, 4)))
    noise = random.normal(size=person.size)
    found = variances(person, item, system)
    assert found.of(noise).df[0] > 2.5
    assert found.of(0.01 * noise + random.normal(size=50)[item] * (system == 3)).df[0] < 1.3


def test_with_four_participants_pairs_have_their_degrees_of_freedom_however_little_they_seem_to_vary():
    random = np.random.default_rng(7)
    for people, expected in ((4, 3), (8, None)):
        person, item, system = (each.ravel() for each in np.indices((people, 60, 2)))
        y = random.normal(size=(60, 2))[item, system] + 1e-3 * random.normal(size=person.size)
        (df,) = variances(person, item, system).of(y).df_pairs
        assert df == pytest.approx(expected) if expected else df > 50


@pytest.mark.parametrize("seed", range(4))
def test_a_participant_who_tells_nothing_adds_no_rounding_errors(seed):
    # One participant sees everything: what is left of the answers sums to nothing, but for rounding.
    item, system = (each.ravel() for each in np.indices((9, 3)))
    gaps = np.random.default_rng(seed).normal(size=(9, 3))
    found = variances(np.zeros(27, dtype=int), item, system).of(gaps[item, system])
    alone = variances(np.zeros(27, dtype=int), item, system, random=(ITEM,)).of(gaps[item, system])
    assert found.pairs == pytest.approx(alone.pairs)
    assert found.trace == pytest.approx(alone.trace)
    assert found.df_pairs == pytest.approx(np.ones(3))
