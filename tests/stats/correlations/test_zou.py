"""Zou's interval against R's cocor, its coverage, under exchange, and where it is undefined."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats import zou

(CASE,) = json.loads((Path(__file__).parents[2] / "golden" / "zou.json").read_text("utf-8"))["cases"]


def test_equals_r():
    result = zou(**CASE["input"])
    assert result.ci == pytest.approx(CASE["expect"]["ci"], rel=1e-12)
    assert result.difference == pytest.approx(0.15)


def test_exchange_mirrors_and_confidence_widens():
    ci, mirrored = zou(0.7, 0.4, 0.3, 40).ci, zou(0.4, 0.7, 0.3, 40).ci
    assert mirrored == pytest.approx((-ci[1], -ci[0]))
    wide = zou(0.7, 0.4, 0.3, 40, confidence=0.99).ci
    assert wide[0] < ci[0] < 0.3 < ci[1] < wide[1]


def test_coverage():
    # 2,000 samples of 50: the share of intervals that hold the true difference lies within 4 standard errors.
    generator = np.random.Generator(np.random.PCG64(10))
    root = np.linalg.cholesky([[1, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]])
    found = [np.corrcoef(sample.T) for sample in generator.normal(size=(2_000, 50, 3)) @ root.T]
    held = [low <= 0.3 <= high for low, high in (zou(r[0, 1], r[0, 2], r[1, 2], 50).ci for r in found)]
    assert abs(np.mean(held) - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 2_000)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "reason"),
    [
        (0.5, 0.4, 0.3, 3, "at least 4 observations"),
        (1.0, 0.5, 0.5, 20, "perfect correlation"),
        (0.5, 0.5, 1.0, 20, "the two variables are the same"),
    ],
)
def test_undefined_is_nan_with_its_reason(r12, r13, r23, n, reason):
    result = zou(r12, r13, r23, n)
    assert math.isnan(result.ci[0])
    assert math.isnan(result.ci[1])
    assert reason in result.warnings[0]


def test_what_cannot_be_is_refused():
    with pytest.raises(DataError, match="no three variables"):
        zou(0.9, -0.9, 0.9, 30)
    with pytest.raises(DataError, match="whole number"):
        zou(0.5, 0.4, 0.3, 30.5)
    with pytest.raises(UsageError, match="confidence"):
        zou(0.5, 0.4, 0.3, 30, confidence=2)
