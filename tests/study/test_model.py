from __future__ import annotations

import pytest

from textassay.study.model import Finish


@pytest.mark.parametrize(
    ("given", "completed"),
    [
        ({"completion_code": "DONE"}, "DONE"),
        ({"codes": {"completed": "OTHER"}}, "OTHER"),
        ({"completion_code": "DONE", "codes": {"withdrawn": "GONE"}}, "DONE"),
        ({}, None),
    ],
)
def test_each_outcome_has_its_code(given: dict[str, object], completed: str | None) -> None:
    finish = Finish.model_validate(given)
    assert finish.code("completed") == completed
    assert finish.code("withdrawn") == ("GONE" if "DONE" in str(given) and "codes" in given else None)
