"""What the tables of papers have in common: figures as records, numbers as printed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.analysis.published_metrics import PublishedFigure, PublishedFigures, decimals, plain_correlation


def test_p_is_marked_as_liberal_in_records() -> None:
    figures = PublishedFigure("Table 2", "pearson", 0.4, "bleu", p=0.01, n=9), PublishedFigure("1", "mean", 3.0, "bleu")
    first, second = PublishedFigures(method="m", figures=figures).records()
    assert (first["p"], first["n"], first["note"]) == (0.01, 9, "as published; liberal")
    assert (second["p"], second["n"], second["note"]) == (None, None, "")


def test_correlation_of_complete_pairs() -> None:
    x, y = np.array([1, 2, 3, 4, math.nan]), np.array([2, 1, 4, 3, 9.0])
    assert plain_correlation(x, y, "pearson")[::2] == pytest.approx((0.6, 4))  # Σ products 3, Σ squares 5 and 5
    assert math.isnan(plain_correlation(x[3:], y[3:], "spearman")[0])


def test_c09s_p_follows_from_r() -> None:
    # r = .424 with n = 52: p = .0017, published
    random = np.random.Generator(np.random.PCG64(1))
    x = random.normal(size=52)
    x = (x - x.mean()) / x.std()
    other = random.normal(size=52)
    other -= other.mean() + x * (other @ x) / 52
    other /= other.std()
    found = plain_correlation(x, 0.424 * x + math.sqrt(1 - 0.424**2) * other, "pearson")
    assert found == pytest.approx((0.424, 0.0017, 52), abs=5e-5)


@pytest.mark.parametrize(("value", "shown"), [(-0.0049, ".00"), (-0.506, "−.51"), (0.999, "1.00"), (-1, "−1.00")])
def test_numbers_as_printed(value: float, shown: str) -> None:
    assert decimals(value) == shown
