"""run.py: what it decides before it starts a program, and its commands on real folders."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PYPROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "textassay"
version = "0"
"""


@pytest.fixture
def place(run_py: ModuleType, tmp_path: Path) -> Any:
    """A small project of its own."""
    (tmp_path / "src" / "textassay" / "kernels").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "src" / "textassay" / "kernels" / "_loop.pyx").write_text("x = 1\n")
    return run_py.Place(tmp_path)


def bare_venv(place: Any) -> None:
    """A real virtual environment without pip, made in a moment."""
    venv.create(place.venv, with_pip=False, symlinks=os.name != "nt")


# --- the stamp ------------------------------------------------------------------------------------------------------


def test_stamp_names_the_extras(run_py: ModuleType, place: Any) -> None:
    place.venv.mkdir()
    assert run_py.installed_extras(place) is None
    run_py.write_stamp(place, {"dev", "bench"})
    assert run_py.installed_extras(place) == {"dev", "bench"}


@pytest.mark.parametrize(
    "changed",
    [
        "pyproject.toml",
        "setup.py",
        "src/textassay/kernels/_loop.pyx",
        "src/textassay/kernels/_new.pyx",
        "src/textassay/kernels/_part.pxi",
    ],
)
def test_changed_source_asks_for_an_install(run_py: ModuleType, place: Any, changed: str) -> None:
    place.venv.mkdir()
    run_py.write_stamp(place, set())
    (place.root / changed).write_text("x = 2\n")
    assert run_py.installed_extras(place) is None


def test_plain_python_source_asks_for_none(run_py: ModuleType, place: Any) -> None:
    place.venv.mkdir()
    run_py.write_stamp(place, set())
    (place.root / "src" / "textassay" / "new.py").write_text("x = 2\n")
    assert run_py.installed_extras(place) == set()


def test_lost_library_asks_for_an_install(run_py: ModuleType, place: Any) -> None:
    place.venv.mkdir()
    library = place.root / "src" / "textassay" / "kernels" / "_loop.abi3.so"
    library.write_bytes(b"")
    run_py.write_stamp(place, set())
    assert json.loads(place.stamp.read_text())["libraries"] == ["src/textassay/kernels/_loop.abi3.so"]
    library.unlink()
    assert run_py.installed_extras(place) is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"fingerprint": 1}', "\x00"])
def test_broken_stamp_asks_for_an_install(run_py: ModuleType, place: Any, content: str) -> None:
    place.venv.mkdir()
    place.stamp.write_text(content)
    assert run_py.installed_extras(place) is None


def test_moved_project_gets_a_new_venv(run_py: ModuleType, place: Any, tmp_path: Path) -> None:
    bare_venv(place)
    run_py.write_stamp(place, set())
    moved = run_py.Place(tmp_path.parent / f"{tmp_path.name}-moved")
    tmp_path.rename(moved.root)
    assert run_py.installed_extras(moved) is None
    assert run_py.venv_problem(moved, needs_pip=False) == "it was made for another folder"


def test_what_earlier_builds_left_is_removed(run_py: ModuleType, place: Any) -> None:
    kernels = place.root / "src" / "textassay" / "kernels"
    stale = [kernels / name for name in ("_shared.abi3.so", "_loop.pyd", "_loop.cpython-311-darwin.so")]
    kept = [kernels / name for name in ("_loop.pyx", "_loop.pyi", "other.c")]
    for path in [*stale, *kept]:
        path.write_text("")
    (place.root / "build" / "lib").mkdir(parents=True)
    run_py.remove_compiled(place)
    assert [path for path in [*stale, place.root / "build"] if path.exists()] == []
    assert all(path.exists() for path in kept)


# --- the virtual environment ----------------------------------------------------------------------------------------


def test_uv_comes_first_where_it_is_on_path(run_py: ModuleType, place: Any) -> None:
    uv, pip = run_py.installers(place, which=lambda name: f"/opt/{name}")
    assert uv.make[:2] == ("/opt/uv", "venv")
    assert uv.install[:3] == ("/opt/uv", "pip", "install")
    assert uv.install[uv.install.index("--python") + 1] == str(place.tool("python"))
    assert pip.make == (sys.executable, "-m", "venv", str(place.venv))
    assert run_py.installers(place, which=lambda name: None) == [pip]


def test_problems_of_a_venv(run_py: ModuleType, place: Any, tmp_path: Path) -> None:
    assert run_py.venv_problem(place, needs_pip=False) == "there is none yet"
    place.venv.write_text("")
    assert run_py.venv_problem(place, needs_pip=False) == "it is not a folder"
    place.venv.unlink()
    place.venv.mkdir()
    assert run_py.venv_problem(place, needs_pip=False) == "its Python does not start"
    bare_venv(place)
    assert run_py.venv_problem(place, needs_pip=False) is None
    assert run_py.venv_problem(place, needs_pip=True) == "it has no pip"


@pytest.mark.skipif(os.name == "nt", reason="needs a program made of a shell script")
def test_older_python_in_a_venv_is_seen(run_py: ModuleType, place: Any) -> None:
    place.tool("python").parent.mkdir(parents=True)
    place.tool("python").write_text("#!/bin/sh\necho False\n")
    place.tool("python").chmod(0o755)
    assert run_py.venv_problem(place, needs_pip=False) == "its Python is older than 3.11"


def test_missing_ensurepip_names_the_remedy(run_py: ModuleType, place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    (pip,) = run_py.installers(place, which=lambda name: None)
    with pytest.raises(run_py.SetupError, match=r"(?s)no ensurepip.*apt install python3-venv.*pip install uv"):
        run_py.make_venv(place, pip)
    assert not place.venv.exists()


@pytest.mark.parametrize(
    ("output", "advice"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: Could not find a version that satisfies the requirement setuptools>=77", "check the network"),
        ("something new", "delete the folder .venv"),
    ],
)
def test_remedy_fits_the_failure(run_py: ModuleType, output: str, advice: str) -> None:
    assert advice in run_py.remedy(output)


def test_failed_install_shows_why_and_keeps_the_log(run_py: ModuleType, place: Any) -> None:
    bare_venv(place)
    program = (
        sys.executable,
        "-c",
        "import sys; print('\\n'.join(map(str, range(40))), 'no space left on device'); sys.exit(1)",
    )
    with pytest.raises(
        run_py.SetupError, match=r"(?s)could not install textassay:\n    25\n.*39 no space.*disk is full"
    ):
        run_py.install(place, run_py.Installer("pip", (), program), set())
    assert place.log.read_text().startswith("0\n1\n")


def test_foreign_settings_do_not_reach_the_venv(run_py: ModuleType) -> None:
    given = {
        "PYTHONPATH": "x",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHOME": "y",
        "VIRTUAL_ENV": "z",
        "PIP_USER": "1",
        "PATH": "p",
    }
    expected = {"PATH": "p", "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "CI": "true"}
    assert run_py.own_environment(given, {"CI": "true"}) == expected


# --- the commands ---------------------------------------------------------------------------------------------------


def test_pytest_gets_its_workers_and_the_arguments(run_py: ModuleType, place: Any) -> None:
    command = run_py.pytest_command(place, ["-k", "tau"])
    assert command[:3] == [str(place.tool("python")), "-m", "pytest"]
    assert command[command.index("-n") + 1] == "3"
    assert command[-2:] == ["-k", "tau"]
    assert "-n" not in run_py.pytest_command(place, ["-p", "no:xdist"])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a folder")
def test_temporary_files_are_in_memory_where_there_is_room(
    run_py: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_py, "MEMORY_NEEDED", 1)
    assert run_py.folder_in_memory(tmp_path, {}) == {"TMPDIR": str(tmp_path)}
    assert run_py.folder_in_memory(tmp_path, {"TMPDIR": "chosen"}) == {}
    assert run_py.folder_in_memory(tmp_path / "none", {}) == {}
    monkeypatch.setattr(run_py, "MEMORY_NEEDED", 2**60)
    assert run_py.folder_in_memory(tmp_path, {}) == {}


@pytest.mark.parametrize("argv", [["test", "--", "-k", "tau", "-x"], ["test", "-k", "tau", "-x"]])
def test_further_arguments_are_passed_on(run_py: ModuleType, argv: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(run_py.COMMANDS, "test", lambda arguments: 5 if arguments == ["-k", "tau", "-x"] else 1)
    assert run_py.main(argv) == 5


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "python3 run.py demo"),
        (["dance"], "invalid choice: 'dance'"),
        (["bench"], "bench needs the name of a comparison; there are:"),
        (["bench", "no-such"], "bench needs the name of a comparison; there are:"),
        (["docs", "--strict"], "docs takes --serve or nothing, got '--strict'"),
        (["check", "all"], "check takes no further arguments, got 'all'"),
    ],
)
def test_wrong_usage_exits_2_with_the_remedy(root: Path, argv: list[str], message: str) -> None:
    done = subprocess.run([sys.executable, root / "run.py", *argv], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_older_python_can_read_it_as_far_as_the_message(root: Path) -> None:
    ast.parse((root / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))
