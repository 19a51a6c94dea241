from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest
from made_up_results import made_up

PLAIN = (str, int, float, bool, type(None))


def leaves(value: Any) -> list[Any]:
    if is_dataclass(value):
        return [leaf for field in fields(value) for leaf in leaves(getattr(value, field.name))]
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    if isinstance(value, dict):
        return [leaf for pair in value.items() for leaf in leaves(pair)]
    return [value]


def test_a_summary_holds_plain_values_and_cannot_be_changed() -> None:
    summary, sections = made_up()
    assert [leaf for leaf in leaves(summary) if not isinstance(leaf, PLAIN) and leaf is not summary.made_at] == []
    with pytest.raises(FrozenInstanceError):
        summary.title = "x"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        sections[0].heading = "x"  # type: ignore[misc]
