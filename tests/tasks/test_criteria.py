from __future__ import annotations

from typing import Any

import pytest

from textassay.tasks.criteria import AllowedValues, Criterion, criteria_faults, value_faults

RADIO = AllowedValues("clarity", range(1, 8).__contains__, None)
SLIDER = AllowedValues("fluency", range(101).__contains__, 50)


def test_two_criteria_of_one_name() -> None:
    criteria = [Criterion(name=name, question="How?") for name in ("clarity", "fluency", "clarity")]
    message = "duplicate criterion 'clarity'; rename one"
    assert list(criteria_faults(criteria)) == [(("criteria", 2, "name"), message)]
    assert list(criteria_faults(criteria[:2])) == []


@pytest.mark.parametrize(
    ("payload", "wrong"),
    [
        ({"values": {"clarity": 4, "fluency": 20}}, {}),
        ({"values": {"clarity": 4, "fluency": 50}, "confirmed": {"fluency": True}}, {}),
        ({"values": {"clarity": 4, "fluency": 50}, "confirmed": {"fluency": 1}}, {"fluency": "task.unconfirmed"}),
        ({"values": {"clarity": 4, "fluency": 50}}, {"fluency": "task.unconfirmed"}),
        ({"values": {"clarity": 8, "fluency": 20}}, {"clarity": "task.outside"}),
        ({"values": {"clarity": 4.0, "fluency": True}}, {"clarity": "task.outside", "fluency": "task.outside"}),
        ({"values": {"clarity": 4}}, {"fluency": "task.missing"}),
        ({}, {"clarity": "task.missing", "fluency": "task.missing"}),
        ({"values": [4, 20]}, {"clarity": "task.missing", "fluency": "task.missing"}),
        (
            {"values": {"clarity": 4, "fluency": 20}, "confirmed": [1]},
            {"clarity": "task.missing", "fluency": "task.missing"},
        ),
    ],
)
def test_values_that_cannot_be_an_answer(payload: dict[str, Any], wrong: dict[str, str]) -> None:
    assert value_faults(payload, "values", [RADIO, SLIDER], "task") == wrong
