"""The import rules: which package may import what.

The statistics and everything like them know no web, no database, no clock and no data frame; the server loads no heavy
library; the report sees results only; only `pipeline` and `cli` see everything.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from textassay.catalogue import CATALOGUE

When = Literal["ever", "running", "at import"]
SRC = Path(__file__).resolve().parents[2] / "src"
WEB = {"aiohttp", "fastapi", "flask", "http", "httpx", "jinja2", "requests", "socket", "starlette", "urllib", "uvicorn"}
DATABASE = {"alembic", "psycopg", "sqlalchemy", "sqlite3"}
CLOCK = {"datetime", "time"}
FRAMES = {"pandas", "polars", "pyarrow"}
PURE = ("stats", "kernels", "design", "metrics", "ordering", "content")
FORBIDDEN: dict[str, set[str]] = {
    **dict.fromkeys(PURE, WEB | DATABASE | CLOCK | FRAMES),
    "serve": {"pandas", "scipy"},
    "report": WEB - {"jinja2"} | DATABASE | FRAMES,
}
"""Package → libraries that none of its modules imports, not even inside a function."""
REPORT_SEES = (
    "textassay.durations",
    "textassay.errors",
    "textassay.formula_cells",
    "textassay.headline",
    "textassay.known_names",
    "textassay.marked_text",
    "textassay.report",
    "textassay.pairwise",
    "textassay.prose",
    "textassay.results",
    "textassay.seeds",
)
SEES_EVERYTHING = {"textassay.pipeline": ("textassay", "textassay.cli"), "textassay.cli": ("textassay.__main__",)}
"""Module that sees everything → the only ones beside itself that may import it."""
MAY_NAME_A_TASK = ("catalogue.py", "ready_studies")


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted((SRC / "textassay").rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def walk(tree: ast.AST, when: When) -> Iterator[ast.AST]:
    """All statements, those that can run, or those that run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):  # holds no import
            continue
        if when != "ever" and is_type_checking(node):
            continue
        if when == "at import" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        yield node
        yield from walk(node, when)


def targets(node: ast.AST, module: str, *, is_package: bool) -> Iterator[str]:
    """The dotted names that an import statement asks for."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            above = module.split(".")[: None if is_package and node.level == 1 else is_package - node.level]
            base = ".".join([*above, *base.split(".")] if base else above)
        yield from (f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base for alias in node.names)


@cache
def tree(module: str) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def constants(module: str) -> dict[object, int]:
    """The constants in a module, with the line of one of them."""
    return {node.value: node.lineno for node in ast.walk(tree(module)) if isinstance(node, ast.Constant)}


@cache
def imports(module: str, when: When = "ever") -> frozenset[str]:
    """What a module imports."""
    nodes = walk(tree(module), when)
    is_package = MODULES[module].name == "__init__.py"
    return frozenset(name for node in nodes for name in targets(node, module, is_package=is_package))


def loaded_with(module: str) -> dict[str, str]:
    """Everything that importing a module imports, each with the module that asks for it."""
    reached: dict[str, str] = {}
    waiting = [module]
    while waiting:
        here = waiting.pop()
        parents = {here.rpartition(".")[0]} - {"", "textassay"}
        for name in imports(here, "at import") | (parents & MODULES.keys()):
            if name not in reached:
                reached[name] = here
                waiting += [name] if name in MODULES else []
    return reached


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def modules_of(package: str) -> list[str]:
    return [name for name in MODULES if within(name, f"textassay.{package}")]


@pytest.mark.parametrize("package", FORBIDDEN)
def test_package_imports_nothing_forbidden(package: str) -> None:
    found = {
        name: {top.partition(".")[0] for top in imports(name)} & FORBIDDEN[package] for name in modules_of(package)
    }
    assert {name: libraries for name, libraries in found.items() if libraries} == {}


@pytest.mark.parametrize("package", FORBIDDEN)
def test_package_loads_nothing_forbidden_through_others(package: str) -> None:
    chains = {
        f"{name} → {asker} → {library}"
        for name in modules_of(package)
        for library, asker in loaded_with(name).items()
        if library.partition(".")[0] in FORBIDDEN[package]
    }
    assert chains == set()


def test_report_sees_results_only() -> None:
    seen = {(name, other) for name in modules_of("report") for other in imports(name) if within(other, "textassay")}
    # `from textassay import __version__` is no import from another package
    assert {(name, other) for name, other in seen if other != "textassay" and not within(other, *REPORT_SEES)} == set()


@pytest.mark.parametrize("module", SEES_EVERYTHING)
def test_what_sees_everything_is_seen_by_few(module: str) -> None:
    allowed = SEES_EVERYTHING[module]
    others = [
        name
        for name in MODULES
        if not within(name, module, *(package for package in allowed if package != "textassay"))
    ]
    offenders = [name for name in others if any(within(used, module) for used in imports(name, "running"))]
    assert [name for name in offenders if name not in allowed] == []


@pytest.mark.parametrize("task", CATALOGUE["task"])
def test_nothing_outside_a_task_asks_for_it_by_name(task: str) -> None:
    folder = CATALOGUE["task"][task].rpartition(":")[0].rpartition(".")[0]
    allowed = [SRC / "textassay" / name for name in MAY_NAME_A_TASK]
    found = [
        f"{path.relative_to(SRC)}:{constants(name)[task]}"
        for name, path in MODULES.items()
        if not within(name, folder) and not any(path.is_relative_to(place) for place in allowed)
        if task in constants(name)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("textassay", {"matplotlib", "pandas", "scipy", "sqlalchemy", "starlette", "uvicorn"}),
        ("textassay.serve.app", {"matplotlib", "pandas", "scipy"}),
    ],
)
def test_import_stays_light(module: str, unwanted: set[str]) -> None:
    if module not in MODULES:
        pytest.fail(f"{module} is gone: name the server's new module here")
    program = (
        f"import json, sys, {module}; print(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert unwanted.intersection(json.loads(loaded)) == set()


# --- the rule's own tests: it must see what it forbids --------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "when", "expected"),
    [
        ("import time", "at import", {"time"}),
        ("def f():\n    import pandas as pd", "ever", {"pandas"}),
        ("def f():\n    import pandas as pd", "running", {"pandas"}),
        ("def f():\n    import pandas as pd", "at import", set()),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import scipy", "ever", {"typing", "scipy"}),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import scipy", "running", {"typing"}),
        ("try:\n    from scipy.stats import t\nexcept ImportError:\n    pass", "at import", {"scipy.stats"}),
        ("from . import lcs", "at import", {"textassay.kernels.lcs"}),
        ("from .lcs import lcs_lengths", "at import", {"textassay.kernels.lcs"}),
        ("from ..errors import DataError", "at import", {"textassay.errors"}),
        ("from textassay import errors, __version__", "at import", {"textassay.errors", "textassay"}),
    ],
)
def test_imports_are_found(source: str, when: When, expected: set[str]) -> None:
    nodes = walk(ast.parse(source), when)
    found = {name for node in nodes for name in targets(node, "textassay.kernels.choice", is_package=False)}
    assert found == expected


def test_relative_import_of_a_package_starts_at_the_package() -> None:
    node = ast.parse("from .lcs import lcs_lengths").body[0]
    assert list(targets(node, "textassay.kernels", is_package=True)) == ["textassay.kernels.lcs"]
