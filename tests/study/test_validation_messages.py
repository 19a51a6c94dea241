from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError, field_validator

from textassay.study.model import Faults, Model
from textassay.study.validation_messages import describe_value, validation_problems
from textassay.study.yaml_reader import format_path


class Ball(Model):
    type: Literal["ball"]
    radius: float = Field(gt=0)


class Box(Model):
    type: Literal["box"]
    sides: list[int] = Field(min_length=3, max_length=3)


class Toys(Model):
    toys: list[Annotated[Ball | Box, Field(discriminator="type")]] = Field(default_factory=list)
    names: dict[int, str] = Field(default_factory=dict)
    code: str = Field(default="A1", pattern="^[A-Z][0-9]$")
    even: int = 2

    @field_validator("even")
    @classmethod
    def _even(cls, value: int) -> int:
        if value % 2:
            raise Faults(((), f"{value} is odd; add 1"), (("half",), "and has no half"))
        return value


def found(data: Any) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Toys.model_validate(data)
    return [f"{format_path(path)}: {message}" for path, message in validation_problems(caught.value, data, Toys)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"toys": [{"type": "ball", "radius": -1}]}, ["toys[0].radius: got -1; it must be more than 0"]),
        ({"toys": [{"type": "ball"}]}, ["toys[0].radius: 'radius' is missing; add it"]),
        ({"toys": [{"radius": 1}]}, ["toys[0].type: 'type' is missing; add one of ball, box"]),
        ({"toys": [{"type": "cone"}]}, ["toys[0].type: 'cone' is not possible here; use 'ball', 'box'"]),
        (
            {"toys": [{"type": "ball", "radius": 1, "ball": 2}]},
            ["toys[0].ball: unknown key 'ball'; remove it, or use one of radius, type"],
        ),
        (
            {"toys": [{"type": "ball", "radius": 1, "raduis": 2}]},
            ["toys[0].raduis: unknown key 'raduis'; did you mean 'radius'?"],
        ),
        (
            {"toys": [{"type": "box", "sides": [1, "x", 3]}]},
            ["toys[0].sides[1]: a whole number is needed, got 'x'; write one instead"],
        ),
        (
            {"toys": [{"type": "box", "sides": [1, 2, 3, 4]}]},
            ["toys[0].sides: got a list of 4; remove entries: there can be at most 3"],
        ),
        (
            {"toys": {"type": "box"}},
            ["toys: a list is needed, got a mapping of 1; begin each entry with '- ' on a line of its own"],
        ),
        ({"names": {"one": "x"}}, ["names.one: a whole number is needed as key, got 'one'; write one instead"]),
        ({"names": {1: 2}}, ["names[1]: a text is needed, got 2; put it in quotation marks"]),
        ({"code": "a1"}, ["code: got 'a1'; it must match ^[A-Z][0-9]$"]),
        ({"even": 3}, ["even: 3 is odd; add 1", "even.half: and has no half"]),
    ],
)
def test_path_and_words(data: Any, expected: list[str]) -> None:
    assert found(data) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x" * 61, "'" + "x" * 57 + "…'"),
        (1.5, "1.5"),
        ({}, "a mapping of 0"),
        (False, "false"),
        (2**300, "a whole number of more than 60 digits"),
    ],
)
def test_values_are_shown_short(value: Any, text: str) -> None:
    assert describe_value(value) == text


def test_a_number_that_python_does_not_write_out_is_shown() -> None:
    assert describe_value(2**20_000) == "a whole number of more than 60 digits"


@pytest.mark.parametrize("text", ["7", "-7", "+7", " 7.5 "])
def test_number_in_quotation_marks_is_told_as_such(text: str) -> None:
    assert found({"even": text}) == [f"even: a whole number is needed, got {text!r}; remove the quotation marks"]


def test_word_in_place_of_a_number_is_no_quoted_number() -> None:
    assert found({"even": "-"}) == ["even: a whole number is needed, got '-'; write one instead"]
