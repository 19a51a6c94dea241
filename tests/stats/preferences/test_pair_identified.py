"""Estimates that are none: told before the fit where possible, after it at the latest."""

import numpy as np
import pytest

from textassay.stats.newton import Maximum
from textassay.stats.preferences.comparisons import comparisons_of_matrices, read_comparisons
from textassay.stats.preferences.pair_families import BRADLEY_TERRY, RAO_KUPPER
from textassay.stats.preferences.pair_identified import unidentified, without_maximum
from textassay.stats.preferences.pair_likelihood import PairModel, free_parameters
from textassay.stats.preferences.pair_task import Kind, Options, pair_task

KIND = Kind(BRADLEY_TERRY, {"rao-kupper": (RAO_KUPPER, "log θ")})


def prepared(data, options):
    task = pair_task(data, KIND, options)
    free = free_parameters(len(data.systems), abilities=True, order=options.order_effect, ties=task.family.ties)
    return task, PairModel(task.family, task.counts, free)


def test_nothing_speaks_against_an_even_contest():
    task, model = prepared(comparisons_of_matrices([[0, 3], [3, 0]], None), Options())
    assert unidentified(task, model) == ""
    assert without_maximum(model, model.fit(), task.data.systems) == ""


def test_an_order_that_each_pair_keeps_is_told_before_the_fit():
    # a always before b, b always before c: an advantage of the first is the same as equal steps from a to b to c.
    chain = read_comparisons(list("aabb"), list("bbcc"), [1, -1, 1, -1])
    assert "the order effect cannot be told" in unidentified(*prepared(chain, Options(order_effect=True)))
    both = read_comparisons(list("aabbcc"), list("bbccaa"), [1, -1, 1, -1, 1, -1])
    assert unidentified(*prepared(both, Options(order_effect=True))) == ""


def test_smoothing_removes_the_reason():
    never_lost = comparisons_of_matrices([[0, 3], [0, 0]], None, ["a", "b"])
    assert "a was never placed below" in unidentified(*prepared(never_lost, Options()))
    assert unidentified(*prepared(never_lost, Options(smoothing=0.5))) == ""


def test_a_search_that_did_not_converge_is_never_silent():
    task, model = prepared(comparisons_of_matrices([[0, 3], [2, 0]], None), Options())
    found = model.fit()
    stopped = Maximum(found.parameters, found.point, 200, 0.5, converged=False)
    assert "did not converge in 200 steps (gradient 0.5 standard errors)" in without_maximum(
        model, stopped, task.data.systems
    )


@pytest.mark.parametrize("rows", [[1, 1, 0], [1, 0, 0, 0]])
def test_ties_alone_do_not_bind_two_systems(rows):
    data = read_comparisons(["a"] * len(rows), ["b"] * len(rows), rows)
    task, model = prepared(data, Options())
    assert unidentified(task, model) == ""
    assert "a moves away" in without_maximum(model, model.fit(), task.data.systems)
    assert np.all(model.counts >= 0)
