from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats import mantel_haenszel
from textassay.stats.categorical import mantel_haenszel as module

CASES = json.loads((Path(__file__).parents[2] / "golden" / "mantel_haenszel.json").read_text(encoding="utf-8"))["cases"]


def test_p_by_draws_is_near_the_exact_one_of_r() -> None:
    two = next(case for case in CASES if case["id"] == "two_groups")
    found = mantel_haenszel(*two["input"].values(), draws=20_000)
    assert found.p == pytest.approx(two["expect"]["p"], abs=0.005)  # three standard errors


def test_strata_that_are_all_yes_or_all_no_count_in_rates_only() -> None:
    alone = mantel_haenszel([1, 0, 0, 0], ["a", "b", "a", "b"], [1, 1, 1, 1])
    more = mantel_haenszel([1, 0, 0, 0, 1, 1, 0, 0], ["a", "b"] * 4, [1, 1, 1, 1, 2, 2, 3, 3])
    assert (more.chi2, more.df, more.strata) == (alone.chi2, alone.df, 1)
    assert [(rate.name, rate.n, rate.count) for rate in more.rates] == [("a", 4, 2), ("b", 4, 1)]


def test_an_observation_may_belong_to_several_groups() -> None:
    # Of three trials with (a b), (a c), (b c) the first is missing: U = (1, 1, 0) - 2/3, and all three ways are alike.
    found = mantel_haenszel([1, 0, 0], [("a", "b"), ("a", "c"), ("b", "c")], [1, 1, 1])
    assert found.p == 1
    assert [rate.rate for rate in found.rates] == [0.5, 0.5, 0]


@pytest.mark.parametrize("groups", [["a"] * 4, [("a", "b")] * 4])
def test_without_groups_that_differ_there_is_no_p(groups: list[str]) -> None:
    found = mantel_haenszel([1, 0, 0, 1], groups, [1, 1, 2, 2])
    assert math.isnan(found.p)
    assert found.df == 0
    assert found.warnings == ("no p: no stratum has both a yes and a no for groups that differ",)


def test_very_many_observations_have_the_p_of_chi2(monkeypatch: pytest.MonkeyPatch) -> None:
    three = next(case for case in CASES if case["id"] == "three_groups")
    monkeypatch.setattr(module, "_LARGEST", 0)
    found = mantel_haenszel(*three["input"].values())
    assert found.p == pytest.approx(0.616392731327227)  # R 4.2.2, mantelhaen.test
    assert found.settings["p"] == "χ²"


def test_draws_follow_the_seed() -> None:
    outcomes, groups, strata = np.tile([1, 0, 0, 1, 0], 6), np.tile(list("abc"), 10), np.repeat(range(3), 10)
    one, same, other = (mantel_haenszel(outcomes, groups, strata, draws=99, seed=seed).p for seed in (1, 1, 2))
    assert one == same != other


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="outcomes must be 0 or 1"):
        mantel_haenszel([0, 2], ["a", "b"], [1, 1])
    with pytest.raises(UsageError, match="draws"):
        mantel_haenszel([0, 1], ["a", "b"], [1, 1], draws=0)
