"""Paths as links between nodes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from brute_paths import random_distances

from textassay.ordering.paths.network import network
from textassay.ordering.paths.shortest_path import path_cost


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("start", [None, 2])
def test_every_path_is_a_tour_of_the_same_cost_and_back(symmetric: bool, start: int | None) -> None:
    distances = random_distances(5, 1, symmetric=symmetric)
    net = network(distances, start)
    assert net.directed != symmetric
    for order in permutations(range(5)):
        if start is not None and order[0] != start:
            continue
        links = net.links_of(list(order))
        assert len(set(links.tolist())) == net.nodes
        assert net.costs[links].sum() == pytest.approx(path_cost(distances, order))
        rows, sums = net.degrees(links)
        assert (rows @ np.ones(len(links)) == sums).all()
        turned = symmetric and start is None and order[0] > order[-1]
        assert net.path_of(links) == list(order[::-1] if turned else order)


def test_given_first_is_a_forced_link() -> None:
    net = network(random_distances(4, 1, symmetric=True), 2)
    assert (net.tails[net.forced], net.heads[net.forced], net.costs[net.forced]) == (2, 4, 0)
    assert network(random_distances(4, 1, symmetric=True), None).forced == -1


def test_crossing_counts_out_of_the_subset_only_where_links_have_a_direction() -> None:
    subset = np.array([[True, True, False, False, False]])
    undirected = network(random_distances(4, 1, symmetric=True), None)
    assert undirected.crossing(subset, np.arange(10)).sum() == 2 * 3
    directed = network(random_distances(4, 1, symmetric=False), None)
    assert directed.crossing(subset, np.arange(20)).sum() == 2 * 3
    assert (directed.needed, undirected.needed) == (1, 2)


def test_prices_are_those_of_both_ends() -> None:
    net = network(random_distances(3, 1, symmetric=True), None)
    duals = np.array([1.0, 10.0, 100.0, 1000.0])
    assert net.prices(duals).tolist() == (duals[net.tails] + duals[net.heads]).tolist()
    net = network(random_distances(3, 1, symmetric=False), 0)
    duals = np.arange(6.0)
    assert net.prices(duals).tolist() == (duals[net.tails] + duals[3 + net.heads]).tolist()


def test_scale_makes_usual_costs_large() -> None:
    net = network(random_distances(4, 1, symmetric=True) * 1e-7, None)
    order = [0, 1, 2, 3]
    assert np.abs(net.costs[net.links_of(order)]).mean() * net.scale(order) == pytest.approx(1e4)
    assert network(np.zeros((4, 4)), None).scale(order) == 1
