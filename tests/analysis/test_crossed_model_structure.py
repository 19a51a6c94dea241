"""What each test does where items or participants are nested in systems, and where the design falls into parts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.crossed_logistic import crossed_logistic
from textassay.analysis.crossed_model import apart, crossed_model, of_systems
from textassay.analysis.leading_test import leading_p, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.ordinal_systems import ordinal_systems
from textassay.analysis.subjects_items import subjects_items


def answers(design: str, effect: float = 0.0) -> pd.DataFrame:
    """Answers of 12 people to 12 items of 4 systems: normal, on a scale from 1 to 5, and yes or no."""
    random = np.random.default_rng(1)
    person, item = np.divmod(np.arange(144), 12)
    system = {
        "items nested": item % 4,
        "participants nested": person % 4,
        "parts that share items": 2 * (person % 2) + (person // 2 + item) % 2,
        "parts that share nothing": 2 * (person % 2) + (person // 2 + item // 2) % 2,
    }[design]
    y = random.normal(size=12)[person] + random.normal(size=12)[item] + random.normal(size=144) + effect * system
    frame = pd.DataFrame({"participant": person, "item": item, "system": system, "value": y}).astype(
        {"participant": str, "item": str, "system": str}
    )
    frame = frame.assign(rated=np.clip(np.round(y + 3), 1, 5), yes=(y > y.mean()) * 1.0)
    return frame[item % 2 == person % 2] if design == "parts that share nothing" else frame


@pytest.mark.parametrize(
    ("nested", "crossed"), [("item", "participant"), ("participant", "item")], ids=["items", "participants"]
)
def test_nested_units_are_the_error_of_systems(nested: str, crossed: str) -> None:
    # Balanced, so that the mixed model's F is that of the analysis of variance, and the leading test's as well. The 3
    # nested units of a system have 2 degrees of freedom: 8 in all if their variances are equal, 2 at worst.
    frame = answers(f"{nested}s nested")
    found = leading_test(frame, "value", of="clarity", options=RecipeOptions()).general
    model = crossed_model(frame, "value", of="clarity").model
    assert model is not None
    assert found.settings["nested in systems"] == f"{nested}s"
    assert found.f == pytest.approx(model.test("system").f, rel=1e-6)
    assert 2 < found.df[1] < 9
    assert 8 <= model.test("system").df[1] < 10
    assert len(found.pairs) == 6
    assert not any(math.isnan(pair.p) for pair in found.pairs)
    assert leading_p(answers(f"{nested}s nested", 2.0), "value") < 0.01  # power asks for the same
    by = {line.test: line for line in subjects_items(frame, "value", of="clarity", alpha=None).lines}
    assert by["F2" if nested == "item" else "F1"].df == (3, 8)  # between them
    assert by["F1" if nested == "item" else "F2"].df == (3, 33)  # within them
    assert by["min F′"].p > 0.05
    # which the logistic and the cumulative link model have in common with the linear one
    assert set(of_systems(frame).groupings) == {"participant", "item", f"{crossed} × system"}


@pytest.mark.parametrize("design", ["parts that share items", "parts that share nothing"])
def test_systems_of_different_parts_are_not_compared(design: str) -> None:
    frame = answers(design)
    found = leading_test(frame, "value", of="clarity", options=RecipeOptions())
    assert math.isnan(found.general.p)
    assert "the design falls into parts that share no participant, or no item" in found.warnings[0]
    assert [(pair.first, pair.second) for pair in found.general.pairs] == [("0", "1"), ("2", "3")]
    assert math.isnan(leading_p(frame, "value"))
    why = "the design falls into parts that share no participant (0, 1 | 2, 3), and their systems are not compared"
    assert crossed_model(frame, "value", of="v").warnings == (f"no mixed model on system: {why}",)
    assert crossed_logistic(frame, "yes", of="v").warnings == (f"no logistic mixed model: {why}",)
    assert ordinal_systems(frame, "rated", of="v").warnings == (f"no cumulative link model: {why}",)
    lines = {line.test for line in subjects_items(frame, "value", of="v", alpha=None).lines}
    assert not lines & {"F1", "min F′"}


def test_a_chain_of_participants_holds_a_design_together() -> None:
    rows = [("p", "i", "a"), ("p", "j", "b"), ("q", "i", "c"), ("q", "j", "d"), ("r", "i", "b"), ("r", "j", "c")]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system"])
    assert apart(frame) == ""
    assert "participant (a, b | c, d)" in apart(frame[frame["participant"] != "r"])
    items = frame.assign(participant=[*"uvwxyz"], item=frame["participant"])  # compared between participants
    assert apart(items) == ""
    assert "item (a, b | c, d)" in apart(items[items["item"] != "r"])
