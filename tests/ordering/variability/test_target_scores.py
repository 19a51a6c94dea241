from __future__ import annotations

import math

import pytest

from textassay.errors import DataError
from textassay.ordering import GivenOrder, reorderings, target_scores

SHIFTED = ["2 3 4 5 6 1"] * 3 + ["6 1 2 3 4 5"] * 3


def test_worked_example_of_the_paper() -> None:
    # Madnani et al. (2007), Figure 3: means 4 2 3 4 5 3; its coefficients by scipy 1.15. No sentence is in its place:
    # kappa = (0 - 1/6) / (5/6) = -1/5.
    people = reorderings(GivenOrder("s", f"p{k}", order.split(), "O") for k, order in enumerate(SHIFTED))
    (score,) = target_scores(people, {"O": {"s": "123456"}}).scores
    assert score.values == pytest.approx({"kappa": -0.2, "r": 0.2548, "rho": 0.2060, "tau": 0.2148}, abs=5e-5)
    assert (score.text, score.condition, score.target, score.orders) == ("s", "O", "O", 6)


def test_every_text_condition_and_target() -> None:
    given = [GivenOrder(item, f"{by}{c}", "abc", c) for item in "st" for by in "pq" for c in "xy"]
    found = target_scores(reorderings(given), {"one": {"s": "abc", "t": "cba"}, "other": {"s": "bac"}})
    assert len(found.scores) == 2 * 2 + 2
    assert found.targets == ("one", "other")
    assert "target other has no order of 1 of 2 texts" in found.warnings
    assert len(found.records()) == 4 * 6
    (reverse,) = [s for s in found.scores if (s.text, s.condition, s.target) == ("t", "x", "one")]
    assert reverse.values["tau"] == pytest.approx(-1)


def test_undefined_and_wrong() -> None:
    # means 2 2 2: nothing to correlate with
    people = reorderings([GivenOrder("s", "p", "abc"), GivenOrder("s", "q", "cba")])
    found = target_scores(people, {"T": {"s": "abc"}})
    assert math.isnan(found.scores[0].values["r"])
    assert found.warnings == ("3 score(s) are undefined: all means of a set are equal, or there is one unit only",)
    with pytest.raises(DataError, match=r"text s, target T: orders\[0\]: .*'d'"):
        target_scores(people, {"T": {"s": "abd"}})
