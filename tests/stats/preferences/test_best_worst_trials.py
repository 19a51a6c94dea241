"""Best–worst trials as choices."""

import numpy as np
import pytest

from textassay.stats.preferences.best_worst_trials import maxdiff_choices, read_trials, sequential_choices

TRIALS = read_trials([["a", "b", "c"], ["c", "a"]], ["b", "a"], ["c", "c"])


def test_sequential_choices_by_hand():
    # θ = (0, log 2, log 3): best b of 1, 2, 3; worst c of the rest by 1 and 1/3; then best a of 1 and 3.
    at = np.log([2.0, 3.0])
    assert sequential_choices(TRIALS).evaluate(at).loglik == pytest.approx(np.log(2 / 6 * (1 / 3) / (4 / 3) * 1 / 4))


def test_maxdiff_choices_by_hand():
    # Ratios best/worst: of a, b, c: 1/2, 1/3, 2, 2/3, 3, 3/2 (sum 8); b over c is 2/3. Of a, c: 1/3 of 1/3 + 3.
    at = np.log([2.0, 3.0])
    assert maxdiff_choices(TRIALS).evaluate(at).loglik == pytest.approx(np.log((2 / 3) / 8 * (1 / 3) / (10 / 3)))


def test_best_is_above_all_and_all_are_above_worst():
    assert TRIALS.systems == ("a", "b", "c")
    assert TRIALS.above().tolist() == [[0, 0, 2], [1, 0, 1], [0, 0, 0]]
