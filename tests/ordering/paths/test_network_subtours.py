"""Cuts that a choice of links does not keep."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.ordering.paths.network import connected_parts, network, violated_cuts


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
