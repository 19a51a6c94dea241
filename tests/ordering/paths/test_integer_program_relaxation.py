"""The linear program's bound and its reduced costs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from brute_paths import least_cost, random_distances

from textassay.ordering.paths import integer_program as module
from textassay.ordering.paths.integer_program import relaxation
from textassay.ordering.paths.network import network
from textassay.ordering.paths.shortest_path import path_cost


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("start", [None, 0])
def test_bound_and_reduced_costs_hold_for_every_path(symmetric: bool, start: int | None) -> None:
    for seed in range(8):
        distances = random_distances(6, 30 + seed, symmetric=symmetric)
        net = network(distances, start)
        known = list(range(6))
        found = relaxation(net, known, path_cost(distances, known))
        for order in permutations(range(6)):
            if start is not None and order[0] != start:
                continue
            links = net.links_of(list(order))
            left_out = np.setdiff1d(np.arange(len(net.costs)), links)
            over = path_cost(distances, order) - found.bound
            usable = links[links != net.forced]
            assert over >= found.reduced[usable].max() - 1e-9
            assert over >= -found.reduced[left_out].min() - 1e-9
        assert found.bound <= least_cost(distances, start) + 1e-9


@pytest.mark.parametrize("symmetric", [True, False])
def test_few_links_at_first_give_the_same_bound_as_all(symmetric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    distances = random_distances(40, 2, symmetric=symmetric)
    net, known = network(distances, 0), list(range(40))
    whole = relaxation(net, known, np.inf)
    monkeypatch.setattr(module, "_FEW", 10)
    monkeypatch.setattr(module, "_NEAR", 3)
    assert relaxation(net, known, np.inf).bound == pytest.approx(whole.bound, rel=1e-9)


def test_two_far_clusters_need_a_cut() -> None:
    # Two triangles with sides of 1, 100 apart: the path has four sides and one way between them, 104. Without cuts the
    # cheapest choice closes one triangle, and the path's ends lie in the other.
    place = np.array([0, 0, 0, 1, 1, 1])
    distances = np.where(place[:, None] == place, 1.0, 100.0)
    known = [0, 3, 1, 4, 2, 5]
    found = relaxation(network(distances, None), known, path_cost(distances, known))
    assert found.bound == pytest.approx(104)
    assert len(found.cuts)


def test_it_ends_when_the_bound_is_the_cost() -> None:
    place = np.arange(12.0)
    distances = np.abs(place[:, None] - place)
    found = relaxation(network(distances, 0), list(range(12)), 11.0)
    assert found.bound == pytest.approx(11)
