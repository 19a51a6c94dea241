"""Held and Karp's paths against trying all."""

from __future__ import annotations

import pytest
from brute_paths import least_cost, random_distances

from textassay.ordering.paths.shortest_path import best_path, path_cost


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_equal_to_trying_all(n: int, symmetric: bool) -> None:
    for seed in range(10):
        distances = random_distances(n, seed, symmetric=symmetric)
        for start in (None, *range(n)):
            order = best_path(distances, start)
            assert sorted(order) == list(range(n))
            assert start is None or order[0] == start
            assert path_cost(distances, order) == pytest.approx(least_cost(distances, start), abs=1e-12)


def test_twin_gives_the_same_path(monkeypatch: pytest.MonkeyPatch) -> None:
    distances = random_distances(10, 3, symmetric=False)
    found = best_path(distances, None), best_path(distances, 4)
    monkeypatch.setenv("TEXTASSAY_KERNELS", "python")
    assert (best_path(distances, None), best_path(distances, 4)) == found
