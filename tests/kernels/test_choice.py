"""Which loops serve, and that every compiled loop is known."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from textassay import kernels
from textassay.errors import UsageError
from textassay.kernels import choice

FOLDER = Path(kernels.__file__).parent


def test_python_forces_the_fallbacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.VARIABLE, "python")
    assert not kernels.compiled()
    assert choice.compiled_loop("lcs") is None


@pytest.mark.parametrize("value", ["", "auto"])
def test_compiled_loops_serve_where_they_are(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(choice.VARIABLE, value)
    built = [path.name for path in FOLDER.iterdir() if path.name.startswith("_lcs.") and path.suffix in (".so", ".pyd")]
    assert kernels.compiled() is bool(built)


def test_other_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.VARIABLE, "fast")
    with pytest.raises(UsageError, match="TEXTASSAY_KERNELS is 'fast'; set it to 'python'"):
        kernels.compiled()


def test_a_library_that_is_not_there_means_the_fallback() -> None:
    assert choice._built("no_such_kernel") is None


def test_the_variable_works_from_outside() -> None:
    program = "from textassay import kernels; print(kernels.compiled())"
    environment = {**os.environ, choice.VARIABLE: "python"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_every_loop_is_declared_once() -> None:
    """A loop is a .pyx, a line in KERNELS and a module with the public function.

    A loop for a special case is named after the module that uses it: `gtm_short` after `gtm`.
    """
    loops = {path.stem.removeprefix("_") for path in FOLDER.glob("_*.pyx")}
    assert loops == set(kernels.KERNELS)
    modules = {path.stem for path in FOLDER.glob("*.py")}
    assert [name for name in loops if name not in modules and name.rpartition("_")[0] not in modules] == []
