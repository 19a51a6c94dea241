"""The integer program from a bad path and without any cut: it must find its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from brute_paths import least_cost, random_distances

from textassay.ordering.paths import integer_program
from textassay.ordering.paths.integer_program import Relaxed, proved_path, relaxation
from textassay.ordering.paths.network import network
from textassay.ordering.paths.shortest_path import path_cost


def nothing_known(links: int, nodes: int) -> Relaxed:
    return Relaxed(-np.inf, np.zeros(links), np.zeros((0, nodes), dtype=bool))


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
