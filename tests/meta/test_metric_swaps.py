"""The agreement with some systems' scores swapped, against each swap written out."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from textassay.meta.coefficients import Coefficient, grouped
from textassay.meta.metric_swaps import all_swaps, figures_by_swap, on_one_scale, pooled_figures_by_swap
from textassay.stats.samples import FloatArray


def three(kind: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    random = np.random.Generator(np.random.PCG64(8))
    people = random.integers(0, 4, (6, 4)).astype(float)
    metrics = random.integers(0, 4, (2, 6, 4)).astype(float) if "tied" in kind else random.normal(size=(2, 6, 4))
    if "gaps" in kind:
        people[random.random(people.shape) < 0.2] = np.nan
        metrics[random.random(metrics.shape) < 0.15] = np.nan
    return people, metrics[0], metrics[1]


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@pytest.mark.parametrize("kind", ["continuous", "tied", "gaps", "tied, gaps"])
def test_every_swap_is_what_it_is_alone(kind: str, coefficient: Coefficient) -> None:
    people, first, second = three(kind)
    swaps = all_swaps(4)
    expected = [grouped(people, np.where(swap, second, first), "item", coefficient).mean for swap in swaps]
    assert figures_by_swap(people, first, second, coefficient, swaps) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["continuous", "gaps"])
def test_all_texts_together(kind: str) -> None:
    people, first, second = three(kind)
    swaps = all_swaps(4)
    expected = [grouped(people, np.where(swap, second, first), None, "pearson").mean for swap in swaps]
    assert pooled_figures_by_swap(people, first, second, swaps) == pytest.approx(expected, abs=1e-12)


def test_scales() -> None:
    scores = np.array([[1.0, 5.0], [np.nan, 3.0]])
    standardised = on_one_scale(scores, "standardised")
    assert (np.nanmean(standardised), np.nanstd(standardised)) == (pytest.approx(0), pytest.approx(1))
    assert on_one_scale(scores, "ranked") == pytest.approx(np.array([[1, 3], [np.nan, 2]]), nan_ok=True)
    assert on_one_scale(np.full((2, 2), 7.0), "standardised").tolist() == [[0, 0], [0, 0]]


def test_the_complement_of_the_first_swap_is_the_last() -> None:
    swaps = all_swaps(5)
    assert len(np.unique(swaps, axis=0)) == 32
    assert np.array_equal(~swaps, swaps[::-1])
