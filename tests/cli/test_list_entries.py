"""`textassay list`: one row each with the settings, or one in full."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest

from textassay import catalogue, ready_studies

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("typed", "kind"), [("metrics", "metric"), ("Statistic", "statistic"), ("tasks", "task"), ("rules", "screening")]
)
def test_all_of_a_kind_are_listed(textassay: Command, typed: str, kind: str) -> None:
    rows = json.loads(textassay("list", typed, "-f", "json").out)
    assert [list(row.values())[1] for row in rows] == list(catalogue.names(kind))
    assert list(rows[0])[2:] == ["what it is", "settings"]


def test_kinds_are_listed_with_their_numbers(textassay: Command) -> None:
    rows = list(csv.reader(textassay("list", "--format", "csv").out.splitlines()))
    assert rows[0] == ["kind", "number"]
    assert dict(rows[1:]) | {"templates": str(len(ready_studies.names())), "rules": "9"} == dict(rows[1:])


def test_one_is_shown_in_full_under_any_spelling(textassay: Command) -> None:
    out = textassay("list", "metrics", "BLEU").out
    assert out.startswith("bleu (metric)\n\nBLEU of sentences and corpora.")
    assert "scale: 0 to 100" in out
    assert "The longest n-grams." in out
    (setting,) = (row for row in json.loads(textassay("list", "rules", "incomplete", "-f", "json").out))
    assert (setting["setting"], setting["default"]) == ("share", "1.0")
    assert "It has no settings." in textassay("list", "rules", "fake_email").out


def test_a_template_is_shown_with_the_command_that_copies_it(textassay: Command) -> None:
    out = textassay("list", "templates", "Rating_Scale").out
    assert "participants wanted" in out
    assert out.endswith("Copy it into a new directory: textassay new my-study --template rating-scale\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["metrcs"], "there is no kind 'metrcs'; did you mean 'metrics'?"),
        (["metrics", "blue"], "there is no metric 'blue'; did you mean 'bleu'?"),
        (["templates", "ratng-scale"], "there is no ready study 'ratng-scale'; did you mean 'rating-scale'?"),
    ],
)
def test_unknown_names_have_a_near_one(textassay: Command, arguments: list[str], message: str) -> None:
    ran = textassay("list", *arguments)
    assert (ran.code, ran.err) == (2, f"textassay: {message}\n")
