"""What each statistic gives for small made-up data is what it gave before, with every option off its default.

The files in `kept_results/` hold calls, and after each the fields and records of its result, or why it is refused.
To add a call write its line; after that, or after a change that is meant, `TEXTASSAY_WRITE_OUTPUTS=1 python -m pytest
tests/contracts/test_every_option.py` writes the results. That the numbers are right, other tests tell.
"""

import ast
import inspect
import math
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from kept_outputs import compare, shown
from statistic_data import data

from textassay import stats
from textassay.errors import TextassayError
from textassay.results import Result

OUTPUTS = Path(__file__).parent / "kept_results"
FILES = sorted(path.stem for path in OUTPUTS.glob("*.txt"))
NAMES = {**vars(stats), **data(), "np": np, "math": math}


def calls(name: str) -> list[str]:
    text = (OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")
    return [line.removeprefix(">>> ") for line in text.splitlines() if line.startswith(">>> ")]


def lines(call: str) -> Iterator[str]:
    yield f">>> {call}"
    try:
        found = eval(call, NAMES)
    except TextassayError as error:
        yield f"{type(error).__name__}: {error}"
        return
    assert isinstance(found, Result)
    yield from (f"{each.name}: {shown(getattr(found, each.name))}" for each in fields(found))
    for record in found.records():
        told = {key: value for key, value in record.items() if key not in ("signature", "method") and value is not None}
        yield f"record: {shown(told)}"


@pytest.mark.parametrize("name", FILES)
def test_what_statistics_give(name):
    compare([line for call in calls(name) for line in lines(call)], OUTPUTS / f"{name}.txt")


def test_every_option_is_in_a_call():
    given: set[tuple[str, str]] = set()
    for name in FILES:
        for call in calls(name):
            given |= {
                (node.func.id, keyword.arg or "")
                for node in ast.walk(ast.parse(call))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                for keyword in node.keywords
            }
    functions = {name: value for name, value in vars(stats).items() if inspect.isfunction(value)}
    options = {
        (name, option.name)
        for name, function in functions.items()
        for option in inspect.signature(function).parameters.values()
        if option.kind is option.KEYWORD_ONLY
    }
    assert sorted(options - given) == [], "write a call that sets it, see above"
