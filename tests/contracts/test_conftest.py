"""The shared fixtures give what they promise, and nothing that did not run stays unsaid."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SKIPPED = """
import pytest

@pytest.mark.browser
def test_needs_browser():
    pytest.skip("no browser today")

@pytest.mark.{other}
def test_needs_other():
    pytest.skip("not here")

def test_runs():
    pass
"""
TOLD = ("CI", "TEXTASSAY_INSTALL_CHROMIUM")
"""What run.py and CI tell the tests, and these tests tell themselves."""
SUPPORT = ("tests/support/chromium.py", "tests/support/proxies.py", "tests/support/steady_digits.py")
CONSOLE = """
import pytest

@pytest.mark.parametrize("script", ["console.error('seen')", "throw new Error('seen')"])
def test_unexpected(page, script):
    page.set_content(f"<script>{script}</script>")

@pytest.mark.console_errors("se.n")
def test_expected(page):
    page.set_content("<script>console.error('seen')</script>")
"""
BETWEEN = """
import asyncio

def test_that_runs_a_loop_of_its_own():
    asyncio.run(asyncio.sleep(0))
"""
AGAIN = """
def test_with_the_browser_again(page):
    page.set_content("<title>here</title>")
    assert page.title() == "here"
"""


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    """A small project with the real conftest.py, run.py and pytest settings."""
    (tmp_path / "tests" / "support").mkdir(parents=True)
    for name in ("run.py", "pyproject.toml", "tests/conftest.py", *SUPPORT):
        shutil.copy(root / name, tmp_path / name)
    return tmp_path


def run_pytest(project: Path, tests: str, *arguments: str, **environ: str) -> tuple[int, str]:
    (project / "tests" / "test_it.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests", *arguments]
    kept = {name: value for name, value in os.environ.items() if name not in TOLD and not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=project, env=kept | environ, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_workers_collect_everything_each_in_its_own_order(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("the_conftest", root / "tests" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    conftest = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conftest)
    paths = conftest.collected_paths()
    tests = sorted((root / "tests").rglob("test_*.py"))
    assert [path for path in tests if not any(path.is_relative_to(part) for part in paths)] == []
    orders = [conftest.own_order(paths, worker) for worker in range(3)]
    assert len({*map(tuple, orders)}) == 3
    assert [sorted(order) for order in orders] == [sorted(paths)] * 3


def test_skipped_tests_are_named(project: Path) -> None:
    code, output = run_pytest(project, SKIPPED.format(other="postgres"), "-p", "no:xdist")
    assert code == 0
    assert "not run here, and why" in output
    assert "1 browser test: no browser today\n    tests/test_it.py (1)" in output
    assert "1 postgres test: not here" in output


@pytest.mark.parametrize("workers", [["-p", "no:xdist"], ["-n", "2"]], ids=["alone", "two"])
def test_skipped_tests_fail_in_ci(project: Path, workers: list[str]) -> None:
    code, output = run_pytest(project, SKIPPED.format(other="postgres"), *workers, CI="true")
    assert code == 1
    assert "CI=true: this is a failure: 1 browser test, 1 postgres test" in output


def test_ci_accepts_that_real_data_are_absent(project: Path) -> None:
    tests = "def test_reads(data_dir):\n    assert data_dir.is_dir()\n"
    code, output = run_pytest(project, tests, "-p", "no:xdist", CI="true", TEXTASSAY_DATA=str(project / "none"))
    assert code == 0
    assert "1 data test: no real data in" in output


def test_kernels_that_are_not_compiled_fail_in_ci(project: Path) -> None:
    tests = "from textassay import kernels\nkernels.compiled = lambda: False\ndef test_runs():\n    pass\n"
    code, output = run_pytest(project, tests, "-p", "no:xdist", CI="true")
    assert code == 1
    assert "CI=true: this is a failure: the compiled kernels" in output
    assert run_pytest(project, tests, "-p", "no:xdist")[0] == 0


@pytest.mark.browser
def test_errors_in_the_console_fail_a_test_that_does_not_expect_them(project: Path, chromium_path: str) -> None:
    (project / "tests" / "test_later_1.py").write_text(BETWEEN)  # between two modules that use the browser
    (project / "tests" / "test_later_2.py").write_text(AGAIN)
    code, output = run_pytest(project, CONSOLE, "-p", "no:xdist", TEXTASSAY_CHROMIUM=chromium_path)
    assert code == 1
    assert "errors in the browser's console:" in output
    assert "5 passed, 2 errors" in output


@pytest.mark.browser
def test_page_takes_trusted_input(new_context: Callable[..., Any]) -> None:
    page = new_context(viewport={"width": 360, "height": 640}).new_page()
    page.set_content("<button onclick='document.title = String(event.isTrusted) + innerWidth'>go</button>")
    page.get_by_role("button").press("Enter")
    assert page.title() == "true360"


@pytest.mark.postgres
def test_postgres_databases_are_separate(postgres_url: str, empty_postgres_database: str) -> None:
    import sqlalchemy

    for url, tables in ((empty_postgres_database, ["here"]), (postgres_url, [])):
        engine = sqlalchemy.create_engine(url)
        with engine.begin() as connection:
            if tables:
                connection.execute(sqlalchemy.text("CREATE TABLE here (x integer)"))
            assert sqlalchemy.inspect(connection).get_table_names() == tables
        engine.dispose()
