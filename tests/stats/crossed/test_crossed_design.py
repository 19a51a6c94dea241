"""What sums of squares expect, against the formula written out with whole matrices."""

import numpy as np
import pytest

from textassay.stats.crossed import crossed_design
from textassay.stats.crossed.crossed_design import CrossedDesign

NONE = np.zeros((0, 0))


def latin(people, items, systems, gone=0.0, seed=0):
    person, item = np.divmod(np.arange(people * items), items)
    kept = np.random.default_rng(seed).random(person.size) >= gone
    return person[kept], item[kept], ((person + item) % systems)[kept]


def design(person, item, system, covariates=None):
    rows = np.eye(int(system.max()) + 1)[system]
    return CrossedDesign(rows, person, item, np.zeros((len(rows), 0)) if covariates is None else covariates)


def written_out(found, person, item, loadings):
    """E of each sum of squares, and of the means, for components with these loadings (values × effects)."""
    n = len(found.rows)
    m = found.left(np.eye(n))
    groups = [person, item, person * 1000 + item]
    expected = np.array([
        [
            sum(
                found.weights[own].T @ (m @ z @ z.T @ m)[np.ix_(own, own)] @ found.weights[own]
                for own in (np.flatnonzero(codes == code) for code in np.unique(codes))
            )
            for z in loadings
        ]
        for codes in groups
    ])  # fmt: skip
    return expected, np.array([found.weights.T @ z @ z.T @ found.weights for z in loadings])


def indicator(codes):
    return np.eye(int(codes.max()) + 1)[codes]


@pytest.mark.parametrize("gone", [0.0, 0.3])
def test_expectations_are_those_of_the_formula(gone):
    person, item, system = latin(6, 8, 3, gone)
    found = design(person, item, system)
    loadings = [indicator(np.unique(each * 9 + system, return_inverse=True)[1]) for each in (person, item)]
    expected, wanted = written_out(found, person, item, [*loadings, np.eye(len(person))])
    assert found.expected == pytest.approx(expected)
    assert found.variances == pytest.approx(wanted)


def test_of_contrasts_each_participant_has_a_taste_for_each_system():
    random = np.random.default_rng(2)
    person, item = np.divmod(np.arange(40), 8)
    first = random.integers(0, 3, 40)
    second = (first + random.integers(1, 3, 40)) % 3
    rows = np.eye(3)[first] - np.eye(3)[second]
    found = CrossedDesign(rows, person, item, random.choice([-1.0, 1.0], (40, 1)))
    tastes = [(indicator(each)[:, :, None] * rows[:, None]).reshape(40, -1) for each in (person, item)]
    expected, wanted = written_out(found, person, item, [*tastes, np.eye(40)])
    assert found.contrasts
    assert found.expected == pytest.approx(expected)
    assert found.variances == pytest.approx(wanted)


def test_random_signs_give_the_expectations_of_large_designs(monkeypatch):
    found = design(*latin(30, 40, 4, 0.2))
    exact = found.expected
    monkeypatch.setattr(crossed_design, "_EXACT", 0)
    monkeypatch.setattr(crossed_design, "_EXACT_OF_FEW", 0)
    monkeypatch.setattr(crossed_design, "_SIGNS", (400, 400))
    rough = design(*latin(30, 40, 4, 0.2)).expected
    diagonal = (..., range(4), range(4))
    assert rough[diagonal] == pytest.approx(exact[diagonal], rel=0.15)
    assert rough[diagonal].mean() == pytest.approx(exact[diagonal].mean(), rel=0.02)


def test_means_are_those_of_least_squares_and_nothing_estimated_is_left():
    person, item, system = latin(7, 9, 3, 0.3)
    found = design(person, item, system)
    y = np.random.default_rng(3).normal(size=len(person))
    fixed = np.hstack([indicator(person), indicator(item), indicator(system)])
    effects = np.linalg.lstsq(fixed, y, rcond=None)[0][-3:]
    assert found.weights.T @ y == pytest.approx(effects - effects.mean())
    assert fixed.T @ found.left(y[:, None]) == pytest.approx(0, abs=1e-9)
    assert found.df_left == len(y) - np.linalg.matrix_rank(fixed)


def test_units_with_one_system_each_are_nested_and_not_taken_out():
    person, item = np.divmod(np.arange(24), 6)
    found = design(person, item, item % 2)
    participants, items, _ = found.groups
    assert participants.system is None
    assert items.system is not None
    y = np.arange(24.0)
    gap = found.weights.T @ y
    assert gap[1] - gap[0] == pytest.approx(y[item % 2 == 1].mean() - y[item % 2 == 0].mean())
    assert items.by_system(np.ones((6, 2))).tolist() == [3, 3]
    with pytest.raises(ValueError, match="not nested"):
        participants.by_system(np.ones((4, 2)))


def test_parts_without_a_common_participant_or_item_are_not_connected():
    person = np.repeat(np.arange(6), 4)
    item = np.tile(np.arange(4), 6) + 4 * (person >= 3)
    system = (person + item) % 2 + 2 * (person >= 3)
    found = design(person, item, system)
    assert found.connected.tolist() == [[True, True, False, False]] * 2 + [[False, False, True, True]] * 2
