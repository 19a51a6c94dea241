"""Every setting of every metric is shown with its values and its default, and the values shown are those it takes."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from textassay import catalogue, cli
from textassay.errors import UsageError
from textassay.metrics import Limits, metric

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "metrics.md"
DECLARED = [
    pytest.param(name, each, id=f"{name}-{each.name}")
    for name in catalogue.names("metric")
    for each in fields(catalogue.find("metric", name).Settings)
]
NUMBERS = [each for each in DECLARED if type(each.values[1].default) in (int, float)]


@pytest.fixture(scope="module")
def listed() -> Callable[..., list[dict[str, str]]]:
    @cache
    def rows(*arguments: str) -> list[dict[str, str]]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            cli.run(["list", "metrics", *arguments, "--format", "json"])
        return json.loads(out.getvalue())

    return rows


def values(declared: Field[Any]) -> list[str]:
    """What has to be shown of the values it can have: all of them, or what sort of number or text."""
    if isinstance(declared.default, bool):
        return ["yes", "no"]
    if declared.metadata["choices"]:
        return list(declared.metadata["choices"])
    if isinstance(declared.default, str):
        assert declared.metadata.get("holds"), "a text without choices says what it holds"
        return [declared.metadata["holds"]]
    limits = declared.metadata.get("limits")
    return [str(limits)] if limits else ["whole number" if isinstance(declared.default, int) else "number"]


def default(declared: Field[Any]) -> str:
    if isinstance(declared.default, bool):
        return "yes" if declared.default else "no"
    if declared.default == "" or declared.default != declared.default:
        assert declared.metadata.get("unset"), "what applies where no value is given is said"
    return str(declared.metadata.get("unset") or declared.default)


@cache
def sections() -> dict[str, str]:
    parts = re.split(r"(?m)^## `([^`]+)`$", PAGE.read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(("name", "declared"), DECLARED)
def test_page_has_values_and_default(name: str, declared: Field[Any]) -> None:
    words = {"yes": "`true`", "no": "`false`"}
    (row,) = re.findall(rf"(?m)^\| `{declared.name}` \| (.*) \| (.*) \| .+ \|$", sections()[name])
    assert [value for value in values(declared) if words.get(value, value) not in row[0]] == []
    assert row[1].strip("`") == words.get(default(declared), default(declared)).strip("`")


@pytest.mark.parametrize(("name", "declared"), DECLARED)
def test_list_has_values_and_default(name: str, declared: Field[Any], listed: Any) -> None:
    (shown,) = (each for each in listed(name) if each["setting"] == declared.name)
    assert [value for value in values(declared) if value not in shown["values"]] == []
    assert shown["default"] == default(declared)
    (row,) = (each for each in listed() if each["metric"] == name)
    known = "|".join(each.name for each in fields(catalogue.find("metric", name).Settings))
    short = re.split(rf", (?=(?:{known})\b)", row["settings"])
    (said,) = (each for each in short if re.match(rf"{declared.name}\b", each))
    wanted = [*values(declared), default(declared)]
    assert [value for value in wanted if value not in said and value not in ("number", "whole number")] == []


def others(name: str, declared: Field[Any]) -> Iterator[dict[str, Any]]:
    """The usual values of the other settings, then another value of each, for a setting may need that."""
    yield {}
    for each in fields(catalogue.find("metric", name).Settings):
        more = (each.default + 1,) if type(each.default) is int else each.metadata["choices"]
        yield from ({each.name: value} for value in more if each.name != declared.name)


def refusals(name: str, declared: Field[Any], value: float) -> list[str]:
    """Why the value is refused; nothing where some other settings go with it."""
    said = []
    for more in others(name, declared):
        try:
            metric(name, **{declared.name: value, **more})
        except UsageError as error:
            said.append(str(error))
        else:
            return []
    return said


@pytest.mark.parametrize(("name", "declared"), NUMBERS)
def test_limits_of_numbers_are_those_shown(name: str, declared: Field[Any]) -> None:
    limits: Limits = declared.metadata.get("limits", Limits())
    kind = type(declared.default)
    step = 1 if kind is int else 1e-6
    inward = step if limits.without else 0
    far = 10**6
    for end, out in ((limits.least, -1), (limits.most, 1)):
        if not math.isfinite(end):
            assert refusals(name, declared, kind(out * far)) == [], "declare what it must be: setting(…, limits=…)"
            continue
        assert refusals(name, declared, kind(end - out * inward)) == []
        refused = refusals(name, declared, kind(end + out * (0 if limits.without else step)))
        assert refused
        assert all(f"{name}: {declared.name} is " in why and f"it must be {limits}" in why for why in refused)
    assert kind is int or refusals(name, declared, math.inf)


def test_metrics_are_known_whatever_their_case() -> None:
    for name in catalogue.names("metric"):
        assert metric(name.upper()).name == name
