"""Three models of one scale: against each other, against closed forms, and where there is nothing to fit."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from preference_data import all_pairs, preferences_by_hand, topline

from textassay.tasks.preference.answers import LEAN, preference_arrays, read_preferences
from textassay.tasks.preference.one_scale import OneScale, model_name, one_scale


def fitted(frame: pd.DataFrame) -> OneScale:
    return one_scale(preference_arrays(read_preferences(frame).main), "clarity", alpha=0.05, confidence=0.95)


@pytest.fixture(scope="module")
def found() -> OneScale:
    return fitted(all_pairs(3, 12, 12, gap=6.0))


def test_all_three_put_the_systems_in_the_order_put_in(found: OneScale) -> None:
    assert found.mixed.model is not None
    assert found.strength is not None
    assert found.wins is not None
    for values in (found.mixed.model.values, found.strength.values, found.wins.values):
        assert list(values) == sorted(values)
    assert model_name(found.strength) == "cumulative link model"
    assert found.strength.settings["random"] == "participant, item"
    assert found.wins.settings["ties"] == "davidson"
    assert found.wins.extra("order effect").name


def test_which_system_is_named_first_makes_no_difference(found: OneScale) -> None:
    frame = all_pairs(3, 12, 12, gap=6.0)
    turned = frame.assign(system_a=frame["system_b"], system_b=frame["system_a"], value=-frame["value"])
    other = fitted(turned)
    assert other.mixed.model is not None
    assert found.mixed.model is not None
    assert other.mixed.model.test.p == pytest.approx(found.mixed.model.test.p, rel=1e-4)
    assert other.strength is not None
    assert found.strength is not None
    assert other.strength.p == pytest.approx(found.strength.p, rel=1e-3)
    assert other.wins is not None
    assert found.wins is not None
    assert other.wins.values == pytest.approx(found.wins.values, rel=1e-6)


def test_plain_choices_are_logistic_and_agree_with_bradley_terry_where_nobody_has_a_taste() -> None:
    # everybody prefers each system to the one before in 2 of 3 trials, whoever and whatever item: log 2 apart
    rows = [
        (f"p{person}", f"i{item}", a, b, 1 if (person + item) % 3 else -1, (a, b)[(person // 3) % 2])
        for person in range(6)
        for item in range(6)
        for a, b in (("x", "y"), ("y", "z"))
    ]
    columns = ["participant", "item", "system_a", "system_b", "value", "left"]
    found = fitted(pd.DataFrame(rows, columns=columns).assign(criterion="clarity"))
    assert found.strength is not None
    assert found.wins is not None
    assert model_name(found.strength) == "logistic mixed model"
    assert found.wins.values == pytest.approx((-math.log(2), 0, math.log(2)), abs=1e-6)
    assert found.strength.values == pytest.approx(found.wins.values, abs=1e-4)
    assert any("logistic mixed model" in text and "variance of 0" in text for text in found.warnings)


def test_separated_data_are_said_and_stop_nothing() -> None:
    # B is preferred every time: its ability is infinite, but by how much it is preferred is known
    frame = preferences_by_hand().assign(value=[4, 2, 1, 3, 5, 2])
    found = fitted(frame)
    assert found.wins is not None
    assert math.isnan(found.wins.p)
    assert any(text.startswith("Bradley–Terry:") and "infinite" in text for text in found.warnings)
    assert found.mixed.model is not None
    assert found.mixed.model.pairs["B", "A"].difference == pytest.approx(np.mean([4, 2, 1, 3, 5, 2]), abs=0.3)


def test_equal_answers_have_no_model_and_that_is_said() -> None:
    found = fitted(preferences_by_hand().assign(value=0))
    assert found.strength is None
    assert any(text.startswith("cumulative link model: there is none") for text in found.warnings)
    assert any(text.startswith("mixed model: there is none") for text in found.warnings)


def test_topline_puts_all_systems_on_one_scale() -> None:
    found = fitted(topline(5, 10))
    assert found.mixed.model is not None
    assert len(found.mixed.model.places) == 5
    assert found.mixed.model.n == 50
    # The topline stood right every time, so that by pairs alone sides are not identifiable; beside itself they are.
    assert [each.name for each in found.mixed.model.covariates] == [LEAN]
    assert found.wins is not None
    assert found.wins.n == 40
    assert "order effect" not in [each.name for each in found.wins.extras]
    assert not math.isnan(found.wins.p)
    assert found.strength is not None
    assert found.strength.extras == ()


def test_items_of_large_studies_are_kept() -> None:
    found = fitted(all_pairs(3, 12, 133))
    assert found.strength is not None
    assert found.strength.settings["random"] == "participant, item"
    assert not any("items are taken as they are" in text for text in found.warnings)


def test_a_single_participant() -> None:
    frame = all_pairs(3, 1, 24)
    found = fitted(frame)
    assert found.strength is not None
    assert found.strength.settings["random"] == "none"
    assert "cumulative link model: participants are taken as they are: there is one only" in found.warnings
    assert "cumulative link model: items are taken as they are: each has one answer only" in found.warnings
