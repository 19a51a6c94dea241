"""CV* against published figures, its interval against the noncentral t to many digits, and what is refused."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats import cv_star

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "cv_star.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_published_figures(case):
    found = cv_star(case["input"]["values"])
    assert found.cv == pytest.approx(case["expect"]["cv"], abs=5e-7)
    assert found.ci == pytest.approx(case["expect"]["ci"], rel=1e-10)


def test_by_hand():
    """Two runs, 4 and 6: s = √2, c₄(2) = √(2/π), so that 112.5 · √π / 5."""
    found = cv_star([4, 6])
    assert found.cv == pytest.approx(112.5 * math.sqrt(math.pi) / 5)
    assert found.sd == pytest.approx(math.sqrt(math.pi))
    assert (found.mean, found.n) == (5, 2)
    assert found.ci[1] == math.inf
    assert "two measurements" in found.warnings[0]


def test_units_do_not_matter_but_the_beginning_of_the_scale_does():
    values = np.array([3.1, 4.0, 3.6])
    assert cv_star(values * 7).cv == pytest.approx(cv_star(values).cv)
    assert cv_star(values, begins=1).cv == pytest.approx(cv_star(values - 1).cv)
    assert cv_star(values, begins=1).cv > cv_star(values).cv


def test_equal_measurements():
    found = cv_star([2.5, 2.5, 2.5])
    assert found.cv == 0
    assert all(math.isnan(end) for end in found.ci)
    assert found.warnings == ("all measurements are the same, so CV* has no interval",)


def test_what_is_refused():
    with pytest.raises(DataError, match="two measurements or more; got 1"):
        cv_star([3])
    with pytest.raises(DataError, match="from 4 on it is -1: say in 'begins'"):
        cv_star([2, 4], begins=4)
    with pytest.raises(DataError, match="values"):
        cv_star([1, math.nan])
    with pytest.raises(UsageError, match="confidence"):
        cv_star([1, 2], confidence=2)


def test_record():
    (record,) = cv_star([4, 6, 5], begins=1).records()
    assert (record["statistic"], record["n"], record["mean"]) == ("CV*", 3, 4)
