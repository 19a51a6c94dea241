"""The alternatives of a ranking with ties: which there are, and what they are worth."""

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.preferences.rank_choices import rank_choices
from textassay.stats.preferences.rankings import read_rankings, stages_of


def choices_of(rankings):
    return rank_choices(stages_of(read_rankings(rankings, None, last=False)))


def test_without_ties_the_alternatives_are_the_systems():
    choices = choices_of([[1, 2, 3], [3, 1, 2]])
    assert np.array_equal(choices.design, np.eye(3)[:, 1:])
    assert choices.counts.sum() == 4


def test_a_tie_of_two_has_the_mean_of_their_abilities_and_its_own_parameter():
    choices = choices_of([[1, 1, 2]])
    # Alternatives a, b, c, ab, ac, bc; parameters b, c, log δ2.
    assert choices.design[3:].tolist() == [[0.5, 0, 1], [0, 0.5, 1], [0.5, 0.5, 1]]
    # One choice, of ab out of all: with equal abilities and δ = e^t the probability is e^t / (3 + 3e^t).
    for t in (-1.0, 0.0, 2.0):
        expected = t - np.log(3 + 3 * np.exp(t))
        assert choices.evaluate(np.array([0, 0, t])).loglik == pytest.approx(expected)


def test_ties_larger_than_what_is_left_are_no_alternatives():
    choices = choices_of([[1, 2, 2], [2, 1, 3]])
    sizes = {tuple(row) for row in choices.allowed.tolist()}
    # From two left: those two or their tie, three alternatives; from three left: three and three.
    assert sorted(sum(row) for row in sizes) == [3, 3, 6]


def test_too_many_possible_ties_are_refused():
    with pytest.raises(DataError, match="analyse fewer systems at a time"):
        choices_of([[1] * 10 + [2] * 15])
