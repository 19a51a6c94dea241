"""Raters who are all alike."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.meta.exchangeable_raters import (
    category_agreement,
    exchangeable_categories,
    exchangeable_numbers,
    intraclass,
)
from textassay.seeds import Stream
from textassay.stats import fleiss_kappa, icc

CATEGORIES = np.array([[0, 0, 1, 1, 2, 2, 0, 1], [0, 0, 1, 1, 2, 0, 0, 1], [0, 1, 1, 1, 2, 2, 0, 0.0]])
NUMBERS = np.array([[1, 2, 3, 4, 5, 5, 2], [2, 2, 3, 5, 4, 5, 1], [1, 3, 3, 4, 5, 4, 2.0]])


def form(name: str, ratings: np.ndarray) -> float:
    return next(each.icc for each in icc(ratings).forms if each.name == name)


def test_agreement_as_fleiss() -> None:
    assert category_agreement(CATEGORIES)[2] == pytest.approx(fleiss_kappa(CATEGORIES).kappa)
    assert category_agreement(np.ones((2, 3)))[2] == 1


def test_intraclass_as_icc() -> None:
    assert intraclass(NUMBERS) == pytest.approx(form("ICC1", NUMBERS))
    assert intraclass(np.ones((2, 3))) == 1
    gaps = NUMBERS.copy()
    gaps[0, 0] = np.nan
    assert 0.5 < intraclass(gaps) < 1


def test_categories_are_as_frequent_and_agree_as_much() -> None:
    drawn = exchangeable_categories(CATEGORIES, Stream(1, "test"), raters=4, copies=2000)
    assert drawn.shape == (2000, 4, 8)
    _, shares, kappa = category_agreement(CATEGORIES)
    _, found, agreement = category_agreement(drawn.transpose(1, 0, 2).reshape(4, -1))
    assert found == pytest.approx(shares, abs=0.02)
    assert agreement == pytest.approx(kappa, abs=0.02)
    first, last = (category_agreement(drawn[:, pair].transpose(1, 0, 2).reshape(2, -1))[2] for pair in ([0, 1], [2, 3]))
    assert first == pytest.approx(last, abs=0.04)  # the last as much as the first, so that all are alike


def test_numbers_are_as_frequent_and_agree_as_much() -> None:
    drawn = exchangeable_numbers(NUMBERS, Stream(1, "test"), raters=3, copies=3000)
    assert drawn.shape == (3000, 3, 7)
    assert set(np.unique(drawn)) == set(np.unique(NUMBERS))
    assert drawn.mean() == pytest.approx(NUMBERS.mean(), abs=0.03)
    assert intraclass(drawn.transpose(1, 0, 2).reshape(3, -1)) == pytest.approx(intraclass(NUMBERS), abs=0.02)


def test_raters_who_do_not_agree_are_drawn_independently() -> None:
    against = np.array([[0, 1, 0, 1], [1, 0, 1, 0.0]])
    drawn = exchangeable_categories(against, Stream(1, "test"), raters=2, copies=4000)
    assert np.mean(drawn[:, 0] == drawn[:, 1]) == pytest.approx(0.5, abs=0.02)
    numbers = exchangeable_numbers(against, Stream(1, "test"), raters=2, copies=4000)
    assert np.mean(numbers[:, 0] == numbers[:, 1]) == pytest.approx(0.5, abs=0.02)


def test_raters_who_always_agree() -> None:
    same = np.array([[0, 1, 2], [0, 1, 2.0]])
    drawn = exchangeable_categories(same, Stream(1, "test"), raters=3, copies=50)
    assert np.all(drawn[:, 0] == drawn[:, 1])
