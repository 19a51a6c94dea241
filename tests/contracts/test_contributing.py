"""What CONTRIBUTING.md tells contributors to write does pass the contract tests, and what it names is there."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from small_study import write_small_study

from textassay import catalogue
from textassay.screening.contract import AnsweredTrial, Case
from textassay.study.load import load_study
from textassay.tasks.contract import Task

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "textassay"
EXAMPLES = {
    match[1]: match[0] for match in re.findall(r"```python\n(# src/textassay/(\S+)\.py\n.*?)```", TEXT, re.DOTALL)
}
"""The code of each example, by its path below the package."""


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str, str, str, str], ModuleType]]:
    """Add an example's module, and the line of the catalogue that it needs, for one test."""

    def added(path: str, kind: str, name: str, attribute: str) -> ModuleType:
        dotted = f"textassay.{path.replace('/', '.')}"
        module = imported(dotted, EXAMPLES[path], tmp_path, monkeypatch)
        monkeypatch.setitem(catalogue.CATALOGUE[kind], name, f"{dotted}:{attribute}")
        return module

    yield added
    catalogue.find.cache_clear()


def imported(name: str, code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    file = folder / f"{name}.py"
    file.write_text(code, encoding="utf-8")
    specification = importlib.util.spec_from_file_location(name, file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, name, module)
    specification.loader.exec_module(module)
    return module


def contract(file: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of contract tests, as it is with the example in the catalogue."""
    path = Path(__file__).with_name(f"{file}.py")
    specification = importlib.util.spec_from_file_location(f"again_{file}", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, specification.name, module)
    specification.loader.exec_module(module)
    return module


def contract_tests(module: ModuleType, *parameters: str) -> list[Callable[..., None]]:
    found = [value for name, value in vars(module).items() if name.startswith("test_")]
    chosen = [test for test in found if tuple(inspect.signature(test).parameters) == parameters]
    assert chosen
    return chosen


def run_doctest(module: ModuleType) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted > 0
    assert ran.failed == 0


def test_metric_keeps_the_contract(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("metrics/word_overlap", "metric", "word-overlap", "WordOverlap")
    run_doctest(module)
    tests = contract("test_every_metric", monkeypatch)
    for test in contract_tests(tests, "name"):
        test("word-overlap")
    for test in contract_tests(tests, "name", "given"):
        for given in tests.settings_of("word-overlap"):
            test("word-overlap", given)


def test_statistic_keeps_the_contract(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("stats/rank_tests/cliff_delta", "statistic", "cliff_delta", "cliff_delta")
    run_doctest(module)
    tests = contract("test_every_statistic", monkeypatch)
    written = json.loads(next(iter(re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL))))
    tests.WITNESSES["cliff_delta"] = tests.Witness(**written)
    for test in contract_tests(tests, "name"):
        if test.__name__ != "test_public_name_is_the_object_and_not_the_module_of_that_name":  # not in stats.__all__
            test("cliff_delta")


def test_rule_keeps_the_contract(example: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = example("screening/same_in_a_row", "screening", "same-in-a-row", "SameInARow")
    tests = contract("test_every_screening_rule", monkeypatch)
    for test in contract_tests(tests, "name"):
        test("same-in-a-row")
    study = load_study(write_small_study(tmp_path / "study"))
    for test in contract_tests(tests, "rule", "study"):
        test(module.SameInARow(), study)
    block = study.blocks[0]
    rows = [{"criterion": "clarity", "value": 3}]
    alike = Case("p", "completed", {}, [AnsweredTrial(block, "main", rows, None)] * 10)
    (found,) = module.SameInARow().findings(alike, study)
    message = re.search(rf'"{re.escape(found.key)}": "(.*?)"`', TEXT)
    assert message is not None
    said = message[1].format_map(found.values)
    assert said == f"the same answer in 10 consecutive trials of block {block.name}"


def test_every_method_that_a_task_must_have_is_named() -> None:
    required = [*Task.__abstractmethods__, "name", "title", "Settings", "schema"]
    assert [name for name in sorted(required) if f"`{name}`" not in TEXT] == []


def test_every_path_that_is_named_is_there() -> None:
    """Paths below the package or the root; those that begin with `your` and the examples are to be written."""
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", TEXT.partition("## Old names")[0]))
    to_write = re.compile(r"your[_-]|/xx\.json|^messages/$")
    missing = [
        path
        for path in sorted(named)
        if not to_write.search(path) and not (PACKAGE / path).exists() and not (ROOT / path).exists()
    ]
    assert missing == []
