"""Settings: checked by name, value and type; shown in the signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from textassay.errors import UsageError
from textassay.metrics.contract import Settings, checked_settings, setting


@dataclass(frozen=True)
class Made(Settings):
    order: int = setting(4, sign="n")
    weight: float = setting(0.5, sign="w")
    lower: bool = setting(default=False, sign="case", words={True: "lower", False: "mixed"})
    smooth: str = setting("exp", sign="smooth", choices=("exp", "floor"))
    plain: bool = False


def test_signed_in_order_and_in_words() -> None:
    assert Made(lower=True).signature_fields() == {
        "n": "4",
        "w": "0.5",
        "case": "lower",
        "smooth": "exp",
        "plain": "no",
    }


def test_a_whole_number_for_a_float_is_that_float_with_the_same_signature() -> None:
    whole, broken = (checked_settings("made", Made, {"weight": value}) for value in (2, 2.0))
    assert (type(whole.weight), whole.signature_fields(), whole.signature_fields()["w"]) == (
        float,
        broken.signature_fields(),
        "2",
    )


def test_numbers_that_differ_are_signed_differently() -> None:
    assert Made(weight=1.0000001).signature_fields() != Made(weight=1.0).signature_fields()


def test_given_values_are_used() -> None:
    assert checked_settings("made", Made, {"order": 2, "weight": 1}) == Made(order=2, weight=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ordr": 2}, "made has no setting 'ordr'; it has: order, weight, lower, smooth, plain"),
        ({"smooth": "add"}, "made: smooth is 'add'; choose one of: exp, floor"),
        ({"order": "2"}, "made: order is '2'; it must be of type int, like 4"),
        ({"order": True}, "made: order is True; it must be of type int, like 4"),
        ({"lower": 1}, "made: lower is 1; it must be of type bool, like False"),
        ({"weight": True}, "made: weight is True; it must be of type float, like 0.5"),
    ],
)
def test_wrong_settings(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked_settings("made", Made, given)
    assert str(caught.value) == message


def test_metric_without_settings_says_so() -> None:
    with pytest.raises(UsageError, match="made has no setting 'x'; it has: none"):
        checked_settings("made", Settings, {"x": 1})
