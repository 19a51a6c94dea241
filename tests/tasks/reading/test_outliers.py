"""The replacement of outliers against R, and what the rule can never do."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.tasks.reading.outliers import can_replace, replace_outliers

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "outlier_replacement.json").read_text(encoding="utf-8"))


def test_equals_r() -> None:
    # R 4.2.2: pmin(pmax(rt, m - 2.5 s), m + 2.5 s) for each subject, s = sd(rt), one pass
    found = replace_outliers(GOLDEN["input"]["rt"], GOLDEN["input"]["subject"], 2.5)
    expected = GOLDEN["expect"]
    np.testing.assert_allclose(found.values, expected["replaced"], rtol=1e-14)
    assert found.n == expected["n_replaced"] == 2
    assert found.n / len(expected["replaced"]) == pytest.approx(expected["fraction"])
    assert found.powerless == ()


@given(st.lists(st.floats(0, 1e5), min_size=1, max_size=40), st.floats(0.5, 4))
def test_no_value_lies_further_out_than_the_limit_allows(values: list[float], k: float) -> None:
    n = len(values)
    found = replace_outliers(values, ["p"] * n, k)
    if not can_replace(n, k):
        assert found.powerless == ("p",)
        assert found.n == 0
    if n > 1 and (sd := float(np.std(values, ddof=1))) > 0:
        assert np.max(np.abs(values - np.mean(values))) / sd <= (n - 1) / math.sqrt(n) * (1 + 1e-9)


@given(st.integers(2, 200), st.floats(1, 4))
def test_one_value_far_out_is_replaced_wherever_any_can_be(n: int, k: float) -> None:
    # one value apart from n - 1 equal ones lies exactly (n - 1)/√n standard deviations from the mean
    found = replace_outliers([0.0] * (n - 1) + [1.0], ["p"] * n, k)
    limit = (n - 1) / math.sqrt(n)
    if abs(limit - k) > 1e-9:
        assert found.n == (1 if limit > k else 0)


def test_participants_are_looked_at_one_by_one() -> None:
    times = [100.0] * 9 + [400.0] + [1000.0] * 3
    found = replace_outliers(times, ["a"] * 10 + ["b"] * 3, 2.5)
    assert found.replaced.tolist() == [False] * 9 + [True] + [False] * 3
    assert found.powerless == ("b",)  # 2/√3 = 1.155
