"""What is fitted to what: ties, order and smoothing."""

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats.preferences.comparisons import LOSS, WIN, read_comparisons
from textassay.stats.preferences.pair_families import BRADLEY_TERRY, DAVIDSON
from textassay.stats.preferences.pair_task import Kind, Options, pair_task

KIND = Kind(BRADLEY_TERRY, {"davidson": (DAVIDSON, "log ν")})
DATA = read_comparisons(list("aabb"), list("bbaa"), [1, 0, 1, -1])


def test_auto_is_the_first_model_with_ties_and_only_where_there_are_some():
    assert pair_task(DATA, KIND, Options()).family is DAVIDSON
    without = read_comparisons(list("ab"), list("ba"), [1, 1])
    task = pair_task(without, KIND, Options(ties="davidson"))
    assert (task.family, task.ties) == (BRADLEY_TERRY, "none")


@pytest.mark.parametrize(("ties", "n", "won", "exact"), [("half", 4, 2.5, False), ("drop", 3, 2.0, True)])
def test_half_and_drop(ties, n, won, exact):
    task = pair_task(DATA, KIND, Options(ties=ties))
    assert (task.n, task.exact_counts) == (n, exact)
    assert task.counts[WIN, 0, 1] == won
    assert task.counts.sum() == n
    assert task.judged.tolist() == [[0, n], [n, 0]]


def test_smoothing_adds_as_much_to_each_side_of_each_pair_in_either_form():
    plain = pair_task(DATA, KIND, Options(smoothing=0.5)).counts - pair_task(DATA, KIND, Options()).counts
    assert (plain[WIN].sum(), plain[LOSS].sum()) == (0.5, 0.5)
    ordered = Options(smoothing=0.5, order_effect=True)
    more = pair_task(DATA, KIND, ordered).counts - DATA.counts
    assert np.array_equal(more[WIN], [[0, 0.25], [0.25, 0]])
    assert np.array_equal(more[WIN], more[LOSS])


@pytest.mark.parametrize(
    "options", [Options(ties="both"), Options(smoothing=float("nan")), Options(smoothing=-1), Options(confidence=0)]
)
def test_impossible_settings_are_refused(options):
    with pytest.raises(UsageError):
        pair_task(DATA, KIND, options)
