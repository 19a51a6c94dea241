"""Items and texts swapped between two metrics: known answers by enumeration, each swap written out, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.coefficients import Coefficient
from textassay.meta.metric_differences import Agreement, Level
from textassay.meta.metric_swaps import all_swaps, on_one_scale
from textassay.meta.text_swaps import swap_items, swap_texts

X = np.array([[0.63, -0.31, 0.46], [-0.66, -0.36, -0.38], [-1.2, 0.49, -0.47]]).T
Y = np.array([[0.01, 0.48, 0.45], [0.67, -0.1, -0.42], [-0.08, -1.69, -1.45]]).T
Z = np.array([[-1.01, -1.15, 0.63], [-1.24, -0.56, 1.11], [-0.96, 0.98, -1.17]]).T
"""3 inputs × 3 systems; X and Y are metrics, Z is people (Deutsch et al. 2021)."""


@pytest.mark.parametrize(
    ("swap", "level", "two_sided", "greater", "swaps"),
    [
        (swap_items, "texts", 0.5, 0.25, 8),
        (swap_items, "systems", 0.25, 1.0, 8),
        (swap_texts, "texts", 0.2109375, 0.10546875, 512),
        (swap_texts, "systems", 0.23046875, 0.88671875, 512),
    ],
)
def test_known_answers(swap: type, level: Level, two_sided: float, greater: float, swaps: int) -> None:
    # PERM-INPUTS and PERM-BOTH (every text by itself) by full enumeration; scores standardised over the whole matrix
    agreement = Agreement("pearson", level)
    found = swap(Z, X, Y, agreement)
    assert found.difference == pytest.approx({"texts": 0.7752172715139902, "systems": -0.7593592961613631}[level])
    assert (found.p, found.exact, found.resamples) == (pytest.approx(two_sided), True, swaps)
    assert swap(Z, X, Y, agreement, alternative="greater").p == pytest.approx(greater)


@pytest.mark.parametrize(("level", "coefficient"), [("item", "tau-b"), ("systems", "spearman"), ("texts", "pearson")])
def test_every_swap_of_items_with_gaps_is_what_it_is_alone(level: Level, coefficient: Coefficient) -> None:
    random = np.random.Generator(np.random.PCG64(6))
    people, first, second = random.normal(size=(3, 5, 6))
    people[random.random(people.shape) < 0.1] = np.nan
    agreement = Agreement(coefficient, level)
    a, b = (on_one_scale(np.where(np.isnan(people), np.nan, side), "standardised") for side in (first, second))
    own = abs(agreement.value(people, a) - agreement.value(people, b))
    beyond = 0
    for swap in all_swaps(5)[:, :, None]:
        sides = np.where(swap, b, a), np.where(swap, a, b)
        moved = [agreement.value(people, side) for side in sides]
        beyond += abs(moved[0] - moved[1]) >= own - 1e-10
    assert swap_items(people, first, second, agreement).p == pytest.approx(beyond / 32)


def test_many_are_drawn() -> None:
    random = np.random.Generator(np.random.PCG64(6))
    people, first, second = random.normal(size=(3, 8, 3))
    exact = swap_items(people, first, second)
    agreement = Agreement("pearson", "systems", draws=999)
    drawn = swap_texts(people, first, second, agreement)
    assert (exact.exact, exact.resamples) == (True, 256)
    assert (drawn.exact, drawn.resamples, drawn.least_p) == (False, 999, 1 / 1000)
    assert drawn.p == swap_texts(people, first, second, agreement).p
    assert 0 < drawn.p <= 1


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="swapping texts compares agreement of all texts or of systems' means"):
        swap_texts(Z, X, Y, Agreement("pearson"))
    with pytest.raises(UsageError, match="swapping items compares agreement of all texts by pearson only"):
        swap_items(Z, X, Y, Agreement("tau-b", "texts"))
