"""The integer program from a bad path and without any cut: it must find its own."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from brute_paths import least_cost, random_distances

from textassay.ordering.paths import integer_program
from textassay.ordering.paths import integer_program as module
from textassay.ordering.paths.integer_program import (
    Relaxation,
    connected_parts,
    network,
    proved_path,
    relaxation,
    violated_cuts,
)
from textassay.ordering.paths.shortest_path import path_cost


def nothing_known(links: int, nodes: int) -> Relaxation:
    return Relaxation(-np.inf, np.zeros(links), np.zeros((0, nodes), dtype=bool))


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("start", [None, 0])
def test_equal_to_trying_all(symmetric: bool, start: int | None) -> None:
    for seed in range(10):
        distances = random_distances(4 + seed % 5, 70 + seed, symmetric=symmetric)
        net, known = network(distances, start), list(range(len(distances)))
        cost = path_cost(distances, known)
        for relaxed in (nothing_known(len(net.costs), net.nodes), relaxation(net, known, cost)):
            found = proved_path(net, known, cost, relaxed, time_limit=10)
            assert path_cost(distances, found.order) == pytest.approx(least_cost(distances, start), abs=1e-9)
            assert found.bound == pytest.approx(least_cost(distances, start), abs=1e-9)
            assert start is None or found.order[0] == start


def test_cuts_come_until_there_is_one_tour() -> None:
    # Three triangles of near points, far from each other: without cuts the cheapest choice are the triangles.
    place = np.repeat(np.arange(3), 3)
    distances = np.where(place[:, None] == place, 1.0, 50.0)
    net, known = network(distances, 0), [0, 3, 6, 1, 4, 7, 2, 5, 8]
    relaxed = nothing_known(len(net.costs), net.nodes)
    found = proved_path(net, known, path_cost(distances, known), relaxed, time_limit=10)
    assert path_cost(distances, found.order) == 6 * 1 + 2 * 50
    assert found.bound == pytest.approx(106)


def test_a_shortest_path_is_kept() -> None:
    distances = random_distances(7, 5, symmetric=False)
    net = network(distances, None)
    relaxed = nothing_known(len(net.costs), net.nodes)
    best = proved_path(net, list(range(7)), path_cost(distances, range(7)), relaxed, time_limit=10)
    again = proved_path(net, best.order, path_cost(distances, best.order), relaxed, time_limit=10)
    assert path_cost(distances, again.order) == path_cost(distances, best.order)


def test_time_limit_keeps_the_known_path_and_a_bound_below_it() -> None:
    distances = random_distances(40, 5, symmetric=False)
    net, known = network(distances, None), list(range(40))
    cost = path_cost(distances, known)
    found = proved_path(net, known, cost, nothing_known(len(net.costs), net.nodes), time_limit=1e-9)
    assert found.order == known
    assert found.bound < cost


def test_programs_that_need_more_get_more_until_all_is_spent() -> None:
    budget = integer_program._Budget(left=10.0, part=1.0)
    given = [budget.take()]
    while budget.left > 0:
        budget.part *= 2
        given.append(budget.take())
    assert given == [1, 2, 4, 3]


def test_time_limit_is_that_of_all_rounds_together(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def watched(*arguments: Any) -> Any:
        given.append(arguments[-1])
        return solved(*arguments)

    solved = integer_program._solved
    monkeypatch.setattr(integer_program, "_solved", watched)
    place = np.repeat(np.arange(9), 3)
    distances = np.where(place[:, None] == place, 1.0, 50.0)
    net, known = network(distances, 0), np.argsort(np.arange(27) % 3, kind="stable").tolist()
    found = proved_path(
        net, known, path_cost(distances, known), nothing_known(len(net.costs), net.nodes), time_limit=8.0
    )
    assert found.bound == pytest.approx(18 * 1 + 8 * 50)
    assert len(given) > 1
    assert sum(given) <= 8


# --- The linear program's bound and its reduced costs ---------------------------------------------------------------


@pytest.mark.long
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


# --- Paths as links between nodes -----------------------------------------------------------------------------------


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


# --- Cuts that a choice of links does not keep ----------------------------------------------------------------------


def links_between(net, pairs: list[tuple[int, int]]) -> np.ndarray:  # type: ignore[no-untyped-def]
    number = {pair: at for at, pair in enumerate(zip(net.tails.tolist(), net.heads.tolist(), strict=True))}
    return np.array([number[pair] for pair in pairs])


def test_parts_of_two_cycles() -> None:
    net = network(np.ones((5, 5)), None)  # nodes 0 … 5
    links = links_between(net, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    assert connected_parts(net, links).tolist() == [[True] * 3 + [False] * 3, [False] * 3 + [True] * 3]


def test_parts_are_cuts() -> None:
    net = network(np.ones((5, 5)), None)
    links = links_between(net, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    assert violated_cuts(net, links, np.ones(6)).tolist() == [[True] * 3 + [False] * 3]


def test_least_cut_between_two_halves_joined_by_too_little() -> None:
    # Two triangles of whole links but for one side each, which are halves, joined by two halves: 1 where 2 are needed.
    net = network(np.ones((5, 5)), None)
    pairs = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3), (0, 5)]
    share = np.array([1.0, 1.0, 0.5, 1.0, 1.0, 0.5, 0.5, 0.5])
    (cut,) = violated_cuts(net, links_between(net, pairs), share)
    assert cut.tolist() in ([True] * 3 + [False] * 3, [False] * 3 + [True] * 3)


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_tour_keeps_all_cuts(symmetric: bool) -> None:
    distances = np.ones((6, 6))
    if not symmetric:
        distances[0, 1] = 2
    net = network(distances, None)
    links = net.links_of([3, 1, 0, 2, 5, 4])
    assert len(connected_parts(net, links)) == 1
    assert violated_cuts(net, links, np.ones(len(links))).shape == (0, 7)


def test_directed_cut_is_found() -> None:
    # 0 ⇄ 1 and 2 ⇄ 3 with a tenth of the way between them: 0.1 leaves {0, 1}, where 1 must.
    distances = np.ones((4, 4))
    distances[0, 1] = 2
    net = network(distances, 0)
    pairs = [(0, 1), (1, 0), (2, 3), (3, 2), (1, 2), (3, 0)]
    (cut,) = violated_cuts(net, links_between(net, pairs), np.array([1.0, 0.9, 1.0, 0.9, 0.1, 0.1]))
    assert cut.tolist() == [True, True, False, False]
