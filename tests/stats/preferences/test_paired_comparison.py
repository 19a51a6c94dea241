"""The test of fit: a saturated model leaves nothing, a circle of preferences everything."""

import math

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats import bradley_terry, bradley_terry_matrix
from textassay.stats.newton import Maximum
from textassay.stats.preferences.comparisons import LOSS, WIN, comparisons_of_matrices, read_comparisons
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON, RAO_KUPPER, PairModel, free_parameters
from textassay.stats.preferences.paired_comparison import (
    PairModelKind,
    PairOptions,
    pair_task,
    unidentified,
    without_maximum,
)


def test_two_systems_are_fitted_without_rest():
    result = bradley_terry_matrix([[0, 7], [3, 0]], [[0, 2], [0, 0]])
    assert result.deviance == pytest.approx(0, abs=1e-9)
    assert result.deviance_df == 0
    assert math.isnan(result.deviance_p)


def test_a_circle_of_preferences_fits_no_scale():
    # a beats b, b beats c, c beats a, 9 of 10 each: equal abilities, and a deviance of 3 · 2 · 10 · (log 2 - entropy).
    result = bradley_terry_matrix([[0, 9, 1], [1, 0, 9], [9, 1, 0]], None)
    entropy = -0.9 * math.log(0.9) - 0.1 * math.log(0.1)
    assert result.values == pytest.approx((0, 0, 0), abs=1e-9)
    assert result.deviance == pytest.approx(60 * (math.log(2) - entropy))
    assert (result.deviance_df, result.df) == (1, 2)
    assert result.deviance_p < 1e-4
    assert result.p == pytest.approx(1)


def test_pairs_that_never_met_do_not_count():
    # Four systems in a ring: four pairs, three abilities.
    ring = [[0, 2, 0, 1], [1, 0, 2, 0], [0, 1, 0, 2], [2, 0, 1, 0]]
    assert bradley_terry_matrix(ring, None).deviance_df == 1


def test_order_doubles_the_cells():
    first, second = list("ab" * 6), list("ba" * 6)
    outcome = [1, 1, -1, 1, 1, -1, 1, -1, -1, 1, 1, 1]
    assert bradley_terry(first, second, outcome).deviance_df == 0
    assert bradley_terry(first, second, outcome, order_effect=True).deviance_df == 0  # two cells, two parameters
    again = bradley_terry(
        [*first, "a", "c", "c", "b"], [*second, "c", "a", "b", "c"], [*outcome, 1, 1, 1, -1], order_effect=True
    )
    assert again.deviance_df == 6 - 3


# --- Estimates that are none: told before the fit where possible, after it at the latest ----------------------------


KIND = PairModelKind(BRADLEY_TERRY, {"rao-kupper": (RAO_KUPPER, "log θ")})


def prepared(data, options):
    task = pair_task(data, KIND, options)
    free = free_parameters(len(data.systems), abilities=True, order=options.order_effect, ties=task.family.ties)
    return task, PairModel(task.family, task.counts, free)


def test_nothing_speaks_against_an_even_contest():
    task, model = prepared(comparisons_of_matrices([[0, 3], [3, 0]], None), PairOptions())
    assert unidentified(task, model) == ""
    assert without_maximum(model, model.fit(), task.data.systems) == ""


def test_an_order_that_each_pair_keeps_is_told_before_the_fit():
    # a always before b, b always before c: an advantage of the first is the same as equal steps from a to b to c.
    chain = read_comparisons(list("aabb"), list("bbcc"), [1, -1, 1, -1])
    assert "the order effect is not identifiable" in unidentified(*prepared(chain, PairOptions(order_effect=True)))
    both = read_comparisons(list("aabbcc"), list("bbccaa"), [1, -1, 1, -1, 1, -1])
    assert unidentified(*prepared(both, PairOptions(order_effect=True))) == ""


def test_smoothing_removes_the_reason():
    never_lost = comparisons_of_matrices([[0, 3], [0, 0]], None, ["a", "b"])
    assert "a was never placed below" in unidentified(*prepared(never_lost, PairOptions()))
    assert unidentified(*prepared(never_lost, PairOptions(smoothing=0.5))) == ""


def test_a_search_that_did_not_converge_is_never_silent():
    task, model = prepared(comparisons_of_matrices([[0, 3], [2, 0]], None), PairOptions())
    found = model.fit()
    stopped = Maximum(found.parameters, found.point, 200, 0.5, converged=False)
    assert "did not converge in 200 steps (gradient 0.5 standard errors)" in without_maximum(
        model, stopped, task.data.systems
    )


@pytest.mark.parametrize("rows", [[1, 1, 0], [1, 0, 0, 0]])
def test_ties_alone_do_not_bind_two_systems(rows):
    data = read_comparisons(["a"] * len(rows), ["b"] * len(rows), rows)
    task, model = prepared(data, PairOptions())
    assert unidentified(task, model) == ""
    assert "a moves away" in without_maximum(model, model.fit(), task.data.systems)
    assert np.all(model.counts >= 0)


# --- What is fitted to what: ties, order and smoothing --------------------------------------------------------------


KIND_PAIR_TASK = PairModelKind(BRADLEY_TERRY, {"davidson": (DAVIDSON, "log ν")})
DATA = read_comparisons(list("aabb"), list("bbaa"), [1, 0, 1, -1])


def test_auto_is_the_first_model_with_ties_and_only_where_there_are_some():
    assert pair_task(DATA, KIND_PAIR_TASK, PairOptions()).family is DAVIDSON
    without = read_comparisons(list("ab"), list("ba"), [1, 1])
    task = pair_task(without, KIND_PAIR_TASK, PairOptions(ties="davidson"))
    assert (task.family, task.ties) == (BRADLEY_TERRY, "none")


@pytest.mark.parametrize(("ties", "n", "won", "exact"), [("half", 4, 2.5, False), ("drop", 3, 2.0, True)])
def test_half_and_drop(ties, n, won, exact):
    task = pair_task(DATA, KIND_PAIR_TASK, PairOptions(ties=ties))
    assert (task.n, task.exact_counts) == (n, exact)
    assert task.counts[WIN, 0, 1] == won
    assert task.counts.sum() == n
    assert task.judged.tolist() == [[0, n], [n, 0]]


def test_smoothing_adds_as_much_to_each_side_of_each_pair_in_either_form():
    plain = (
        pair_task(DATA, KIND_PAIR_TASK, PairOptions(smoothing=0.5)).counts
        - pair_task(DATA, KIND_PAIR_TASK, PairOptions()).counts
    )
    assert (plain[WIN].sum(), plain[LOSS].sum()) == (0.5, 0.5)
    ordered = PairOptions(smoothing=0.5, order_effect=True)
    more = pair_task(DATA, KIND_PAIR_TASK, ordered).counts - DATA.counts
    assert np.array_equal(more[WIN], [[0, 0.25], [0.25, 0]])
    assert np.array_equal(more[WIN], more[LOSS])


@pytest.mark.parametrize(
    "options",
    [
        PairOptions(ties="both"),
        PairOptions(smoothing=float("nan")),
        PairOptions(smoothing=-1),
        PairOptions(confidence=0),
    ],
)
def test_impossible_settings_are_refused(options):
    with pytest.raises(UsageError):
        pair_task(DATA, KIND_PAIR_TASK, options)
