"""Soft pairwise accuracy: known answers by enumeration, the order of systems, gaps and draws."""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.soft_accuracy import soft_accuracy

PEOPLE = np.array(
    [
        [2.1, -0.4, -0.5, -0.8, 0.6, 1.1, -0.1, -0.8],
        [-0.8, 0.7, 0.7, 0.5, -0.7, 0.2, 0.1, 0.2],
        [0.9, 0.2, 0.7, 0.1, 0.3, 0.6, -1.5, -0.3],
    ]
).T
METRIC = np.array(
    [
        [1.6, -1.0, -0.8, 0.7, -0.3, 2.1, -1.8, -1.1],
        [-0.6, 1.3, 1.4, 1.3, -1.0, -0.3, 1.0, 0.0],
        [-0.4, -0.9, -0.2, 0.6, 0.4, 1.3, -1.9, -0.1],
    ]
).T
MODULE = import_module("textassay.meta.soft_accuracy")  # the package has a function of that name
UPPER = np.triu_indices(3, 1)


def test_known_answers_of_the_order_free_form() -> None:
    # all 2⁸ exchanges of each pair
    found = soft_accuracy(PEOPLE, METRIC)
    assert found.value == pytest.approx(0.7819010416666666, abs=1e-12)
    assert found.p_people[UPPER] == pytest.approx([0.474609375, 0.474609375, 0.5234375])
    assert found.p_scores[UPPER] == pytest.approx([0.736328125, 0.416015625, 0.189453125])
    assert (found.exact, found.pairs) == (True, 3)
    assert soft_accuracy(PEOPLE[:, ::-1], METRIC[:, ::-1]).value == pytest.approx(found.value, abs=1e-12)


def test_known_answers_of_the_published_form() -> None:
    found = soft_accuracy(PEOPLE, METRIC, form="published")
    assert found.value == pytest.approx(0.7760416666666666, abs=1e-12)
    assert found.p_people[UPPER] == pytest.approx([0.484375, 0.4921875, 0.546875])
    assert found.p_scores[UPPER] == pytest.approx([0.7421875, 0.42578125, 0.19921875])
    turned = soft_accuracy(PEOPLE[:, ::-1], METRIC[:, ::-1], form="published")
    assert turned.value == pytest.approx(0.7877604166666666, abs=1e-12)
    assert turned.p_people[::-1, ::-1] == pytest.approx(found.p_people, nan_ok=True)


def test_draws_come_near_to_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = soft_accuracy(PEOPLE, METRIC)
    monkeypatch.setattr(MODULE, "_counted", lambda _: None)
    drawn = soft_accuracy(PEOPLE, METRIC, draws=9999)
    assert not drawn.exact
    assert drawn.p_people[UPPER] == pytest.approx(exact.p_people[UPPER], abs=0.02)
    assert drawn.value == pytest.approx(exact.value, abs=0.02)
    turned = soft_accuracy(PEOPLE[:, ::-1], METRIC[:, ::-1], draws=9999)
    assert turned.value == pytest.approx(drawn.value, abs=1e-12)  # order-free with draws too


def test_many_items_with_continuous_scores_are_drawn() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    people = random.integers(1, 6, (300, 3)).astype(float)
    found = soft_accuracy(people, random.normal(size=people.shape), draws=99)
    assert not found.exact
    assert soft_accuracy(people, -people).exact  # whole numbers are counted, however many
    assert soft_accuracy(people, people).value == 1.0


def test_an_item_counts_for_the_pairs_that_share_it() -> None:
    people, nan = PEOPLE.copy(), math.nan
    people[0, 2] = nan
    found = soft_accuracy(people, METRIC)
    alone = soft_accuracy(people[1:, 1:], METRIC[1:, 1:])
    assert found.p_scores[1, 2] == alone.p_scores[0, 1]
    assert found.p_people[0, 1] == pytest.approx(0.474609375)
    apart = soft_accuracy([[1, nan], [nan, 2]], [[1, 2], [1, 2]])
    assert math.isnan(apart.value)
    assert apart.reason == "no two systems share an item with a judgement and a score"


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="form must be one of mid-p, published"):
        soft_accuracy(PEOPLE, METRIC, form="ge")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="draws"):
        soft_accuracy(PEOPLE, METRIC, draws=0)
