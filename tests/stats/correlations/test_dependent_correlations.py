"""Steiger, Meng and Hittner against R's cocor, by simulation, under exchange, and where they are undefined."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import hittner, meng, steiger, williams

FOLDER = Path(__file__).parents[2] / "golden"
TESTS = {"steiger": steiger, "meng": meng, "hittner": hittner}
EACH = pytest.mark.parametrize("compare", TESTS.values(), ids=TESTS)


@pytest.mark.parametrize("name", TESTS)
def test_equals_r(name):
    (case,) = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["cases"]
    result = TESTS[name](**case["input"])
    assert result.value == pytest.approx(case["expect"]["z"], rel=1e-12)
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-12)
    assert (result.df, result.statistic, result.difference) == (None, "z", pytest.approx(0.15))
    one_sided = TESTS[name](**case["input"], alternative="greater").p
    assert one_sided == pytest.approx(case["expect"]["p"] / 2, rel=1e-12)


@EACH
@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(0.1, 0.7), st.integers(5, 200))
def test_exchange_mirrors(compare, r12, r13, r23, n):
    try:
        before = compare(r12, r13, r23, n)
    except DataError:  # no three variables have these correlations
        return
    after = compare(r13, r12, r23, n)
    assert (after.value, after.p) == pytest.approx((-before.value, before.p), nan_ok=True)


@EACH
def test_agrees_with_williams_in_large_samples(compare):
    assert compare(0.50, 0.48, 0.6, 2_000).p == pytest.approx(williams(0.50, 0.48, 0.6, 2_000).p, rel=0.01)


@EACH
def test_level_under_the_null_hypothesis(compare):
    # 3,000 samples of 40 with equal correlations: the share below .05 lies within 4 standard errors.
    generator = np.random.Generator(np.random.PCG64(9))
    root = np.linalg.cholesky([[1, 0.5, 0.5], [0.5, 1, 0.6], [0.5, 0.6, 1]])
    found = [np.corrcoef(sample.T) for sample in generator.normal(size=(3_000, 40, 3)) @ root.T]
    p = np.array([compare(r[0, 1], r[0, 2], r[1, 2], 40).p for r in found])
    assert abs(np.mean(p < 0.05) - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 3_000)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "reason"),
    [
        (0.5, 0.4, 0.3, 3, "at least 4 observations, got 3"),
        (1.0, 0.5, 0.5, 20, "a perfect correlation has no Fisher z"),
        (0.5, 0.5, 1.0, 20, "the two variables are the same"),
    ],
)
@EACH
def test_undefined_is_nan_with_its_reason(compare, r12, r13, r23, n, reason):
    result = compare(r12, r13, r23, n)
    assert math.isnan(result.value)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


@EACH
def test_what_cannot_be_is_refused(compare):
    with pytest.raises(DataError, match="no three variables"):
        compare(0.9, -0.9, 0.9, 30)
    with pytest.raises(DataError, match="r13 must be a correlation"):
        compare(0.1, 2, 0.2, 30)
    with pytest.raises(UsageError, match="alternative"):
        compare(0.5, 0.1, 0.2, 30, alternative="one")
