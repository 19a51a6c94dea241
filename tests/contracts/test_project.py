"""The project's own rules: what a copy of it holds, how long its parts are, and that its papers agree."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import textassay
from textassay import catalogue

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "textassay"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 400, 70
NOT_ABOUT_A_MODULE = {"browser", "contracts", "faults", "golden"}
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~])/(?:work|root|home|Users)/\w|[A-Z]:\\{1,2}Users\\"),
    "a registry's address": re.compile(
        r"\b(?:pypi|pythonhosted|npmjs|debian|crates|conda|anaconda)\.(?:org|com|io)\b|index[-]url|find[-]links"
    ),
}


def project_files() -> list[Path]:
    """What git would keep; without git, every file that is not made by a tool."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        made = re.compile(r"^\.venv|^\.git$|^build$|^dist$|cache|\.egg-info$|^\.hypothesis$|^textassay-demo$")
        found = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        names = [str(path) for path in found if not any(map(made.search, path.parts))]
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def lines_of(path: Path) -> list[str]:
    """The lines of a text file; none of a picture or another binary file."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []


def findings(line: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if pattern.search(line)]


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {what}"
        for path in project_files()
        if findings("\n".join(lines_of(path)))
        for number, line in enumerate(lines_of(path), start=1)
        for what in findings(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see " + "/".join(["", "home", "ada", "study"]), ["a path of one machine"]),
        ("C:" + r"\Users" + r"\ada", ["a path of one machine"]),
        ("https://" + "pypi" + ".org/simple", ["a registry's address"]),
        ("--" + "index" + "-url x", ["a registry's address"]),
        ("https://example.org/home/page and ~/papers/x", []),
    ],
)
def test_forbidden_words_are_seen(line: str, expected: list[str]) -> None:
    assert findings(line) == expected


@pytest.mark.parametrize("suffix", [".py", ".pxi", ".pyx", ".js", ".css", ".html"])
def test_no_file_is_too_long(suffix: str) -> None:
    lengths = {str(path.relative_to(ROOT)): len(lines_of(path)) for path in PACKAGE.rglob(f"*{suffix}")}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All that is no expression, and so can hold a function."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.expr):
            yield node
            yield from statements(node)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions of a module, with their length in lines."""
    for node in statements(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", (node.end_lineno or 0) - node.lineno + 1


def test_no_function_is_too_long() -> None:
    lengths = dict(pair for path in [*SOURCES, ROOT / "run.py"] for pair in functions(path))
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_every_module_says_what_it_is() -> None:
    silent = [path for path in SOURCES if not ast.get_docstring(parsed(path))]
    assert [str(path.relative_to(ROOT)) for path in silent] == []


def sorting_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as ruff sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def test_public_names_are_sorted_and_there() -> None:
    names = list(vars(textassay)["__all__"])
    assert names == sorted(set(names), key=sorting_key)
    assert [name for name in names if not hasattr(textassay, name)] == []


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in catalogue.CATALOGUE for name in catalogue.names(kind)]
)
def test_catalogue_entry_is_there(kind: str, name: str) -> None:
    assert callable(catalogue.find(kind, name))


@pytest.mark.parametrize("kind", catalogue.CATALOGUE)
def test_catalogue_is_sorted(kind: str) -> None:
    assert list(catalogue.CATALOGUE[kind]) == sorted(catalogue.CATALOGUE[kind])


def test_version_is_the_same_everywhere() -> None:
    version = SETTINGS["project"]["version"]
    assert textassay.__version__ == version
    assert re.search(
        rf"^## \[{re.escape(version)}\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_oldest_python_is_the_same_everywhere(run_py: ModuleType) -> None:
    oldest = SETTINGS["project"]["requires-python"].removeprefix(">=")
    assert f"needs Python {oldest} or newer" in Path(run_py.__file__ or "").read_text(encoding="utf-8")


def test_every_compiled_loop_is_built_and_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    setuptools = pytest.importorskip("setuptools", minversion="77")
    monkeypatch.chdir(ROOT)
    project = setuptools.distutils.core.run_setup("setup.py", stop_after="init")
    loops = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.pyx")}
    built = {source for extension in project.ext_modules for source in extension.sources}
    assert built == loops
    assert all(extension.optional and extension.py_limited_api for extension in project.ext_modules)


SHARED_CLASS_NAMES = {
    "AttentionCheck": "each task's own settings of its attention checks: part of the contract of a task",
    "Criterion": "a rating's criterion has a scale of its own; the other tasks share one",
    "Effects": "each task's own effects in simulated data: part of the contract of a task",
}
"""Class names that may be defined in several modules, with the reason."""


def defined_in(kind: type[ast.ClassDef]) -> dict[str, list[str]]:
    """The modules that define each public name."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in parsed(path).body:
            if isinstance(node, kind) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    return found


def test_no_class_name_means_two_things() -> None:
    shared = {name: where for name, where in defined_in(ast.ClassDef).items() if len(where) > 1}
    assert {name: where for name, where in shared.items() if name not in SHARED_CLASS_NAMES} == {}


def test_module_names_in_a_package_can_be_told_apart() -> None:
    """No two modules whose names differ only in the plural of a word, as in `order_tables` and `orders_tables`."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        words = [word.removesuffix("s") or word for word in path.stem.split("_")]
        alike.setdefault((path.parent.relative_to(PACKAGE).as_posix(), *words), []).append(path.stem)
    assert [names for names in alike.values() if len(names) > 1] == []


def is_about_a_module(test: Path) -> bool:
    """Whether there is a module with the name of this file of tests, or with the start of its name."""
    package = PACKAGE / test.relative_to(ROOT / "tests").parent
    name = test.stem.removeprefix("test_")
    modules = {path.stem.lstrip("_") for path in package.glob("*") if path.suffix in {".py", ".pyx"} or path.is_dir()}
    return any(name == module or name.startswith(f"{module}_") for module in modules | {package.name} if module)


def test_tests_mirror_modules() -> None:
    tests = {path.relative_to(ROOT / "tests"): path for path in sorted((ROOT / "tests").rglob("test_*.py"))}
    about = {name: path for name, path in tests.items() if name.parts[0] not in {*NOT_ABOUT_A_MODULE, "test_run.py"}}
    assert [str(name) for name, path in about.items() if not is_about_a_module(path)] == []
