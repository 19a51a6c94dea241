"""What statistics, metrics and measures of order give for small data is what they gave before, with every option set.

The files in `kept_results/` hold calls, and after each the fields and records of its result, or why it is refused.
To add a call write its line; after that, or after a change that is meant, `TEXTASSAY_WRITE_OUTPUTS=1 python -m pytest
tests/contracts/test_every_option.py` writes the results. That the numbers are right, other tests tell.
"""

import ast
import contextlib
import importlib
import inspect
import math
import pkgutil
from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from annotations import annotated, case
from kept_outputs import compare, shown
from parses import parsed
from statistic_data import data

from textassay import analysis, catalogue, meta, metrics, ordering, stats
from textassay.errors import TextassayError, UsageError
from textassay.metrics import significance
from textassay.results import Result

OUTPUTS = Path(__file__).parent / "kept_results"
FILES = sorted(path.stem for path in OUTPUTS.glob("*.txt"))
PLAIN = (bool, int, float, str, tuple)
HIDDEN = ("metric", "statistics", "signature", "fit", "documents")
"""Fields of results that say nothing new."""
PACKAGES = {"metrics": metrics, "ordering": ordering, "stats": stats}


def calls(name: str) -> list[str]:
    text = (OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")
    return [line.removeprefix(">>> ") for line in text.splitlines() if line.startswith(">>> ")]


def names(file: str) -> dict[str, Any]:
    package = file.partition("-")[0]
    public = {name: getattr(PACKAGES[package], name) for name in PACKAGES[package].__all__}
    content = {"annotated": annotated, "case": case, "parsed": parsed}
    more = {**vars(significance), **content} if package == "metrics" else {}
    return {**public, **more, **data(), "np": np, "math": math}


def value_of(found: Result, name: str) -> object:
    """A field or property; where it asks for something else, what it says."""
    try:
        return getattr(found, name)
    except (TextassayError, LookupError) as error:
        return f"{type(error).__name__}: {error}"


def lines(call: str, known: dict[str, Any]) -> Iterator[str]:
    yield f">>> {call}"
    try:
        found = eval(call, known)
    except TextassayError as error:
        yield f"{type(error).__name__}: {error}"
        return
    if not isinstance(found, Result):
        yield shown(found)
        return
    made = [name for name, value in inspect.getmembers(type(found)) if isinstance(value, (property, cached_property))]
    for name in dict.fromkeys([*(each.name for each in fields(found)), *made]):
        if name not in HIDDEN:
            yield f"{name}: {shown(value_of(found, name))}"
    for record in found.records():
        named = {key: value for key, value in record.items() if key not in ("signature", "method")}
        yield f"record: {shown({key: value for key, value in named.items() if value is not None})}"


@pytest.mark.parametrize("name", FILES)
def test_what_calls_give(name):
    known = names(name)
    compare([line for call in calls(name) for line in lines(call, known)], OUTPUTS / f"{name}.txt")


def defaults(module: ModuleType) -> Iterator[str]:
    """Functions and classes of a module that something can be left out of, with what is taken then."""
    for name, value in sorted(vars(module).items()):
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_"):
            with contextlib.suppress(ValueError, TypeError):
                known = inspect.signature(value).parameters.values()
                plain = [each for each in known if isinstance(each.default, PLAIN) and each.default not in ("", ())]
                given = [f"{each.name}={shown(each.default)}" for each in plain]
                if given:
                    yield f"{module.__name__}.{name}: {', '.join(given)}"


def test_what_is_taken_where_nothing_is_given():
    found = []
    for package in (analysis, meta, metrics, ordering, stats):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            found += defaults(importlib.import_module(each.name))
    for name in catalogue.names("metric"):
        settings = fields(catalogue.find("metric", name).Settings)
        found += [f"{name}, {each.name}: {shown(each.default)}, {shown(each.metadata)}" for each in settings]
    compare(found, OUTPUTS.parent / "kept_defaults.txt")


@pytest.mark.parametrize("name", catalogue.names("metric"))
def test_a_setting_refuses_what_is_not_among_its_choices(name):
    for each in fields(catalogue.find("metric", name).Settings):
        if each.metadata["choices"]:
            with pytest.raises(UsageError, match=f"{each.name} is 'other'; choose one of: "):
                metrics.metric(name, **{each.name: "other"})


def given_options(package: str) -> set[tuple[str, str]]:
    """Functions and the options that some call sets; of `score`, metrics and their settings."""
    found = set()
    for name in (name for name in FILES if name.partition("-")[0] == package):
        for node in (node for call in calls(name) for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Call)):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            metric = node.args[0].value if called == "score" and isinstance(node.args[0], ast.Constant) else ""
            found |= {(metric or called, keyword.arg) for keyword in node.keywords}
    return found


@pytest.mark.parametrize("package", ["ordering", "stats"])
def test_every_option_is_in_a_call(package):
    public = {name: getattr(PACKAGES[package], name) for name in PACKAGES[package].__all__}
    options = {
        (name, option.name)
        for name, function in public.items()
        if inspect.isfunction(function)
        for option in inspect.signature(function).parameters.values()
        if option.kind is option.KEYWORD_ONLY and option.name not in ("units", "progress")
    }
    assert sorted(options - given_options(package)) == [], "write a call that sets it, see above"


def test_every_setting_of_a_metric_is_in_a_call():
    found = {name: catalogue.find("metric", name).Settings for name in catalogue.names("metric")}
    settings = {(name, each.name) for name, own in found.items() for each in fields(own)}
    one_choice = {("gtm", "multi")}
    assert sorted(settings - given_options("metrics") - one_choice) == [], "write a call that sets it, see above"
