"""Every statistic has an outside witness, a docstring that can be checked, and a result of the common form.

The docstring is a small article in a standard form: what the statistic is, `Purpose:`, formula and reference, `R:` (the
call that gives the same), `Example:` (a doctest), arguments, what is refused. The reference page is made from it.
"""

from __future__ import annotations

import ast
import dataclasses
import doctest
import importlib
import inspect
import json
import math
import pkgutil
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import textassay
from textassay import catalogue, stats
from textassay.results import RECORD_KEYS, Result

pytestmark = pytest.mark.usefixtures("strings_of_pyarrow")

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Witness:
    """A file in `tests/golden/`: cases that come from another program, and where their main figure is in the result."""

    statistic: str
    arguments: list[str]
    """Keys of the input that are passed by position; the others are not used here."""
    attribute: str
    expected: str
    """Key of the expected values."""
    cases: list[dict[str, Any]]
    only: list[str] | None = None
    """Ids of the cases that have that key, if not all of them do."""

    def load(self) -> list[dict[str, Any]]:
        return [case for case in self.cases if self.only is None or case["id"] in self.only]


def witnesses() -> dict[str, Witness]:
    """Statistic → its witness. A new statistic needs a file, with at least one case from another program."""
    stored = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(GOLDEN.glob("*.json"))]
    return {each["statistic"]: Witness(**each) for each in stored if "statistic" in each}


WITNESSES = witnesses()
NAMES = catalogue.names("statistic")


def witness(name: str) -> Witness:
    assert name in WITNESSES, f"write tests/golden/{name}.json, in the form that CONTRIBUTING.md shows"
    return WITNESSES[name]


def run_first(name: str) -> Result:
    return run(name, witness(name).load()[0])


def run(name: str, case: dict[str, Any]) -> Result:
    data = (case["input"][key] for key in WITNESSES[name].arguments)
    found = catalogue.find("statistic", name)(*data, **case.get("settings", {}))
    assert isinstance(found, Result)
    return found


def result_classes() -> set[str]:
    """Every result class that the modules of `stats` define."""
    found = set()
    for module in pkgutil.walk_packages(stats.__path__, "textassay.stats."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(value) and issubclass(value, Result) and value.__module__ == module.name:
                found.add(name)
    return found - {"Statistic"}  # the base of all of them


# --- the package ----------------------------------------------------------------------------------------------------


def test_public_names_are_sorted_and_complete() -> None:
    assert stats.__all__ == sorted(stats.__all__)
    missing = sorted((set(NAMES) | result_classes()) - set(stats.__all__))
    assert missing == [], "import these in stats/__init__.py and add them to __all__"
    functions = {name for name in stats.__all__ if inspect.isfunction(getattr(stats, name))}
    assert functions == set(NAMES)


@pytest.mark.parametrize("name", stats.__all__)
def test_public_name_is_the_object_and_not_the_module_of_that_name(name: str) -> None:
    importlib.import_module("textassay.stats.adjust_p")  # importing a module must not put it in the function's place
    assert not inspect.ismodule(getattr(stats, name))
    if name in NAMES:
        assert catalogue.find("statistic", name) is getattr(stats, name)


def test_importing_the_package_loads_neither_scipy_nor_pandas() -> None:
    program = "import sys, textassay.stats; print([name for name in ('scipy', 'pandas') if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


# --- each statistic -------------------------------------------------------------------------------------------------


def test_no_witness_is_without_a_statistic() -> None:
    assert set(WITNESSES) - set(NAMES) == set(), "add the statistic to catalogue.py, or remove its file in tests/golden"


@pytest.mark.parametrize("name", NAMES)
def test_equals_its_witness(name: str) -> None:
    known = witness(name)
    assert known.cases
    for case in known.load():
        assert case["oracle"].strip(), "name the program that gave the numbers, with its version"
        got = getattr(run(name, case), known.attribute)
        assert got == pytest.approx(case["expect"][known.expected], rel=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_docstring_is_a_small_article(name: str) -> None:
    text = inspect.getdoc(catalogue.find("statistic", name)) or ""
    assert " = " in text or " ± " in text, "the formula"
    assert re.search(r"\b(18|19|20)\d\d\b", text), "the reference, with its year"
    assert re.search(r"^Purpose: [a-z]", text, re.MULTILINE), "what it is for"
    assert re.search(r"^R: (`[^`]+\(|none: \w)", text, re.MULTILINE), (
        "the R call that gives the same, or why there is none"
    )
    assert re.search(r"^Example:\n    >>>", text, re.MULTILINE), "a worked example"
    assert "Raises:" in text, "what is refused"


@pytest.mark.parametrize("name", NAMES)
def test_example_does_not_depend_on_the_last_digit(name: str) -> None:
    """Every fraction that an example shows is rounded: its last digits differ between processors."""
    function = catalogue.find("statistic", name)
    names = dict(vars(sys.modules[function.__module__]))
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(function) or ""):
        parsed = ast.parse(example.source)
        shown = parsed.body[-1]
        if isinstance(shown, ast.Expr) and example.exc_msg is None:
            refuse_unrounded(shown.value, eval(example.source, names), names)
        else:
            exec(example.source, names)


def refuse_unrounded(source: ast.expr, value: Any, names: dict[str, Any]) -> None:
    """Fail where a part of an expression is a float that is not rounded, or lies on the edge of being rounded up."""
    if not has_fraction(value):
        return
    if isinstance(source, ast.Tuple | ast.List):
        for part, each in zip(source.elts, value, strict=True):
            refuse_unrounded(part, each, names)
        return
    written = ast.unparse(source)
    assert "round(" in written, f"round {written}"
    if isinstance(source, ast.Call):
        exact = eval(ast.unparse(source.args[0]), names)
        digits = eval(ast.unparse(source.args[1]), names)
        assert digits <= 6
        assert abs(exact * 10**digits % 1 - 0.5) > 1e-6, f"{written} is on the edge of being rounded up"


def has_fraction(value: Any) -> bool:
    """Whether a float is in it, however deep."""
    if isinstance(value, dict):
        return any(map(has_fraction, value.values()))
    if isinstance(value, list | tuple):
        return any(map(has_fraction, value))
    return isinstance(value, float) and math.isfinite(value)


@pytest.mark.parametrize("name", NAMES)
def test_settings_are_keywords_with_defaults(name: str) -> None:
    parameters = inspect.signature(catalogue.find("statistic", name)).parameters.values()
    data = [each for each in parameters if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    settings = [each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]
    assert 1 <= len(data) <= 5  # values, runs, systems, participants and items
    assert all(each.default is inspect.Parameter.empty for each in data)
    assert all(each.default is not inspect.Parameter.empty for each in settings)
    assert all(each.annotation is not inspect.Parameter.empty for each in [*data, *settings])


@pytest.mark.parametrize("name", NAMES)
def test_result_is_frozen(name: str) -> None:
    result = run_first(name)
    for each in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, each.name, None)


@pytest.mark.parametrize("name", NAMES)
def test_records_have_the_stable_keys_first(name: str) -> None:
    result = run_first(name)
    records = result.records()
    assert records
    for record in records:
        assert tuple(record)[: len(RECORD_KEYS)] == RECORD_KEYS
        assert record["statistic"]
        assert record["method"] == result.method
        assert record["n"] is not None
        assert record["signature"].endswith(f"version:{textassay.__version__}")
    json.loads(result.to_json())


@pytest.mark.parametrize("name", NAMES)
def test_signature_says_method_and_settings(name: str) -> None:
    result = run_first(name)
    assert result.settings
    assert result.signature.startswith(result.method + "|")
    assert all(f"|{key}:{value}|" in result.signature for key, value in result.settings.items())
    assert "\n" not in result.signature


@pytest.mark.parametrize("name", NAMES)
def test_result_shows_itself_in_a_notebook(name: str) -> None:
    shown = run_first(name)._repr_html_()
    assert shown.startswith("<table>")


@pytest.mark.parametrize("name", NAMES)
def test_result_becomes_a_frame_of_its_records(name: str) -> None:
    result = run_first(name)
    frame = result.to_frame()
    assert frame["statistic"].tolist() == [record["statistic"] for record in result.records()]
    assert "ci" not in frame
