"""A package that is really installed, into a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


def install(package: Path, scratch: Path) -> Path:
    """The folder that the package was installed into, without what it needs."""
    source, folder = scratch / "source", scratch / "installed"
    shutil.copytree(package, source)  # building leaves files behind
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder, source], check=True, capture_output=True, timeout=120)
    return folder


def run_with(installed: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `textassay` where the package is found."""
    path = os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "textassay", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False, timeout=120)
