"""Means of systems with what participants and items bring to them."""

import numpy as np
import pytest

from textassay.stats.crossed.crossed_design import ITEM, PARTICIPANT, CrossedDesign
from textassay.stats.crossed.mean_intervals import system_means

BOTH = (PARTICIPANT, ITEM)


def design(person, item, system):
    rows = np.eye(int(system.max()) + 1)[system]
    return CrossedDesign(rows, person, item, np.zeros((len(rows), 0)))


def test_of_one_system_the_variance_comes_from_participants_and_items():
    random = np.random.default_rng(1)
    person, item = (each.ravel() for each in np.indices((12, 30)))
    y = 2 * random.normal(size=12)[person] + random.normal(size=30)[item] + random.normal(size=person.size)
    found = system_means(design(person, item, np.zeros_like(person)), y, BOTH)
    table = y.reshape(12, 30)
    of_people, of_items = table.mean(axis=1).var(ddof=1) / 12, table.mean(axis=0).var(ddof=1) / 30
    assert found.means == pytest.approx([y.mean()])
    assert found.se**2 == pytest.approx([of_people + of_items], rel=0.08)  # less what both hold, some hundredths of it
    assert found.df[0] == pytest.approx(found.se[0] ** 4 / (of_people**2 / 11 + of_items**2 / 29), rel=0.01)


def test_nested_units_count_for_their_own_system():
    random = np.random.default_rng(2)
    person = np.arange(40)
    system = np.repeat([0, 1], (30, 10))
    y = random.normal(size=40)
    found = system_means(design(person, person, system), y, BOTH)
    for each in (0, 1):
        own = y[system == each]
        assert found.means[each] == pytest.approx(own.mean())
        assert found.se[each] ** 2 == pytest.approx(own.var(ddof=1) / own.size, rel=0.15)
        assert found.df[each] == pytest.approx(own.size - 1)


def test_intervals_hold_the_truth():
    random = np.random.default_rng(3)
    person, item = np.divmod(np.arange(15 * 20), 20)
    made = design(person, item, (person + item) % 4)
    held = []
    for _ in range(200):
        y = random.normal(size=15)[person] + random.normal(size=20)[item] + random.normal(size=person.size)
        found = system_means(made, y, BOTH)
        held += list(np.abs(found.means) < 2.1 * found.se)
    assert 0.9 < np.mean(held) < 0.99
