"""The quick F of contrasts: that of the mixed model in complete designs, and its level where they are not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.analysis.contrast_models import contrast_f
from textassay.stats import contrast_model, one_sample_t


def drawn(seed: int, *, taste: float = 1.0, text: float = 1.0, gap: float = 0.0, share: float = 1.0) -> dict[str, Any]:
    """8 people who judge all pairs of 3 systems on 6 items, or a share of those trials."""
    draw = np.random.default_rng(seed)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    person, item, pair = (part.ravel() for part in np.indices((8, 6, 3)))
    kept = np.flatnonzero(draw.random(person.size) < share)
    person, item, pair = person[kept], item[kept], pair[kept]
    contrasts = np.zeros((len(kept), 3))
    rows = np.arange(len(kept))
    contrasts[rows, pairs[pair, 0]], contrasts[rows, pairs[pair, 1]] = -1, 1
    places = gap * np.arange(3) + taste * draw.normal(size=(8, 3))[person] + text * draw.normal(size=(6, 3))[item]
    values = np.sum(contrasts * places, axis=1) + draw.normal(size=len(kept))
    return {"values": values, "contrasts": contrasts, "participant": person, "item": item}


def p_of(data: dict[str, Any], *groupings: str) -> float:
    return contrast_f(data["values"], data["contrasts"], [data[name] for name in groupings])


@given(seed=st.integers(0, 10**6), groupings=st.sampled_from([("participant", "item"), ("participant",), ("item",)]))
@settings(max_examples=12)
def test_of_a_complete_design_it_is_the_mixed_model(seed: int, groupings: tuple[str, ...]) -> None:
    data = drawn(seed)
    model = contrast_model(data["values"], data["contrasts"], {name: data[name] for name in groupings})
    if not model.singular:
        assert p_of(data, *groupings) == pytest.approx(model.test.p, rel=1e-5)


def test_of_two_systems_by_one_grouping_it_is_the_t_test_of_means() -> None:
    draw = np.random.default_rng(3)
    person = np.repeat(np.arange(9), 4)
    values = 0.5 + draw.normal(size=9)[person] + 0.3 * draw.normal(size=36)
    means = values.reshape(9, 4).mean(axis=1)
    assert contrast_f(values, np.tile([-1.0, 1.0], (36, 1)), [person]) == pytest.approx(one_sample_t(means).p)


def test_covariate_is_taken_out() -> None:
    data = drawn(4)
    side = np.random.default_rng(4).choice([-1.0, 1.0], size=len(data["values"]))
    moved = {**data, "values": data["values"] + 100 * side}
    given_side = contrast_f(moved["values"], data["contrasts"], [data["participant"], data["item"]], side)
    assert given_side == pytest.approx(p_of(data, "participant", "item"), rel=0.2)
    assert p_of(moved, "participant", "item") > given_side


@given(seed=st.integers(0, 10**6), order=st.permutations(range(3)), scale=st.floats(0.01, 100))
@settings(max_examples=12)
def test_names_turns_and_units_change_nothing(seed: int, order: list[int], scale: float) -> None:
    data = drawn(seed, share=0.7)
    sign = np.random.default_rng(seed).choice([-1.0, 1.0], size=len(data["values"]))
    turned = {
        **data,
        "values": scale * sign * data["values"],
        "contrasts": sign[:, None] * data["contrasts"][:, order],
        "participant": 100 - data["participant"],
    }
    expected = p_of(data, "participant", "item")
    assert p_of(turned, "participant", "item") == pytest.approx(expected, rel=1e-6, nan_ok=True)


def test_level_and_power_with_gaps() -> None:
    # Of 200 studies without a difference at most 20 are beyond .05 with probability .998 (binomial, 200, .05); with
    # systems a residual standard deviation apart most are.
    alike = [p_of(drawn(seed, taste=0.5, text=0.5, share=0.6), "participant", "item") for seed in range(200)]
    apart = [p_of(drawn(seed, taste=0.5, text=0.5, gap=1.0, share=0.6), "participant", "item") for seed in range(50)]
    assert sum(p < 0.05 for p in alike) <= 20
    assert sum(p < 0.05 for p in apart) > 35


def test_where_nothing_is_left_the_mean_squares_are_added() -> None:
    # Squares of the mean 7²/3; by people 3²/2 + 4², by items 5²/2 + 2², each less 7²/3 on 1 df: of 3 values all.
    values, contrasts = np.array([1.0, 2.0, 4.0]), np.tile([-1.0, 1.0], (3, 1))
    people, items = np.array([0, 0, 1]), np.array([0, 1, 0])
    by_people, by_items = 20.5 - 49 / 3, 16.5 - 49 / 3
    error = by_people + by_items
    expected = scipy.stats.f.sf(49 / 3 / error, 1, error**2 / (by_people**2 + by_items**2))
    assert contrast_f(values, contrasts, [people, items]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "contrasts", "groupings"),
    [
        (np.zeros(0), np.zeros((0, 2)), [np.zeros(0, dtype=int)]),
        (np.ones(4), np.zeros((4, 2)), [np.array([0, 0, 1, 1])]),
        (np.ones(4), np.tile([-1.0, 1.0], (4, 1)), [np.zeros(4, dtype=int)]),
    ],
    ids=["no values", "nothing compared", "one participant"],
)
def test_undefined(values: Any, contrasts: Any, groupings: Any) -> None:
    assert math.isnan(contrast_f(values, contrasts, groupings))
